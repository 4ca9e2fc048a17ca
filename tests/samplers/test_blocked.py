"""The blocked sampler against the posterior enumerated on six items, its engines against each other, and controls."""

import naive
import numpy as np
import pytest
from blocked_control import dropping

import partita as pt
from partita._kernels.components.family import copy_row, log_marginal, set_prior, update_stats
from partita.components import make_model, natural_form
from partita.components.natural_gaussian import fill_by_columns
from partita.constraints.chunklets import make_chunklets
from partita.samplers import anchored_split_merge, blocked, centered_split_merge, collapsed
from partita.samplers.centered_split_merge import log_proposed
from partita.samplers.configuration import Statistics
from partita.samplers.engines import array
from partita.samplers.engines.array import ArrayEngine
from partita.samplers.engines.base import Pair, uniforms
from partita.samplers.engines.threads import ThreadsEngine

N_DRAWS, TOLERANCE = 3000, 0.06
FEW = blocked.Schedule(1, 1, 1, 1, 1)
NUMBERS = np.array([[0.0, 1.0], [0.4, 0.7], [2.5, 0.0], [2.2, -0.5], [1.2, 2.0], [-1.0, 0.3]])
HOLES = NUMBERS.copy()
HOLES[[0, 3], [1, 0]] = np.nan
MIXED = np.array(
    [[0.1, "a", 3], [0.4, "a", 1], [2.5, "b", 9], [np.nan, "b", 8], [1.2, None, 4], [2.0, "c", np.nan]], object
)
FIXED = dict(scale="variance")
CASES = {
    "gaussian-full": (pt.Gaussian("full", **FIXED), NUMBERS),
    "gaussian-diagonal": (pt.Gaussian("diagonal", **FIXED), NUMBERS),
    "gaussian-spherical": (pt.Gaussian("spherical", **FIXED), NUMBERS),
    "missing entries": (pt.Gaussian("diagonal", **FIXED), HOLES),
    "categorical": (pt.Categorical(), [["a", "x"], ["a", "y"], ["b", "z"], ["c", "z"], ["b", "x"], ["a", None]]),
    "poisson": (pt.Poisson(), [[0, 4], [1, 4], [6, np.nan], [7, 0], [3, 1], [2, 9]]),
    "exponential": (pt.Exponential(), [[0.2, 5.0], [0.1, np.nan], [4.0, 0.5], [3.0, 0.1], [1.0, 1.0], [0.3, 2.0]]),
    "product": (pt.Product({0: pt.Gaussian("diagonal", **FIXED), 1: pt.Categorical(), 2: pt.Poisson()}), MIXED),
}
PRIORS = [
    pt.DirichletProcess(pt.Gamma(2, 2)),
    pt.PitmanYor(0.5, 0.3),
    pt.FiniteDirichlet(3, 0.7),
    pt.MixtureOfFiniteMixtures(1.0),
]
PARTITIONS = np.array(list(naive.all_partitions(6)))


def log_likelihood(encoded, labels, weights):
    """Sum over clusters of the log marginal likelihood, by the family's own functions in plain Python."""
    total = 0.0
    for k in range(labels.max() + 1):
        model = make_model(encoded, encoded.hyper, encoded.latent, 2, equal=False)
        set_prior(model)
        copy_row(model, 1, 0)
        for i in np.flatnonzero(labels == k):
            update_stats(model, 0, 0, i, weights[i])
        total += log_marginal(model, 0)
    return total


def exact_posterior(encoded, prior, weights=None):
    """Probability of every partition; an item of a whole weight counts as so many that are never separated."""
    weights = np.ones(6) if weights is None else weights
    counts = weights.astype(int)
    log_p = [
        prior.log_probability(np.repeat(labels, counts)) + log_likelihood(encoded, labels, weights)
        for labels in PARTITIONS
    ]
    p = np.exp(np.array(log_p) - max(log_p))
    return p / p.sum()


def run(encoded, prior, engine=ThreadsEngine, weights=None, n_draws=N_DRAWS, schedule=FEW):
    chunklets = None
    if weights is not None:
        chunklets = make_chunklets(pt.Constraints(n_items=6), weights)
    problem = blocked.make_problem(collapsed.make_problem(encoded, prior, chunklets), engine, schedule)
    state = blocked.init(problem, np.zeros(6, np.int64), np.random.default_rng(1))
    return blocked.sample(problem, state, n_draws)


def error(draws, exact):
    """Largest error of a probability: of a number of clusters, or that two items are together."""
    number = {labels.astype(np.uint8).tobytes(): m for m, labels in enumerate(PARTITIONS)}
    counts = np.bincount([number[row.astype(np.uint8).tobytes()] for row in draws], minlength=len(PARTITIONS))
    apart = counts / len(draws) - exact
    together = np.tensordot(apart, PARTITIONS[:, :, None] == PARTITIONS[:, None, :], 1)
    return max(np.abs(together).max(), np.abs(np.bincount(PARTITIONS.max(axis=1), apart)).max())


