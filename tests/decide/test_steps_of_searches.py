"""What the searches look at, beside what they find."""

from itertools import product

import naive
import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage as build_tree

import partita as pt
from partita._parallel import Budget
from partita.decide.searches import bound, draws, exhaustive, hasse, linkage, matching, multistart, sweep
from partita.decide.searches.expected import expected_losses
from partita.decide.searches.options import Options
from partita.decide.searches.target import tune_asymmetry
from partita.decide.searches.units import find_units
from partita.decide.similarity_estimate import _best_cut, _sweep, expected_loss

LOSS = pt.VariationOfInformation()


def options(n_items, n_starts=16, starts=(), budget=None):
    return Options(n_items, n_starts, starts, budget or Budget(), 1, np.random.default_rng(0))


def as_sets(rows):
    return {tuple(pt.canonical(row)) for row in rows}


def test_of_several_partitions_the_first_is_evaluated_even_when_it_is_time_to_end():
    posterior, rows = (
        pt.PartitionPosterior([[0, 0, 1], [0, 1, 1]]),
        [np.array(row) for row in ([0, 0, 1], [0, 1, 1], [0, 1, 2])],
    )
    over = Budget()
    over.stop()
    found = expected_losses(LOSS, posterior, rows, options(3, budget=over))
    assert found == [pytest.approx(LOSS.expected(rows[0], posterior)), np.inf, np.inf]
    assert np.isfinite(expected_losses(LOSS, posterior, rows, options(3))).all()


def test_local_optima_from_all_starts_are_refined_last():
    posterior = pt.PartitionPosterior(naive.random_draws(np.random.default_rng(0), 20, 6, 3))
    given, seen = np.array([0, 1, 2, 3, 4, 5]), []

    def climb(_, start, __, final, ___):
        seen.append((final, None if start is None else tuple(start)))
        return np.zeros(6, np.int64) if start is None else pt.canonical(start)

    multistart.multistart(posterior, LOSS, options(6, n_starts=4, starts=(given,)), climb)
    climbs, refined = [start for final, start in seen if not final], [start for final, start in seen if final]
    assert [start is None for start in climbs] == [False, True, False, True, False]
    assert climbs[-1] == tuple(given)
    assert 1 <= len(refined) <= multistart.N_REFINED


def test_a_walk_over_the_lattice_looks_at_every_merge_of_two_clusters():
    labels = np.array([0, 0, 1, 2, 2, 3])
    found = hasse._merges(labels, LOSS.phi(6), 100, np.random.default_rng(0))
    assert as_sets(found) == as_sets(pt.merges(labels))


def test_near_moves_are_those_of_one_item_and_of_two_where_items_are_few():
    posterior, labels = pt.PartitionPosterior([[0, 0, 1], [0, 1, 1]]), np.array([0, 0, 1])
    found = {tuple(row.tolist()) for row in matching._near_moves(labels, posterior, 2)}
    changed = [tuple(row) for row in product(range(2), repeat=3) if 0 < (row != labels).sum() < 3]
    assert found - {tuple(labels.tolist())} == set(changed)


@pytest.mark.parametrize(("n_units", "helps"), [(3, True), (4, False)])
def test_units_stand_for_items_where_there_are_less_than_half_as_many(monkeypatch, n_units, helps):
    monkeypatch.setattr(sweep, "WORTHWHILE", 2)
    draws = np.eye(n_units, dtype=int)[:, np.arange(8) % n_units]
    assert (sweep._units_that_help(pt.PartitionPosterior(draws), LOSS) is not None) == helps


@pytest.mark.parametrize(("n_items", "how"), [(8, "all 4140 partitions"), (9, "reallocation sweeps from")])
def test_all_partitions_of_up_to_eight_items_are_tried(n_items, how):
    posterior, _ = pt.datasets.make_noisy_draws(n_items=n_items, n_draws=20, n_clusters=2)
    assert pt.estimate_partition(posterior).search.startswith(how)


def moved_by_one(labels):
    """All partitions in which one item is elsewhere."""
    for item, k in product(range(labels.size), range(labels.max() + 2)):
        moved = labels.copy()
        moved[item] = k
        yield pt.canonical(moved)


