import pandas as pd
import pytest
from typer.testing import CliRunner

import partita as pt
from partita.cli import app


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
    ball = pt.credible_ball(posterior, estimate, 0.9)
    assert f"within vi distance {ball.radius:.4f}" in result.output


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
    assert "clusters of" in result.output
    labels = pd.read_csv(tmp_path / "out" / "labels.csv", index_col=0)
    assert labels.index[0] == "plant 0"
    posterior = pt.PartitionPosterior.load(tmp_path / "out" / "draws.npz")
    assert (posterior.n_draws, posterior.n_items) == (200, 40)
    assert (tmp_path / "out" / "diagnostics.csv").exists()


def test_validate_prints_the_table_and_the_choice(table, tmp_path):
    result = run("validate", table, "--k", "2:6", "-o", tmp_path / "out", "--index", "name")
    assert result.exit_code == 0, result.output
    assert "4 clusters, by stability" in result.output
    assert len(pd.read_csv(tmp_path / "out" / "selection.csv")) == 5
    assert len(pd.read_csv(tmp_path / "out" / "labels.csv")) == 40


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cluster", "{table}", "--index", "nome"], "Error: index must be one of the columns x, y, name: got 'nome'."),
        (["cluster", "{table}", "--component", "gaussian-full"], "Error: X must hold numbers: got 'plant 0'."),
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
    assert result.stderr.startswith(message)
    assert not (tmp_path / "out").exists()
