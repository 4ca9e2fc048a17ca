"""Reallocation for any loss that is a function of the contingency table: slower than compiled formulas, and exact."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._parallel import Budget
from ..._typing import FloatArray, IntArray
from ...losses import VariationOfInformation, declared_search
from ...losses.base import check_phi
from ...posterior import PartitionPosterior
from ...posterior.draws import sum_over_sizes
from .reallocation import MOST_ROUNDS, Reallocation


class TableReallocation(Reallocation):
    """A candidate whose moves are tried one by one, its expected loss computed anew from the tables after each.

    The contingency tables with all draws are kept up to date by the parent; while a partition is built up, variation
    of information stands in for the loss, which is not defined for part of the items.
    """

    def __init__(
        self,
        posterior: PartitionPosterior,
        loss: Any,
        max_clusters: int,
        budget: Budget,
        unit_sizes: IntArray | None = None,
    ) -> None:
        super().__init__(posterior, VariationOfInformation(), max_clusters, budget, unit_sizes)
        self._expected = (_Sums if declared_search(loss) == "sums" else _Tables)(loss, posterior)

    def loss(self) -> float:
        """Expected loss of the candidate."""
        return self._expected(self.candidate.counts, self.candidate.sizes)

    def settle(self, order: IntArray) -> None:
        """Sweep over the items in this order until no single reallocation lowers the expected loss."""
        least, n_still = self.loss(), 0
        for visit in range(MOST_ROUNDS * order.size):
            if n_still == order.size or self.budget.exhausted:
                break
            lower = self._reallocate(int(order[visit % order.size]), least)
            n_still = n_still + 1 if lower is None else 0
            least = least if lower is None else lower

    additive = False

    def merge_changes(self, a: int, others: IntArray) -> FloatArray:
        """How the expected loss changes if cluster ``a`` and each of the others were one."""
        labels, before, merged = self.labels.copy(), self.loss(), list[float]()
        for b in others:
            self._move_to(np.where(labels == b, a, labels))
            merged.append(self.loss())
            self._move_to(labels)
        return np.array(merged) - before

    def _reallocate(self, item: int, least: float) -> float | None:
        """Move an item to its best cluster, a new one if need be; the lower expected loss, or None if it stays."""
        own = int(self.labels[item])
        alone = self.candidate.sizes[own] == 1
        self._make_room(self.n_clusters + 1)
        n_candidates = self.n_clusters + (not alone and self.n_clusters < self.rule.max_clusters)
        best, lowest = own, least - 1e-10
        labels = self.labels.copy()
        for k in range(n_candidates):
            if k != own:
                labels[item] = k
                self._move_to(labels)
                if (expected := self.loss()) < lowest:
                    best, lowest = k, expected
        labels[item] = best
        self.n_clusters = max(self.n_clusters, best + 1) - (alone and best != own)
        self._move_to(labels, own if alone and best != own else None)
        return None if best == own else lowest


class _Tables:
    """Expected loss from the contingency table of each draw."""

    def __init__(self, loss: Any, posterior: PartitionPosterior) -> None:
        self._loss, self._weights = loss, posterior.probabilities()
        self._ends = np.cumsum(posterior.n_clusters())[:-1]

    def __call__(self, counts: IntArray, sizes: IntArray) -> float:
        tables = np.split(counts[:, sizes > 0].astype(np.int64), self._ends)
        # Of a draw that leaves items out, some clusters of the candidate may have no item at all.
        return float(self._weights @ [self._loss.from_table(table[:, table.any(axis=0)]) for table in tables])


class _Sums:
    """Expected loss from the sums of phi over the contingency table of each draw."""

    def __init__(self, loss: Any, posterior: PartitionPosterior) -> None:
        self._loss, self._weights, self._n_items = loss, posterior.probabilities(), posterior.n_items
        n_clusters = posterior.n_clusters()
        self._starts = np.cumsum(n_clusters) - n_clusters
        self._phi = check_phi(loss.phi(posterior.n_items), posterior.n_items)
        self._in_truth = sum_over_sizes(posterior.draws, posterior.n_labels, self._phi)
        self._n_held = posterior.n_held() if posterior.partial else None

    def __call__(self, counts: IntArray, sizes: IntArray) -> float:
        filled = sizes > 0
        if self._n_held is not None:
            tables = np.split(counts[:, filled], self._starts[1:])
            return float(self._weights @ [self._of_table(t, int(n)) for t, n in zip(tables, self._n_held, strict=True)])
        in_both = np.add.reduceat(self._phi[counts[:, filled]].sum(axis=1), self._starts)
        in_estimate = float(self._phi[sizes[filled]].sum())
        return float(self._loss.combine(self._in_truth, in_estimate, in_both, self._n_items) @ self._weights)

    def _of_table(self, table: IntArray, n_held: int) -> float:
        """The loss of a draw that holds this many items."""
        phi = check_phi(self._loss.phi(n_held), n_held)
        in_truth, in_both = phi[table.sum(axis=1)].sum(keepdims=True), phi[table].sum(keepdims=True).ravel()
        return float(self._loss.combine(in_truth, float(phi[table.sum(axis=0)].sum()), in_both, n_held)[0])
