"""The generalized Bayes sampler against the posterior enumerated on six items, and controls that must fail."""

import naive
import numpy as np
import pytest
from cost_cases import COSTS, NAMES

from partita import Gamma
from partita.costs.items import Bonds
from partita.samplers.fixed_k import init, make_problem, sample

N_DRAWS, TOLERANCE = 25_000, 0.05
MOVES = {"gibbs": (1, 0), "merge and split": (0, 1), "both": (1, 2)}


def exact_posterior(X, n_clusters, cost, log_weight, unit_of=None, forbidden=(), paid=()):
    """Probability of every partition into so many clusters; ``log_weight`` is a function of the cost."""
    out = {}
    for labels in naive.all_partitions(len(X)):
        together = unit_of is None or all(len(set(labels[unit_of == u])) == 1 for u in set(unit_of))
        if labels.max() + 1 == n_clusters and together and not any(labels[i] == labels[j] for i, j in forbidden):
            log_p = log_weight(sum(cost(np.asarray(X, float), labels == k) for k in range(n_clusters)))
            log_p -= sum(penalty for i, j, penalty in paid if labels[i] == labels[j])
            out[labels.astype(np.uint8).tobytes()] = log_p
    top = max(out.values())
    total = sum(np.exp(value - top) for value in out.values())
    return {key: np.exp(value - top) / total for key, value in out.items()}


def distance_to(exact, problem, start, moves, n_draws=N_DRAWS):
    """Total variation between the draws of a chain and the exact posterior."""
    chain = sample(problem, init(problem, np.asarray(start), np.random.default_rng(0)), n_draws, moves)
    rows, counts = np.unique(chain.draws.astype(np.uint8), axis=0, return_counts=True)
    found = {row.tobytes(): count / n_draws for row, count in zip(rows, counts, strict=True)}
    return 0.5 * sum(abs(found.get(key, 0.0) - exact.get(key, 0.0)) for key in set(found) | set(exact))


START = {1: [0] * 6, 2: [0, 0, 0, 1, 1, 1], 3: [0, 0, 1, 1, 2, 2], 5: [0, 0, 1, 2, 3, 4], 6: [0, 1, 2, 3, 4, 5]}


@pytest.mark.parametrize("moves", ["gibbs", "merge and split"])
@pytest.mark.parametrize("n_clusters", [2, 3])
@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS, ids=NAMES)
def test_every_cost_and_move_draws_from_the_posterior(cost, X, rate, definition, n_clusters, moves):
    problem = make_problem(cost.encode(X), n_clusters, rate)
    exact = exact_posterior(X, n_clusters, definition, lambda value: -rate * value)
    assert distance_to(exact, problem, START[n_clusters], MOVES[moves]) < TOLERANCE


@pytest.mark.parametrize("moves", MOVES)
def test_a_sampler_with_the_wrong_rate_is_noticed(moves):
    cost, X, rate, definition = COSTS[0]
    exact = exact_posterior(X, 3, definition, lambda value: -rate * value)
    assert distance_to(exact, make_problem(cost.encode(X), 3, 1.5 * rate), START[3], MOVES[moves]) > TOLERANCE


@pytest.mark.parametrize("n_clusters", [1, 5, 6])
def test_extreme_numbers_of_clusters(n_clusters):
    cost, X, rate, definition = COSTS[0]
    exact = exact_posterior(X, n_clusters, definition, lambda value: -rate * value)
    problem = make_problem(cost.encode(X), n_clusters, rate)
    assert distance_to(exact, problem, START[n_clusters], MOVES["both"]) < TOLERANCE


@pytest.mark.parametrize(
    ("case", "degrees", "power"),
    [(0, "items", 6.0), (0, "residual", 3.0), (1, "items", 6.0), (8, "items", 12.0), (8, "residual", 6.0)],
)  # fmt: skip
def test_the_rate_is_integrated_out_as_its_gamma_prior_says(case, degrees, power):
    cost, X, _, definition = COSTS[case]
    prior = Gamma(1.5, 0.7)
    exact = exact_posterior(X, 3, definition, lambda value: -(prior.shape + power) * np.log(prior.rate + value))
    problem = make_problem(cost.encode(X), 3, prior, degrees)
    assert distance_to(exact, problem, START[3], MOVES["both"]) < TOLERANCE
    other = make_problem(cost.encode(X), 3, Gamma(9.5, 0.7), degrees)
    assert distance_to(exact, other, START[3], MOVES["both"]) > TOLERANCE


def bonds(n_units, pairs):
    """Neighbors in the form that the sampler reads."""
    both = sorted([(i, j, w) for i, j, w in pairs] + [(j, i, w) for i, j, w in pairs])
    first = np.searchsorted([i for i, _, _ in both], np.arange(n_units + 1))
    return Bonds(first, np.array([j for _, j, _ in both]), np.array([w for _, _, w in both], float))


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("case", [0, 8])
def test_neighbors_stay_apart_or_pay(case, moves):
    cost, X, rate, definition = COSTS[case]
    pairs = bonds(6, [(0, 1, np.inf), (2, 4, 1.0), (3, 5, -0.8)])
    problem = make_problem(cost.encode(X), 3, rate, bonds=pairs)
    exact = exact_posterior(
        X, 3, definition, lambda value: -rate * value, forbidden=[(0, 1)], paid=[(2, 4, 1.0), (3, 5, -0.8)]
    )
    start = [0, 1, 1, 0, 2, 2]
    assert distance_to(exact, problem, start, MOVES[moves]) < TOLERANCE
    assert distance_to(exact, make_problem(cost.encode(X), 3, rate), start, MOVES[moves]) > TOLERANCE


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("case", [0, 4, 8])
def test_items_of_a_unit_move_as_one(case, moves):
    cost, X, rate, definition = COSTS[case]
    X = np.concatenate([X, X[:2] + 1])
    unit_of = np.array([0, 1, 0, 2, 3, 4, 4, 5])
    problem = make_problem(cost.encode(X), 3, rate, unit_of=unit_of, bonds=bonds(6, [(1, 4, np.inf)]))
    exact = exact_posterior(X, 3, definition, lambda value: -rate * value, unit_of, forbidden=[(1, 5)])
    start = unit_of.copy() % 3
    start[[5, 6]] = 2
    assert distance_to(exact, problem, start, MOVES[moves]) < TOLERANCE