@pytest.mark.parametrize(("n_clusters", "dtype"), [(1, np.uint8), (256, np.uint8), (257, np.uint16)])
def test_labels_take_the_smallest_type_that_holds_them(n_clusters, dtype):
    encoded = pt.Gaussian("diagonal", **FIXED).encode(np.arange(300.0)[:, np.newaxis])
    nothing = blocked.Schedule(*[0] * len(blocked.Schedule._fields))
    problem = blocked.make_problem(collapsed.make_problem(encoded, pt.DirichletProcess(1.0)), schedule=nothing)
    labels = np.minimum(np.arange(300), n_clusters - 1)
    drawn = blocked.sweep(problem, blocked.init(problem, labels, np.random.default_rng(0)), 1)[1].draws
    assert drawn.dtype == dtype
    assert (drawn == labels).all()


@pytest.mark.slow
@pytest.mark.parametrize("prior", PRIORS, ids=repr)
@pytest.mark.parametrize("name", CASES)
def test_every_component_and_prior_draw_from_the_posterior(name, prior):
    component, table = CASES[name]
    encoded = component.encode(table)
    assert error(run(encoded, prior).draws, exact_posterior(encoded, prior)) < TOLERANCE


def test_the_posterior_is_drawn_from():
    """One case for every day; all components and priors are among the slow tests."""
    encoded, prior = CASES["gaussian-full"][0].encode(NUMBERS), pt.DirichletProcess(0.8)
    assert error(run(encoded, prior, n_draws=1500).draws, exact_posterior(encoded, prior)) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("schedule", [(2, 0, 0, 1), (2, 0, 0, 0), (0, 2, 0, 1), (0, 0, 2, 1), (0, 0, 0, 0, 5)])
def test_each_move_leaves_the_posterior_invariant(schedule):
    encoded, prior = CASES["gaussian-diagonal"][0].encode(NUMBERS), pt.DirichletProcess(0.8)
    draws = run(encoded, prior, schedule=blocked.Schedule(*schedule), n_draws=2 * N_DRAWS).draws
    assert error(draws, exact_posterior(encoded, prior)) < TOLERANCE


def test_launches_over_parts_of_the_items_leave_the_posterior_invariant(monkeypatch):
    """Parts of two or three items, where a launch among many would look at hundreds."""
    monkeypatch.setattr(anchored_split_merge, "LEAST", 1)
    monkeypatch.setattr(anchored_split_merge, "ROUGH", 2)
    encoded, prior = CASES["gaussian-full"][0].encode(NUMBERS), pt.DirichletProcess(0.8)
    draws = run(encoded, prior, schedule=blocked.Schedule(1, 0, 0, 1), n_draws=2000).draws
    assert error(draws, exact_posterior(encoded, prior)) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("engine", [ThreadsEngine, ArrayEngine])
def test_an_item_of_weight_two_counts_as_two_that_are_never_separated(engine):
    encoded, prior = CASES["gaussian-diagonal"][0].encode(NUMBERS), pt.PitmanYor(0.5, 0.3)
    weights = np.array([1.0, 2.0, 1.0, 1.0, 3.0, 1.0])
    draws = run(encoded, prior, engine, weights).draws
    assert error(draws, exact_posterior(encoded, prior, weights)) < TOLERANCE


def test_dropping_empty_clusters_is_noticed(monkeypatch):
    monkeypatch.setattr(blocked, "keep_labels", dropping)
    encoded, prior = CASES["gaussian-diagonal"][0].encode(NUMBERS), pt.DirichletProcess(0.8)
    assert error(run(encoded, prior, n_draws=1500).draws, exact_posterior(encoded, prior)) > 2 * TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_splits_and_merges_around_the_center_draw_from_the_posterior(name):
    component, table = CASES[name]
    encoded, prior = component.encode(table), pt.DirichletProcess(0.8)
    draws = run(encoded, prior, schedule=blocked.Schedule(0, 0, 0, 1, 5)).draws
    assert error(draws, exact_posterior(encoded, prior)) < TOLERANCE


def without_return(config, sides, phi, sums, two):
    """What a split's proposal costs but for how probable a merge would draw what the sides were made from."""
    back = sums[-1]
    logs = (phi * back).sum() - config.statistics.log_marginals(back)[0]
    return log_proposed(config, sides, phi, sums, two) + logs


