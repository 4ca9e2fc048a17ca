"""What people know about pairs, and what follows from it."""

from itertools import combinations, product
from types import SimpleNamespace
from typing import ClassVar

import naive
import numpy as np
import pandas as pd
import pytest

from partita import Constraints, refines, sample_constraints
from partita.constraints.coloring import color_graph, count_colors, find_clique
from partita.constraints.constraints import check_constraints

NAMES = ["ann", "bob", "cem", "dee"]


def random_constraints(seed, n_items=6, n_pairs=5):
    """Pairs of a random partition, so that they contradict nothing."""
    rng = np.random.default_rng(seed)
    return sample_constraints(rng.integers(4, size=n_items), n_pairs, rng)


def obeying(constraints):
    """All partitions that break no pair."""
    return [p for p in naive.all_partitions(constraints.n_items) if constraints.count_violations(p) == 0]


def together_in_all(partitions, value):
    return {
        (i, j)
        for i, j in combinations(range(partitions[0].size), 2)
        if all((p[i] == p[j]) == value for p in partitions)
    }


@pytest.mark.parametrize("seed", range(8))
def test_chunklets_are_the_finest_partition_that_must_links_allow(seed):
    must = Constraints(random_constraints(seed).must_link, n_items=6)
    allowed = obeying(must)
    assert any(np.array_equal(must.chunklets, p) for p in allowed)
    assert all(refines(must.chunklets, p) for p in allowed)


@pytest.mark.parametrize("seed", range(8))
def test_closure_holds_every_pair_that_follows(seed):
    constraints = random_constraints(seed)
    allowed, closure = obeying(constraints), constraints.closure()
    assert set(map(tuple, closure.must_link.tolist())) == together_in_all(allowed, True)
    assert set(map(tuple, closure.cannot_link.tolist())) == together_in_all(allowed, False)
    assert len(obeying(closure)) == len(allowed)
    assert constraints.n_entailed == len(closure.must_link) + len(closure.cannot_link)


@pytest.mark.parametrize("seed", range(8))
def test_forbidden_chunklets_are_those_that_share_no_cluster(seed):
    constraints = random_constraints(seed, n_pairs=7)
    bounds, others = constraints.cannot_link_graph
    edges = {(u, v) for u in range(constraints.n_chunklets) for v in others[bounds[u] : bounds[u + 1]].tolist()}
    c = constraints.chunklets
    assert edges == {(c[i], c[j]) for a, b in constraints.cannot_link for i, j in ((a, b), (b, a))}
    assert len(edges) == others.size


def test_violations_are_counted_one_by_one():
    constraints = sample_constraints([0, 1, 0, 1, 2, 2], 20, 3)
    for p in naive.all_partitions(6)[::7]:
        broken = [p[i] != p[j] for i, j in constraints.must_link] + [p[i] == p[j] for i, j in constraints.cannot_link]
        assert constraints.count_violations(p) == sum(broken)
    assert constraints.count_violations([5, 7, 5, 7, 1, 1]) == 0


def test_a_contradiction_is_reported_with_its_chain():
    with pytest.raises(
        ValueError,
        match=r"cannot_link must not join items that must_link joins: got \(3, 8\), linked through 5\.",
    ):
        Constraints([(3, 5), (8, 5), (1, 2)], [(1, 3), (3, 8)], n_items=9)
    with pytest.raises(ValueError, match=r"got \(ann, dee\), linked through bob, cem\."):
        Constraints([("cem", "dee"), ("ann", "bob"), ("bob", "cem")], [("ann", "dee")], items=NAMES)
    with pytest.raises(ValueError, match=r"got \(1, 0\), linked themselves\."):
        Constraints([(0, 1)], [(1, 0)], n_items=2)


