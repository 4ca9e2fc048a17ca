"""The generalized Bayes sampler against the posterior enumerated on six items, and controls that must fail."""

from dataclasses import replace

import naive
import numpy as np
import pytest
from cost_cases import COSTS, NAMES

import partita as pt
from partita import Gamma
from partita._kernels.samplers.fixed_k import Schedule
from partita.constraints.chunklets import make_chunklets
from partita.samplers.fixed_k import init, make_problem, sample

N_DRAWS, TOLERANCE = 25_000, 0.05
MOVES = {"gibbs": Schedule(1, 0), "merge and split": Schedule(0, 1), "both": Schedule(1, 2)}


def exact_posterior(X, n_clusters, cost, log_weight, chunklet_of=None, forbidden=(), paid=()):
    """Probability of every partition into so many clusters; ``log_weight`` is a function of the cost."""
    out = {}
    for labels in naive.all_partitions(len(X)):
        together = chunklet_of is None or all(len(set(labels[chunklet_of == u])) == 1 for u in set(chunklet_of))
        if labels.max() + 1 == n_clusters and together and not any(labels[i] == labels[j] for i, j in forbidden):
            log_p = log_weight(sum(cost(np.asarray(X, float), labels == k) for k in range(n_clusters)))
            log_p -= sum(penalty for i, j, penalty in paid if labels[i] == labels[j])
            out[labels.astype(np.uint8).tobytes()] = log_p
    top = max(out.values())
    total = sum(np.exp(value - top) for value in out.values())
    return {key: np.exp(value - top) / total for key, value in out.items()}


def distance_to(exact, problem, start, moves, n_draws=N_DRAWS):
    """Total variation between the draws of a chain and the exact posterior."""
    problem = replace(problem, schedule=moves)
    chain = sample(problem, init(problem, np.asarray(start), np.random.default_rng(0)), n_draws)
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
    ("case", "rate_dof", "power"),
    [(0, "items", 6.0), (0, "residual", 3.0), (1, "items", 6.0), (8, "items", 12.0), (8, "residual", 6.0)],
)  # fmt: skip
def test_the_rate_is_integrated_out_as_its_gamma_prior_says(case, rate_dof, power):
    cost, X, _, definition = COSTS[case]
    prior = Gamma(1.5, 0.7)
    exact = exact_posterior(X, 3, definition, lambda value: -(prior.shape + power) * np.log(prior.rate + value))
    problem = make_problem(cost.encode(X), 3, prior, rate_dof)
    assert distance_to(exact, problem, START[3], MOVES["both"]) < TOLERANCE
    other = make_problem(cost.encode(X), 3, Gamma(9.5, 0.7), rate_dof)
    assert distance_to(exact, other, START[3], MOVES["both"]) > TOLERANCE


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("case", [0, 8])
def test_neighbors_stay_apart_or_pay(case, moves):
    cost, X, rate, definition = COSTS[case]
    known = pt.Constraints([(3, 5)], [(0, 1), (2, 4)], 6, must_link_weights=0.8, cannot_link_weights=[np.inf, 1.0])
    problem = make_problem(cost.encode(X), 3, rate, chunklets=make_chunklets(known))
    exact = exact_posterior(
        X, 3, definition, lambda value: -rate * value, forbidden=[(0, 1)], paid=[(2, 4, 1.0), (3, 5, -0.8)]
    )
    start = [0, 1, 1, 0, 2, 2]
    assert distance_to(exact, problem, start, MOVES[moves]) < TOLERANCE
    assert distance_to(exact, make_problem(cost.encode(X), 3, rate), start, MOVES[moves]) > TOLERANCE


@pytest.mark.parametrize("moves", MOVES)
@pytest.mark.parametrize("case", [0, 4, 8])
def test_items_of_a_chunklet_move_as_one(case, moves):
    cost, X, rate, definition = COSTS[case]
    X = np.concatenate([X, X[:2] + 1])
    known = pt.Constraints([(0, 2), (5, 6)], [(1, 5)], 8)
    problem = make_problem(cost.encode(X), 3, rate, chunklets=make_chunklets(known))
    exact = exact_posterior(X, 3, definition, lambda value: -rate * value, known.chunklets, forbidden=[(1, 5)])
    start = known.chunklets % 3
    start[[5, 6]] = 2
    assert distance_to(exact, problem, start, MOVES[moves]) < TOLERANCE
