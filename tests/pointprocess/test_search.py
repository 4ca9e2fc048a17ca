"""The Bayes clusterer and its errors against cost matrices written out in full."""

from functools import cache
from itertools import product

import naive
import numpy as np
import pytest
from point_processes import PROCESSES, X8

import partita as pt
from partita._kernels.pointprocess.gaussian import make_moments
from partita._kernels.pointprocess.hill_climb import climb
from partita._kernels.pointprocess.partition_likelihood import log_codes
from partita._kernels.pointprocess.walsh import hadamard
from partita.pointprocess.ball import ball, ball_size
from partita.pointprocess.bounds import bound_error, largest_cost
from partita.pointprocess.error_models import BallBounds
from partita.pointprocess.likelihood import log_probabilities
from partita.pointprocess.search import gray_codes, partition_table
from partita.pointprocess.search.gray_codes import BinaryPartitions, _transformed_cost, binary_partitions, normalized
from partita.pointprocess.search.partition_table import PartitionTable, expected_costs
from partita.pointprocess.search.pseed import random_labels

GPP = pt.GaussianPointProcess


@cache
def space(n, n_labels):
    rows = naive.partitions_up_to(n, n_labels).astype(np.uint8)
    return rows, naive.cost_matrix(rows)


def random_posterior(rng, n_rows):
    """Probabilities from nearly equal to nearly all on one partition, some of them zero."""
    p = rng.dirichlet(np.full(n_rows, 10 ** rng.uniform(-2.5, 0.5)))
    p[rng.random(n_rows) < 0.2] = 0
    return (p + 1e-300) / (p + 1e-300).sum()


# Algorithm 2


@pytest.mark.parametrize(("n", "n_labels"), [(6, 2), (7, 2), (5, 3)])
def test_a_ball_holds_what_the_distance_says(n, n_labels):
    rows, costs = space(n, n_labels)
    for i in range(0, len(rows), 7):
        for radius in range(n):
            inside = {tuple(row) for row in ball(rows[i].astype(int), radius, n_labels)}
            assert inside == {tuple(row) for row in rows[costs[i] * n <= radius + 1e-9]}
            assert len(inside) <= ball_size(n, radius, n_labels)
            assert len(ball(rows[i].astype(int), radius, n_labels)) == len(inside)


def test_a_ball_of_known_sizes_holds_them_alone():
    center = np.array([0, 0, 0, 1, 1, 2, 2])
    sized = ball(center, 3, 3, np.array([3, 2, 2]))
    free = ball(center, 3, 3)
    keep = [sorted(np.bincount(row, minlength=3)) == [2, 2, 3] for row in free]
    assert {tuple(r) for r in sized} == {tuple(r) for r in free[keep]}


def test_the_ball_of_the_errata_has_517_partitions():
    labels = np.array([0, 0, 0, 1, 1, 1, 2, 2])
    assert ball_size(8, 3, 3) == 577
    assert len(ball(labels, 3, 3)) == 517


@pytest.mark.parametrize("sizes", [None, [4, 5]])
@pytest.mark.parametrize("radius", [0, 1, 2, 3, 4])
def test_the_best_of_a_ball_is_that_of_the_cost_matrix(radius, sizes):
    rng = np.random.default_rng(radius)
    for _ in range(10):
        process = GPP.gaussian_means(rng.normal(size=(2, 1)), 1, 1.0, sizes=sizes)
        seed = rng.permutation(np.arange(9) % 2)
        near = BallBounds(*process.bind(rng.normal(size=(9, 1))), seed, radius)
        errors = naive.cost_matrix(near.partitions.rows) @ near.partitions.probabilities
        assert near.partitions.cost(near.best()) == pytest.approx(errors.min(), abs=1e-12)


# Walsh-Hadamard