def test_the_chain_is_a_shortest_one():
    ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]
    with pytest.raises(ValueError, match=r"linked through 5\."):
        Constraints(ring, [(0, 4)], n_items=6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(must_link=[(0, 7)], n_items=3), "must_link must hold indices from 0 to 2: got 7 in row 0"),
        (dict(cannot_link=[(0, 1), (0, -1)], n_items=3), "cannot_link must hold indices from 0 to 2: got -1 in row 1"),
        (dict(must_link=[(1, 1)], n_items=3), r"must_link must pair different items: got \(1, 1\) in row 0"),
        (dict(cannot_link=[("bob", "bob")], items=NAMES), r"cannot_link must pair different items: got \(bob, bob\)"),
        (dict(must_link=[("ann", "bo")], items=NAMES), "must_link must name items: got 'bo'. Did you mean 'bob'?"),
        (dict(must_link=[("ann", "bob")], n_items=3), "must_link must hold item indices.* For names, give items="),
        (dict(must_link=[(0.5, 1)], n_items=3), "must_link must hold item indices"),
        (dict(must_link=[(np.nan, 1)], n_items=3), "must_link must hold item indices"),
        (dict(must_link=[(0, 1, 2)], n_items=3), r"must_link must hold pairs of items.*got shape \(1, 3\)"),
        (dict(must_link=[0, 1], n_items=3), "must_link must hold pairs of items"),
        (dict(must_link=[(0, 1), (2,)], n_items=3), "must_link must"),
        (dict(), "n_items must be a whole number of at least 1: got None"),
        (dict(n_items=3, items=NAMES), "n_items must be the number of items, 4: got 3"),
        (dict(items=["a", "a"]), "items must be distinct"),
        (
            dict(must_link=[(0, 1)], n_items=2, must_link_weights=0),
            "must_link_weights must be positive log odds.*got 0",
        ),
        (dict(must_link=[(0, 1)], n_items=2, must_link_weights=[1, 2]), r"one per pair, 1 in all: got shape \(2,\)"),
        (dict(cannot_link=[(0, 1)], n_items=2, cannot_link_weights=np.nan), "cannot_link_weights must be positive"),
    ],
)
def test_bad_pairs_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Constraints(**arguments)


def test_pairs_come_from_indices_names_tables_and_files(tmp_path):
    pairs = pd.DataFrame({"one": ["ann", "cem"], "two": ["bob", "dee"]})
    pairs.to_csv(tmp_path / "pairs.csv", index=False)
    weighted = pairs.assign(weight=[2.0, np.inf])
    weighted.to_csv(tmp_path / "weighted.csv", index=False)
    plain = Constraints([(0, 1), (2, 3)], n_items=4)
    for source in (pairs, pairs.to_numpy(), tmp_path / "pairs.csv", str(tmp_path / "pairs.csv")):
        assert np.array_equal(Constraints(source, items=NAMES).must_link, plain.must_link)
    for source in (weighted, tmp_path / "weighted.csv"):
        assert Constraints(source, items=NAMES).must_link_weights.tolist() == [2.0, np.inf]
    weighted.assign(weight=["", "sure"]).to_csv(tmp_path / "wrong.csv", index=False)
    with pytest.raises(ValueError, match="must_link_weights must be numbers"):
        Constraints(tmp_path / "wrong.csv", items=NAMES)
    indices = pd.DataFrame({"one": [0, 2], "two": [1, 3]})
    indices.to_csv(tmp_path / "indices.csv", index=False)
    for source in (indices, tmp_path / "indices.csv"):
        assert np.array_equal(Constraints(source, n_items=4).must_link, plain.must_link)
    empty = Constraints(pairs[:0], n_items=4)
    assert empty.must_link.shape == (0, 2)


def test_one_table_holds_both_kinds(tmp_path):
    answers = pd.DataFrame({"a": ["ann", "cem"], "b": ["bob", "ann"], "link": ["must", "cannot"], "weight": [1.5, 2]})
    answers.to_csv(tmp_path / "answers.csv", index=False)
    for source in (answers, tmp_path / "answers.csv"):
        constraints = Constraints.from_table(source, items=NAMES)
        assert constraints.must_link.tolist() == [[0, 1]]
        assert constraints.cannot_link_weights.tolist() == [2.0]
    with pytest.raises(ValueError, match=r"link must be one of cannot, must: got 'mst'\. Did you mean 'must'"):
        Constraints.from_table(answers.assign(link=["mst", "cannot"]), items=NAMES)
    with pytest.raises(ValueError, match="table must have a column 'link': got a, b, weight"):
        Constraints.from_table(answers.drop(columns="link"), items=NAMES)


