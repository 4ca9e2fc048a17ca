"""Priors of mixtures: tables they take for possible, and what an answer owes to them."""

from types import SimpleNamespace

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


def test_a_row_says_what_was_found_under_its_prior(monkeypatch):
    def fit(self, X):
        """As many clusters as the prior's concentration, in draws that differ."""
        k = int(self.prior.concentration)
        draws = np.array([np.arange(60) % n for n in np.repeat([k, k + 1, k + 2, k + 3], [2, 45, 51, 2])])
        self.posterior_, self.labels_, self.n_clusters_ = pt.PartitionPosterior(draws), np.arange(60) % k, k
        self.diagnostics_ = SimpleNamespace(mixed=k == 1)
        return self

    monkeypatch.setattr(pt.BayesianMixture, "fit", fit)
    table = pt.compare_priors(
        pt.BayesianMixture(), np.zeros((60, 1)), [pt.DirichletProcess(1.0), pt.DirichletProcess(4.0)]
    )
    assert list(table.index) == ["DirichletProcess(concentration=1.0)", "DirichletProcess(concentration=4.0)"]
    for (_, row), k in zip(table.iterrows(), (1, 4), strict=True):
        assert row["expected"] == pytest.approx(pt.DirichletProcess(float(k)).expected_clusters(60))
        assert row["n_clusters"] == k
        assert row["mean"] == pytest.approx((2 * k + 45 * (k + 1) + 51 * (k + 2) + 2 * (k + 3)) / 100)
        assert (row["low"], row["high"]) == (k + 1, k + 2)
        assert row["mixed"] == (k == 1)
    assert table["agreement"].tolist() == [1.0, 1.0 - pt.AdjustedRand().between(np.zeros(60, int), np.arange(60) % 4)]
    one = pt.compare_priors(pt.BayesianMixture(), np.zeros((60, 1)), pt.DirichletProcess(2.0))
    assert one["agreement"].tolist() == [1.0]


@pytest.mark.parametrize(("n_items", "n_rows", "expected"), [(400, None, 400), (600, None, 500), (600, 550, 550)])
def test_tables_of_the_prior_have_up_to_five_hundred_rows(monkeypatch, n_items, n_rows, expected):
    monkeypatch.setattr(
        "partita.clusterers.prior_tables.sample_prior_table", lambda *_: ([[0.0]] * _[2], np.zeros(_[2], int))
    )
    model = pt.BayesianMixture("gaussian-diagonal")
    tables = pt.sample_prior_tables(model, np.arange(n_items)[:, None] * 1.0, n_tables=3, n_rows=n_rows)
    assert [table.shape for table, _ in tables] == [(expected, 1)] * 3
    with pytest.raises(ValueError, match="select_columns must be False to draw tables from the prior"):
        pt.sample_prior_tables(pt.BayesianMixture(select_columns=0.5), np.zeros((3, 1)))
