"""``partita bayes``: the labels and errors of the library, with item names, in files."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import partita as pt
from partita.cli import app


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(center, size=(7, 2)) for center in (0, 4)])
    pd.DataFrame(X, columns=["x", "y"], index=[f"bird {i}" for i in range(14)]).to_csv(tmp_path / "data.csv")
    return tmp_path / "data.csv"


def library(data, **settings):
    table = pd.read_csv(data, index_col=0)
    scaled = (table - table.mean()) / table.std(ddof=0)
    process = pt.GaussianPointProcess.from_data(scaled, 2, **settings)
    return pt.BayesClusterer(process).fit(scaled), scaled


def test_bayes_writes_what_the_library_finds(data, tmp_path):
    result = run("bayes", data, "--k", 2, "-o", tmp_path / "out", "--json")
    assert result.exit_code == 0, result.output
    facts, (expected, _) = json.loads(result.stdout), library(data)
    assert facts["expected_error"] == pytest.approx(expected.error_)
    assert facts["error_bounds"] == pytest.approx(expected.error_bounds_)
    assert (facts["certified"], facts["search"]) == (True, "exact")
    assert facts["kmeans_error"] >= facts["expected_error"] - 1e-12
    labels = pd.read_csv(tmp_path / "out" / "labels.csv", index_col="item")["cluster"]
    assert labels.index[0] == "bird 0"
    assert pt.Misclassification().between(labels, expected.labels_) == 0
    errors = pd.read_csv(tmp_path / "out" / "errors.csv", index_col="clusterer")
    assert list(errors.index) == ["bayes", "k-means"]
    assert errors.loc["bayes", "expected_error"] == pytest.approx(expected.error_)
    known = json.loads((tmp_path / "out" / "run.json").read_text())
    assert sorted(known["files"]) == ["errors.csv", "labels.csv"]


def test_known_sizes_are_kept_by_a_search_among_them(data, tmp_path):
    result = run("bayes", data, "--sizes", "9,5", "--search", "pseed", "-o", tmp_path / "out", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["sizes"] == [9, 5]


def test_categories_are_left_out(data, tmp_path):
    table = pd.read_csv(data, index_col=0)
    table.assign(sort=["fast", "slow"] * 7).to_csv(data)
    result = run("bayes", data, "-o", tmp_path / "out", "--json")
    assert "'sort' left out" in result.stderr
    assert json.loads(result.stdout)["search"] == "exact"


def test_draws_have_the_names_of_the_items(data, tmp_path):
    result = run("bayes", data, "--search", "posterior", "-o", tmp_path / "out", "--quiet")
    assert result.exit_code == 0, result.output
    assert "of the items are misplaced (standard error" in result.stdout
    posterior = pt.PartitionPosterior.load(tmp_path / "out" / "draws.npz")
    assert posterior.items[0] == "bird 0"
    assert run("bayes", data, "-o", tmp_path / "out").exit_code == 0
    assert not (tmp_path / "out" / "draws.npz").exists()  # an exact search has none


def test_names_stay_when_more_is_drawn(data):
    _, table = library(data)
    process = pt.GaussianPointProcess.from_data(table, 2)
    fit = pt.BayesClusterer(process, "posterior", n_draws=20, n_chains=2).fit(table)
    assert fit.posterior_.items[1] == "bird 1"
    assert fit._error_model.refine().posterior.items == fit.posterior_.items


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--k", "0"], "n_labels must be a whole number of at least 1: got 0."),
        (["--sizes", "7,x"], "sizes must be whole numbers separated by commas: got '7,x'."),
        (["--search", "exakt"], "search must be one of"),
        (["--columns", "x,x2"], "columns must be among the columns"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(data, tmp_path, options, message):
    result = run("bayes", data, "-o", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()