@pytest.mark.parametrize("n_bits", range(8))
def test_the_fast_transform_is_the_direct_sum(n_bits):
    values = np.random.default_rng(n_bits).normal(size=2**n_bits)
    fast = values.copy()
    hadamard(fast)
    assert np.allclose(fast, naive.hadamard(values))


def test_the_fast_transform_undoes_itself_beyond_one_block():
    values = np.random.default_rng(1).normal(size=2**14)
    twice = values.copy()
    hadamard(twice)
    hadamard(twice)
    assert np.allclose(twice / 2**14, values)


@pytest.mark.parametrize("n", range(1, 9))
def test_the_transformed_cost_is_the_transform_of_the_cost(n):
    bits = np.array([bin(code).count("1") for code in range(2 ** (n - 1))])
    direct = naive.hadamard(np.minimum(bits, n - bits) / n)
    assert np.allclose(_transformed_cost(n)[bits], direct)


@pytest.mark.parametrize("n", range(2, 9))
def test_errors_of_all_two_cluster_candidates_are_the_cost_matrix_times_probabilities(n):
    rng = np.random.default_rng(n)
    rows, costs = space(n, 2)
    for _ in range(10):
        p = random_posterior(rng, len(rows))
        coded = BinaryPartitions(np.zeros(2 ** (n - 1)), n)
        codes = [coded.code(row) for row in rows]
        coded.probabilities[codes] = p
        assert np.allclose(coded.errors()[codes], costs @ p, atol=1e-14)
        assert (costs @ p)[codes.index(coded.code(coded.best()))] == pytest.approx((costs @ p).min())
        assert coded.cost(rows[3].astype(int) if len(rows) > 3 else rows[0].astype(int)) == pytest.approx(
            (costs @ p)[3 if len(rows) > 3 else 0]
        )
        assert (pt.canonical(coded.labels(codes[-1])) == rows[-1]).all()


def test_the_cost_of_more_clusters_than_labels_is_the_direct_sum():
    rng, labels = np.random.default_rng(0), np.array([0, 1, 2, 1, 3, 0])
    rows, _ = space(6, 2)
    coded = BinaryPartitions(np.zeros(32), 6)
    p = random_posterior(rng, 32)
    coded.probabilities[[coded.code(row) for row in rows]] = p
    direct = sum(q * naive.misclassification(row, labels) for row, q in zip(rows, p, strict=True))
    assert coded.cost(labels) == pytest.approx(direct)


# Theorems and bounds


@pytest.mark.parametrize(("n", "n_labels"), [(5, 2), (6, 2), (7, 2), (5, 3), (6, 3), (5, 4), (5, 5)])
def test_the_largest_cost_is_the_largest_of_all(n, n_labels):
    assert largest_cost(n, n_labels) == pytest.approx(space(n, n_labels)[1].max())


@pytest.mark.parametrize(("n", "n_labels"), [(6, 2), (7, 2), (8, 2), (5, 3), (6, 3)])
def test_reductions_find_the_best_partition(n, n_labels):
    rng = np.random.default_rng(10 * n + n_labels)
    rows, costs = space(n, n_labels)
    most = largest_cost(n, n_labels)
    n_smaller = 0
    for _ in range(150 if n_labels == 2 else 50):
        p = random_posterior(rng, len(rows))
        errors = costs @ p
        listed = PartitionTable(rows, p, n_labels)
        best = listed.best()
        assert errors[(rows == best).all(axis=1)][0] == pytest.approx(errors.min(), abs=1e-12)
        n_smaller += listed._certain_radius(1.0) < round(most * n)
    assert n_smaller > 5  # the theorem does save something


@pytest.mark.parametrize(("n", "n_labels"), [(6, 2), (7, 2), (8, 2), (5, 3), (6, 3)])
def test_bounds_hold_whatever_partitions_are_known(n, n_labels):
    rng = np.random.default_rng(n_labels)
    rows, costs = space(n, n_labels)
    for _ in range(1000):
        p = random_posterior(rng, len(rows))
        some = rng.random(len(rows)) < rng.random()
        some[p.argmax()] = True
        bounds = bound_error(costs[:, some] @ p[some], p[some].sum(), largest_cost(n, n_labels))
        for value in (costs @ p, bounds.estimate):
            assert (bounds.lower - 1e-12 <= value).all()
            assert (value <= bounds.upper + 1e-12).all()


