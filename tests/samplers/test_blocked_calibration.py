"""Simulation-based calibration of the blocked sampler: the truth's rank among its draws is uniform.

Concentration, partition and data are drawn from the model. The truth is then one more draw from the posterior given
those data, and no rank among thinned draws is more likely than another (Talts et al. 2018). A chain whose sweeps drop
the clusters they empty draws from something else, and the ranks say so.
"""

import numpy as np
import pytest
from blocked_control import dropping
from scipy import stats

import partita as pt
from partita.samplers import blocked, collapsed

COMPONENT = pt.Gaussian("diagonal", mean=0.0, strength=0.5, shape=2.0, scale=1.0)
N_ITEMS, N_KEPT, THIN = 8, 4, 8
HYPERPRIOR = pt.Gamma(2, 2)


def sample_data(labels, rng):
    """Rows given a partition, from the model itself."""
    n_clusters = labels.max() + 1
    variances = 1.0 / rng.gamma(2.0, 1.0, size=(n_clusters, 2))
    means = rng.normal(0.0, np.sqrt(variances / 0.5))
    return rng.normal(means[labels], np.sqrt(variances[labels]))


def ranks(n_sets):
    """Rank of the truth's number of clusters, of a pair's being together and of the concentration; ties at random."""
    rng, found = np.random.default_rng(1), []
    for _ in range(n_sets):
        concentration = rng.gamma(2.0, 0.5)
        truth = pt.DirichletProcess(concentration).sample(N_ITEMS, random_state=rng)
        base = collapsed.make_problem(COMPONENT.encode(sample_data(truth, rng)), pt.DirichletProcess(HYPERPRIOR))
        problem = blocked.make_problem(base, schedule=blocked.Schedule(1, 1, 2, 1))
        start = blocked.init(problem, np.zeros(N_ITEMS, np.int64), rng)
        chain = blocked.sample(problem, start, THIN * (N_KEPT + 2))
        draws, drawn = chain.draws[2 * THIN :: THIN].astype(int), chain.concentration[2 * THIN :: THIN]
        pairs = [
            (draws.max(axis=1), truth.max()),
            (draws[:, 0] == draws[:, 1], truth[0] == truth[1]),
            (drawn, concentration),
        ]
        found.append([(d < t).sum() + rng.integers((d == t).sum() + 1) for d, t in pairs])
    return np.array(found).T


def uniformity(values):
    return stats.chisquare(np.bincount(values, minlength=N_KEPT + 1)).pvalue


@pytest.mark.slow
def test_the_truth_has_every_rank_as_often():
    assert min(uniformity(values) for values in ranks(100)) > 0.001


@pytest.mark.slow
def test_dropping_empty_clusters_is_not_calibrated(monkeypatch):
    monkeypatch.setattr(blocked, "keep_labels", dropping)
    assert min(uniformity(values) for values in ranks(80)) < 0.001
