"""Priors of mixtures: tables they take for possible, and what an answer owes to them."""

import numpy as np
import pandas as pd
import pytest

import partita as pt

SHORT = dict(n_chains=2, n_draws=60, n_warmup=40, n_jobs=1, random_state=3)


def test_tables_of_the_prior_have_its_marginal_distribution():
    """A fixed normal column: each entry is Student around the prior mean, whatever the clusters."""
    X = np.array([[0.0], [2.0], [5.0], [9.0]])
    model = pt.BayesianMixture(
        pt.Gaussian("diagonal", mean=3.0, strength=0.5, shape=3.0, scale=6.0), pt.DirichletProcess(1)
    )
    tables = pt.sample_prior_tables(model, X, n_tables=1500, n_rows=3, random_state=1)
    entries = np.array([table[:, 0] for table, _ in tables])
    variance = 6.0 / 2 * (1 + 1 / 0.5)  # of a t distribution: scale / (shape - 1), of an item and of its cluster's mean
    assert np.median(entries, axis=0) == pytest.approx([3.0] * 3, abs=0.25)
    assert entries.var(axis=0) == pytest.approx([variance] * 3, rel=0.35)
    together = np.mean([labels[0] == labels[1] for _, labels in tables])
    assert together == pytest.approx(0.5, abs=0.04)
    pairs = np.array([table[:2, 0] for table, labels in tables if labels[0] == labels[1]])
    apart = np.array([table[:2, 0] for table, labels in tables if labels[0] != labels[1]])
    assert np.corrcoef(pairs.T)[0, 1] > 0.4  # 2 / 3 of the variance is that of the mean
    assert abs(np.corrcoef(apart.T)[0, 1]) < 0.15


def test_tables_of_the_prior_keep_columns_and_kinds():
    table = pd.DataFrame({"sort": list("aabbb") * 4, "eggs": [0, 1, 7, 8, 9] * 4, "mass": np.linspace(0, 1, 20)})
    drawn, labels = pt.sample_prior_tables(pt.BayesianMixture("product"), table, n_tables=2)[1]
    assert list(drawn.columns) == ["sort", "eggs", "mass"]
    assert set(drawn["sort"]) <= {"a", "b"}
    assert labels.size == len(drawn) == 20
    with pytest.raises(TypeError, match="model must be"):
        pt.sample_prior_tables("student", table)


def test_the_default_component_has_tables_too():
    X = np.random.default_rng(0).normal(size=(30, 2))
    tables = pt.sample_prior_tables(pt.BayesianMixture(), X, n_tables=20, n_rows=10)
    assert np.isfinite([table for table, _ in tables]).all()


def test_priors_that_expect_more_find_more():
    X, _ = pt.datasets.make_quadrants(n_items=60, random_state=1)
    priors = {
        "one": pt.DirichletProcess(1e-8),
        "few": pt.MixtureOfFiniteMixtures(),
        "many": pt.DirichletProcess(8.0),
    }
    table = pt.compare_priors(pt.BayesianMixture("gaussian-diagonal", fuse=False, **SHORT), X, priors)
    assert list(table.index) == ["one", "few", "many"]
    assert table["expected"].is_monotonic_increasing
    assert table["mean"].is_monotonic_increasing
    assert (table["low"] <= table["high"]).all()
    assert table.loc["one", ["n_clusters", "agreement"]].tolist() == [1, 1.0]
    assert table.loc["many", "agreement"] < 0.5
    again = pt.BayesianMixture("gaussian-diagonal", priors["few"], fuse=False, **SHORT).fit(X)
    assert again.n_clusters_ == table.loc["few", "n_clusters"]


@pytest.mark.parametrize("wrong", [[], {}, "few", 3])
def test_what_is_no_prior_is_refused(wrong):
    with pytest.raises(TypeError, match="priors must be a mapping from names to priors, or a sequence"):
        pt.compare_priors(pt.BayesianMixture(), [[0.0], [1.0]], wrong)


def test_a_prior_is_drawn_as_its_distribution():
    prior = pt.DirichletProcess(1.0)
    ax = pt.plot.plot_prior([prior, pt.PitmanYor(1.0, 0.3)], 50)
    assert ax.lines[0].get_ydata() == pytest.approx(prior.n_clusters_pmf(50)[1:])
    assert len(ax.lines) == 2