def test_too_small_a_largest_cost_breaks_the_bound():
    rng = np.random.default_rng(2)
    rows, costs = space(5, 3)
    broken = 0
    for _ in range(200):
        p = random_posterior(rng, len(rows))
        some = p > np.quantile(p, 0.9)
        partial, known = costs[:, some] @ p[some], p[some].sum()
        broken += any(costs[i] @ p > bound_error(partial[i], known, 0.4).upper + 1e-12 for i in range(len(rows)))
    assert broken > 0


@pytest.mark.parametrize(("n", "n_labels"), [(7, 2), (8, 2), (6, 3)])
def test_certificates_are_never_false(n, n_labels):
    rng = np.random.default_rng(n)
    rows, costs = space(n, n_labels)
    given = 0
    for _ in range(300 if n_labels == 2 else 80):
        p = random_posterior(rng, len(rows))
        errors = costs @ p
        near = costs[p.argmax()] * n <= rng.integers(1, 4) + 1e-9
        part = PartitionTable(rows[near], p[near], n_labels)
        best = part.best_among(rows[near])
        if part.proves(best):
            given += 1
            assert errors[(rows == best).all(axis=1)][0] == pytest.approx(errors.min(), abs=1e-12)
        if n_labels == 2:
            coded = BinaryPartitions(np.zeros(2 ** (n - 1)), n)
            coded.probabilities[[coded.code(row) for row in rows[near]]] = p[near]
            chosen = pt.canonical(coded.best())
            if coded.proves(chosen):
                assert errors[(rows == chosen).all(axis=1)][0] == pytest.approx(errors.min(), abs=1e-12)
    assert given > 10


def test_a_partition_that_is_not_best_gets_no_certificate():
    rows, costs = space(6, 2)
    p = random_posterior(np.random.default_rng(1), len(rows))
    worst = rows[(costs @ p).argmax()].astype(int)
    assert not PartitionTable(rows, p, 2).proves(worst)


def test_costs_by_products_and_by_matching_agree():
    rng = np.random.default_rng(0)
    rows, costs = space(7, 2)
    p = random_posterior(rng, len(rows))
    assert np.allclose(expected_costs(rows, rows, p, 2), costs @ p, atol=1e-6)
    assert np.allclose(expected_costs(rows, rows, p, 3), costs @ p, atol=1e-12)


# Walks


@pytest.mark.parametrize("name", [name for name, process in PROCESSES.items() if process.n_labels == 2])
def test_the_gray_walk_gives_every_partition_its_probability(name):
    process = PROCESSES[name]
    points, tables = process.bind(X8)
    out = np.empty(128)
    for block, begin in enumerate([0, 32, 96, 64]):  # codes of 32 steps each, in the order of the walk
        labels, moments = np.zeros(8, np.int64), make_moments(tables)
        log_codes(points, tables, 32 * block, 32 * (block + 1), labels, moments, out[begin : begin + 32])
    coded = BinaryPartitions(out, 8)
    rows = np.array([coded.labels(code) for code in range(128)])
    assert np.allclose(out, process.log_partition_probability(X8, rows))


def test_probabilities_stay_right_over_a_long_walk():
    process = PROCESSES["niw"]
    X = np.random.default_rng(0).normal(size=(9, 2)) * [1, 100]
    rows = pt.all_partitions(9, max_clusters=3)
    points, tables = process.bind(X)
    together = log_probabilities(points, tables, rows)
    for i in range(0, len(rows), 97):
        assert together[i] == pytest.approx(log_probabilities(points, tables, rows[i : i + 1])[0], abs=1e-9)


