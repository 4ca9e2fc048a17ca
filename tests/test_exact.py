"""Every sampler against the posterior enumerated on a few items, and controls that must fail."""

import naive
import numpy as np
import pytest

import partita as pt
from partita._kernels.components.clusters import change_cluster, empty_cluster, log_marginal
from partita.components import check_component
from partita.constraints.chunklets import make_units, respect
from partita.samplers.collapsed import MOVES, init, make_clusters, make_problem, sample

RNG = np.random.default_rng(1)
N_ITEMS, N_DRAWS, TOLERANCE = 5, 30_000, 0.04
NUMBERS = np.array([[0.0, 1.0], [0.4, 0.7], [2.5, 0.0], [2.2, -0.5], [1.2, 2.0]])
TABLES = {
    "gaussian-diagonal": NUMBERS,
    "gaussian-full": NUMBERS,
    "gaussian-spherical": NUMBERS,
    "bernoulli": [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]],
    "categorical": [["a", "x"], ["a", "y"], ["b", "z"], ["c", "z"], ["b", "x"]],
    "poisson": [[0], [1], [6], [7], [3]],
    "product": np.array([[0.1, "a", 3], [0.4, "a", 1], [2.5, "b", 9], [np.nan, "b", 8], [1.2, None, 4]], object),
}
PRIORS = [
    pt.DirichletProcess(0.8),
    pt.DirichletProcess(pt.Gamma(2, 2)),
    pt.PitmanYor(0.5, 0.3),
    pt.PitmanYor(pt.Gamma(2, 2), 0.3),
    pt.FiniteDirichlet(3, 0.7),
    pt.FiniteDirichlet(4, pt.Gamma(2, 2)),
    pt.MixtureOfFiniteMixtures(1.0),
    pt.MixtureOfFiniteMixtures(pt.Gamma(2, 2)),
]


def exact_posterior(encoded, prior, constraints=None):
    """Probability of every partition, from the prior's EPPF and the marginal likelihood of each of its clusters.

    Partitions that break a hard pair have none; soft pairs multiply the odds of those that keep them together.
    """
    partitions = naive.all_partitions(N_ITEMS)
    work = np.empty(encoded.table.numbers.shape[1] + 1)
    log_p = []
    for labels in partitions:
        total = prior.log_probability(labels)
        for k in range(labels.max() + 1):
            clusters = make_clusters(1, encoded.hyper)
            empty_cluster(0, encoded.hyper, clusters)
            for i in np.flatnonzero(labels == k):
                change_cluster(0, 0, i, 1, encoded.table, encoded.hyper, clusters, work)
            total += log_marginal(0, encoded.hyper, clusters)
        log_p.append(total + (0.0 if constraints is None else log_weight(labels, constraints)))
    p = np.exp(np.array(log_p) - max(log_p))
    return {labels.astype(np.uint8).tobytes(): x for labels, x in zip(partitions, p / p.sum(), strict=True)}


def log_weight(labels, constraints):
    """Log odds of the pairs that are together; must-links that are hard are counted when they are apart."""
    total = 0.0
    for (i, j), weight in zip(constraints.must_link, constraints.must_link_weights, strict=True):
        if np.isinf(weight):
            total -= 0.0 if labels[i] == labels[j] else weight
        else:
            total += weight * (labels[i] == labels[j])
    for (i, j), weight in zip(constraints.cannot_link, constraints.cannot_link_weights, strict=True):
        total -= weight if labels[i] == labels[j] else 0.0
    return total


def total_variation(encoded, prior, moves, sampled_with=None, seed=0, constraints=None, sampled_under=None):
    known = pt.Constraints(n_items=N_ITEMS) if constraints is None else constraints
    under = known if sampled_under is None else sampled_under
    problem = make_problem(encoded, sampled_with or prior, make_units(under))
    start = respect(
        np.zeros(N_ITEMS, np.int64), under, prior.n_components if isinstance(prior, pt.FiniteDirichlet) else None
    )
    state = init(problem, start, np.random.default_rng(seed))
    n_draws = N_DRAWS if moves[0] else 3 * N_DRAWS  # split-merge alone moves slowly
    draws = sample(problem, state, n_draws, moves).draws.astype(np.uint8)
    exact = exact_posterior(encoded, prior, known)
    rows, counts = np.unique(draws, axis=0, return_counts=True)
    found = {row.tobytes(): count / n_draws for row, count in zip(rows, counts, strict=True)}
    return 0.5 * sum(abs(found.get(key, 0.0) - p) for key, p in exact.items())


@pytest.mark.slow
@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("prior", PRIORS, ids=repr)
@pytest.mark.parametrize("name", TABLES)
def test_every_component_prior_and_sampler_draws_from_the_posterior(name, prior, moves):
    encoded = check_component(name).encode(TABLES[name])
    assert total_variation(encoded, prior, MOVES[moves]) < TOLERANCE


@pytest.mark.parametrize("moves", MOVES)
def test_a_sampler_with_the_wrong_concentration_is_noticed(moves):
    encoded = check_component("gaussian-diagonal").encode(NUMBERS)
    prior, wrong = pt.DirichletProcess(0.8), pt.DirichletProcess(1.4)
    assert total_variation(encoded, prior, MOVES[moves], sampled_with=wrong) > TOLERANCE


def test_the_exact_posterior_depends_on_the_data():
    near = check_component("gaussian-diagonal").encode(NUMBERS)
    prior = pt.DirichletProcess(0.8)
    other = check_component("gaussian-full").encode(NUMBERS)
    p, q = exact_posterior(near, prior), exact_posterior(other, prior)
    assert 0.5 * sum(abs(p[key] - q[key]) for key in p) > TOLERANCE


CONSTRAINTS = {
    "hard": pt.Constraints(must_link=[(0, 4)], cannot_link=[(1, 2), (2, 3)], n_items=N_ITEMS),
    "soft": pt.Constraints(
        must_link=[(0, 2), (1, 4)],
        cannot_link=[(2, 3)],
        n_items=N_ITEMS,
        must_link_weights=1.5,
        cannot_link_weights=0.8,
    ),
    "mixed": pt.Constraints(
        must_link=[(0, 1), (1, 3)],
        cannot_link=[(3, 4), (0, 2)],
        n_items=N_ITEMS,
        must_link_weights=[np.inf, 0.7],
        cannot_link_weights=[2.0, np.inf],
    ),
}


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("prior", [PRIORS[1], PRIORS[3], PRIORS[4], PRIORS[7]], ids=repr)
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constrained_samplers_draw_from_the_constrained_posterior(name, prior, moves):
    encoded = check_component("gaussian-diagonal").encode(NUMBERS)
    assert total_variation(encoded, prior, MOVES[moves], constraints=CONSTRAINTS[name]) < TOLERANCE


@pytest.mark.parametrize("name", ["gaussian-full", "product"])
def test_groups_move_as_one_in_every_kind_of_table(name):
    encoded = check_component(name).encode(TABLES[name])
    assert total_variation(encoded, PRIORS[0], MOVES["both"], constraints=CONSTRAINTS["mixed"]) < TOLERANCE


def test_a_sampler_under_other_constraints_is_noticed():
    encoded = check_component("gaussian-diagonal").encode(NUMBERS)
    soft = CONSTRAINTS["soft"]
    other = pt.Constraints(soft.must_link, soft.cannot_link, N_ITEMS, must_link_weights=2.2, cannot_link_weights=0.8)
    assert total_variation(encoded, PRIORS[0], MOVES["both"], constraints=soft, sampled_under=other) > TOLERANCE
