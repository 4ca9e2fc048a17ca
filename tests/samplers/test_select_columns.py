"""Partitions and relevant columns together, against all partitions and all selections of a small table."""

from itertools import product

import naive
import numpy as np
import pytest
from scipy.special import betaln, gammaln, logsumexp
from test_exact import log_likelihood

import partita as pt
from partita._kernels.samplers.columns import log_column_marginal
from partita.components.columns import only_columns, single_columns
from partita.samplers.select_columns import _log_prior, init, make_problem, sample

N_ITEMS = 5
PARTITIONS = naive.all_partitions(N_ITEMS)
SELECTIONS = np.array(list(product([False, True], repeat=3)))
PRIOR = pt.DirichletProcess(0.8)
NUMBERS = np.array([[0.0, 1.0, 0.3], [0.4, 0.7, 2.0], [2.5, 0.0, 0.1], [2.2, -0.5, 1.9], [1.2, 2.0, 1.0]])
HOLES = NUMBERS.copy()
HOLES[[0, 3], [1, 0]] = np.nan
MIXED = np.array([[0.1, "a", 3], [0.4, "a", 1], [2.5, "b", 9], [np.nan, "b", 8], [1.2, None, 4]], object)
FIXED = pt.Gaussian("diagonal", scale="variance")
CASES = {
    "gaussian": FIXED.encode(NUMBERS),
    "missing entries": FIXED.encode(HOLES),
    "categorical": pt.Categorical().encode([["a", "x", 1], ["a", "y", 2], ["b", "z", 2], ["c", "z", 1], ["b", "x", 1]]),
    "angles": pt.VonMises(6.0).encode(NUMBERS),
    "waiting times": pt.Exponential().encode(np.abs(NUMBERS)),
    "product": pt.Product({0: FIXED, 1: pt.Categorical(), 2: pt.Poisson()}).encode(MIXED),
}


def log_selection(selected, probability):
    n = selected.sum()
    if probability is None:
        return betaln(1 + n, 4 - n)
    return n * np.log(probability) + (3 - n) * np.log(1 - probability)


def enumerated(encoded, probability):
    """Probability of every partition with every selection."""
    one = np.zeros(N_ITEMS, np.int64)
    log_p = np.empty((len(PARTITIONS), len(SELECTIONS)))
    for s, selected in enumerate(SELECTIONS):
        inside, outside = (only_columns(encoded, kept)[0] for kept in (selected, ~selected))
        beside = log_likelihood(outside, one) + log_selection(selected, probability)
        log_p[:, s] = [PRIOR.log_probability(labels) + log_likelihood(inside, labels) + beside for labels in PARTITIONS]
    return np.exp(log_p - logsumexp(log_p))


def drawn(encoded, probability, n_draws=20_000):
    """The same from a chain."""
    problem = make_problem(encoded, PRIOR, probability=probability)
    chain = sample(problem, init(problem, np.zeros(N_ITEMS, np.int64), np.random.default_rng(0)), n_draws)
    place = {labels.tobytes(): p for p, labels in enumerate(PARTITIONS)}
    found = np.zeros((len(PARTITIONS), len(SELECTIONS)))
    rows = [place[labels.tobytes()] for labels in chain.draws.astype(PARTITIONS[0].dtype)]
    np.add.at(found, (rows, (chain.relevant @ [4, 2, 1]).astype(int)), 1 / n_draws)
    return found


def distance(p, q):
    """Total variation: together, of partitions and of selections; the last two have fewer cells and less noise."""
    return np.array([0.5 * np.abs(p - q).sum(), *(0.5 * np.abs((p - q).sum(axis=axis)).sum() for axis in (1, 0))])


NOISE = np.array([0.065, 0.035, 0.02])  # of so many draws


@pytest.mark.slow
@pytest.mark.parametrize("probability", [None, 0.3])
@pytest.mark.parametrize("name", CASES)
def test_partitions_and_selections_come_from_the_posterior(name, probability):
    assert (distance(drawn(CASES[name], probability), enumerated(CASES[name], probability)) < NOISE).all()


def test_partitions_and_selections_of_numbers_come_from_the_posterior():
    encoded = CASES["gaussian"]
    found = drawn(encoded, None)
    assert (distance(found, enumerated(encoded, None)) < NOISE).all()
    assert (distance(found, enumerated(encoded, 0.3)) > NOISE).all()  # a wrong prior on selections would be noticed
    marginals = np.outer(found.sum(axis=1), found.sum(axis=0))
    assert distance(marginals, enumerated(encoded, None))[0] > 3 * NOISE[0]  # and selections that ignore the partition


