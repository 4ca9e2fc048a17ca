import numpy as np
import pytest
from scipy.stats import multivariate_t

import partita as pt

SHORT = pt.BayesianMixture(n_chains=1, n_draws=60, n_warmup=100, n_jobs=1)


def test_the_elbow_has_most_fit_for_fewest_clusters():
    powers, n_clusters = np.array([1.0, 0.5, 0.1]), np.array([9.0, 3.0, 1.0])
    assert pt.CoarseningCurve(powers, n_clusters, np.array([-2.0, -2.1, -3.0])).chosen == 0.5
    assert pt.CoarseningCurve(powers, n_clusters, np.array([-2.0, -2.9, -3.0])).chosen != 0.5  # no elbow there
    assert pt.CoarseningCurve(powers, np.ones(3), np.full(3, -2.0)).chosen == 1.0  # nothing to choose


def test_components_that_only_mend_the_fit_go_first():
    """Two skewed clusters: several components each at full power, one each at half, one in all where little counts."""
    rng = np.random.default_rng(0)
    X = rng.exponential(size=(200, 2)) + np.repeat([[0.0], [12.0]], 100, axis=0)
    curve = pt.calibrate_coarsening(X, [0.2, 0.5, 1.0], model=pt.BayesianMixture(n_draws=100))
    assert curve.powers.tolist() == [1.0, 0.5, 0.2]
    assert curve.n_clusters[0] > 4
    assert curve.n_clusters[1] == pytest.approx(2, abs=0.2)
    assert curve.log_density[2] < curve.log_density[1] - 1
    assert curve.chosen == 0.5


def test_rows_are_scored_at_full_power():
    """One cluster under given hyperparameters: the density is that of the posterior predictive, whatever the power."""
    X = np.random.default_rng(0).normal(size=(40, 2))
    component = pt.Gaussian("full", mean=0.0, strength=1.0, shape=3.0, scale=np.eye(2))
    prior = pt.MixtureOfFiniteMixtures(n_components=[1.0])
    fitted = pt.BayesianMixture(component, prior, coarsening=0.3, n_chains=1, n_draws=3, n_warmup=0).fit(X)
    n, mean = len(X), X.sum(axis=0) / (len(X) + 1)
    scale = np.eye(2) + X.T @ X - (n + 1) * np.outer(mean, mean)
    dof = 6 + n - 1
    exact = multivariate_t(mean, scale * (n + 2) / ((n + 1) * dof), dof).logpdf(X)
    assert fitted._draws.uncoarsened().score(X, fitted.labels_)[0] == pytest.approx(exact)
    assert fitted.score_samples(X) != pytest.approx(exact)  # counts fewer items


@pytest.mark.parametrize("powers", [[1.0], [1.0, 0.0], [2.0, 1.0]])
def test_bad_powers_are_named(powers):
    with pytest.raises(ValueError, match="powers must be two or more numbers above 0, at most 1: got"):
        pt.calibrate_coarsening(np.zeros((3, 2)), powers, model=SHORT)
