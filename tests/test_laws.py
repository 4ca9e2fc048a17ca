"""Laws of losses, over all pairs (and triples) of partitions of a few items."""

import math

import naive
import numpy as np
import pytest

import partita as pt
from partita.losses import LOSSES

ALL = [loss() for loss in LOSSES.values()]
ALIGNED = [pt.VariationOfInformation(), pt.Binder()]  # metrics aligned with the lattice
METRICS = [*ALIGNED, pt.Misclassification(), pt.InformationDistance(), pt.ZeroOne()]
LOPSIDED = [pt.VariationOfInformation(a=0.5), pt.Binder(a=1.2)]
PARTITIONS = {n: pt.all_partitions(n).astype(int) for n in range(1, 7)}


def matrix(loss, n, truths=None, estimates=None):
    """Losses between all partitions of n items, however they are written down: rows are truths."""
    post = pt.PartitionPosterior(PARTITIONS[n] if truths is None else truths)
    return np.array([loss.per_draw(labels, post) for labels in (PARTITIONS[n] if estimates is None else estimates)]).T


def finer(n):
    """Which partitions of n items (rows) refine which (columns), from who is with whom."""
    pairs = np.triu_indices(n, 1)
    together = (PARTITIONS[n][:, :, None] == PARTITIONS[n][:, None, :])[:, *pairs]
    return ~(together[:, None] & ~together[None]).any(axis=2)


def meets(n):
    """Row number of the meet of each two partitions of n items."""
    number = {row.tobytes(): i for i, row in enumerate(PARTITIONS[n])}
    both = PARTITIONS[n][:, None] * n + PARTITIONS[n][None]
    rows = pt.PartitionPosterior(both.reshape(-1, n)).draws.astype(int)
    return np.array([number[row.tobytes()] for row in rows]).reshape(both.shape[:2])


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("loss", ALL, ids=repr)
def test_loss_is_zero_for_the_same_partition_and_positive_otherwise(loss, n):
    values = matrix(loss, n)
    assert np.diag(values) == pytest.approx(0, abs=1e-12)
    assert (values[~np.eye(len(values), dtype=bool)] > 1e-6).all()


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("loss", ALL, ids=repr)
def test_loss_is_symmetric(loss, n):
    assert matrix(loss, n) == pytest.approx(matrix(loss, n).T, abs=1e-12)


@pytest.mark.parametrize("loss", LOPSIDED, ids=repr)
def test_unequal_weights_break_symmetry(loss):
    assert np.abs(matrix(loss, 4) - matrix(loss, 4).T).max() > 0.1


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("loss", [*ALL, *LOPSIDED], ids=repr)
def test_loss_ignores_how_clusters_are_numbered(loss, n):
    renumbered = 9 - PARTITIONS[n]
    assert matrix(loss, n, truths=renumbered) == pytest.approx(matrix(loss, n))
    assert matrix(loss, n, estimates=renumbered) == pytest.approx(matrix(loss, n))


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize("loss", [*ALL, *LOPSIDED], ids=repr)
def test_loss_ignores_the_order_of_items(loss, n):
    reordered = PARTITIONS[n][:, np.random.default_rng(0).permutation(n)]
    assert matrix(loss, n, reordered, reordered) == pytest.approx(matrix(loss, n), abs=1e-12)


def triangle_excess(loss, n):
    d = matrix(loss, n)
    return (d[:, None, :] - d[:, :, None] - d[None, :, :]).max()


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("loss", METRICS, ids=repr)
def test_triangle_inequality(loss, n):
    assert triangle_excess(loss, n) < 1e-12


def test_adjusted_rand_is_no_metric():
    assert triangle_excess(pt.AdjustedRand(), 5) > 0.01


