"""What the searches look at, beside what they find."""

from itertools import product

import naive
import numpy as np
import pytest

import partita as pt
from partita._parallel import Budget
from partita.decide.searches import bound, hasse, matching, multistart, sweep
from partita.decide.searches.expected import expected_losses
from partita.decide.searches.options import Options
from partita.decide.searches.target import tune_asymmetry
from partita.decide.similarity_estimate import _sweep, expected_loss

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
