"""Losses say what a search may use of them: subclasses, formulas on sums, functions of the contingency table."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import partita as pt
from partita._parallel import Budget
from partita.decide.searches.table_reallocation import TableReallocation
from partita.losses import LOSSES, check_loss, declared_search


class MyVI(pt.VariationOfInformation):
    """A subclass that changes nothing."""


@dataclass(frozen=True)
class Renamed(pt.AdjustedRand):
    """A subclass that changes its name and has an option."""

    name: ClassVar[str] = "mine"
    option: int = 3


class Squared(pt.VariationOfInformation):
    """A subclass with another formula on the same sums."""

    def combine(self, in_truth, in_estimate, in_both, n_items):
        return super().combine(in_truth, in_estimate, in_both, n_items) ** 2


class Cubes(pt.TableSumLoss):
    """A formula of the user's own, on sums of the user's own."""

    def phi(self, n_items):
        return np.arange(n_items + 1.0) ** 3

    def combine(self, in_truth, in_estimate, in_both, n_items):
        return (in_truth + in_estimate - 2 * in_both) / n_items**3


def f_measure(table):
    """1 - the F measure of clusterings: for each cluster of the truth the best F score of a cluster."""
    rows, columns = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
    return float(1 - (rows.ravel() * (2 * table / (rows + columns)).max(axis=1)).sum() / table.sum())


def binder_of_table(table):
    squares = (table.sum(axis=0) ** 2).sum() + (table.sum(axis=1) ** 2).sum() - 2 * (table**2).sum()
    return squares / table.sum() ** 2


class Duck:
    """A loss without a base class that also offers a function of the table."""

    def from_table(self, table):
        return f_measure(table)

    def between(self, truth, estimate):
        return pt.TableLoss(f_measure).between(truth, estimate)

    def per_draw(self, labels, posterior):
        return pt.TableLoss(f_measure).per_draw(labels, posterior)

    def expected(self, labels, posterior):
        return pt.TableLoss(f_measure).expected(labels, posterior)


class OnlyValues(pt.VariationOfInformation):
    """A subclass whose values are no longer those of its sums."""

    def per_draw(self, labels, posterior):
        return super().per_draw(labels, posterior) ** 2


OWN = {
    "Squared": Squared(),
    "Cubes": Cubes(),
    "f measure": pt.TableLoss(f_measure, "f measure"),
    "duck": Duck(),
}


def noisy(seed, n_items=25, **more):
    return pt.datasets.make_noisy_draws(n_items=n_items, n_draws=200, noise=0.35, random_state=seed, **more)[0]


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (MyVI(), "linear"),
        (Renamed(), "adjusted-rand"),
        (Squared(), "sums"),
        (Cubes(), "sums"),
        (pt.TableLoss(f_measure), "table"),
        (Duck(), "table"),
        (OnlyValues(), "values"),
        (pt.Misclassification(), "matching"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_loss_is_searched_by_what_it_offers(loss, expected):
    assert declared_search(loss) == expected


@pytest.mark.parametrize("name", LOSSES)
def test_a_subclass_is_searched_like_its_parent(name):
    parent = check_loss(name)
    child = type("Child", (type(parent),), {})()
    posterior = noisy(3)
    one, other = pt.estimate_partition(posterior, parent), pt.estimate_partition(posterior, child)
    assert one.search == other.search
    assert one.expected_loss == other.expected_loss
    assert (one.labels == other.labels).all()


def test_a_subclass_is_not_left_to_the_lattice():
    posterior, _ = pt.datasets.make_noisy_draws(n_items=60, n_draws=200, noise=0.25, n_clusters=4, random_state=0)
    swept = pt.estimate_partition(posterior, MyVI())
    assert swept.search.startswith("reallocation sweeps")
    walked = pt.estimate_partition(posterior, MyVI(), "hasse")
    assert walked.search.startswith("greedy walk over the lattice")
    assert swept.expected_loss < walked.expected_loss - 0.1


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("n_items", [3, 5, 6, 7])
def test_sweeps_find_what_an_exhaustive_search_finds(name, n_items):
    loss, rng, partitions = OWN[name], np.random.default_rng(n_items), pt.all_partitions(n_items)
    for trial in range(5):
        rows = rng.choice(len(partitions), 5)
        posterior = pt.PartitionPosterior(partitions[rows], rng.random(5))
        swept = pt.estimate_partition(posterior, loss, "sweep", n_starts=16, random_state=trial)
        best = pt.estimate_partition(posterior, loss, "exhaustive")
        assert swept.search.startswith("reallocation sweeps over contingency tables from 16 starts")
        assert swept.expected_loss == pytest.approx(best.expected_loss, abs=1e-9)


def test_a_sweep_for_another_loss_would_not_find_it():
    """The control: what minimizes the parent's loss does not minimize the child's."""
    rng, partitions, missed = np.random.default_rng(0), pt.all_partitions(6), 0
    for _ in range(20):
        posterior = pt.PartitionPosterior(partitions[rng.choice(len(partitions), 5)], rng.random(5))
        parent = pt.estimate_partition(posterior, pt.VariationOfInformation(), "sweep").labels
        best = pt.estimate_partition(posterior, Squared(), "exhaustive").expected_loss
        missed += Squared().expected(parent, posterior) > best + 1e-9
    assert missed > 0


@pytest.mark.parametrize("loss", [pt.TableLoss(binder_of_table), Squared(), Cubes()], ids=["table", "squared", "cubes"])
def test_a_table_reallocation_knows_its_loss_and_ends_where_no_move_helps(loss):
    rng = np.random.default_rng(5)
    posterior = pt.PartitionPosterior([rng.integers(4, size=9) for _ in range(30)], rng.random(30))
    sweeps = TableReallocation(posterior, loss, 5, Budget())
    sweeps.place(rng.integers(3, size=9))
    assert sweeps.loss() == pytest.approx(loss.expected(sweeps.labels, posterior))
    labels = sweeps.labels.copy()
    [change] = sweeps.merge_changes(0, np.array([1]))
    assert sweeps.loss() + change == pytest.approx(loss.expected(np.where(labels == 1, 0, labels), posterior))
    assert (sweeps.labels == labels).all()
    sweeps.settle(rng.permutation(9))
    labels = sweeps.labels
    assert sweeps.loss() == pytest.approx(loss.expected(labels, posterior))
    for item in range(9):
        for cluster in range(min(labels.max() + 2, 5)):
            moved = labels.copy()
            moved[item] = cluster
            assert loss.expected(moved, posterior) >= loss.expected(labels, posterior) - 1e-9


def test_a_function_of_the_table_is_the_loss_it_spells():
    posterior, table = noisy(4, n_items=15), pt.TableLoss(binder_of_table, "squares")
    labels = pt.estimate_partition(posterior, "binder").labels
    assert table.per_draw(labels, posterior) == pytest.approx(pt.Binder().per_draw(labels, posterior))
    assert table.between([0, 0, 1, 1], [0, 1, 2, 1]) == pt.Binder().between([0, 0, 1, 1], [0, 1, 2, 1])
    one, other = pt.estimate_partition(posterior, table), pt.estimate_partition(posterior, "binder")
    assert one.expected_loss == pytest.approx(other.expected_loss)
    assert repr(one).count("expected squares")


def test_sweeps_on_tables_respect_options():
    posterior, loss = noisy(5, n_items=14), pt.TableLoss(f_measure)
    assert pt.estimate_partition(posterior, loss, max_clusters=2).n_clusters <= 2
    one, two = (pt.estimate_partition(posterior, loss, n_jobs=jobs, random_state=2).labels for jobs in (1, 2))
    assert (one == two).all()
    assert "stopped by the time limit" in pt.estimate_partition(posterior, loss, time_limit=1e-9).search
    best = pt.estimate_partition(posterior, loss).expected_loss
    for search in ("draws", "linkage", "hasse"):
        assert best <= pt.estimate_partition(posterior, loss, search).expected_loss + 1e-9


def test_a_target_of_clusters_is_met_by_a_subclass_too():
    posterior = noisy(2, n_items=30)
    mine, known = (pt.estimate_partition(posterior, loss, target_clusters=3, n_starts=2) for loss in (MyVI(), "vi"))
    assert mine.n_clusters == known.n_clusters
    assert isinstance(mine.loss, MyVI)


def test_wrong_losses_are_named():
    with pytest.raises(TypeError, match="function must be a function of a contingency table: got 3"):
        pt.TableLoss(3)

    class Shifted(Cubes):
        def phi(self, n_items):
            return 1 + super().phi(n_items)

    with pytest.raises(ValueError, match="phi must be 5 numbers, the first of them 0: got"):
        Shifted().between([0, 0, 1, 1], [0, 0, 1, 1])

    class Odd(pt.Binder):
        formula = "cubic"

    with pytest.raises(ValueError, match=r"loss\.formula must be one of .*: got 'cubic'"):
        pt.estimate_partition(noisy(0), Odd())