@pytest.mark.parametrize("loss", [pt.Binder(), pt.Binder(a=0.6), pt.VariationOfInformationBound()], ids=repr)
def test_sweeps_over_a_similarity_matrix_end_where_no_item_wants_to_move(loss):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        posterior = pt.PartitionPosterior(naive.random_draws(rng, 6, 8, 4))
        psm = pt.SimilarityMatrix(posterior.similarity())
        labels = _sweep(psm, loss, rng.integers(8, size=8), 8, rng)
        least = expected_loss(labels, psm, loss)
        assert min(expected_loss(moved, psm, loss) for moved in moved_by_one(labels)) > least - 1e-6
        if isinstance(loss, pt.VariationOfInformationBound):
            labels, _ = bound.search(posterior, loss, options(8, n_starts=1))
            least = loss.expected(labels, posterior)
            assert min(loss.expected(moved, posterior) for moved in moved_by_one(labels)) > least - 1e-6


@pytest.mark.parametrize("target", [1, 5, 6, 11, 20, 21])
def test_the_asymmetry_that_gives_so_many_clusters_is_found_by_halving(target):
    def search(loss):
        return np.arange(40) % (1 + round(10 * (2 - loss.a))), "at once"

    labels, how, loss = tune_asymmetry(search, LOSS, target, Budget())
    assert labels.max() + 1 == target
    assert how == f"a = {loss.a:.4g} for {target} clusters, at once"
    assert search(loss)[0].max() + 1 == target


@pytest.mark.parametrize(("n_items", "size"), [(1, 300), (33_333, 300), (50_000, 200), (100_000, 100), (10**7, 100)])
def test_a_climb_sees_from_100_to_300_draws(n_items, size):
    assert multistart.part_size(n_items) == size


@pytest.mark.parametrize(
    ("n_items", "n_draws", "n_starts"), [(10, 50, 64), (100, 100, 40), (100, 200, 20), (900, 300, 16)]
)
def test_there_are_more_starts_where_each_is_quick(n_items, n_draws, n_starts):
    posterior = pt.PartitionPosterior(np.zeros((n_draws, n_items), int))
    assert multistart.default_starts(posterior, LOSS) == n_starts
    assert multistart.default_starts(posterior, pt.TableLoss(lambda table: float(table.max()))) == 4


@pytest.mark.parametrize(("n_draws", "partly"), [(1200, False), (1201, True)])
def test_parts_of_the_draws_are_seen_where_there_are_more_than_four_of_them(n_draws, partly):
    posterior = pt.PartitionPosterior(np.tile([[0, 0, 1]], (n_draws, 1)))
    sizes = []

    def climb(seen, _start, _rng, final, _sizes):
        sizes.append((final, seen.n_draws))
        return np.array([0, 0, 1])

    _, how = multistart.multistart(posterior, LOSS, options(3, n_starts=2), climb)
    assert sizes == [(False, 300 if partly else n_draws)] * 2 + [(True, n_draws)]
    assert how == ("2 starts, each on 300 of 1201 draws, the best 3 refined on all" if partly else "2 starts")


def test_partitions_as_good_are_ranked_by_fewest_clusters():
    posterior = pt.PartitionPosterior([[0, 0, 1, 1], [0, 0, 0, 0]])
    memo = multistart._Memo(pt.Binder(), posterior, None)
    rows = [np.array(row) for row in ([0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 1])]
    assert [row.tolist() for row in multistart._rank(rows, memo)] == [[0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 2, 3]]