@pytest.mark.parametrize("name", ["known", "means", "niw", "flat", "alike", "prior", "sizes"])
def test_climbing_ends_where_no_flip_gains(name):
    process = PROCESSES[name]
    points, tables = process.bind(X8)
    for pairs in (False, True):
        labels = np.array([0, 1, 0, 1, 0, 1, 0, 0])
        start = process.log_partition_probability(X8, labels)
        top = climb(points, labels, tables, pairs, make_moments(tables))
        assert top >= start
        assert top == pytest.approx(process.log_partition_probability(X8, labels))
        near = ball(labels, 2 if pairs else 1, process.n_labels).astype(int)
        assert process.log_partition_probability(X8, near).max() <= top + 1e-8


def test_the_upper_bound_is_reached():
    """Where all that is not known costs the most there is, the error is the bound, to the last digit."""
    assert bound_error(0.12, 0.6, 0.5) == (0.12 / 0.6, 0.12, 0.12 + 0.5 * 0.4)
    assert bound_error(0.0, 0.0, 0.5) == (0.25, 0.0, 0.5)
    assert bound_error(0.3, 1.0, 0.5) == (0.3, 0.3, 0.3)
    assert bound_error(0.3, 1 - 1e-13, 0.5).upper == 0.3  # all is known but for rounding
    assert bound_error(0.3, 0.995, 0.5).upper == pytest.approx(0.3025)  # and half a percent is no rounding
    assert bound_error(0.3, 1.5, 0.5).estimate == pytest.approx(0.3)


@pytest.mark.parametrize(("n", "n_labels"), [(4, 2), (5, 3), (6, 4)])
def test_the_ball_holds_all_partitions_within_its_radius(n, n_labels):
    center = np.arange(n) % n_labels
    for radius in range(n + 1):
        found = {tuple(pt.canonical(row)) for row in ball(center, radius, n_labels)}
        near = set()
        for labels in product(range(n_labels), repeat=n):
            if (np.array(labels) != center).sum() <= radius:
                near.add(tuple(pt.canonical(labels)))
        assert found == near
        assert len(ball(center, radius, n_labels)) == len(near)
        assert ball_size(n, radius, n_labels) == sum(
            (np.array(labels) != center).sum() <= radius for labels in product(range(n_labels), repeat=n)
        )


def test_the_ball_keeps_to_known_sizes():
    center = np.array([0, 0, 0, 1, 1])
    found = ball(center, 2, 2, np.array([3, 2]))
    assert {tuple(sorted(np.bincount(row))) for row in found} == {(2, 3)}
    assert len(found) == 1 + 3 + 3 * 2  # itself, one of three moved, or exchanged with one of two


@pytest.mark.parametrize(("name", "n", "least"), [("known", 5, 0), ("flat", 9, 3), ("sizes", 8, 1)])
def test_random_starts_have_points_enough_for_each_label(name, n, least):
    process, rng = PROCESSES[name], np.random.default_rng(0)
    starts = np.array([random_labels(process, n, rng) for _ in range(200)])
    assert starts.shape == (200, n)
    counts = np.array([np.bincount(labels, minlength=process.n_labels) for labels in starts])
    assert counts.min() >= least
    assert (np.ptp(starts, axis=0) == process.n_labels - 1).all()  # every label comes to every point


def test_two_labels_are_searched_exactly_up_to_thirty_points():
    process = PROCESSES["known"]
    with pytest.raises(ValueError, match=r"at most 30 points .* got 31 points, 1\.1e\+09 partitions"):
        binary_partitions(*process.bind(np.zeros((31, 2))), 1)


@pytest.mark.parametrize("n", [13, 14])
def test_blocks_of_the_walk_are_put_back_in_order(n):
    process, X = PROCESSES["means"], np.random.default_rng(0).normal(size=(n, 2))
    coded = binary_partitions(*process.bind(X), 1)
    codes = np.random.default_rng(1).integers(2 ** (n - 1), size=40)
    log_p = process.log_partition_probability(X, np.array([coded.labels(code) for code in codes]))
    assert coded.known == pytest.approx(1)
    found = np.log(coded.probabilities[codes])
    assert found - found[0] == pytest.approx(log_p - log_p[0], abs=1e-8)


