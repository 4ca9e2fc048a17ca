"""Splits and merges around a cluster's center; `test_blocked` compares them with enumerated posteriors."""

import numpy as np
import pytest

import partita as pt
from partita.components import natural_form
from partita.samplers import blocked, collapsed
from partita.samplers.anchored_split_merge import Sides, split_or_merge
from partita.samplers.centered_split_merge import Whole, balance, smaller_side, split_or_merge_around_center
from partita.samplers.configuration import Statistics
from partita.samplers.engines.threads import ThreadsEngine
from partita.samplers.random_split import split_or_merge_at_random

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal([1.0, -2.0, 0.5], 1.0, (40, 3))
HOLES = np.where(RNG.random((40, 3)) < 0.2, np.nan, NUMBERS)
WORDS = np.array(["a", "b", "c", None], object)[RNG.integers(4, size=(40, 2))]
COUNTS = RNG.poisson(3.0, (40, 2)).astype(float)
MIXED = {0: pt.Gaussian("full"), 1: pt.Gaussian("full"), 2: pt.Categorical(), 3: pt.Poisson()}
CASES = {
    "gaussian-full": (pt.Gaussian("full"), NUMBERS),
    "student": (pt.Student(), NUMBERS),
    "gaussian-diagonal": (pt.Gaussian("diagonal"), NUMBERS),
    "gaussian-spherical": (pt.Gaussian("spherical"), NUMBERS),
    "missing entries": (pt.Gaussian("diagonal"), HOLES),
    "categorical": (pt.Categorical(), WORDS),
    "poisson": (pt.Poisson(), COUNTS),
    "exponential": (pt.Exponential(), COUNTS + 0.1),
    "product": (pt.Product(MIXED), np.column_stack([NUMBERS[:, :2], WORDS[:, :1], COUNTS[:, :1]]).astype(object)),
}