@pytest.mark.parametrize("wrong", [lambda *_: 0.0, without_return], ids=["no proposal", "no return"])
def test_a_split_around_the_center_without_its_proposal_is_noticed(wrong, monkeypatch):
    monkeypatch.setattr(centered_split_merge, "log_proposed", wrong)
    encoded, prior = CASES["gaussian-diagonal"][0].encode(NUMBERS), pt.DirichletProcess(0.8)
    draws = run(encoded, prior, n_draws=1500, schedule=blocked.Schedule(0, 0, 0, 1, 2)).draws
    assert error(draws, exact_posterior(encoded, prior)) > 2 * TOLERANCE


def test_a_split_ratio_without_its_proposal_is_noticed(monkeypatch):
    monkeypatch.setattr(anchored_split_merge, "log_proposal", lambda *_: 0.0)
    encoded, prior = CASES["gaussian-diagonal"][0].encode(NUMBERS), pt.DirichletProcess(0.8)
    draws = run(encoded, prior, n_draws=1500, schedule=blocked.Schedule(2, 0, 0, 1)).draws
    assert error(draws, exact_posterior(encoded, prior)) > 2 * TOLERANCE


@pytest.mark.parametrize("name", CASES)
def test_predictive_densities_are_averages_over_drawn_parameters(name):
    """log m(S + T(x)) - log m(S) is the log of the mean of exp(θ·T(x)) over parameters θ drawn given S."""
    component, table = CASES[name]
    encoded = component.encode(table)
    problem = blocked.make_problem(collapsed.make_problem(encoded, pt.DirichletProcess(1.0)))
    statistics, allocation = Statistics(problem.forms, encoded.hyper), problem.engine.open(np.array([0] * 5 + [1]), [])
    sums = allocation.sums(2).features
    both = statistics.log_marginals(np.vstack([sums[0] + sums[1], sums[0]]))
    drawn = statistics.draw(np.repeat(sums[:1], 20_000, axis=0), np.random.default_rng(0)) @ sums[1]
    assert np.log(np.exp(drawn).mean()) == pytest.approx(both[0] - both[1], abs=0.05)


@pytest.mark.parametrize("name", CASES)
def test_rows_from_sums_are_rows_from_items(name):
    component, table = CASES[name]
    encoded = component.encode(table)
    forms = tuple(natural_form(block) for block in encoded.blocks)
    labels = np.array([0, 0, 1, 1, 0, 1])
    sums = ThreadsEngine(forms, None).open(labels, []).sums(2).features
    total = Statistics(forms, encoded.hyper).log_marginals(sums).sum()
    assert total == pytest.approx(log_likelihood(encoded, labels, np.ones(6)))


@pytest.mark.parametrize("precision", [None, np.array([0.5, 2.0, 1.0, 3.0])])
def test_products_by_columns_are_those_of_the_kernel(precision):
    x = np.random.default_rng(0).normal(size=(4, 3))
    (form,) = (
        natural_form(block) for block in pt.Student().encode(np.random.default_rng(1).normal(size=(9, 3))).blocks
    )
    expected, found = np.empty((2, 4, form.width))
    form.features(x, precision, expected)
    fill_by_columns(x, precision, found)
    np.testing.assert_allclose(found, expected)


def large(n=5000):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 3)) + 4.0 * rng.integers(0, 3, size=(n, 1)), rng.integers(0, 4, n)


@pytest.mark.parametrize("component", [pt.Student(), pt.Gaussian("diagonal")])
def test_engines_draw_the_same_labels(component):
    X, labels = large()
    forms = tuple(natural_form(block) for block in component.encode(X).blocks)
    weights = np.random.default_rng(1).integers(0, 3, len(X)).astype(float)
    natural = 0.1 * np.random.default_rng(2).normal(size=(4, sum(form.width for form in forms)))
    found = []
    engines = [ThreadsEngine(forms, weights), ThreadsEngine(forms, weights, 2), ArrayEngine(forms, weights)]
    engines.append(ArrayEngine(forms, weights, home=ThreadsEngine.without_rows(forms)))
    for engine in engines:
        precisions = [np.ones(len(X))] if forms[0].has_precisions else []
        allocation = engine.open(labels, precisions)
        sums = allocation.draw_labels(natural, np.zeros(4), 7)
        allocation.keep_labels()
        one, other = allocation.members([(1, 0), (2, 3)])
        pair = Pair((1, 2), (one.number, other.number), 0.5, 11)
        sides = allocation.draw_sides(pair, natural[:2], np.zeros(2), 13)
        given = allocation.weigh_sides(pair, natural[:2], np.zeros(2))
        found.append((allocation.labels(), *sums, *sides, *given))
        if precisions:
            found[-1] += (allocation.tail_scores(0, natural, blocked.log_shares_of((2.0, np.inf))),)
    for other in found[1:]:
        for one, another in zip(found[0], other, strict=True):
            np.testing.assert_allclose(one, another, rtol=1e-9, atol=1e-7)
    for one, another in zip(found[0], found[1], strict=True):
        np.testing.assert_array_equal(one, another)  # bit for bit on any number of threads