@pytest.mark.parametrize(
    "labels", [[2, -1, 2, 0, -1], [2.0, np.nan, 2.0, 0.0, np.nan], ["x", None, "x", "y", None], [2, -1, 2, 0, np.nan]]
)
def test_partial_labels_say_who_is_with_whom(labels):
    constraints = Constraints.from_labels(labels, items="abcde")
    assert constraints.chunklets.tolist() == [0, 1, 0, 2, 3]
    assert constraints.cannot_link.tolist() == [[0, 3]]
    assert constraints.items == tuple("abcde")
    assert Constraints.from_labels([-1, -1]).n_chunklets == 2


def test_soft_pairs_join_no_chunklets_and_contradict_nothing():
    constraints = Constraints(
        [(0, 1), (1, 2), (3, 4), (0, 4)],
        [(0, 3), (1, 3), (0, 1)],
        n_items=5,
        must_link_weights=[np.inf, 1.0, 2.0, 0.5],
        cannot_link_weights=[3.0, 0.25, 1.0],
    )
    assert constraints.is_soft
    assert constraints.chunklets.tolist() == [0, 0, 1, 2, 3]
    assert constraints.cannot_link_graph[1].size == 0
    # (0, 3) twice adds up; (0, 1) lies inside a chunklet and says nothing.
    assert [x.tolist() for x in constraints.soft_pairs] == [[0, 0, 0, 2], [1, 2, 3, 3], [1.0, -3.25, 0.5, 2.0]]
    assert not random_constraints(0).is_soft


def test_sampled_pairs_agree_with_the_partition():
    truth = np.repeat([0, 1, 2], [50, 30, 20])
    constraints = sample_constraints(truth, 5000, 1)
    assert constraints.count_violations(truth) == 0
    share = len(constraints.must_link) / 5000
    expected = (50 * 49 + 30 * 29 + 20 * 19) / (100 * 99)
    assert share == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 5000))
    assert np.array_equal(constraints.must_link, sample_constraints(truth, 5000, 1).must_link)


def test_noisy_pairs_are_soft_and_wrong_as_often_as_said():
    truth = np.repeat([0, 1], 20)
    constraints = sample_constraints(truth, 5000, 1, noise=0.1)
    assert constraints.count_violations(truth) / 5000 == pytest.approx(0.1, abs=0.017)
    assert constraints.must_link_weights == pytest.approx(np.log(9.0))
    for noise in (-0.1, 0.5, np.nan):
        with pytest.raises(ValueError, match="noise must be at least 0 and less than one half"):
            sample_constraints(truth, 5, noise=noise)


@pytest.mark.parametrize("seed", range(30))
def test_bounds_enclose_the_fewest_clusters(seed):
    rng = np.random.default_rng(seed)
    edges = [pair for pair in combinations(range(6), 2) if rng.random() < 0.2 + 0.02 * seed]
    graph = Constraints(cannot_link=edges, n_items=6)
    fewest = min(p.max() + 1 for p in obeying(graph))
    least, most = graph.n_clusters_bounds
    assert least <= fewest <= most
    assert fewest > 2 or least == most == fewest  # two colors are found wherever they suffice
    assert graph.count_violations(graph.feasible_coloring) == 0
    assert all(pair in edges for pair in combinations(sorted(find_clique(*graph.cannot_link_graph)), 2))
    answers = [graph.is_feasible(k) for k in range(1, 7)]
    assert all(a in (k >= fewest, None) for k, a in enumerate(answers, start=1))


def test_a_graph_where_two_colors_suffice_gets_two_however_large():
    rng = np.random.default_rng(0)
    pairs = np.column_stack([rng.integers(500, size=3000), 500 + rng.integers(500, size=3000)])
    graph = Constraints(cannot_link=pairs, n_items=1000).cannot_link_graph
    assert count_colors(*graph) == (2, 2)
    assert set(color_graph(*graph)) == {0, 1}


