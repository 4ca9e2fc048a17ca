"""Every sampler against the posterior enumerated on a few items, and controls that must fail."""

from itertools import product

import naive
import numpy as np
import pandas as pd
import pytest
from scipy.special import gammaln, logsumexp

import partita as pt
from partita._kernels.components.family import copy_row, log_marginal, set_prior, update_stats
from partita.components import check_component, make_model
from partita.components.gaussian import FREEDOM, full_block
from partita.constraints.chunklets import make_chunklets, repair
from partita.samplers.collapsed import SCHEDULES, init, make_problem, sample

N_ITEMS, N_DRAWS, TOLERANCE = 5, 30_000, 0.04
NUMBERS = np.array([[0.0, 1.0], [0.4, 0.7], [2.5, 0.0], [2.2, -0.5], [1.2, 2.0]])
HOLES = NUMBERS.copy()
HOLES[[0, 3], [1, 0]] = np.nan
MIXED = np.array([[0.1, "a", 3], [0.4, "a", 1], [2.5, "b", 9], [np.nan, "b", 8], [1.2, None, 4]], object)
FIXED = dict(scale="variance")
CASES = {
    "gaussian-diagonal": (pt.Gaussian("diagonal", **FIXED), NUMBERS),
    "gaussian-full": (pt.Gaussian("full", **FIXED), NUMBERS),
    "gaussian-spherical": (pt.Gaussian("spherical", **FIXED), NUMBERS),
    "missing entries": (pt.Gaussian("diagonal", **FIXED), HOLES),
    "bernoulli": (pt.Bernoulli(), [[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]),
    "categorical": (pt.Categorical(), [["a", "x"], ["a", "y"], ["b", "z"], ["c", "z"], ["b", "x"]]),
    "poisson": (pt.Poisson(), [[0], [1], [6], [7], [3]]),
    "multinomial": (pt.Multinomial(), [[3, 0, 1], [2, 1, 0], [0, 4, 3], [1, 5, 2], [2, 2, 2]]),
    "exponential": (pt.Exponential(), [[0.2, 5.0], [0.1, np.nan], [4.0, 0.5], [3.0, 0.1], [1.0, 1.0]]),
    "von-mises": (pt.VonMises(6.0), [[0.2, 3.0], [6.2, np.nan], [2.5, 0.5], [2.0, 6.0], [1.0, 1.5]]),
    "product": (
        pt.Product({0: pt.Gaussian("diagonal", **FIXED), 1: pt.Categorical(), 2: pt.Poisson()}),
        MIXED,
    ),
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
PARTITIONS = naive.all_partitions(N_ITEMS)


def encode(name):
    component, table = CASES[name]
    return component.encode(table)


def log_likelihood(encoded, labels, weights=None, latent=None):
    """Sum over clusters of the log marginal likelihood, by the family's own functions in plain Python."""
    total = 0.0
    for k in range(labels.max() + 1):
        model = make_model(encoded, encoded.hyper, encoded.latent if latent is None else latent, 2)
        set_prior(model)
        copy_row(model, 1, 0)
        for i in np.flatnonzero(labels == k):
            update_stats(model, 0, 0, i, 1.0 if weights is None else weights[i])
        total += log_marginal(model, 0)
    return total


def normalized(log_p):
    p = np.exp(np.array(log_p) - max(log_p))
    keys = [labels.astype(np.uint8).tobytes() for labels in PARTITIONS]
    return dict(zip(keys, p / p.sum(), strict=True))


def exact_posterior(encoded, prior, constraints=None):
    """Probability of every partition, from the prior's EPPF and the marginal likelihood of each of its clusters.

    Partitions that break a hard pair have none; soft pairs multiply the odds of those that keep them together.
    """
    return normalized(
        [
            prior.log_probability(labels)
            + log_likelihood(encoded, labels)
            + (0.0 if constraints is None else log_weight(labels, constraints))
            for labels in PARTITIONS
        ]
    )


def enumerated(encoded, prior):
    """Log posterior probability of every partition, and log p(x_i | all other items) by refits without each item."""
    log_prior = np.array([prior.log_probability(labels) for labels in PARTITIONS])
    log_joint = log_prior + [log_likelihood(encoded, labels) for labels in PARTITIONS]
    without = []
    for i in range(N_ITEMS):
        weights = (np.arange(N_ITEMS) != i).astype(float)  # its label is summed over, and says nothing
        without.append(logsumexp(log_prior + [log_likelihood(encoded, labels, weights) for labels in PARTITIONS]))
    whole = logsumexp(log_joint)
    return log_joint - whole, whole - np.array(without)


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


def distance(draws, exact):
    """Total variation between drawn and exact probabilities."""
    rows, counts = np.unique(draws.astype(np.uint8), axis=0, return_counts=True)
    found = {row.tobytes(): count / len(draws) for row, count in zip(rows, counts, strict=True)}
    assert set(found) <= set(exact)
    return 0.5 * sum(abs(found.get(key, 0.0) - p) for key, p in exact.items())


def total_variation(encoded, prior, moves, sampled_with=None, seed=0, constraints=None, sampled_under=None):
    known = pt.Constraints(n_items=N_ITEMS) if constraints is None else constraints
    under = known if sampled_under is None else sampled_under
    problem = make_problem(encoded, sampled_with or prior, make_chunklets(under), schedule=SCHEDULES[moves])
    most = prior.n_components if isinstance(prior, pt.FiniteDirichlet) else None
    state = init(problem, repair(np.zeros(N_ITEMS, np.int64), under, most), np.random.default_rng(seed))
    n_draws = N_DRAWS if moves != "split-merge" else 4 * N_DRAWS  # alone it moves slowly
    return distance(sample(problem, state, n_draws).draws, exact_posterior(encoded, prior, known))


@pytest.mark.slow
@pytest.mark.parametrize("moves", SCHEDULES)
@pytest.mark.parametrize("prior", PRIORS, ids=repr)
@pytest.mark.parametrize("name", CASES)
def test_every_component_prior_and_sampler_draws_from_the_posterior(name, prior, moves):
    assert total_variation(encode(name), prior, moves) < TOLERANCE


@pytest.mark.parametrize("moves", SCHEDULES)
def test_a_sampler_with_the_wrong_concentration_is_noticed(moves):
    prior, wrong = pt.DirichletProcess(0.8), pt.DirichletProcess(1.4)
    assert total_variation(encode("gaussian-diagonal"), prior, moves, sampled_with=wrong) > TOLERANCE


def test_the_exact_posterior_depends_on_the_data():
    prior = pt.DirichletProcess(0.8)
    p, q = (exact_posterior(encode(name), prior) for name in ("gaussian-diagonal", "gaussian-full"))
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


@pytest.mark.parametrize("moves", SCHEDULES)
@pytest.mark.parametrize("prior", [PRIORS[1], PRIORS[3], PRIORS[4], PRIORS[7]], ids=repr)
@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constrained_samplers_draw_from_the_constrained_posterior(name, prior, moves):
    assert total_variation(encode("gaussian-diagonal"), prior, moves, constraints=CONSTRAINTS[name]) < TOLERANCE


@pytest.mark.parametrize("name", ["gaussian-full", "product"])
def test_chunklets_move_as_one_in_every_kind_of_table(name):
    assert total_variation(encode(name), PRIORS[0], "both", constraints=CONSTRAINTS["mixed"]) < TOLERANCE


def test_a_sampler_under_other_constraints_is_noticed():
    soft = CONSTRAINTS["soft"]
    other = pt.Constraints(soft.must_link, soft.cannot_link, N_ITEMS, must_link_weights=2.2, cannot_link_weights=0.8)
    encoded = encode("gaussian-diagonal")
    assert total_variation(encoded, PRIORS[0], "both", constraints=soft, sampled_under=other) > TOLERANCE


def drawn_with_weights(encoded, prior, weights):
    known = pt.Constraints(n_items=N_ITEMS)
    problem = make_problem(encoded, prior, make_chunklets(known, np.array(weights)))
    return sample(problem, init(problem, np.zeros(N_ITEMS, np.int64), np.random.default_rng(0)), N_DRAWS).draws


def weighted_posterior(encoded, prior, weights):
    """Items that count several times, as that many items which are never separated."""
    repeated = np.repeat(np.arange(N_ITEMS), weights)
    return normalized(
        [
            prior.log_probability(labels[repeated]) + log_likelihood(encoded, labels, np.array(weights, float))
            for labels in PARTITIONS
        ]
    )


@pytest.mark.parametrize("prior", [PRIORS[0], PRIORS[2], PRIORS[7]], ids=repr)
@pytest.mark.parametrize("name", ["gaussian-full", "product"])
def test_an_item_of_weight_two_counts_as_two_that_are_never_separated(name, prior):
    encoded, weights = encode(name), [1, 2, 1, 3, 1]
    draws = drawn_with_weights(encoded, prior, np.array(weights, float))
    assert distance(draws, weighted_posterior(encoded, prior, weights)) < TOLERANCE
    assert distance(draws, exact_posterior(encoded, prior)) > TOLERANCE


def test_fractional_weights_are_powers_of_the_likelihood_and_sizes_of_the_prior():
    encoded, weights = encode("gaussian-full"), np.array([0.5, 1.5, 1.0, 0.7, 1.0])
    log_p = []
    for labels in PARTITIONS:
        sizes = np.bincount(labels, weights)
        log_p.append(gammaln(sizes).sum() + sizes.size * np.log(0.8) + log_likelihood(encoded, labels, weights))
    assert distance(drawn_with_weights(encoded, pt.DirichletProcess(0.8), weights), normalized(log_p)) < TOLERANCE


@pytest.mark.parametrize("cannot_link", [[], [(0, 4)]])
def test_an_item_of_weight_zero_is_placed_and_does_not_count(cannot_link):
    encoded, prior, known = encode("gaussian-full"), PRIORS[0], pt.Constraints((), cannot_link, N_ITEMS)
    weights = np.array([1.0, 1.0, 1.0, 0.0, 1.0])
    chunklets, uncounted = make_chunklets(known, weights), np.array([3])
    problem = make_problem(encoded, prior, chunklets, uncounted)
    chain = sample(problem, init(problem, np.array([0, 0, 0, 1, 1]), np.random.default_rng(0)), N_DRAWS)
    four = [0, 1, 2, 4]
    log_p = {}
    for labels in naive.all_partitions(4):
        whole = np.zeros(N_ITEMS, np.int64)
        whole[four] = labels
        if known.count_violations(whole):
            continue
        log_p[labels.astype(np.uint8).tobytes()] = prior.log_probability(labels) + log_likelihood(
            encoded, whole, weights
        )
    p = np.exp(np.array(list(log_p.values())) - max(log_p.values()))
    exact = dict(zip(log_p, p / p.sum(), strict=True))
    counted = np.array([pt.canonical(draw[four]) for draw in chain.draws])
    assert distance(counted, exact) < TOLERANCE
    near = (chain.draws[:, 3] == chain.draws[:, 2]).mean()  # its neighbor
    assert near > (chain.draws[:, 3] == chain.draws[:, 0]).mean()


def learned_posterior(x, prior):
    """One normal column: the three hyperparameters integrated over on a grid, in log coordinates."""
    x = x - x.mean()
    variance, grid = x.var(), (1 + FREEDOM) / 2
    count = np.exp(np.linspace(-14, 6, 121))[:, np.newaxis]
    within = variance * np.exp(np.linspace(-8, 5, 92))
    hyperprior = 0.5 * np.log(count) - 0.5 * count + np.log(within) - within / variance
    log_p = []
    for shape, labels in product(grid, PARTITIONS):
        total = hyperprior + prior.log_probability(labels)
        for k in range(labels.max() + 1):
            y = x[labels == k]
            n, scale = len(y), shape * within
            after = scale + 0.5 * (((y - y.mean()) ** 2).sum() + count * n / (count + n) * y.mean() ** 2)
            total = total + gammaln(shape + n / 2) - gammaln(shape) + 0.5 * np.log(count / (count + n))
            total = total + shape * np.log(scale) - (shape + n / 2) * np.log(after)
        log_p.append(total)
    log_p = np.array(log_p).reshape(len(grid), len(PARTITIONS), -1)
    p = np.exp(log_p - log_p.max())
    hyper = {
        "count": (p.sum(axis=(0, 1)).reshape(len(count), -1).sum(axis=1) * np.log(count[:, 0])).sum() / p.sum(),
        "shape": (p.sum(axis=(1, 2)) * np.log(grid)).sum() / p.sum(),
        "within": (p.sum(axis=(0, 1)).reshape(len(count), -1).sum(axis=0) * np.log(within)).sum() / p.sum(),
    }
    return normalized(np.log(p.sum(axis=(0, 2)))), hyper


@pytest.mark.parametrize("moves", ["gibbs", "both"])
@pytest.mark.parametrize("covariance", ["diagonal", "spherical", "full"])
def test_learned_hyperparameters_have_their_posterior(covariance, moves):
    prior = PRIORS[0]
    exact, hyper = learned_posterior(NUMBERS[:, 0], prior)
    encoded = pt.Gaussian(covariance).encode(NUMBERS[:, :1])
    problem = make_problem(encoded, prior, schedule=SCHEDULES[moves])
    chain = sample(problem, init(problem, np.zeros(N_ITEMS, np.int64), np.random.default_rng(0)), 4 * N_DRAWS)
    assert distance(chain.draws, exact) < 0.02
    _, count, shape, within = np.log(chain.hyper).T[:4]
    shape = shape - np.log(2) if covariance == "full" else shape  # half the degrees of freedom
    assert count.mean() == pytest.approx(hyper["count"], abs=0.05)
    assert shape.mean() == pytest.approx(hyper["shape"], abs=0.05)
    assert within.mean() == pytest.approx(hyper["within"], abs=0.05)


def test_hyperparameters_held_fixed_are_noticed():
    exact, _ = learned_posterior(NUMBERS[:, 0], PRIORS[0])
    problem = make_problem(pt.Gaussian("diagonal", scale="variance").encode(NUMBERS[:, :1]), PRIORS[0])
    chain = sample(problem, init(problem, np.zeros(N_ITEMS, np.int64), np.random.default_rng(0)), N_DRAWS)
    assert distance(chain.draws, exact) > TOLERANCE


def heavy_tails(x, tails):
    component = pt.Gaussian("full", scale="variance")
    return full_block(component, x, np.zeros(x.shape[1]), x.var(axis=0), np.array(tails))


def test_heavy_tails_have_the_posterior_with_every_precision_summed_out():
    x = NUMBERS[:4] - NUMBERS[:4].mean(axis=0)
    encoded = pt.components.Encoded((heavy_tails(x, [1.5, np.inf]),), 2)
    part = make_model(encoded, encoded.hyper, encoded.latent, 2)
    log_p = {}
    for labels in naive.all_partitions(4):
        terms = []
        for v in range(2):
            for choice in product(range(part.grid.size), repeat=4):
                share = part.log_share[v, list(choice)].sum()
                if share > -np.inf:
                    precision = part.grid[list(choice)]
                    density = np.log(precision).sum()  # half of it for each of the two columns
                    terms.append(share + density + log_likelihood(encoded, labels, latent=precision))
        log_p[labels.astype(np.uint8).tobytes()] = np.logaddexp.reduce(terms) + PRIORS[0].log_probability(labels)
    p = np.exp(np.array(list(log_p.values())) - max(log_p.values()))
    exact = dict(zip(log_p, p / p.sum(), strict=True))
    for moves in ("gibbs", "both"):
        problem = make_problem(encoded, PRIORS[0], schedule=SCHEDULES[moves])
        chain = sample(problem, init(problem, np.zeros(4, np.int64), np.random.default_rng(0)), 2 * N_DRAWS)
        assert distance(chain.draws, exact) < 0.02


def test_missing_entries_under_a_covariance_are_integrated_over():
    """Quadrature over the two missing entries, each on its own grid."""
    encoded = pt.Gaussian("full", scale="variance").encode(HOLES)
    nodes = np.linspace(-8, 8, 25)
    log_p = []
    for labels in PARTITIONS:
        values = []
        for a, b in product(nodes, nodes):
            latent = np.concatenate([[a, b], np.ones(N_ITEMS)])
            values.append(log_likelihood(encoded, labels, latent=latent))
        log_p.append(np.logaddexp.reduce(values) + PRIORS[0].log_probability(labels))
    problem = make_problem(encoded, PRIORS[0])
    chain = sample(problem, init(problem, np.zeros(N_ITEMS, np.int64), np.random.default_rng(0)), 4 * N_DRAWS)
    exact = normalized(log_p)
    assert distance(chain.draws, exact) < 0.03
    filled = pt.Gaussian("full", scale="variance").encode(pd.DataFrame(HOLES).fillna(pd.DataFrame(HOLES).mean()))
    assert distance(chain.draws, exact_posterior(filled, PRIORS[0])) > TOLERANCE


def test_a_power_of_the_likelihood_has_its_posterior():
    encoded = encode("gaussian-full")
    encoded.blocks[0].hyper[0] = 0.4
    assert total_variation(encoded, PRIORS[0], "both") < TOLERANCE
    whole = check_component(pt.Gaussian("full", scale="variance")).encode(NUMBERS)
    p, q = exact_posterior(encoded, PRIORS[0]), exact_posterior(whole, PRIORS[0])
    assert 0.5 * sum(abs(p[key] - q[key]) for key in p) > TOLERANCE