def test_tables_of_refinements_and_meets_follow_their_definitions():
    rows = PARTITIONS[4]
    assert finer(4).tolist() == [[naive.refines(a, b) for b in rows] for a in rows]
    assert rows[meets(4)].tolist() == [[naive.meet(a, b).tolist() for b in rows] for a in rows]


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("loss", ALIGNED, ids=repr)
def test_vertical_alignment_distances_add_up_along_refinements(loss, n):
    d, below = matrix(loss, n), finer(n)
    low, middle, high = np.nonzero(below[:, :, None] & below[None])
    assert d[low, high] == pytest.approx(d[low, middle] + d[middle, high], abs=1e-12)


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("loss", ALIGNED, ids=repr)
def test_horizontal_alignment_distances_add_up_through_the_meet(loss, n):
    d, meet, every = matrix(loss, n), meets(n), np.arange(len(PARTITIONS[n]))
    assert d == pytest.approx(d[every[:, None], meet] + d[every[None], meet], abs=1e-12)


def test_misclassification_is_not_aligned_through_the_meet():
    a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    through = sum(pt.Misclassification().between(x, pt.meet(a, b)) for x in (a, b))
    assert pt.Misclassification().between(a, b) != pytest.approx(through)


@pytest.mark.parametrize("n", range(2, 7))
def test_largest_distance_is_between_one_cluster_and_all_singletons(n):
    for loss, most in [(pt.VariationOfInformation(), math.log2(n)), (pt.Binder(), 1 - 1 / n)]:
        assert matrix(loss, n).max() == pytest.approx(most)
        assert loss.between([0] * n, range(n)) == pytest.approx(most)


def closest_by_sizes(labels):
    """Wade and Ghahramani's property 3.5: the partitions closest to this one, from its cluster sizes alone."""
    sizes = np.bincount(labels)
    merged, split = pt.merges(labels).tolist(), pt.splits(labels).tolist()
    ones, twos = (sizes == 1).sum(), (sizes == 2).sum()
    if ones >= 2:
        closest = [p for p in merged if sorted(np.bincount(p)) == sorted([*np.delete(sizes, _two_ones(sizes)), 2])]
        if twos:
            closest += [p for p in split if np.bincount(p).tolist().count(1) == ones + 2]
        return closest
    least = min(s for s in sizes if s > 1)
    wanted = sorted([*np.delete(sizes, sizes.tolist().index(least)), 1, least - 1])
    return [p for p in split if sorted(np.bincount(p)) == wanted]


def _two_ones(sizes):
    return np.flatnonzero(sizes == 1)[:2]


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("loss", ALIGNED, ids=repr)
def test_closest_partitions_are_those_of_property_3_5(loss, n):
    d, rows = matrix(loss, n), PARTITIONS[n]
    for i, labels in enumerate(rows):
        others = np.delete(d[i], i)
        closest = rows[(d[i] < others.min() + 1e-9) & (np.arange(len(rows)) != i)]
        assert sorted(closest.tolist()) == sorted(closest_by_sizes(labels))


@pytest.mark.parametrize(("n", "k"), [(4, 2), (6, 2), (6, 3), (12, 4), (16, 4), (9, 9)])
def test_equal_clusters_lie_between_the_extremes_as_in_property_3_6(n, k):
    equal = np.repeat(np.arange(k), n // k)
    binder, vi = pt.Binder(), pt.VariationOfInformation()
    assert binder.between([0] * n, equal) == pytest.approx(1 - 1 / k)
    assert binder.between(range(n), equal) == pytest.approx(1 / k - 1 / n)
    assert vi.between([0] * n, equal) == pytest.approx(math.log2(k))
    assert vi.between(range(n), equal) == pytest.approx(math.log2(n / k))
    assert binder.between([0] * n, equal) > binder.between(range(n), equal)


@pytest.mark.parametrize("root", [2, 3, 4, 5])
def test_uneven_halves_are_as_far_from_both_extremes_as_in_property_3_7(root):
    n = root * root
    halves = (np.arange(n) < (n - root) // 2).astype(int)
    one, none = pt.Binder().between([0] * n, halves), pt.Binder().between(range(n), halves)
    assert one == pytest.approx(none)