def test_infeasible_numbers_of_clusters_are_refused():
    square = Constraints([(0, 4)], list(combinations(range(4), 2)), n_items=5)
    assert square.check_n_clusters(4) == 4
    with pytest.raises(ValueError, match=r"n_clusters must be at least 4: got 3\. No two of the items 0, 1, 2, 3 may"):
        square.check_n_clusters(3)
    with pytest.raises(ValueError, match="n_clusters must be at most 4, the number of chunklets: got 5"):
        square.check_n_clusters(5)
    ring = Constraints(cannot_link=[(i, (i + 1) % 5) for i in range(5)], n_items=5)
    with pytest.raises(ValueError, match="A ring of cannot-links"):
        ring.check_n_clusters(2)


def test_constraints_cannot_be_changed():
    constraints = random_constraints(0)
    with pytest.raises(AttributeError):
        constraints.n_items = 3
    with pytest.raises(ValueError, match="read-only"):
        constraints.must_link[:] = 0


def test_pairs_given_hundreds_of_times_count_once_in_the_graph():
    constraints = Constraints([(0, 1)] * 256, [(1, 2)] * 256, n_items=3)
    assert constraints.chunklets.tolist() == [0, 0, 1]
    assert constraints.cannot_link_graph[1].tolist() == [1, 0]


def test_must_and_cannot_links_from_all_label_vectors_are_exactly_theirs():
    for labels in product(range(3), repeat=4):
        assert len(obeying(Constraints.from_labels(labels))) == 1


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("0,1\n2,3\n", [[0, 1], [2, 3]]),
        ("one,two\n0,1\n2,3\n", [[0, 1], [2, 3]]),
        ("2;3\n", [[2, 3]]),
    ],
)
def test_a_file_of_pairs_may_do_without_names_of_columns(tmp_path, text, pairs):
    (tmp_path / "pairs.csv").write_text(text)
    assert Constraints(tmp_path / "pairs.csv", n_items=4).must_link.tolist() == pairs


@pytest.mark.parametrize(("text", "n_pairs"), [("ann,bob\ncem,dee\n", 2), ("one,two\ncem,dee\n", 1)])
def test_a_first_row_of_items_is_a_pair(tmp_path, text, n_pairs):
    (tmp_path / "pairs.csv").write_text(text)
    assert len(Constraints(tmp_path / "pairs.csv", items=NAMES).must_link) == n_pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1,9\n2,3,9\n", "must_link must name its columns in a first row where it has more than two: got 0, 1, 9"),
        ("one,two\n0,1,9\n2,3,9\n", "must_link must have a name for each column: got 2 names and 3 entries in row 1"),
        ("one,two\n0,1\n2\n", "must_link must have two items in each row: Row 2 has 1 entries of 2"),
        ("", "must_link must not be empty"),
    ],
)
def test_a_file_of_pairs_is_not_guessed_at(tmp_path, text, message):
    (tmp_path / "pairs.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        Constraints(tmp_path / "pairs.csv", n_items=4)


def test_only_files_and_pairs_are_pairs(tmp_path):
    (tmp_path / "endless.csv").symlink_to("/dev/zero")
    with pytest.raises(FileNotFoundError, match=r"must_link must name a file: got .* a device or a pipe"):
        Constraints(tmp_path / "endless.csv", n_items=4)
    with pytest.raises(TypeError, match="must_link must hold pairs of items, or name a file of them: got 5"):
        Constraints(5, n_items=4)


def test_tables_of_other_libraries_hold_pairs():
    class Table:
        columns: ClassVar = ["one", "two", "weight"]

        def __getitem__(self, name):
            return {"one": [0, 2], "two": [1, 3], "weight": [1.0, np.inf]}[name]

    assert Constraints(Table(), n_items=4).must_link_weights.tolist() == [1.0, np.inf]
    polars = pytest.importorskip("polars")
    assert Constraints(polars.DataFrame({"a": [0], "b": [1]}), n_items=4).must_link.tolist() == [[0, 1]]


def test_masked_labels_say_nothing():
    assert Constraints.from_labels(np.ma.masked_equal([1, 1, 0, 2], 0)).cannot_link.tolist() == [[0, 3]]


def test_a_wheel_with_five_spokes_shows_what_is_needed_and_what_is_enough():
    rim = [(i, (i + 1) % 5) for i in range(5)]
    wheel = Constraints(cannot_link=[*rim, *((i, 5) for i in range(5))], n_items=6)
    assert wheel.n_clusters_bounds == (3, 4)
    assert [wheel.is_feasible(k) for k in (2, 3, 4)] == [False, None, True]
    assert wheel.check_n_clusters(3) == 3
    with pytest.raises(ValueError, match="No two of the items 0, 1, 5 may share a cluster"):
        wheel.check_n_clusters(2)


@pytest.mark.parametrize(("n", "more"), [(10, ""), (11, ", ...")])
def test_of_many_items_that_must_be_apart_ten_are_named(n, more):
    apart = Constraints(cannot_link=list(combinations(range(n), 2)), n_items=n)
    with pytest.raises(ValueError, match=rf"No two of the items 0, .*, 9{more} may share"):
        apart.check_n_clusters(n - 1)


def test_items_without_cannot_links_share_the_first_color_and_are_no_clique():
    graph = Constraints(cannot_link=[(1, 2)], n_items=4).cannot_link_graph
    assert color_graph(*graph).tolist() == [0, 0, 1, 0]
    assert find_clique(*Constraints(n_items=2).cannot_link_graph) == [0]


def test_a_clique_is_looked_for_wherever_a_larger_one_may_be():
    star_and_triangle = [(0, i) for i in range(1, 6)] + [(6, 7), (7, 8), (6, 8)]
    assert find_clique(*Constraints(cannot_link=star_and_triangle, n_items=9).cannot_link_graph) == [6, 7, 8]


def test_pairs_too_many_to_hold_are_refused(monkeypatch):
    constraints = Constraints.from_labels([0, 0, 0, 1])
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1000))
    monkeypatch.setattr("partita._validation.LITTLE", 0)
    with pytest.raises(MemoryError, match="6 pairs of items would take"):
        constraints.closure()


