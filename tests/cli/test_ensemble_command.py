"""``partita ensemble``, clusterings by column, and a word to those who cluster labels."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import partita as pt
from partita.cli import app
from partita.cli.cluster import say_if_draws


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(center, size=(15, 2)) for center in (0, 8)])
    pd.DataFrame(X, columns=["x", "y"], index=[f"bird {i}" for i in range(30)]).to_csv(tmp_path / "data.csv")
    return tmp_path / "data.csv"


@pytest.mark.parametrize("clusterer", ["kmeans", "gmm"])
def test_ensemble_writes_what_runs_agree_on(data, tmp_path, clusterer):
    typed = ("ensemble", data, "--clusterer", clusterer, "--k", "2:4", "--runs", 12, "-o", tmp_path / "out", "--json")
    result = run(*typed)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["n_items"] == 30
    assert (tmp_path / "out" / "report.html").stat().st_size > 1000
    assert pt.PartitionPosterior.load(tmp_path / "out" / "draws.npz").n_draws == 12
    again = run(*typed)
    assert json.loads(again.stdout)["expected_loss"] == json.loads(result.stdout)["expected_loss"]


def test_unknown_clusterers_are_named(data, tmp_path):
    result = run("ensemble", data, "--clusterer", "k-means", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "Did you mean 'kmeans'?" in result.output


def test_summarize_reads_clusterings_by_column(tmp_path):
    posterior, _ = pt.datasets.make_noisy_draws(n_items=20, n_draws=9, n_clusters=3, random_state=3)
    table = pd.DataFrame(posterior.draws.T, index=[f"cell {i}" for i in range(20)]).add_prefix("run_")
    table.to_csv(tmp_path / "labels.csv")
    result = run("summarize", tmp_path / "labels.csv", "--by", "columns", "-o", tmp_path / "out", "--json")
    assert result.exit_code == 0, result.output
    assert (json.loads(result.stdout)["n_items"], json.loads(result.stdout)["n_draws"]) == (20, 9)
    assert json.loads(result.stdout)["diagnostics"] is None


def test_tables_that_look_like_clusterings_are_told_so():
    posterior, _ = pt.datasets.make_noisy_draws(n_items=40, n_draws=30)
    assert "did you mean partita summarize?" in say_if_draws(pd.DataFrame(posterior.draws))[0]
    assert "--by columns?" in say_if_draws(pd.DataFrame(posterior.draws.T))[0]
    survey = np.random.default_rng(0).integers(1, 6, size=(200, 8))
    assert say_if_draws(pd.DataFrame(survey)) == []


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "said"), [(5, 20, True), (4, 20, False), (5, 19, False), (30, 20, True), (2100, 30, True)]
)
def test_tables_of_labels_are_told_from_data_by_their_size_and_agreement(n_rows, n_columns, said):
    labels = np.repeat(np.arange(4), 10)[:n_columns]
    table = np.array([labels] * n_rows)
    assert bool(say_if_draws(pd.DataFrame(table))) == said
    assert bool(say_if_draws(pd.DataFrame(table + 1))) == said  # from 1 on
    assert bool(say_if_draws(pd.DataFrame(table - 1))) == said  # with noise
    assert say_if_draws(pd.DataFrame(table - 2)) == []
    assert say_if_draws(pd.DataFrame(table + 2)) == []
    assert say_if_draws(pd.DataFrame(table * 2)) == []  # with gaps
    assert say_if_draws(pd.DataFrame(table + 0.5)) == []
    noise = np.random.default_rng(0).integers(4, size=(60, 40))
    assert say_if_draws(pd.DataFrame(noise)) == []


@pytest.mark.parametrize(("agreement", "said"), [(0.3, False), (0.31, True)])
def test_rows_of_labels_are_draws_where_they_agree(monkeypatch, agreement, said):
    monkeypatch.setattr("partita.posterior.draws.row_agreement", lambda rows: agreement)
    table = np.array([np.repeat(np.arange(4), 10)] * 6)
    assert bool(say_if_draws(pd.DataFrame(table))) == said
