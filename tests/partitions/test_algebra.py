from itertools import product
from types import SimpleNamespace

import naive
import numpy as np
import pytest

import partita as pt
from partita.partitions import complete_labels
from partita.partitions.algebra import distinct_rows
from partita.partitions.matching import number_like

SMALL = [labels for n in (1, 2, 3, 4) for labels in naive.all_partitions(n)]
PAIRS = [pair for n in (3, 4, 5) for pair in product(naive.all_partitions(n), repeat=2)]


def test_canonical_numbers_clusters_by_first_appearance():
    assert pt.canonical([9, 2, 9, 2**31 - 1]).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("n", range(1, 9))
def test_all_partitions_are_those_of_the_definition_in_order(n):
    assert pt.all_partitions(n).tolist() == [row.tolist() for row in naive.all_partitions(n)]


@pytest.mark.parametrize("n", [4, 6])
@pytest.mark.parametrize("most", [1, 2, 3, 9])
def test_max_clusters_keeps_exactly_the_partitions_with_few_clusters(n, most):
    expected = [row.tolist() for row in naive.all_partitions(n) if row.max() < most]
    assert pt.all_partitions(n, max_clusters=most).tolist() == expected


@pytest.mark.parametrize("wanted", [[5], [1, 1, 1], [3, 2, 2], [2, 2, 2, 1], [4, 3], [1, 2, 3]])
def test_given_sizes_keep_exactly_the_partitions_with_those_sizes(wanted):
    n = sum(wanted)
    expected = [r.tolist() for r in naive.all_partitions(n) if sorted(np.bincount(r)) == sorted(wanted)]
    assert pt.all_partitions(n, sizes=wanted).tolist() == expected


def test_many_singletons_do_not_overflow_their_labels():
    assert pt.all_partitions(300, sizes=[1] * 300)[0].tolist() == list(range(300))


def test_bell_numbers_sum_stirling_numbers_and_count_partitions():
    for n in range(1, 9):
        assert pt.bell_number(n) == len(naive.all_partitions(n))
        assert pt.bell_number(n) == sum(pt.stirling_number(n, k) for k in range(n + 1))
    assert pt.bell_number(0) == pt.stirling_number(0, 0) == 1
    assert pt.stirling_number(5, 6) == 0


@pytest.mark.parametrize(("a", "b"), PAIRS[::7])
def test_meet_and_join_follow_their_definitions(a, b):
    assert pt.meet(a, b).tolist() == naive.meet(a, b).tolist()
    assert pt.join(a, b).tolist() == naive.join(a, b).tolist()
    assert pt.refines(a, b) == naive.refines(a, b)


def test_lattice_laws_hold_for_all_triples_of_four_items():
    for a, b in product(naive.all_partitions(4), repeat=2):
        assert (pt.meet(a, pt.join(a, b)) == a).all()
        assert (pt.join(a, pt.meet(a, b)) == a).all()
        assert pt.refines(pt.meet(a, b), a)
        assert pt.refines(b, pt.join(a, b))


def is_covered(finer, coarser):
    return naive.refines(finer, coarser) and coarser.max() == finer.max() - 1


@pytest.mark.parametrize("labels", SMALL, ids=str)
def test_merges_and_splits_are_the_covering_relation(labels):
    everything = naive.all_partitions(len(labels))
    above = [p.tolist() for p in everything if is_covered(labels, p)]
    below = [p.tolist() for p in everything if is_covered(p, labels)]
    assert sorted(pt.merges(labels).tolist()) == above
    assert sorted(pt.splits(labels).tolist()) == below


def test_hasse_diagram_of_four_items_has_its_31_edges():
    partitions, edges = pt.hasse_edges(4)
    assert len(partitions) == 15
    assert len(edges) == 31  # 6 merges of 0, 3 from each of 6 partitions into 3, 1 from each of 7 into 2
    assert all(is_covered(partitions[f].astype(int), partitions[c].astype(int)) for f, c in edges)
    assert pt.hasse_edges(1)[1].shape == (0, 2)


@pytest.mark.parametrize(("a", "b"), PAIRS[::11])
def test_matched_labels_agree_on_as_many_items_as_can_be(a, b):
    matched = pt.match_labels(a, b)
    assert (pt.canonical(matched) == a).all()
    assert np.mean(matched != b) == pytest.approx(naive.misclassification(a, b))


def test_matching_leaves_the_lattice_order_of_a_permuted_partition():
    assert pt.match_labels([1, 1, 0, 2], [0, 0, 1, 2]).tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pt.meet([0, 1], [0, 1, 2]), "a and b must label the same items: got 2 and 3 labels."),
        (lambda: pt.canonical([]), "labels must label at least one item: got none."),
        (lambda: pt.canonical([[0, 1]]), "labels must be a vector with one label per item: got 2 dimension(s)."),
        (lambda: pt.canonical([0, -1]), "labels must not be negative: got -1 for item 1. Noise"),
        (lambda: pt.canonical([0, 2**31]), "labels must be at most 2147483647: got 2147483648 for item 1."),
        (lambda: pt.canonical([0.5, 1]), "labels must be whole numbers: got 0.5 for item 0."),
        (lambda: pt.canonical([0, np.nan]), "labels must not have missing values: got nan for item 1."),
        (lambda: pt.canonical(["a", "b"]), "labels must be whole numbers: got values of type <U1, such as"),
        (lambda: pt.canonical([1, [2, 3]]), "labels must be numbers in rows of equal length: got [1, [2, 3]]."),
        (lambda: pt.canonical(np.ma.masked_equal([0, 9], 9)), "labels must not have missing values: got masked ones."),
        (lambda: pt.all_partitions(0), "n_items must be a whole number of at least 1: got 0."),
        (lambda: pt.all_partitions(3, sizes=[2, 2]), "sizes must be whole, positive and add up to 3 items"),
        (lambda: pt.all_partitions(3, sizes=[]), "sizes must be whole, positive and add up to 3 items: got []."),
        (lambda: pt.all_partitions(3, sizes=[[1, 2]]), "sizes must be whole, positive and add up to 3 items: got [[1"),
        (lambda: pt.all_partitions(3, sizes=[1.5, 1.5]), "sizes must be whole, positive and add up to 3 items: got [1"),
        (lambda: pt.all_partitions(3, sizes="x"), "sizes must be numbers: got 'x'."),
        (lambda: pt.all_partitions(3, sizes=[3], max_clusters=2), "max_clusters must be left out"),
        (lambda: pt.bell_number(True), "n_items must be a whole number of at least 0: got True."),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value).startswith(message)