@pytest.mark.parametrize("few", [True, False])
def test_sides_are_drawn_with_the_precisions_that_items_now_have(monkeypatch, few):
    monkeypatch.setattr(array, "KEPT", 2**18 if few else 0)
    X, labels = large(300)
    base = collapsed.make_problem(pt.Student().encode(X), pt.DirichletProcess(1.0))
    problem = blocked.make_problem(base)
    config = blocked.configure(problem, blocked.init(problem, pt.canonical(labels), np.random.default_rng(0)))
    allocation, pair = config.allocation, Pair((0, 1), (-1, -1), 1.0, 0)
    natural, log_weights = config.statistics.draw(config.sums.features, config.rng)[:2], np.log([0.5, 0.5])
    before = allocation.draw_sides(pair, natural, log_weights, 5)
    shares = blocked.log_shares_of((2.0,))
    allocation.tail_scores(0, config.statistics.draw(config.sums.features, config.rng), shares)
    allocation.draw_precisions(0, shares[0], 3)
    anew = problem.engine.open(allocation.labels(), allocation.precisions())
    found, expected = (which.draw_sides(pair, natural, log_weights, 5) for which in (allocation, anew))
    for mine, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, other)
    assert not np.array_equal(found.features, before.features)


def test_counted_random_numbers_are_uniform_and_belong_to_items():
    drawn = uniforms(np, 12345, np.arange(100_000))
    assert abs(drawn.mean() - 0.5) < 0.004
    assert np.abs(np.histogram(drawn, 20, (0, 1))[0] / 5000 - 1).max() < 0.06
    assert abs(np.corrcoef(drawn[1:], drawn[:-1])[0, 1]) < 0.01
    np.testing.assert_array_equal(drawn[500:600], uniforms(np, 12345, np.arange(500, 600)))
    assert abs(np.corrcoef(drawn, uniforms(np, 12346, np.arange(100_000)))[0, 1]) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("component", [pt.Student(), pt.Gaussian("full"), pt.Gaussian("diagonal")])
def test_learned_hyperparameters_and_tails_agree_with_the_collapsed_sampler(component):
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(size=(25, 2)), 5 + rng.standard_t(2, size=(25, 2))])
    base = collapsed.make_problem(component.encode(X), pt.DirichletProcess(1.0))
    start, found = np.repeat([0, 1], 25), []
    for module, problem, n in ((collapsed, base, 4000), (blocked, blocked.make_problem(base), 4000)):
        chain = module.sample(problem, module.init(problem, start, np.random.default_rng(4)), n)
        n_clusters = np.bincount(chain.draws[500:].max(axis=1) + 1, minlength=12)[:12] / (n - 500)
        found.append((n_clusters, chain.hyper[500:]))
    assert 0.5 * np.abs(found[0][0] - found[1][0]).sum() < 0.12
    finite = np.isfinite(found[0][1]).all(axis=0)
    medians = [np.median(hyper[:, finite], axis=0) for _, hyper in found]
    np.testing.assert_allclose(*medians, rtol=0.35, atol=0.15)
    if isinstance(component, pt.Student):
        tails = [np.mean(np.minimum(1 / hyper[:, -1], 1.0)) for _, hyper in found]
        assert tails[0] == pytest.approx(tails[1], abs=0.08)


@pytest.mark.slow
def test_numbers_of_clusters_of_the_galaxies_agree_with_the_collapsed_sampler():
    X = pt.datasets.load_galaxies().reshape(-1, 1)
    encoded = pt.Gaussian("diagonal", scale="variance").encode(X)
    base, start, found = collapsed.make_problem(encoded, pt.DirichletProcess(1.0)), np.zeros(len(X), np.int64), []
    for module, problem, n in ((collapsed, base, 20_000), (blocked, blocked.make_problem(base), 6000)):
        draws = module.sample(problem, module.init(problem, start, np.random.default_rng(1)), n).draws[500:]
        found.append(np.bincount(draws.max(axis=1), minlength=15)[:15] / len(draws))
    np.testing.assert_allclose(*found, atol=0.03)


def test_a_chain_taken_up_between_blocks_goes_on_as_if_it_had_not_stopped():
    X, _ = large(400)
    problem = blocked.make_problem(collapsed.make_problem(pt.Student().encode(X), pt.DirichletProcess(1.0)))
    again = blocked.make_problem(problem.base)
    state = blocked.init(problem, np.zeros(400, np.int64), np.random.default_rng(5))
    other = blocked.init(again, np.zeros(400, np.int64), np.random.default_rng(5))
    for _ in range(4):
        state, _ = blocked.sweep(problem, state, 2)
        other, _ = blocked.sweep(again, other._replace(labels=other.labels.copy()), 2)
    np.testing.assert_array_equal(state.labels, other.labels)
    np.testing.assert_array_equal(state.hyper, other.hyper)
