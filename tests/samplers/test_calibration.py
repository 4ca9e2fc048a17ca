"""Chains started from the truth, data drawn from the model: what they say must be right as often as they say it."""

import numpy as np
import pytest
from scipy import stats

import partita as pt
from partita.samplers.collapsed import SCHEDULES, init, make_problem, sample

COMPONENT = pt.Gaussian("diagonal", mean=0.0, strength=0.5, shape=2.0, scale=1.0)
N_ITEMS = 8


def sample_data(labels, rng):
    """Rows given a partition, from the model itself."""
    n_clusters = labels.max() + 1
    variances = 1.0 / rng.gamma(2.0, 1.0, size=(n_clusters, 2))
    means = rng.normal(0.0, np.sqrt(variances / 0.5))
    return rng.normal(means[labels], np.sqrt(variances[labels]))


def ranks(prior, fitted_prior, n_sets=400, n_kept=15, thin=40):
    """Rank of the truth's number of clusters and of one pair's being together among thinned draws, ties at random."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(n_sets):
        truth = prior.sample(N_ITEMS, random_state=rng)
        problem = make_problem(COMPONENT.encode(sample_data(truth, rng)), fitted_prior)
        start = init(problem, np.zeros(N_ITEMS, np.int64), rng)
        draws = sample(problem, start, thin * (n_kept + 2)).draws[2 * thin :: thin].astype(int)
        pairs = [(draws.max(axis=1), truth.max()), (draws[:, 0] == draws[:, 1], truth[0] == truth[1])]
        found.append([(d < t).sum() + rng.integers((d == t).sum() + 1) for d, t in pairs])
    return np.array(found).T, n_kept


def uniformity(values, n_kept):
    return stats.chisquare(np.bincount(values, minlength=n_kept + 1)).pvalue


@pytest.mark.slow
def test_the_default_model_is_calibrated():
    prior = pt.DirichletProcess(pt.Gamma(1, 1))
    found, n_kept = ranks(prior, prior)
    assert min(uniformity(values, n_kept) for values in found) > 0.001


@pytest.mark.slow
def test_a_wrong_prior_is_not_calibrated():
    found, n_kept = ranks(pt.DirichletProcess(pt.Gamma(1, 1)), pt.DirichletProcess(pt.Gamma(8, 2)))
    assert max(uniformity(values, n_kept) for values in found) < 0.001


def visits(prior, moved_with, n_rounds=6000):
    """How often each number of clusters occurs when data given a partition and moves given data take turns."""
    rng = np.random.default_rng(2)
    labels, found = np.zeros(6, np.int64), np.zeros(7)
    for _ in range(n_rounds):
        encoded = COMPONENT.encode(sample_data(labels, rng))
        problem = make_problem(encoded, moved_with, schedule=SCHEDULES["split-merge"])
        labels = sample(problem, init(problem, labels, rng), 6).draws[-1].astype(np.int64)
        found[labels.max() + 1] += 1
    exact = np.array([0.0] + [probability(prior, 6, k) for k in range(1, 7)])
    return 0.5 * np.abs(found / n_rounds - exact).sum()


def probability(prior, n_items, n_clusters):
    partitions = (row for row in pt.all_partitions(n_items) if row.max() + 1 == n_clusters)
    return sum(np.exp(prior.log_probability(row)) for row in partitions)


@pytest.mark.slow
def test_split_merge_and_data_in_turn_return_the_prior():
    """Geweke's (2004) check: moves that leave the posterior invariant, alternated with new data, visit the prior."""
    prior = pt.DirichletProcess(1.0)
    assert visits(prior, prior) < 0.04
    assert visits(prior, pt.DirichletProcess(1.6)) > 0.08