def learned_evidence(encoded, rng, n_draws=40_000):
    """Probability of every partition and selection, hyperparameters integrated over by draws from their hyperpriors."""
    block = encoded.blocks[0]
    count, shape = rng.gamma(0.5, 2.0, n_draws), rng.choice(block.grid, n_draws)
    within = rng.exponential(block.variance, (n_draws, 3))

    def log_marginal(members, j):
        x = block.x[list(members), j]
        n, mean = x.size, x.mean()
        scale = shape * within[:, j]
        after = scale + 0.5 * ((x - mean) ** 2).sum() + 0.5 * count * n * mean**2 / (count + n)
        out = gammaln(shape + n / 2) - gammaln(shape) + shape * np.log(scale) - (shape + n / 2) * np.log(after)
        return out + 0.5 * np.log(count / (count + n)) - 0.5 * n * np.log(2 * np.pi)

    table = {}
    for labels in PARTITIONS:
        for k in range(labels.max() + 1):
            members = tuple(np.flatnonzero(labels == k))
            table.setdefault(members, [log_marginal(members, j) for j in range(3)])
    single = [log_likelihood(only_columns(encoded, np.arange(3) == j)[0], np.zeros(N_ITEMS, int)) for j in range(3)]
    log_p = np.empty((len(PARTITIONS), len(SELECTIONS)))
    for p, labels in enumerate(PARTITIONS):
        groups = [tuple(np.flatnonzero(labels == k)) for k in range(labels.max() + 1)]
        columns = [sum(table[members][j] for members in groups) for j in range(3)]
        for s, selected in enumerate(SELECTIONS):
            inside = sum((columns[j] for j in np.flatnonzero(selected)), np.zeros(n_draws))
            outside = sum(single[j] for j in np.flatnonzero(~selected))
            integrated = logsumexp(inside) - np.log(n_draws)
            log_p[p, s] = PRIOR.log_probability(labels) + integrated + outside + log_selection(selected, None)
    return np.exp(log_p - logsumexp(log_p))


@pytest.mark.slow
def test_learned_hyperparameters_are_integrated_over():
    encoded = pt.Gaussian("diagonal").encode(NUMBERS)
    exact = learned_evidence(encoded, np.random.default_rng(1))
    found = drawn(encoded, None)
    assert (distance(found, exact) < NOISE).all()
    assert (distance(found, enumerated(encoded, None)) > NOISE).any()  # hyperparameters that stay where chains start


@pytest.mark.parametrize("name", CASES)
def test_columns_alone_add_up_to_the_table(name):
    encoded = CASES[name]
    problem = make_problem(encoded, PRIOR)
    for labels in PARTITIONS[::9]:
        assert problem.log_marginals(labels, encoded.hyper).sum() == pytest.approx(log_likelihood(encoded, labels))
    alone, _, at = single_columns(encoded)[0]
    part = alone.only(np.array([0])).make_part(encoded.hyper[at], np.empty(0), 2)
    weights = np.array([1.0, 2.0, 0.0, 1.0, 0.5])
    rest = only_columns(encoded, np.array([True, False, False]))[0]
    expected = log_likelihood(rest, np.zeros(N_ITEMS, np.int64), weights)
    assert log_column_marginal(np.zeros(N_ITEMS, np.int64), weights, 1, part) == pytest.approx(expected)


def test_blocks_of_joint_columns_are_refused():
    with pytest.raises(ValueError, match="columns 0, 1, 2 jointly"):
        make_problem(pt.Gaussian("full").encode(NUMBERS), PRIOR)


def test_probabilities_of_all_new_rows_sum_to_one():
    table = [["a", "x"], ["a", "y"], ["b", "z"], ["c", "z"], ["b", "x"]]
    model = pt.BayesianMixture(
        pt.Categorical(), PRIOR, select_columns=0.5, n_chains=1, n_draws=8, n_warmup=5, n_jobs=1
    ).fit(np.array(table, object))
    rows = np.array(list(product("abc", "xyz")), object)
    assert np.exp(model._draws.log_densities(rows, range(8))).sum(axis=1) == pytest.approx(1)
    relevant = [model._draws.relevant(m) for m in range(8)]
    assert (np.array(relevant) == model._draws.chain.relevant).all()


@pytest.mark.parametrize("probability", [None, 0.2])
def test_probabilities_of_all_selections_sum_to_one(probability):
    problem = make_problem(CASES["gaussian"], PRIOR, probability=probability)
    found = np.array([_log_prior(problem, selected) for selected in SELECTIONS])
    assert np.exp(found).sum() == pytest.approx(1)
    assert found == pytest.approx([log_selection(selected, probability) for selected in SELECTIONS])
