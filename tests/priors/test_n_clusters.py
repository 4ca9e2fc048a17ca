"""Prior distribution of the number of clusters."""

import math

import naive
import numpy as np
import pytest
from scipy.special import gammaln

import partita as pt

PRIORS = [
    pt.DirichletProcess(0.7),
    pt.DirichletProcess(pt.Gamma(2.0, 1.5)),
    pt.DirichletProcess(pt.Gamma(0.3, 0.1)),
    pt.DirichletProcess(pt.Gamma(0.001, 0.001)),
    pt.PitmanYor(0.7, discount=0.4),
    pt.PitmanYor(pt.Gamma(1.0, 1.0), discount=0.2),
    pt.FiniteDirichlet(3, 0.5),
    pt.FiniteDirichlet(1),
    pt.FiniteDirichlet(20, pt.Gamma(40.0, 80.0)),
    pt.MixtureOfFiniteMixtures(),
    pt.MixtureOfFiniteMixtures(0.5, pt.Geometric(0.3)),
    pt.MixtureOfFiniteMixtures(pt.Gamma(2.0, 2.0), [0.25, 0.0, 0.5, 0.25]),
]


def enumerated(prior, n_items):
    """The same from the probability of every partition."""
    out = np.zeros(n_items + 1)
    for labels in naive.all_partitions(n_items):
        out[labels.max() + 1] += math.exp(prior.log_probability(labels))
    return out


@pytest.mark.parametrize("prior", PRIORS, ids=repr)
def test_the_number_of_clusters_is_distributed_as_among_all_partitions(prior):
    for n_items in (1, 2, 5):
        found = prior.n_clusters_pmf(n_items)
        assert found.shape == (n_items + 1,)
        np.testing.assert_allclose(found, enumerated(prior, n_items), atol=1e-7)


def test_another_concentration_would_be_noticed():
    assert np.abs(pt.DirichletProcess(0.75).n_clusters_pmf(5) - enumerated(pt.DirichletProcess(0.7), 5)).max() > 1e-3


@pytest.mark.parametrize("prior", PRIORS, ids=repr)
def test_many_items_agree_with_the_mean_and_sum_to_one(prior):
    pmf = prior.n_clusters_pmf(300)
    assert pmf.sum() == pytest.approx(1, abs=1e-8)
    assert pmf @ np.arange(301) == pytest.approx(prior.expected_clusters(300), rel=1e-5)


def test_a_dirichlet_process_follows_the_stirling_numbers():
    n, x = 12, 1.3
    log_rising = gammaln(x + n) - gammaln(x)
    stirling = np.zeros(n + 1)
    stirling[0] = 1.0
    for m in range(n):  # unsigned, of the first kind
        stirling = np.concatenate([[0.0], stirling[:-1]]) + m * stirling
    expected = stirling * x ** np.arange(n + 1) / math.exp(log_rising)
    np.testing.assert_allclose(pt.DirichletProcess(x).n_clusters_pmf(n), expected, rtol=1e-10)


@pytest.mark.parametrize(
    "make",
    [
        pt.DirichletProcess.from_expected_clusters,
        lambda k, n: pt.PitmanYor.from_expected_clusters(k, n, discount=0.1),
        lambda k, n: pt.FiniteDirichlet.from_expected_clusters(k, n, n_components=30),
        pt.MixtureOfFiniteMixtures.from_expected_clusters,
    ],
    ids=["dp", "py", "finite", "mfm"],
)
@pytest.mark.parametrize("expected", [2.5, 7.0, 20.0])
def test_a_prior_is_found_by_what_it_expects(make, expected):
    assert make(expected, 250).expected_clusters(250) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (pt.DirichletProcess.from_expected_clusters, (1.0, 50)),
        (pt.DirichletProcess.from_expected_clusters, (50.0, 50)),
        (pt.DirichletProcess.from_expected_clusters, (float("nan"), 50)),
        (pt.PitmanYor.from_expected_clusters, (1.5, 1000, 0.5)),
        (pt.FiniteDirichlet.from_expected_clusters, (5.0, 50, 4)),
        (pt.MixtureOfFiniteMixtures.from_expected_clusters, (0.5, 50)),
    ],
)
def test_what_cannot_be_expected_is_refused(make, arguments):
    with pytest.raises(ValueError, match="expected must lie between"):
        make(*arguments)