def statistics_of(name, n_items=40, coarsening=1.0):
    """Statistics of a table, and the sums of its first items, whose precisions are 2 where tails are heavy."""
    component, table = CASES[name]
    encoded = component.encode(table)
    for block in encoded.blocks:
        block.hyper[0] = coarsening
    forms = tuple(natural_form(block) for block in encoded.blocks)
    precisions = [np.full(40, 2.0)] * sum(form.has_precisions for form in forms)
    labels = (np.arange(40) >= n_items).astype(np.int64)
    sums = ThreadsEngine(forms, None).open(labels, precisions).sums(2).features[0]
    return Statistics(forms, encoded.hyper), sums


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("coarsening", [1.0, 0.5])
def test_parameters_that_have_seen_many_items_expect_features_like_theirs(name, coarsening):
    statistics, sums = statistics_of(name, 20, coarsening)  # whose averages are not those of the table, which are zero
    natural = statistics.draw(1e9 * sums[np.newaxis], np.random.default_rng(1))
    np.testing.assert_allclose(statistics.expected(natural, sums / 20)[0], sums / 20, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("n_items", [1, 7, 40])
def test_sums_of_items_are_admitted_as_they_are(name, n_items):
    statistics, sums = statistics_of(name, n_items)
    np.testing.assert_allclose(statistics.admit(sums[np.newaxis])[0], sums)


@pytest.mark.parametrize("name", CASES)
def test_sums_that_no_items_have_are_refused_or_replaced_by_some_that_have_a_posterior(name):
    statistics, sums = statistics_of(name)
    rng, refused, replaced = np.random.default_rng(2), 0, 0
    for _ in range(60):
        phi = statistics.draw(0.01 * sums[np.newaxis], rng)  # which knows little of the items
        left = sums - 20 * statistics.expected(phi, sums / 40)
        admitted = statistics.admit(left)
        if admitted is None:
            refused += 1
            continue
        replaced += not np.array_equal(admitted, left)
        assert np.isfinite(statistics.log_marginals(admitted)).all()
        assert np.isfinite(statistics.draw(admitted, rng)).all()
    has_covariances = name in ("gaussian-full", "student", "product")
    assert (refused > 0, replaced > 0) == (has_covariances, not has_covariances or name == "product")


@pytest.mark.parametrize("share", [0.3, 0.8])
def test_two_sides_balance(share):
    statistics, sums = statistics_of("gaussian-full")
    whole = Whole(sums, 40.0, np.array([share, 1 - share]))
    phi = statistics.draw(sums[np.newaxis], np.random.default_rng(3))
    two = balance(statistics, whole, phi)
    np.testing.assert_allclose(two.sum(axis=0), sums, atol=1e-9)
    np.testing.assert_allclose(two[:, -1], 40 * whole.shares)  # how many items there are on each
    small = int(share > 0.5)
    np.testing.assert_allclose(two[small], 40 * whole.shares[small] * statistics.expected(phi, sums / 40)[0])


@pytest.mark.parametrize("share", [0.3, 0.8])
def test_sides_that_balance_lead_back_to_what_they_were_made_from(share):
    statistics, sums = statistics_of("gaussian-full")
    sums = 1e8 * sums
    whole = Whole(sums, 40e8, np.array([share, 1 - share]))
    rng = np.random.default_rng(4)
    phi = statistics.draw(1e-6 * sums[np.newaxis], rng)
    sides = Sides(statistics.draw(balance(statistics, whole, phi), rng), np.log(whole.shares))
    back = smaller_side(statistics, whole, sides)
    np.testing.assert_allclose(back[0] / back[0, -1], statistics.expected(phi, sums / 40e8)[0], rtol=1e-2, atol=1e-3)
    assert back[0, -1] == pytest.approx(40e8 * whole.shares.min() / whole.shares.max())  # items by which it is known


@pytest.mark.parametrize(("propose", "expected"), [(split_or_merge_around_center, 1), (split_or_merge_at_random, 2)])
def test_halves_that_drifted_apart_are_merged(propose, expected):
    rng = np.random.default_rng(0)
    encoded = pt.Gaussian("full").encode(rng.normal(size=(20_000, 6)))
    problem = blocked.make_problem(collapsed.make_problem(encoded, pt.MixtureOfFiniteMixtures()))
    state = blocked.init(problem, pt.canonical(rng.integers(2, size=20_000)), np.random.default_rng(1))
    config = blocked.configure(problem, state)
    for _ in range(10):
        blocked.draw_labels(problem, config)
    for _ in range(30):
        propose(config)
    assert config.n_clusters == expected


@pytest.mark.parametrize("propose", [split_or_merge, split_or_merge_around_center, split_or_merge_at_random])
def test_two_halves_of_one_cluster_are_merged(propose):
    rng = np.random.default_rng(0)
    encoded = pt.Gaussian("full").encode(rng.normal(size=(300, 2)))
    problem = blocked.make_problem(collapsed.make_problem(encoded, pt.MixtureOfFiniteMixtures()))
    state = blocked.init(problem, pt.canonical(rng.integers(2, size=300)), np.random.default_rng(1))
    config = blocked.configure(problem, state)
    seen = [config.n_clusters for _ in range(40) if propose(config)]
    assert 1 in seen


def test_merges_whose_ratio_is_no_number_are_refused():
    """A cluster that lacks a column, under a prior by which its rate there may be zero in double precision."""
    rng = np.random.default_rng(0)
    times = np.vstack([rng.exponential(1.0, (100, 2)), rng.exponential(1e3, (100, 2))])
    times[100:, 1] = np.nan
    encoded = pt.Exponential(shape=0.001).encode(times)
    problem = blocked.make_problem(collapsed.make_problem(encoded, pt.DirichletProcess(1.0)))
    config = blocked.configure(problem, blocked.init(problem, np.repeat([0, 1], 100), np.random.default_rng(1)))
    with np.errstate(all="ignore"):
        for _ in range(100):
            split_or_merge_around_center(config)
    labels = config.allocation.labels()
    assert np.unique(labels[:100]).size == 1
    assert not np.isin(labels[100:], labels[:100]).any()


def test_sums_that_are_no_numbers_are_not_admitted():
    statistics, sums = statistics_of("gaussian-full")
    assert statistics.admit(np.vstack([sums, np.full_like(sums, np.nan)])) is None


def test_a_matrix_that_rounding_spoiled_changes_no_other():
    statistics, sums = statistics_of("gaussian-full")
    spoiled = sums.copy()
    spoiled[-5:-2] = 1e9  # totals whose squares are far above the products
    alone, _ = statistics.log_marginals(np.vstack([sums, sums]))
    with np.errstate(all="ignore"):
        beside, other = statistics.log_marginals(np.vstack([sums, spoiled]))
    assert beside == alone
    assert np.isfinite(other)


def test_rows_that_are_all_alike_do_not_end_a_chain():
    rows = np.repeat(np.random.default_rng(0).normal(size=(3, 3)), 100, axis=0)
    problem = blocked.make_problem(collapsed.make_problem(pt.Gaussian("full").encode(rows), pt.DirichletProcess(1.0)))
    state = blocked.init(problem, np.zeros(300, np.int64), np.random.default_rng(1))
    _, chain = blocked.sweep(problem, state, 60)
    assert np.isfinite(chain.log_posterior).all()