def test_two_items_make_a_pair_and_none_need_be_drawn():
    assert sample_constraints([0, 0], 3).must_link.shape == (3, 2)
    assert sample_constraints([0, 1], 0).n_chunklets == 2
    with pytest.raises(ValueError, match="labels must label at least two items"):
        sample_constraints([0], 1)


def test_constraints_are_about_the_same_items_and_hard_unless_soft_ones_are_allowed():
    named = Constraints(must_link=[("ann", "bob")], items=NAMES)
    assert check_constraints(named, 4, items=NAMES) is named
    assert check_constraints(None, 4).n_chunklets == 4
    with pytest.raises(ValueError, match="constraints must be about the same 5 items: got 4"):
        check_constraints(named, 5)
    with pytest.raises(ValueError, match="in the same order: got 'cem' where row 2 is 'dee'"):
        check_constraints(named, 4, items=["ann", "bob", "dee", "cem"])
    soft = Constraints(must_link=[(0, 1)], n_items=4, must_link_weights=1.0)
    assert check_constraints(soft, 4, allow_soft=True) is soft
    with pytest.raises(ValueError, match="constraints must be hard for this method"):
        check_constraints(soft, 4)


def test_columns_after_the_second_say_nothing_of_pairs():
    table = pd.DataFrame({"a": [0, 2], "b": [1, 3], "note": [2, 0]})
    assert Constraints(table, n_items=4).must_link.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,1,0.5\n2,3,1.5\n", "must name its columns in a first row where it has more than two: got 0, 1, 0.5 in"),
        ("0,1,2,3,4\n", "got 0, 1, 2, 3 in the first"),
        ("0\n1\n", r"must_link must hold pairs of items, two to a row: got shape \(1, 1\)"),
    ],
)
def test_a_first_row_is_read_as_a_pair_by_its_first_two_entries(tmp_path, text, message):
    (tmp_path / "pairs.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        Constraints(tmp_path / "pairs.csv", n_items=5)


def test_the_first_wrong_index_and_weight_are_named():
    with pytest.raises(ValueError, match="must_link must hold indices from 0 to 2: got 3 in row 1"):
        Constraints([(0, 2), (1, 3)], n_items=3)
    with pytest.raises(ValueError, match=r"must_link_weights must be positive log odds.* got -1"):
        Constraints([(0, 1), (1, 2)], n_items=3, must_link_weights=[0.5, -1])
