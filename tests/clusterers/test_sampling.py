"""Which sampler a mixture takes, and the blocked one behind the same door."""

import numpy as np
import pytest

import partita as pt
from partita.clusterers import _sampling

BLOCKED = dict(sampler="blocked", n_chains=2, n_draws=30, n_warmup=20, fuse=False)


def groups(n=600, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    return rng.normal(size=(n, 2)) + 8.0 * np.array([[0, 0], [1, 0], [0, 1]])[truth], truth


@pytest.mark.parametrize("component", ["auto", "gaussian-full", "gaussian-diagonal"])
def test_a_blocked_fit_finds_the_clusters(component):
    X, truth = groups()
    mixture = pt.BayesianMixture(component, **BLOCKED).fit(X)
    assert mixture.sampler_ == "blocked"
    assert pt.AdjustedRand().between(truth, mixture.labels_) < 0.01
    assert mixture.predict_proba(X[:2]).sum() == pytest.approx(2.0)
    assert np.isfinite(mixture.score_samples(X[:5])).all()


def test_mixed_columns_and_weights_fit():
    X, truth = groups(300)
    rng = np.random.default_rng(1)
    table = np.column_stack([X, rng.poisson(3 + 5 * truth)]).astype(object)
    weights = rng.integers(0, 3, len(X)).astype(float)
    component = pt.Product({0: pt.Gaussian("diagonal"), 1: pt.Gaussian("diagonal"), 2: pt.Poisson()})
    mixture = pt.BayesianMixture(component, **BLOCKED).fit(table, sample_weight=weights)
    assert pt.AdjustedRand().between(truth, mixture.labels_) < 0.02


def test_auto_takes_the_blocked_sampler_for_many_items(monkeypatch):
    X, _ = groups(200)
    few = dict(n_chains=1, n_draws=2, n_warmup=1)
    assert pt.BayesianMixture(**few).fit(X).sampler_ == "collapsed"
    monkeypatch.setattr(_sampling, "MANY_ITEMS", 150)
    assert pt.BayesianMixture(**few).fit(X).sampler_ == "blocked"
    known = pt.Constraints(must_link=[(0, 1)], n_items=200)
    assert pt.BayesianMixture(**few).fit(X, constraints=known).sampler_ == "collapsed"
    assert pt.BayesianMixture(**few, sampler="collapsed").fit(X).sampler_ == "collapsed"


def test_what_does_not_fit_is_said():
    X, _ = groups(50)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="with missing entries under a covariance matrix: got 'blocked'"):
        pt.BayesianMixture("gaussian-full", sampler="blocked").fit(X)
    with pytest.raises(ValueError, match="with constraints: got 'blocked'"):
        pt.BayesianMixture(sampler="blocked").fit(X, constraints=pt.Constraints(must_link=[(0, 1)], n_items=50))
    with pytest.raises(ValueError, match="engine must"):
        pt.BayesianMixture(engine="gpu").fit(X)


def test_draws_do_not_depend_on_threads_and_a_checkpoint_goes_on(tmp_path):
    X, _ = groups(400)
    whole = pt.BayesianMixture(**BLOCKED, n_jobs=1).fit(X)
    again = pt.BayesianMixture(**BLOCKED, n_jobs=4).fit(X)
    np.testing.assert_array_equal(whole.posterior_.draws, again.posterior_.draws)
    kept = dict(checkpoint=tmp_path / "run.part", resume=True)
    first = pt.BayesianMixture(**BLOCKED, **kept).fit(X)
    resumed = pt.BayesianMixture(**BLOCKED, **kept).fit(X)
    np.testing.assert_array_equal(whole.posterior_.draws, first.posterior_.draws)
    np.testing.assert_array_equal(whole.posterior_.draws, resumed.posterior_.draws)
    assert resumed.diagnostics_ is not None


def test_chains_that_start_near_where_they_end_warm_up_in_short_rounds():
    assert _sampling.FEW_ROUNDS == (50, 50, 100, 200)
