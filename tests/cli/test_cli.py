import ast
import html
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

import partita as pt
from partita.cli import app
from partita.cli.app import EXIT_CODES
from partita.cli.cluster import describe_columns, make_component, say_columns
from partita.cli.validate import parse_range


@pytest.fixture
def draws(tmp_path):
    posterior, _ = pt.datasets.make_noisy_draws(n_items=20, n_draws=200, n_clusters=3, random_state=3)
    named = pt.PartitionPosterior(posterior.draws, items=[f"bird {i}" for i in range(20)])
    named.save(tmp_path / "my draws.csv")
    return named, tmp_path / "my draws.csv"


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_summarize_writes_what_the_library_answers(draws, tmp_path):
    posterior, path = draws
    result = run("summarize", path, "-o", tmp_path / "out", "--loss", "binder", "--level", 0.9)
    assert result.exit_code == 0, result.output
    estimate = pt.estimate_partition(posterior, "binder")
    labels = pd.read_csv(tmp_path / "out" / "labels.csv", index_col=0)["cluster"]
    assert labels.tolist() == estimate.labels.tolist()
    assert list(labels.index) == list(posterior.items)
    assert len(pd.read_csv(tmp_path / "out" / "certainty.csv")) == 20
    assert len(pd.read_csv(tmp_path / "out" / "clusters.csv")) == estimate.n_clusters
    assert {"center", "lower"} <= set(pd.read_csv(tmp_path / "out" / "bounds.csv").columns)
    summary = pt.summarize(posterior, estimate, level=0.9)
    assert summary.words in result.output
    assert f"lies within {summary.ball.radius:.2f} bits of this one" in result.output
    shown = re.findall(r"^(bird \d+) .*", result.output.split("Least certain items:")[1], flags=re.MULTILINE)
    assert shown == list(summary.certainty.items.index[:5])
    assert re.findall(r"\d\.\d+", result.output.split("Least certain items:")[1])
    assert not re.search(r"\d\.\d{3}", result.output.split("Least certain items:")[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["summarize", "absent.csv"], "Error: path must name a file: got 'absent.csv'."),
        (["summarize", "{draws}", "--loss", "vu"], "Error: loss must be one of"),
        (["summarize", "{draws}", "--level", "95"], "Error: level must lie strictly between 0 and 1: got 95.0."),
        (["summarize", "{draws}", "--max-clusters", "0"], "Error: max_clusters must be a whole number of at least 1"),
    ],
)
def test_errors_are_one_sentence_and_write_nothing(draws, tmp_path, arguments, message):
    arguments = [a.replace("{draws}", str(draws[1])) for a in arguments]
    result = run(*arguments, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr.startswith(message)
    assert "Traceback" not in result.output
    assert not (tmp_path / "out").exists()


def test_unwritable_output_is_named(draws, tmp_path):
    (tmp_path / "file").write_text("")
    result = run("summarize", draws[1], "-o", tmp_path / "file")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")


@pytest.fixture
def table(tmp_path):
    X, _ = pt.datasets.make_quadrants(n_items=40, random_state=2)
    frame = pd.DataFrame(X, columns=["x", "y"]).assign(name=[f"plant {i}" for i in range(40)])
    frame.to_csv(tmp_path / "data.csv", index=False)
    return tmp_path / "data.csv"


def test_cluster_goes_from_a_table_to_files(table, tmp_path):
    short = ["--chains", 2, "--draws", 100, "--warmup", 50, "--seed", 1]
    result = run(
        "cluster", table, "-o", tmp_path / "out", "--index", "name", "--component", "gaussian-diagonal", *short
    )
    assert result.exit_code == 0, result.output
    assert "40 items form" in result.output
    labels = pd.read_csv(tmp_path / "out" / "labels.csv", index_col=0)
    assert labels.index[0] == "plant 0"
    posterior = pt.PartitionPosterior.load(tmp_path / "out" / "draws.npz")
    assert (posterior.n_draws, posterior.n_items) == (200, 40)
    assert (tmp_path / "out" / "diagnostics.csv").exists()


def test_validate_prints_the_table_and_the_choice(table, tmp_path):
    output = tmp_path / "results" / "birds"
    result = run("validate", table, "--k", "2:6", "-o", output, "--index", "name")
    assert result.exit_code == 0, result.output
    assert "4 clusters: silhouette, gap and stability-uniform agree." in result.output
    assert "Numbers are scaled to variance 1." in result.stderr
    selection = pd.read_csv(output / "selection.csv")
    assert list(selection) == ["method", "n_clusters", "value", "sd"]
    assert len(selection) == 15
    assert len(pd.read_csv(output / "labels.csv")) == 40


def test_a_range_holds_its_ends():
    assert (list(parse_range("2:4")), list(parse_range("3:3"))) == ([2, 3, 4], [3])
    for wrong in ("4:3", "3", ":3", "a:b"):
        with pytest.raises(ValueError, match="k must be FIRST:LAST, such as 2:12: got"):
            parse_range(wrong)


def test_validate_reads_tables_of_any_kind(tmp_path):
    sorts, rows = ["wren", "swan"], ["mass;wings;sort;unit;ring"]
    rows += [f"{10 + 30 * (i % 2)},{i % 7};{20 + 40 * (i % 2) + i % 3};{sorts[i % 2]};cm;{i + 1}" for i in range(30)]
    rows[3], rows[7] = "?;22;wren;cm;3", "10,5;20;;cm;7"
    (tmp_path / "birds.csv").write_text("\n".join([*rows, ";;;;31"]) + "\n")
    result = run("validate", tmp_path / "birds.csv", "--k", "2:4", "-o", tmp_path / "out", "--method", "silhouette")
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines() == [
        "Numbers have decimal commas, as '10,0' in column 'mass'.",
        "Column 'mass': one entry '?' read as missing.",
        "Column 'unit' holds nothing but 'cm' and is left out.",
        "Column 'ring' counts the rows and is left out.",
        "Beside numbers, categories describe clusters and do not make them: 'sort' left out.",
        "One row holds nothing and cannot be placed.",
        "Numbers are scaled to variance 1.",
        "One missing entry is filled from the 5 nearest rows.",
    ]
    assert "2 clusters by silhouette." in result.output
    assert len(pd.read_csv(tmp_path / "out" / "labels.csv")) == 30
    named = ["--columns", "mass,wings,sort", "--method", "silhouette"]
    result = run("validate", tmp_path / "birds.csv", "--k", "2:4", "-o", tmp_path / "out", *named)
    assert "As zeros and ones for each value: 'sort'." in result.stderr
    unscaled = run("validate", tmp_path / "birds.csv", "--k", "2:3", "-o", tmp_path / "out", "--no-scale", "--json")
    assert json.loads(unscaled.stdout)["choices"]["gap"] in (2, 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cluster", "{table}", "--index", "nome"], "Error: index must be among the columns x, y, name: got 'nome'."),
        (["cluster", "{table}", "--prior", "dp"], "Error: prior must be one of"),
        (["cluster", "{table}", "--k", "0"], "Error: n_clusters must be a whole number of at least 1: got 0."),
        (["cluster", "absent.csv"], "Error: data must name a file: got 'absent.csv'."),
        (
            ["validate", "{table}", "--index", "name", "--k", "two"],
            "Error: k must be FIRST:LAST, such as 2:12: got 'two'.",
        ),
    ],
)
def test_errors_about_tables_are_one_sentence(table, tmp_path, arguments, message):
    arguments = [a.replace("{table}", str(table)) for a in arguments]
    result = run(*arguments, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


SHORT = ["--chains", 2, "--draws", 60, "--warmup", 20]


def test_cluster_leaves_all_that_a_report_needs(table, tmp_path):
    out = tmp_path / "my out"
    result = run("cluster", table, "-o", out, *SHORT, "--json")
    assert result.exit_code == 0, result.stderr
    said = json.loads(result.stdout)
    assert said["n_clusters"] == len(said["sizes"])
    posterior = pt.PartitionPosterior.load(out / "draws.npz")
    again = pt.summarize(posterior, pd.read_csv(out / "labels.csv", index_col=0)["cluster"]).to_dict()
    assert {name: said[name] for name in ("ball", "joint_core", "sizes", "n_doubtful")} == {
        name: again[name] for name in ("ball", "joint_core", "sizes", "n_doubtful")
    }
    assert "Column 'name' names the items." in result.stderr
    written = {path.name for path in out.iterdir()}
    assert written == {
        *("labels.csv", "certainty.csv", "clusters.csv", "bounds.csv", "diagnostics.csv"),
        *("draws.npz", "data.csv", "run.json", "report.html"),
    }
    before = (out / "report.html").stat().st_mtime_ns
    again = run("report", out)
    assert again.exit_code == 0, again.stderr
    assert (out / "report.html").stat().st_mtime_ns > before
    elsewhere = run("report", out, "-o", tmp_path / "page.html", "--data", table)
    assert elsewhere.exit_code == 0, elsewhere.stderr
    assert (tmp_path / "page.html").stat().st_size > 1000


@pytest.fixture
def birds(tmp_path):
    rows = [f"{3 + i % 7},{i % 2}{i % 5},{'ab'[i % 2]},{i + 1},cm,2020-01-{i + 1:02}" for i in range(20)]
    (tmp_path / "birds.csv").write_text("\n".join(["eggs,ring,island,id,unit,day", *rows]) + "\n")
    return tmp_path / "birds.csv"


def test_columns_can_be_declared_and_left_out_and_the_page_says_so(birds, tmp_path):
    out = tmp_path / "out"
    options = ["--column", "eggs=gaussian", "--column", "ring=categorical", "--drop", "island"]
    result = run("cluster", birds, "-o", out, *SHORT, *options)
    assert result.exit_code == 0, result.stderr
    said = [
        "Taken for numbers: eggs.",
        "Taken for categories: ring.",
        "Column 'id' counts the rows and is left out.",
        "Column 'unit' holds nothing but 'cm' and is left out.",
        "Column 'day' holds dates and is left out.",
        "Column 'island' is left out, as asked.",
    ]
    assert result.stderr.splitlines()[: len(said)] == said
    known = json.loads((out / "run.json").read_text())
    assert known["notes"] == said
    assert known["columns"] == {"eggs": "number", "ring": "category"}
    for _ in range(2):
        page = html.unescape((out / "report.html").read_text(encoding="utf-8"))
        assert all(f"<li>{sentence}</li>" in page for sentence in said)
        assert run("report", out).exit_code == 0


def test_sentences_on_columns_come_from_the_component_or_the_declaration():
    table = pd.DataFrame({"mass": [1.5, 2.25, 9.5, 4.0], "wing": [3.5, 1.5, 2.0, 7.5], "sex": list("fmfm")})
    found = describe_columns(make_component("auto", {}, table), table)
    said = say_columns(found)
    assert said[0] == "Taken for numbers: mass, wing."
    assert said[1].startswith("Column 'sex' is left out: a category beside numbers")
    declared = make_component("auto", {"sex": "categorical", "mass": "gaussian"}, table)
    assert describe_columns(declared, table) == {"mass": "number", "wing": "number", "sex": "category"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--column", "eggs"], "column must be NAME=COMPONENT, such as mass=gaussian: got 'eggs'."),
        (["--column", "egg=poisson"], "column must be among those in use, eggs, ring, island: got 'egg'."),
        (["--column", "unit=poisson"], "column must be among those in use, eggs, ring, island: got 'unit'."),
        (["--column", "eggs=normal"], "column eggs must be one of"),
        (["--column", "eggs=poisson", "--k", "2"], "column must be left out with --k, which has no components"),
        (["--drop", "isle"], "drop must be among the columns eggs, ring, island, id, unit, day: got 'isle'."),
        (["--decimal", ";"], "decimal must be one of ,, .: got ';'."),
    ],
)
def test_what_is_wrong_with_declared_columns_is_named(birds, tmp_path, options, message):
    result = run("cluster", birds, "-o", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert f"Error: {message}" in result.stderr
    assert not (tmp_path / "out").exists()


def test_pairs_are_respected(table, tmp_path):
    (tmp_path / "same.csv").write_text("a,b\nplant 0,plant 1\nplant 1,plant 7\n")
    (tmp_path / "different.csv").write_text("a,b\nplant 0,plant 2\n")
    pairs = ["--must-link", tmp_path / "same.csv", "--cannot-link", tmp_path / "different.csv"]
    for extra in ([], ["--k", 3]):
        out = tmp_path / f"out{len(extra)}"
        result = run("cluster", table, "-o", out, *SHORT, *pairs, *extra)
        assert result.exit_code == 0, result.stderr
        labels = pd.read_csv(out / "labels.csv", index_col=0)["cluster"]
        assert labels["plant 0"] == labels["plant 1"] == labels["plant 7"] != labels["plant 2"]
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("a,b\nplant 0,plant 99\n")
    result = run("cluster", table, "-o", tmp_path / "none", "--must-link", wrong)
    assert result.exit_code == 2
    assert "plant 99" in result.stderr


def test_simulate_writes_data_and_truth_apart(tmp_path):
    for what in ("quadrants", "shaped", "anova"):
        result = run("simulate", what, "-o", tmp_path / what, "--items", 60)
        assert result.exit_code == 0, result.stderr
        assert len(pd.read_csv(tmp_path / what / "data.csv")) == len(pd.read_csv(tmp_path / what / "truth.csv")) == 60
    assert run("simulate", "galaxies", "-o", tmp_path / "g").exit_code == 0
    assert not (tmp_path / "g" / "truth.csv").exists()
    assert "what must be one of" in run("simulate", "stars", "-o", tmp_path / "s").stderr


def all_commands():
    root = typer.main.get_command(app)
    return [(name, command) for name, command in root.commands.items()]


def test_the_version_is_said():
    assert run("--version").stdout == f"partita {pt.__version__}\n"


HEAVY = ("numba", "pandas", "scipy", "sklearn", "matplotlib", "xarray")
QUICK = f"""
import sys
from partita.cli import app
from partita.cli.app import EXIT_CODES
try:
    app(sys.argv[1:], prog_name="partita")
except SystemExit as done:
    assert done.code == 0
print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


def imported_by(*arguments):
    ended = subprocess.run([sys.executable, "-c", QUICK, *arguments], capture_output=True, text=True, check=True)
    return ast.literal_eval(ended.stderr.splitlines()[-1])


@pytest.mark.parametrize("command", [(), *((name,) for name, _ in all_commands())])
def test_help_imports_nothing_heavy(command):
    assert imported_by(*command, "--help") == []


def test_the_version_imports_nothing_heavy():
    assert imported_by("--version") == []


def test_a_heavy_import_would_be_noticed(tmp_path):
    assert "pandas" in imported_by("simulate", "galaxies", "-o", str(tmp_path))


@pytest.mark.parametrize(("name", "command"), all_commands())
def test_every_command_and_option_is_documented(name, command):
    assert "Example: partita" in command.help
    for parameter in command.params:
        assert getattr(parameter, "help", None), parameter.name


def test_help_is_plain_and_fits_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    command = [sys.executable, "-m", "partita", "cluster", "--help"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert max(map(len, printed.splitlines())) <= 60
    assert "\x1b" not in printed


@pytest.mark.slow
def test_an_interrupted_run_says_how_to_go_on_and_ends_the_same(table, tmp_path):
    def command(out, *more):
        settings = ["--chains", "1", "--draws", "10000", "--warmup", "10", "--jobs", "1"]
        # A shell in the background ignores interrupts, and its children too.
        script = (
            "import signal, partita.cli; signal.signal(signal.SIGINT, signal.default_int_handler); partita.cli.app()"
        )
        return [sys.executable, "-c", script, "cluster", str(table), "-o", str(tmp_path / out), *settings, *more]

    process = subprocess.Popen(command("cut"), stderr=subprocess.PIPE, text=True)
    kept = tmp_path / "cut" / "checkpoint.partita"
    while process.poll() is None and not (kept.exists() and kept.stat().st_size > 60_000):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1]
    assert process.returncode == 130, said
    assert "--resume" in said
    assert kept.exists()
    assert subprocess.run(command("cut"), capture_output=True, check=False).returncode == 2  # not without being asked
    assert subprocess.run(command("cut", "--resume"), capture_output=True, check=False).returncode == 0
    assert subprocess.run(command("whole"), capture_output=True, check=False).returncode == 0
    assert not kept.exists()
    cut, whole = (pt.PartitionPosterior.load(tmp_path / name / "draws.npz") for name in ("cut", "whole"))
    assert (cut.draws == whole.draws).all()


@pytest.mark.slow
def test_what_was_warmed_up_is_not_compiled_again(tmp_path):
    known = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "partita", "warmup"]
    warmed = subprocess.run(command, env=known, capture_output=True, text=True, check=True)
    assert warmed.stdout.startswith("Compiled in ")
    code = """import partita as pt
from partita._kernels.decide.reallocation import reallocate
pt.estimate_partition(pt.datasets.make_noisy_draws(20, 40, n_clusters=3, random_state=3)[0])
print(sum(reallocate.stats.cache_hits.values()), sum(reallocate.stats.cache_misses.values()))"""
    used = subprocess.run([sys.executable, "-c", code], env=known, capture_output=True, text=True, check=True)
    assert used.stdout.split() == ["1", "0"]


def test_a_folder_of_results_knows_what_belongs_together(table, tmp_path):
    out, settings = tmp_path / "out", ["--chains", "1", "--draws", "60", "--warmup", "20"]
    assert run("cluster", table, "-o", out, *settings).exit_code == 0
    assert run("report", out).exit_code == 0
    pt.PartitionPosterior([[0, 0, 1], [0, 1, 1], [0, 0, 1]]).save(tmp_path / "other.npz")
    assert run("summarize", tmp_path / "other.npz", "-o", out).exit_code == 0
    known = json.loads((out / "run.json").read_text())
    assert "columns" not in known  # of the run before
    assert set(known["files"]) == {"draws.npz", "labels.csv"}
    refused = run("report", out)
    assert refused.exit_code == 2
    assert "folder must hold files of one run: got data.csv, which run.json does not name" in refused.stderr
    (out / "data.csv").unlink()
    assert run("report", out).exit_code == 0
    labels = (out / "labels.csv").read_text()
    (out / "labels.csv").write_text(labels.replace(",1", ",0"))
    assert "got another labels.csv" in run("report", out).stderr


def test_output_that_nobody_reads_is_no_error(table, tmp_path):
    command = f"{sys.executable} -m partita summarize {tmp_path / 'draws.npz'} -o {tmp_path / 'out'} | true"
    pt.PartitionPosterior([[0, 0, 1], [0, 1, 1], [0, 0, 1]]).save(tmp_path / "draws.npz")
    bash = ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"]
    done = subprocess.run(bash, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) in ((141, ""), (0, ""))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_request_to_terminate_is_treated_like_an_interrupt(number, code):
    script = (
        "import signal, sys, time; from partita.cli.app import friendly_errors\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import typer\n"
        "try:\n"
        "    with friendly_errors('Interrupted. Go on with --resume'):\n"
        "        print('going', flush=True)\n"
        "        time.sleep(60)\n"
        "except typer.Exit as ended:\n"
        "    sys.exit(ended.exit_code)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "going\n"
    child.send_signal(number)
    said = child.communicate(timeout=60)[1]
    assert child.returncode == code
    assert "Interrupted. Go on with --resume" in said


@pytest.mark.parametrize("name", ["data.npz", "data.csv.gz", "data.npy", "data.parquet"])
def test_a_truncated_file_is_named(tmp_path, name):
    path = tmp_path / name
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 2)), columns=["a", "b"])
    if name.endswith("npz"):
        np.savez(path, X=frame.to_numpy())
    elif name.endswith("npy"):
        np.save(path, frame.to_numpy())
    elif name.endswith("gz"):
        frame.to_csv(path)
    else:
        frame.to_parquet(path)
    path.write_bytes(path.read_bytes()[:-200])
    done = run("cluster", path, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert f"Error: data must be a whole .{name.split('.', 1)[1]} file: got '{name}'" in done.stderr


def test_absurd_numbers_of_draws_are_refused(table, tmp_path):
    done = run("cluster", table, "-o", tmp_path / "out", "--draws", "999999999999")
    assert done.exit_code == 2
    assert "n_draws must be at most 100000000: got 999999999999" in done.stderr


def test_exit_codes_are_told():
    assert all(f"{code}, {meaning}" in " ".join(run("--help").stdout.split()) for code, meaning in EXIT_CODES.items())
