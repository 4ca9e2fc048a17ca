"""``partita suggest``: which pairs to ask about next, from a folder or a file, to a table that goes back in."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

import partita as pt
from partita.cli import app


@pytest.fixture
def folder(tmp_path):
    posterior, _ = pt.datasets.make_noisy_draws(n_items=20, n_draws=200, n_clusters=3, noise=0.2, random_state=3)
    pt.PartitionPosterior(posterior.draws, items=[f"bird {i}" for i in range(20)]).save(tmp_path / "draws.npz")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_suggest_writes_the_pairs_that_the_library_suggests(folder):
    result = run("suggest", folder, "--n-pairs", 4)
    assert result.exit_code == 0, result.output
    expected = pt.suggest_pairs(pt.PartitionPosterior.load(folder / "draws.npz"), 4)
    pd.testing.assert_frame_equal(pd.read_csv(folder / "pairs.csv"), expected)
    first, second = expected.loc[0, ["first", "second"]]
    assert f"4 pairs to ask about; the first: whether {first} and {second} belong together" in result.output


def test_a_folder_and_its_draws_give_the_same_pairs(folder):
    assert run("suggest", folder, "-o", folder / "a.csv").exit_code == 0
    assert run("suggest", folder / "draws.npz", "-o", folder / "b.csv").exit_code == 0
    assert (folder / "a.csv").read_text() == (folder / "b.csv").read_text()
    assert not (folder / "pairs.csv").exists()


def test_pairs_are_spread_over_the_clusters_of_the_folder(folder):
    posterior = pt.PartitionPosterior.load(folder / "draws.npz")
    one = pd.DataFrame({"cluster": [0] * 20}, index=pd.Index(posterior.items, name="item"))
    one.to_csv(folder / "labels.csv")
    assert run("suggest", folder).exit_code == 0
    assert set(pd.read_csv(folder / "pairs.csv")["first_cluster"]) == {0}


def test_answers_go_back_in_as_constraints(folder):
    assert run("suggest", folder, "--n-pairs", 3).exit_code == 0
    answers = pd.read_csv(folder / "pairs.csv").assign(link=["must", "cannot", "must"])
    items = pt.PartitionPosterior.load(folder / "draws.npz").items
    assert len(pt.Constraints.from_table(answers, items=items).must_link) == 2


def test_where_nothing_is_in_doubt_there_is_nothing_to_ask(tmp_path):
    pt.PartitionPosterior([[0, 0, 1, 1]] * 9).save(tmp_path / "draws.npz")
    result = run("suggest", tmp_path, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["n_pairs"] == 0
    assert len(pd.read_csv(tmp_path / "pairs.csv")) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}/none.csv"], "Error: path must name a file"),
        (["{folder}/empty"], "Error: folder must hold draws"),
        (["{folder}", "--n-pairs", "0"], "Error: n_pairs must be a whole number of at least 1: got 0."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(folder, arguments, message):
    (folder / "empty").mkdir()
    result = run("suggest", *(a.replace("{folder}", str(folder)) for a in arguments))
    assert result.exit_code == 2
    assert result.stderr.startswith(message)
    assert not (folder / "pairs.csv").exists()
