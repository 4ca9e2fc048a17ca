"""Chunklets as samplers move them, and partitions made to obey."""

import itertools

import naive
import numpy as np
import pytest

from partita import Constraints, sample_constraints
from partita.constraints.chunklets import check_feasible, make_chunklets, repair, repair_to, weighted_chunklets

KNOWN = Constraints([(0, 3), (4, 5)], [(0, 1), (2, 4)], n_items=7, cannot_link_weights=[np.inf, 1.5])
WHEEL = Constraints(
    cannot_link=[(i, (i + 1) % 5) for i in range(5)] + [(i, 5) for i in range(5)], n_items=6
)  # needs four clusters, of which three are proved
TWO_SIDES = Constraints(cannot_link=[(0, 3), (0, 5), (2, 1), (2, 5), (4, 1), (4, 3)], n_items=6)


def as_lists(chunklets):
    start, neighbor_start = chunklets.start, chunklets.neighbor_start
    members = [chunklets.items[a:b].tolist() for a, b in itertools.pairwise(start)]
    near = [
        list(zip(chunklets.neighbor[a:b].tolist(), chunklets.log_odds[a:b].tolist(), strict=True))
        for a, b in itertools.pairwise(neighbor_start)
    ]
    return members, near


def test_chunklets_hold_their_items_and_the_odds_of_pairs():
    chunklets = make_chunklets(KNOWN)
    members, near = as_lists(chunklets)
    assert members == [[0, 3], [1], [2], [4, 5], [6]]
    assert near == [[(1, -np.inf)], [(0, -np.inf)], [(3, -1.5)], [(2, -1.5)], []]
    assert chunklets.size.tolist() == [2, 1, 1, 2, 1]
    assert chunklets.weight.tolist() == [1] * 7
    assert chunklets.equal is True


def test_items_that_count_for_nothing_are_left_out_and_chunklets_close_up():
    known = Constraints([(1, 2)], [(1, 3)], n_items=5)
    chunklets, uncounted = weighted_chunklets(known, np.array([0.0, 0.5, 0.5, 1.0, 0.25]))
    members, near = as_lists(chunklets)
    assert members == [[1, 2], [3], [4]]
    assert near == [[(1, -np.inf)], [(0, -np.inf)], []]
    assert chunklets.size.tolist() == [1.0, 1.0, 0.25]
    assert uncounted.tolist() == [0]
    assert chunklets.equal is False


def test_all_items_count_once_without_weights_and_with_weights_of_one():
    for weights in (None, np.ones(7)):
        chunklets, uncounted = weighted_chunklets(KNOWN, weights)
        assert chunklets.equal is True
        assert uncounted.tolist() == []
    assert weighted_chunklets(KNOWN, np.full(7, 0.5))[1].tolist() == []
    mixed = Constraints(n_items=3)
    assert weighted_chunklets(mixed, np.array([1.0, 0.0, 1.0]))[0].equal is True
    assert weighted_chunklets(mixed, np.array([2.0, 0.0, 1.0]))[1].tolist() == [1]


def test_items_under_constraints_must_count():
    weights = np.ones(7)
    weights[[6, 5, 2]] = 0
    with pytest.raises(ValueError, match=r"sample_weight must be positive .* got 0 for item 2\."):
        weighted_chunklets(KNOWN, weights)


@pytest.mark.parametrize("seed", range(6))
def test_a_repaired_partition_obeys_and_one_that_obeys_stays(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=7)
    constraints = sample_constraints(truth, 8, rng)
    for labels in naive.all_partitions(7)[:: 40 + seed]:
        found = repair(labels, constraints)
        assert constraints.count_violations(found) == 0
        if constraints.count_violations(labels) == 0:
            assert found.tolist() == labels.tolist()


@pytest.mark.parametrize(
    ("cannot_link", "labels", "expected"),
    [
        ([(0, 1)], [0, 0, 1], [0, 1, 1]),  # the first label that is free
        ([(0, 1), (1, 2), (0, 2)], [0, 0, 0], [0, 1, 2]),  # else new ones
        ([(0, 2), (1, 2)], [0, 1, 0], [0, 1, 2]),
        ([(0, 1)], [0, 0, 0], [0, 1, 0]),  # the later one moves
    ],
)
def test_items_that_may_not_stay_take_the_first_label_they_may(cannot_link, labels, expected):
    constraints = Constraints(cannot_link=cannot_link, n_items=3)
    assert repair(np.array(labels), constraints).tolist() == expected


def test_a_coloring_stands_in_where_repairs_take_too_many_clusters():
    start = np.array([0, 0, 1, 1, 2, 2])  # obeys, with three clusters, where two suffice
    assert repair(start, TWO_SIDES, 3).tolist() == start.tolist()
    assert repair(start, TWO_SIDES, 2).tolist() == [0, 1, 0, 1, 0, 1]


def test_chunklets_leave_the_largest_cluster_until_there_are_enough():
    assert repair_to(np.zeros(5, np.int64), Constraints(n_items=5), 3).tolist() == [0, 0, 0, 1, 2]
    joined = Constraints([(3, 4)], n_items=5)
    assert repair_to(np.array([0, 1, 1, 1, 1]), joined, 3).tolist() == [0, 1, 1, 2, 2]
    assert repair_to(np.array([0, 1, 1, 2, 2]), joined, 3).tolist() == [0, 1, 1, 2, 2]
    assert repair_to(np.array([0, 0, 1, 1, 2, 2]), TWO_SIDES, 2).tolist() == [0, 1, 0, 1, 0, 1]
    with pytest.raises(ValueError, match=r"n_clusters must be at least 4, which is known to suffice .* got 3"):
        repair_to(np.zeros(6, np.int64), WHEEL, 3)
    assert repair_to(np.zeros(6, np.int64), WHEEL, 4).max() == 3


@pytest.mark.parametrize(("most", "known"), [(2, "3 are needed"), (3, "4 are known to suffice")])
def test_too_few_clusters_for_the_cannot_links_are_refused(most, known):
    with pytest.raises(ValueError, match=f"n_components must leave room .* got {most}, where {known}"):
        check_feasible(WHEEL, most)


def test_few_clusters_beside_many_cannot_links_bring_a_warning():
    with pytest.warns(UserWarning, match="at most 6 clusters and a chunklet with 5 cannot-links") as caught:
        check_feasible(WHEEL, 6)
    assert len(caught) == 1
    check_feasible(WHEEL, 7)
    with pytest.warns(UserWarning, match="With at most 4 clusters"):
        check_feasible(WHEEL, 4)