def test_partitions_too_many_to_hold_are_refused_before_memory_is_taken():
    with pytest.raises(MemoryError, match=r"The 51724158235372 partitions of 20 items would take .* GB"):
        pt.all_partitions(20)
    with pytest.raises(MemoryError, match="splits would take"):
        pt.splits(np.zeros(60, int))
    with pytest.raises(MemoryError, match=r"The more than 10\^6020 splits would take more than 10\^\d+ GB"):
        pt.splits(np.zeros(20_001, int))
    with pytest.raises(MemoryError, match=r"The more than 10\^\d+ partitions of 300 items would take"):
        pt.all_partitions(300)
    with pytest.raises(MemoryError, match=r"The more than 10\^\d+ edges of the diagram would take"):
        pt.hasse_edges(5000)


def test_tables_too_large_to_hold_are_refused(monkeypatch):
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1000))
    monkeypatch.setattr("partita._validation.LITTLE", 0)
    with pytest.raises(MemoryError, match="The 190 merges would take"):
        pt.merges(range(20))
    with pytest.raises(MemoryError, match="The table of 20 by 20 clusters would take"):
        pt.match_labels(range(20), range(20))
    with pytest.raises(MemoryError, match="The 31 edges of the diagram would take"):
        pt.hasse_edges(4)


@pytest.mark.parametrize("most", [3, 300])
def test_distinct_rows_are_those_of_numpy(most):
    rows = np.random.default_rng(0).integers(most, size=(60, 4)).astype(np.min_scalar_type(most))
    rows = rows[np.random.default_rng(1).integers(60, size=200)]
    expected, inverse = np.unique(rows, axis=0, return_inverse=True)
    found, which = distinct_rows(rows)
    assert (found == expected).all()
    assert (which == inverse.ravel()).all()


def test_numbers_that_no_machine_counts_to_are_refused():
    with pytest.raises(ValueError, match="n_items must be at most 2000: got 2147483648"):
        pt.bell_number(2**31)
    with pytest.raises(ValueError, match="n_items must be at most 2147483647: got 1000000000000"):
        pt.all_partitions(10**12)
    with pytest.raises(MemoryError, match=r"The more than 10\^\d+ partitions of 1000000 items would take"):
        pt.all_partitions(10**6)
    with pytest.raises(MemoryError, match=r"The more than 10\^299 partitions of 1000 items would take"):
        pt.all_partitions(1000, sizes=[500, 300, 200])
    assert pt.all_partitions(50, sizes=[1] * 50).shape == (1, 50)
    assert pt.stirling_number(5, 10**9) == 0


@pytest.mark.parametrize(("n", "power"), [(100, 115), (101, 30), (102, 30)])
def test_partitions_of_up_to_a_hundred_items_are_counted_and_of_more_bounded_from_below(n, power):
    with pytest.raises(MemoryError, match=rf"The more than 10\^{power} partitions of {n} items would"):
        pt.all_partitions(n)
    assert pt.all_partitions(n, max_clusters=1).tolist() == [[0] * n]


@pytest.mark.parametrize(("sizes", "power"), [([506, 509], 303), ([507, 509], 299)])
def test_partitions_of_given_sizes_are_counted_up_to_a_number_of_300_digits(sizes, power):
    with pytest.raises(MemoryError, match=rf"The more than 10\^{power} partitions of {sum(sizes)} items would"):
        pt.all_partitions(sum(sizes), sizes=sizes)


def test_labels_take_the_smallest_type_that_holds_them():
    assert [pt.all_partitions(n, sizes=[1] * n).dtype for n in (256, 257)] == [np.uint8, np.uint16]


@pytest.mark.parametrize(
    ("labels", "reference", "expected"),
    [
        ([0, -1, 0, 1, -1], [0, 0, 1, 2, 2], [0, 0, 0, 1, 1]),
        ([0, 1, 1, -1], [0, 0, 0, 0], [0, 1, 1, 1]),
        ([-1, 0, -1, -1], [0, 1, 0, 2], [0, 1, 0, 2]),
    ],
)
def test_an_item_left_out_joins_most_of_its_fellows(labels, reference, expected):
    assert complete_labels(np.array(labels), np.array(reference)).tolist() == expected


def test_clusters_beyond_those_of_the_reference_take_the_next_numbers():
    assert number_like([0, 0, 1, 1, 2], [1, 1, 0, 0, 0]).tolist() == [1, 1, 0, 0, 2]
    assert number_like([0, 1, 2, 3, 3], [1, 1, 1, 0, 0]).tolist() == [1, 2, 3, 0, 0]