def test_many_items_are_searched_by_landmarks(monkeypatch):
    monkeypatch.setattr(multistart, "MANY_ITEMS", 6)
    monkeypatch.setattr(multistart, "N_LANDMARKS", 4)
    for n_items, words in [(6, "reallocation sweeps from 2 starts"), (7, "reallocation sweeps from 4 landmarks of 7")]:
        posterior = pt.PartitionPosterior(np.tile(np.arange(n_items) // 3, (5, 1)))
        labels, how = sweep.search(posterior, LOSS, options(n_items, n_starts=2))
        assert labels.tolist() == (np.arange(n_items) // 3).tolist()
        assert how.startswith(words)


def test_every_cut_of_a_tree_up_to_so_many_clusters_is_tried():
    tree = build_tree(np.array([[0.0], [1.0], [5.0], [5.5], [20.0]]), "average")
    for most in (1, 2, 4, 5, 9):
        counts = [len(np.unique(labels)) for labels in linkage.cuts(tree, most)]
        assert counts == list(range(min(most, 5), 0, -1))
    assert pt.canonical(next(linkage.cuts(tree, 3))).tolist() == [0, 0, 1, 1, 2]


def test_of_all_partitions_as_good_the_one_with_fewest_clusters_is_taken():
    posterior = pt.PartitionPosterior([[0, 0], [0, 1]])
    labels, how = exhaustive.search(posterior, pt.Binder(), options(2))
    assert (labels.tolist(), how) == ([0, 0], "all 2 partitions")
    over = Budget()
    over.stop()
    assert exhaustive.search(posterior, pt.Binder(), options(2, budget=over))[1] == "some of 2 partitions"
    with pytest.raises(ValueError, match="for more than 12 items: got 13 items"):
        exhaustive.search(pt.PartitionPosterior([range(13)]), LOSS, options(13))


def test_draws_are_candidates_where_they_have_few_enough_clusters():
    posterior = pt.PartitionPosterior([[0, 1, 2]] * 3 + [[0, 0, 1]] * 2 + [[0, 0, 0]])
    few = options(2)
    labels, how = draws.search(posterior, pt.ZeroOne(), few)
    assert (labels.tolist(), how) == ([0, 0, 1], "the most frequent of 3 distinct draws")
    labels, how = draws.search(posterior, pt.Binder(), options(3))
    losses = {tuple(row): pt.Binder().expected(row, posterior) for row in ([0, 1, 2], [0, 0, 1], [0, 0, 0])}
    assert losses[tuple(labels)] == min(losses.values())
    assert how == "the best of 3 distinct draws"
    whole = pt.PartitionPosterior([[0, 1, 2]])
    with pytest.raises(ValueError, match="max_clusters must allow at least one draw: got 2, draws have 3 up"):
        draws.search(whole, LOSS, few)


def test_splits_are_as_many_as_asked_for_and_each_splits_one_cluster():
    labels, rng = np.array([0, 0, 0, 0, 1, 1]), np.random.default_rng(0)
    everything = hasse._splits(labels, LOSS.phi(6), 100, rng)
    assert as_sets(everything) == as_sets(pt.splits(labels))
    few = hasse._splits(labels, LOSS.phi(6), 3, rng)
    assert len(few) == 3
    assert as_sets(few) <= as_sets(everything)
    assert len(hasse._merges(np.arange(6), LOSS.phi(6), 4, rng)) == 4


@pytest.mark.parametrize(("size", "most", "n_parts"), [(2, 6, 6), (2, 9, 6), (2, 5, None), (1, 4, 4)])
def test_all_parts_of_a_cluster_are_taken_where_they_are_few_enough(size, most, n_parts):
    parts = hasse._parts(np.array([3, 5, 7, 9]), size, most, np.random.default_rng(0))
    assert all(part.size == size and set(part) <= {3, 5, 7, 9} for part in parts)
    assert len({tuple(part) for part in parts}) == len(parts)
    assert len(parts) == n_parts if n_parts else len(parts) <= most


def test_a_crossing_has_each_item_from_one_of_two_draws():
    posterior = pt.PartitionPosterior([[0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1]])
    rng, seen = np.random.default_rng(0), set()
    for _ in range(50):
        crossed = matching._crossed(posterior, rng)
        assert set(crossed.tolist()) <= {0, 1}
        assert crossed[0] == 0
        assert crossed[5] == 1
        seen.add(tuple(crossed))
    assert len(seen) == 4


def test_votes_are_the_weights_of_draws_that_put_an_item_there():
    posterior = pt.PartitionPosterior([[0, 0, 1, 1], [0, 1, 1, 1]], weights=[0.75, 0.25])
    votes = matching._votes(np.array([0, 0, 1, 1]), posterior, 2)
    assert votes == pytest.approx(np.array([[1, 0], [0.75, 0.25], [0, 1], [0, 1]]))


def test_items_always_together_are_a_unit():
    draws_ = np.array([[0, 0, 1, 1, 2], [0, 0, 1, 1, 1], [0, 0, 0, 0, 1]])
    units = find_units(pt.PartitionPosterior(np.repeat(draws_, 20, axis=0)))
    assert sorted(units.sizes.tolist()) == [1, 2, 2]
    assert [units.of_item[i] == units.of_item[j] for i, j in ((0, 1), (2, 3), (0, 2), (3, 4))] == [
        True,
        True,
        False,
        False,
    ]
    assert (units.of_item[units.first] == np.arange(3)).all()


def test_units_are_not_looked_for_among_few_items_or_for_other_losses(monkeypatch):
    posterior = pt.PartitionPosterior([[0, 0, 0, 0, 1, 1, 1, 1]])
    monkeypatch.setattr(sweep, "WORTHWHILE", 8)
    assert sweep._units_that_help(posterior, LOSS) is not None
    assert sweep._units_that_help(posterior, pt.NormalizedInformationDistance()) is None
    monkeypatch.setattr(sweep, "WORTHWHILE", 9)
    assert sweep._units_that_help(posterior, LOSS) is None


def test_the_nearest_asymmetry_is_kept_where_none_gives_so_many_clusters():
    seen = []

    def search(loss):
        seen.append(loss.a)
        return np.arange(40) % (2 if loss.a > 0.7 else 9), "at once"

    labels, how, loss = tune_asymmetry(search, LOSS, 4, Budget())
    assert labels.max() + 1 == 2
    assert how.startswith("a = 1 for 4 clusters")
    assert (loss.a, len(seen)) == (1.0, 30)
    assert seen[:4] == [1.0, 0.5, 0.75, 0.625]
    over = Budget()
    over.stop()
    assert tune_asymmetry(search, LOSS, 9, over)[0].max() + 1 == 2
    with pytest.raises(ValueError, match="target_clusters must go with loss 'vi' or 'binder'"):
        tune_asymmetry(search, pt.AdjustedRand(), 3, Budget())


def test_the_best_cut_of_a_similarity_matrix_is_looked_for_up_to_so_many_clusters():
    psm = pt.SimilarityMatrix(pt.PartitionPosterior([[0, 0, 1, 1, 2]] * 3).similarity())
    assert _best_cut(psm, pt.Binder(), 5).tolist() == [0, 0, 1, 1, 2]
    assert _best_cut(psm, pt.Binder(), 2).max() == 1
    assert _best_cut(pt.SimilarityMatrix([[1.0]]), pt.Binder(), 5).tolist() == [0]


def test_when_time_is_up_one_climb_is_made():
    posterior, seen, over = pt.PartitionPosterior([[0, 0, 1]]), [], Budget()
    over.stop()

    def climb(_, start, *__):
        seen.append(start)
        return np.array([0, 0, 1])

    labels, how = multistart.multistart(posterior, LOSS, options(3, n_starts=4, budget=over), climb)
    assert (labels.tolist(), how, len(seen)) == ([0, 0, 1], "1 starts", 1)


def test_a_part_of_weighted_draws_is_drawn_by_weight_and_counts_alike():
    posterior = pt.PartitionPosterior([[0, 0], [0, 1]], weights=[0.9, 0.1])
    part = multistart._part(posterior, 500, np.random.default_rng(0))
    assert part.weights is None
    assert part.similarity()[0, 1] == pytest.approx(0.9, abs=0.05)


def test_landmarks_are_drawn_by_the_sizes_of_units(monkeypatch):
    monkeypatch.setattr(multistart, "MANY_ITEMS", 3)
    posterior, sizes, seen = pt.PartitionPosterior([[0, 1, 2, 3, 0]] * 2), np.array([4, 0, 1, 2, 0]), []

    def climb(part, start, *_):
        seen.append((part.n_items, None if start is None else start.tolist()))
        return np.zeros(part.n_items, np.int64) if start is None else np.maximum(start, 0)

    _, how = multistart._from_landmarks(posterior, LOSS, options(5, n_starts=1), climb, sizes)
    assert how == "3 landmarks of 5 items, searched from 1 starts"
    assert [n for n, _ in seen] == [3, 3, 5]
    assert [label < 0 for label in seen[-1][1]] == [False, True, False, False, True]


def test_the_closest_merges_and_splits_are_those_of_small_clusters():
    rng = np.random.default_rng(0)
    merged = hasse._merges(np.array([0, 0, 0, 1, 2, 3, 3]), LOSS.phi(7), 1, rng)
    assert [row.tolist() for row in merged] == [[0, 0, 0, 1, 1, 2, 2]]
    pair, same, *others = hasse._splits(np.array([0, 0, 0, 0, 1, 1]), LOSS.phi(6), 6, rng)  # from either side
    assert pair.tolist() == same.tolist() == [0, 0, 0, 0, 1, 2]
    assert all(sorted(np.bincount(row)) == [1, 2, 3] for row in others)  # then one of four, before two of four


def test_random_parts_of_a_cluster_hold_no_item_twice():
    parts = hasse._parts(np.arange(6), 3, 12, np.random.default_rng(0))
    assert all(np.unique(part).size == 3 for part in parts)


class Given:
    """A loss given by its expectation for each partition."""

    def __init__(self, **values):
        self.values = values

    def expected(self, labels, _):
        return self.values.get("p" + "".join(map(str, labels)), 1.0)


@pytest.mark.parametrize(
    ("values", "best"),
    [
        (dict(p0012=0.5, p0100=0.5), "0100"),
        (dict(p0012=0.5, p0100=0.5 + 1e-13), "0100"),
        (dict(p0012=0.5, p0100=0.51), "0012"),
        (dict(p0012=0.5, p0111=0.49), "0111"),
        (dict(p0100=0.5, p0110=0.5), "0100"),
        (dict(), "0000"),
    ],
)
def test_among_partitions_as_good_but_for_rounding_fewer_clusters_win(values, best):
    found, _ = exhaustive.search(pt.PartitionPosterior([[0, 0, 1, 1]]), Given(**values), options(4))
    assert "".join(map(str, found)) == best


def test_all_partitions_are_tried_up_to_a_number_of_items(monkeypatch):
    monkeypatch.setattr(exhaustive, "MOST_ITEMS", 3)
    assert exhaustive.search(pt.PartitionPosterior([[0, 0, 1]]), LOSS, options(3))[0].tolist() == [0, 0, 1]
    assert exhaustive.search(pt.PartitionPosterior([[0]]), LOSS, options(1))[0].tolist() == [0]


def test_each_round_halves_the_candidates_and_doubles_the_draws(monkeypatch):
    posterior = pt.PartitionPosterior(pt.all_partitions(4)[:9])
    evaluate, seen = draws._evaluate, []

    def spy(post, loss, candidates, used, given):
        seen.append((candidates.size, used.size))
        return evaluate(post, loss, candidates, used, given)

    monkeypatch.setattr(draws, "FIRST_ROUND", 2)
    monkeypatch.setattr(draws, "_evaluate", spy)
    draws.search(posterior, LOSS, options(4))
    assert seen == [(9, 2), (5, 4), (3, 8), (2, 9)]
    seen.clear()
    draws.search(pt.PartitionPosterior([[0, 0, 1]]), LOSS, options(3))
    assert seen == [(1, 1)]


def test_all_items_are_swept_from_the_landmarks_and_from_starts_given(monkeypatch):
    monkeypatch.setattr(multistart, "N_LANDMARKS", 2)
    monkeypatch.setattr(multistart, "LANDMARK_DRAWS", 4)
    given, seen = np.array([0, 0, 1, 1]), []

    def climb(part, start, _, final, __):
        seen.append((part.n_items, part.n_draws, final))
        whole = part.n_items == 4
        return pt.canonical(given if whole and (start >= 0).all() else np.arange(part.n_items))

    for n_draws, n_seen in [(4, 4), (5, 4)]:
        seen.clear()
        posterior = pt.PartitionPosterior([[0, 0, 1, 1]] * n_draws)
        found, _ = multistart._from_landmarks(posterior, LOSS, options(4, n_starts=1, starts=(given,)), climb, None)
        assert found.tolist() == [0, 0, 1, 1]
        assert {n for n_items, n, _ in seen if n_items == 2} == {n_seen}
        assert [(n, final) for n_items, n, final in seen if n_items == 4] == [(n_draws, True)] * 2
