"""Reallocation of items one at a time, to the cluster with least posterior expected loss (SALSO's local search)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._kernels.decide.reallocation import (
    ADJUSTED_RAND,
    ID,
    LINEAR,
    NID,
    NVI,
    Candidate,
    Cells,
    Rule,
    UnitCells,
    merge_changes,
    place_items,
    reallocate,
)
from ..._parallel import Budget
from ..._typing import AnyArray, FloatArray, IntArray
from ..._validation import check_memory
from ...losses import Loss, declared_search
from ...posterior import PartitionPosterior
from ...posterior.draws import sum_over_sizes

LOOKED_UP = 50_000_000  # counts looked up between two checks of the budget
MOST_ROUNDS = 1000  # far more sweeps than any search takes; rounding cannot make one sweep forever

# Compiled formulas, by the name that losses declare.
FORMULAS: dict[str, int] = {"linear": LINEAR, "adjusted-rand": ADJUSTED_RAND, "nvi": NVI, "id": ID, "nid": NID}


class Reallocation:
    """A candidate partition, its contingency tables with all draws, and the moves that lower its expected loss.

    With ``unit_sizes``, an item stands for that many that are together in every draw.
    """

    def __init__(
        self,
        posterior: PartitionPosterior,
        loss: Loss,
        max_clusters: int,
        budget: Budget,
        unit_sizes: IntArray | None = None,
    ) -> None:
        n_clusters = posterior.n_clusters()
        offsets = np.cumsum(n_clusters) - n_clusters
        by_item, weights = np.ascontiguousarray(posterior.draws.T), posterior.probabilities()
        self.cells: Cells | UnitCells
        if unit_sizes is None and not posterior.partial:
            self.rule, origin = _rule_for(loss, posterior.n_items, max_clusters)
            truth = origin + sum_over_sizes(posterior.draws, posterior.n_labels, self.rule.phi)
            self.cells, self._origin = Cells(by_item, offsets, weights, truth), np.full(1, origin)
        else:
            sizes = np.ones(posterior.n_items, np.int64) if unit_sizes is None else unit_sizes
            self.rule, truth, scale, self._origin = _unit_rule_for(loss, posterior, sizes, max_clusters)
            self.cells = UnitCells(by_item, offsets, weights, truth, sizes, scale)
        # A partition not yet complete has no such loss: while it is built, a linear one stands in.
        self.building_rule = self.rule._replace(code=LINEAR)
        self.budget = budget
        self._n_cells = int(n_clusters.sum())
        self.clear()

    @property
    def labels(self) -> IntArray:
        """Cluster of each item, -1 for an item not yet placed."""
        return np.asarray(self.candidate.labels)

    def clear(self) -> None:
        """Place no item."""
        n_items, n_draws = self.cells.by_item.shape
        self.n_clusters = 0
        counts = self._columns(6, self._n_cells)
        totals = self._columns(6, n_draws if isinstance(self.cells, UnitCells) else 0)
        labels, sizes = np.full(n_items, -1), np.zeros(counts.shape[1], np.int64)
        joint = np.broadcast_to(self._origin, n_draws).copy()
        self.candidate = Candidate(labels, sizes, counts, totals, joint, self._origin.copy())

    def place(self, labels: IntArray) -> None:
        """Start from these labels; items of clusters beyond the most allowed are left to be allocated."""
        self.clear()
        kept = np.where(labels < self.rule.max_clusters, labels, -1)
        self.n_clusters = int(kept.max()) + 1
        self._make_room(self.n_clusters)
        self._move_to(kept)

    def build(self, items: IntArray) -> None:
        """Allocate these items one after the other, each to its best cluster so far."""
        self._visit(items, len(items), self.building_rule, Budget())  # to the end: half a partition is none

    def settle(self, order: IntArray) -> None:
        """Sweep over the items in this order until no single reallocation lowers the expected loss."""
        self._visit(order, MOST_ROUNDS * order.size, self.rule, self.budget)

    def rebuild_clusters(self, rng: np.random.Generator) -> None:
        """Take each cluster apart in turn and reallocate its items; keep what lowers the expected loss."""
        for k in rng.permutation(self.n_clusters):
            if k >= self.n_clusters or self.budget.exhausted:
                break
            before, n_before, loss = self._copy(), self.n_clusters, self.loss()
            members = rng.permutation(np.flatnonzero(self.candidate.labels == k))
            self._break(int(k))
            self.build(members)
            if self._holds_exactly(members):
                continue
            self.settle(rng.permutation(self.candidate.labels.size))
            if self.loss() >= loss:
                self.candidate, self.n_clusters = before, n_before

    def merge_clusters(self) -> bool:
        """Merge the best pair of clusters, repeatedly down to one, and keep the best partition on the way.

        A first merge may raise the loss and a second lower it below where it was. Returns whether any merge is kept.
        """
        if self.n_clusters**2 * self._n_cells >= LOOKED_UP:
            return False
        best, n_best, least, merged = self._copy(), self.n_clusters, self.loss(), False
        changes = self._all_changes()
        while self.n_clusters > 1 and not self.budget.exhausted:
            a, b = divmod(int(changes.argmin()), self.n_clusters)
            self._merge(a, b)
            if self.loss() < least - 1e-10:
                best, n_best, least, merged = self._copy(), self.n_clusters, self.loss(), True
            changes = self._changes_after(changes, a, b) if self.additive else self._all_changes()
        self.candidate, self.n_clusters = best, n_best
        return merged

    @property
    def additive(self) -> bool:
        """Whether what a merge changes depends on the two clusters alone."""
        return bool(self.rule.code == LINEAR)

    def merge_changes(self, a: int, others: IntArray) -> FloatArray:
        """How the expected loss changes, up to a factor, if cluster ``a`` and each of the others were one."""
        return self._merge_changes(a, others)[1]

    def _all_changes(self) -> FloatArray:
        """The same for each two clusters, infinite on the diagonal."""
        changes = np.full((self.n_clusters, self.n_clusters), np.inf)
        for a in range(self.n_clusters - 1):
            others = np.arange(a + 1, self.n_clusters)
            changes[a, others] = changes[others, a] = self.merge_changes(a, others)
        return changes

    def _changes_after(self, changes: FloatArray, a: int, b: int) -> FloatArray:
        """The same after a merge, in which the last cluster has taken the place of ``b``."""
        kept = np.arange(self.n_clusters + 1)
        kept[b] = self.n_clusters
        changes = changes[np.ix_(kept[:-1], kept[:-1])]
        others = np.delete(np.arange(self.n_clusters), a)
        changes[a, others] = changes[others, a] = self.merge_changes(a, others)
        return changes

    def _merge(self, a: int, b: int) -> None:
        """Put all items of cluster ``b`` into cluster ``a``."""
        self.n_clusters -= 1
        self._move_to(np.where(self.labels == b, a, self.labels), b)

    def loss(self) -> float:
        """Expected loss of the candidate, up to a constant."""
        return self._merge_changes(0, np.arange(0))[0]

    def _merge_changes(self, a: int, others: IntArray) -> tuple[float, FloatArray]:
        own, joint, changes = np.empty(self._origin.size), np.empty(self.cells.weights.size), np.empty(others.size)
        loss = merge_changes(a, others, self.cells, self.candidate, self.rule, own, joint, changes)
        return float(loss), changes

    def _move_to(self, labels: IntArray, gap: int | None = None) -> None:
        """Move every item to its cluster in ``labels``; the cluster after the last fills the gap that this leaves."""
        last = self.n_clusters
        place_items(labels, last if gap is None else gap, last, self.cells, self.candidate, self.rule)

    def _visit(self, order: IntArray, n_visits: int, rule: Rule, budget: Budget) -> None:
        position = quiet = 0
        while quiet < order.size and n_visits > 0 and not budget.exhausted:
            self._make_room(self.n_clusters + 1)
            at_once = max(1, LOOKED_UP // (self.cells.weights.size * (self.n_clusters + 1)))
            position, quiet, self.n_clusters, n_done = reallocate(
                order, position, quiet, min(at_once, n_visits), self.n_clusters, self.cells, self.candidate, rule,
                *np.empty((2, self.candidate.sizes.size)),
            )  # fmt: skip
            n_visits -= n_done

    def _break(self, k: int) -> None:
        """Take all items out of a cluster."""
        self.n_clusters -= 1
        self._move_to(np.where(self.labels == k, -1, self.labels), k)

    def _holds_exactly(self, items: IntArray) -> bool:
        """Whether these items and no others make up one cluster."""
        chosen = self.candidate.labels[items]
        n_items = self.cells.unit_sizes[items].sum() if isinstance(self.cells, UnitCells) else items.size
        return bool((chosen == chosen[0]).all() and self.candidate.sizes[chosen[0]] == n_items)

    def _copy(self) -> Candidate:
        return Candidate(*(array.copy() for array in self.candidate))

    def _make_room(self, n_columns: int) -> None:
        """Columns for this many clusters and an empty one."""
        n_before = self.candidate.sizes.size
        if n_columns < n_before:
            return
        n_after = max(n_columns + 1, n_before + n_before // 2)
        wider: dict[str, AnyArray] = {"sizes": np.pad(self.candidate.sizes, (0, n_after - n_before))}
        for name in ("counts", "totals"):
            narrow = getattr(self.candidate, name)
            wider[name] = self._columns(n_after, len(narrow))
            wider[name][:, :n_before] = narrow
        self.candidate = self.candidate._replace(**wider)

    def _columns(self, n_columns: int, n_rows: int) -> AnyArray:
        dtype = np.dtype(np.uint16 if self.rule.phi.size <= 2**16 else np.uint32)
        n_bytes = n_rows * n_columns * dtype.itemsize
        check_memory(n_bytes, f"Counting items in {n_columns} clusters", "Set max_clusters, or thin the draws.")
        return np.zeros((n_rows, n_columns), dtype)


def _rule_for(loss: Any, n_items: int, max_clusters: int) -> tuple[Rule, float]:
    """The loss as kernels read it, in shares of pairs or negative entropies, and what sums of phi begin with."""
    code, phi, origin = FORMULAS[declared_search(loss)], loss.phi(n_items), 0.0
    if code == ADJUSTED_RAND:
        phi = phi / max(phi[-1], 1.0)
    elif code != LINEAR:
        phi, origin = phi / n_items, -np.log2(n_items)
    return Rule(code, phi, np.diff(phi), 2.0 - getattr(loss, "a", 1.0), max_clusters), origin


def _unit_rule_for(
    loss: Any, posterior: PartitionPosterior, unit_sizes: IntArray, max_clusters: int
) -> tuple[Rule, FloatArray, FloatArray, FloatArray]:
    """The loss as kernels of units read it; and of each draw the sum over its clusters, its scale and its origin."""
    code, n_items = FORMULAS[declared_search(loss)], int(unit_sizes.sum())
    phi = loss.phi(n_items)
    drawn = [np.bincount(draw[draw >= 0], weights=unit_sizes[draw >= 0]).astype(np.int64) for draw in posterior.draws]
    n_held, origin = np.array([sizes.sum() for sizes in drawn]), np.zeros(posterior.n_draws)
    if code == ADJUSTED_RAND:
        scale = 1 / np.maximum(phi[n_held], 1.0)
    elif code == LINEAR:  # relative to a draw that holds all items, where sums count as they are
        scale = loss.combine(1.0, 1.0, 0.0, n_held) / loss.combine(1.0, 1.0, 0.0, n_items)
    else:
        scale, origin = 1 / n_held, -np.log2(n_held)
    truth = origin + scale * np.array([phi[sizes].sum() for sizes in drawn])
    return Rule(code, phi, np.diff(phi), 2.0 - getattr(loss, "a", 1.0), max_clusters), truth, scale, origin