def test_probabilities_are_scaled_to_one_and_none_is_refused():
    assert normalized(np.log([2.0, 6.0]) - 800) == pytest.approx([0.25, 0.75])
    with pytest.raises(ValueError, match="X must have a partition with positive probability"):
        normalized(np.full(3, -np.inf))


def test_what_lies_within_a_radius_is_kept():
    rows, costs = space(6, 2)
    p = np.arange(1.0, len(rows) + 1)
    coded = BinaryPartitions(np.zeros(32), 6)
    codes = [coded.code(row) for row in rows]
    coded.probabilities[codes] = p
    for radius in range(4):
        expected = np.where(costs[5] * 6 <= radius + 1e-9, p, 0.0)
        assert coded.within(rows[5].astype(int), radius).probabilities[codes].tolist() == expected.tolist()
        listed = PartitionTable(rows, p, 2).within(rows[5].astype(int), radius)
        assert listed.probabilities.tolist() == expected[expected > 0].tolist()
    assert coded.mode().tolist() == coded.labels(codes[-1]).tolist()


def test_candidates_are_compared_up_to_a_number_of_them(monkeypatch):
    rows, _ = space(6, 2)
    even = PartitionTable(rows, np.full(len(rows), 1 / len(rows)), 2)
    n_candidates = ball_size(6, even._certain_radius(1.0), 2)
    monkeypatch.setattr(partition_table, "MOST_CANDIDATES", n_candidates)
    assert even.best().size == 6
    monkeypatch.setattr(partition_table, "MOST_COSTS", len(rows) ** 2)
    assert even.best_among(rows).size == 6
    monkeypatch.setattr(partition_table, "MOST_COSTS", len(rows) ** 2 - 1)
    with pytest.raises(ValueError, match=r"radius must be smaller: got 32 candidates and 32 references, 1e\+03 costs"):
        even.best_among(rows)
    monkeypatch.setattr(partition_table, "MOST_CANDIDATES", n_candidates - 1)
    with pytest.raises(ValueError, match='search must not be "exact" here'):
        even.best()


def test_a_certificate_is_looked_for_among_a_tenth_as_many(monkeypatch):
    rows, _ = space(5, 2)
    p = np.where(np.arange(len(rows)) == 3, 0.9, 0.1 / (len(rows) - 1))
    sure = PartitionTable(rows, p, 2)
    size = ball_size(5, sure._certain_radius(1.0), 2)
    monkeypatch.setattr(partition_table, "MOST_CANDIDATES", 10 * size)
    assert sure.proves(rows[3].astype(int))
    monkeypatch.setattr(partition_table, "MOST_CANDIDATES", 10 * size - 1)
    assert not sure.proves(rows[3].astype(int))


def test_codes_in_blocks_are_the_codes_in_one(monkeypatch):
    rows, costs = space(7, 2)
    p = random_posterior(np.random.default_rng(3), len(rows))
    coded = BinaryPartitions(np.zeros(64), 7)
    codes = [coded.code(row) for row in rows]
    coded.probabilities[codes] = p
    many, center = np.array([0, 1, 2, 1, 3, 0, 2]), rows[9].astype(int)
    expected = coded.cost(many), coded.within(center, 2).probabilities.tolist()
    monkeypatch.setattr(gray_codes, "CHUNK", 16)
    assert coded.cost(many) == pytest.approx(expected[0])
    assert coded.within(center, 2).probabilities.tolist() == expected[1]
    assert np.allclose(coded.errors()[codes], costs @ p, atol=1e-14)
    assert coded.cost(center) == pytest.approx(costs[9] @ p)
