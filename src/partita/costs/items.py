"""Items encoded under a cost: the arrays from which kernels compute the cost of clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .._kernels.constraints.chunklets import Chunklets, chunklet_of, single_items
from .._kernels.costs.bregman import RowData
from .._kernels.costs.formula import Groups
from .._kernels.costs.groups import N_SCRATCH, descend
from .._kernels.costs.pairwise import PairwiseData
from .._kernels.costs.user_function import row_address
from .._typing import FloatArray, IntArray
from .._validation import check_memory

NO_TABLE = np.empty((0, 0))
BLOCK = 2**24  # numbers held at once where dissimilarities are computed in blocks of rows


class Rate(NamedTuple):
    """How the posterior depends on the rate of a cost, where that is known."""

    per_item: float | None  # power of the rate that an item brings to the posterior, where the rate can be learned
    natural: float | None  # the rate at which the cost is a negative log likelihood


@dataclass(frozen=True, eq=False)
class BregmanItems:
    """Items under a Bregman cost."""

    kind: type[RowData]
    rows: FloatArray
    phi: Callable[[FloatArray], FloatArray]  # of each row
    gradient: Callable[[FloatArray], FloatArray]
    read: Callable[[Any], FloatArray]  # new rows, checked and transformed as these were
    rate: Rate
    target: FloatArray
    restore: Callable[[FloatArray], FloatArray] = np.asarray  # rows in the user's columns
    factor: float = 1.0
    shrinkage: float = 0.0
    function: Any = None  # a user's phi, compiled

    @cached_property
    def _callback(self) -> tuple[int, Any]:
        """Address of the user's function in this process, and the object that must live as long as it is called."""
        return (0, None) if self.function is None else row_address(self.function)

    def __getstate__(self) -> dict[str, Any]:
        """All but the address, which holds in one process alone."""
        return {name: value for name, value in vars(self).items() if name != "_callback"}

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.rows)

    def data(self, chunklets: Chunklets | None = None) -> RowData:
        """Statistics of the items, or of chunklets of items, as kernels read them."""
        within_sum, rows = self.factor * self.phi(self.rows), self.rows
        if chunklets is not None:
            of_item = chunklet_of(chunklets, self.n_items)
            within_sum = np.bincount(of_item, within_sum).astype(float)
            rows = np.zeros((within_sum.size, self.rows.shape[1]))
            np.add.at(rows, of_item, self.rows)
        chunklets = single_items(self.n_items) if chunklets is None else chunklets
        return self.kind(
            within_sum, rows, chunklets, self.factor, self.shrinkage, self.target, address=self._callback[0]
        )

    def shrink(self, sums: FloatArray, sizes: FloatArray) -> FloatArray:
        """Centers of clusters with these sums, pulled off the boundary where the cost asks for it."""
        return (sums + self.shrinkage * self.target) / (sizes + self.shrinkage)[:, np.newaxis]

    def centers(self, labels: IntArray) -> FloatArray:
        """Center of each cluster."""
        sums = np.zeros((int(labels.max()) + 1, self.rows.shape[1]))
        np.add.at(sums, labels, self.rows)
        return self.shrink(sums, np.bincount(labels).astype(float))

    def tangents(self, centers: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Slopes and offsets: the divergence of x from a center is ``phi(x) + offset - x @ slope``."""
        slopes = self.factor * self.gradient(centers)
        return slopes, (centers * slopes).sum(axis=1) - self.factor * self.phi(centers)

    def divergences(self, rows: FloatArray, centers: FloatArray) -> FloatArray:
        """Divergence of each row from each center."""
        slopes, offsets = self.tangents(centers)
        return np.maximum(self.factor * self.phi(rows)[:, np.newaxis] + offsets - rows @ slopes.T, 0.0)

    def from_items(self, chosen: IntArray) -> FloatArray:
        """Divergence of each item from clusters that consist of one chosen item each, shape (n_items, n_chosen)."""
        return self.divergences(self.rows, self.shrink(self.rows[chosen], np.ones(len(chosen))))

    def to_clusters(self, X: Any, labels: IntArray) -> FloatArray:
        """Divergence of each new row from the center of each cluster."""
        return self.divergences(self.read(X), self.centers(labels))

    def to_own_cluster(self, labels: IntArray) -> FloatArray:
        """Divergence of each item from the center of its cluster."""
        slopes, offsets = self.tangents(self.centers(labels))
        return self.factor * self.phi(self.rows) + offsets[labels] - (self.rows * slopes[labels]).sum(axis=1)

    def between(self, chosen: IntArray) -> FloatArray:
        """Distances between chosen items: root of the cost of two as a cluster, their center not shrunk."""
        rows = self.rows[chosen]
        phi, out = self.phi(rows), np.zeros((len(rows), len(rows)))
        for i, row in enumerate(rows):
            out[i] = phi[i] + phi - 2 * self.phi((row + rows) / 2)
        np.fill_diagonal(out, 0.0)
        return np.sqrt(np.maximum(out + out.T, 0.0) * self.factor / 2)


@dataclass(frozen=True, eq=False)
class PairwiseItems:
    """Items under a pairwise cost."""

    matrix: FloatArray  # (n_items, n_items), or empty
    rows: FloatArray  # (n_items, d), or empty
    to_items: Callable[[Any], FloatArray]  # dissimilarities of new rows to all items
    rate: Rate
    p: float = 1.0
    power: float = 1.0

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.rows) or len(self.matrix)

    def data(self, chunklets: Chunklets | None = None) -> PairwiseData:
        """Statistics of the items, or of chunklets of items, as kernels read them."""
        within_sum, matrix = np.zeros(self.n_items), self.matrix
        if chunklets is not None:
            matrix = self._between_chunklets(chunklets)
            within_sum = matrix.diagonal() / 2
        chunklets = single_items(self.n_items) if chunklets is None else chunklets
        return PairwiseData(within_sum, self.rows, chunklets, matrix, self.p, self.power)

    def _between_chunklets(self, chunklets: Chunklets) -> FloatArray:
        """Sums of dissimilarities between chunklets."""
        n_chunklets, of_item = chunklets.size.size, chunklet_of(chunklets, self.n_items)
        check_memory(8 * n_chunklets**2, f"Dissimilarities of {n_chunklets} chunklets", "Cluster a part of the items.")
        out = np.zeros((n_chunklets, n_chunklets))
        for chosen in _blocks(self.n_items, self.n_items):
            np.add.at(out, of_item[chosen], self._sums_to(self.from_items(chosen).T, of_item))
        return out

    def from_items(self, chosen: IntArray) -> FloatArray:
        """Dissimilarity of each item to each chosen one, shape (n_items, n_chosen)."""
        return (self.matrix[chosen] if self.matrix.size else self.to_items(self.rows[chosen])).T

    def between(self, chosen: IntArray) -> FloatArray:
        """Dissimilarities between chosen items."""
        return self.from_items(chosen)[chosen]

    def to_clusters(self, X: FloatArray, labels: IntArray) -> FloatArray:
        """Increase of the cost of each cluster if a new row joined it."""
        sizes = np.bincount(labels).astype(float)
        inside = np.bincount(labels, self.to_own_cluster(labels)) / (2 * sizes)
        sums = [self._sums_to(self.to_items(X[chosen]), labels) for chosen in _blocks(len(X), self.n_items)]
        return (np.concatenate(sums) - inside) / (sizes + 1)

    def to_own_cluster(self, labels: IntArray) -> FloatArray:
        """Sum of dissimilarities between each item and its cluster."""
        out = np.empty(labels.size)
        for chosen in _blocks(labels.size, labels.size):
            out[chosen] = self._sums_to(self.from_items(chosen).T, labels)[np.arange(chosen.size), labels[chosen]]
        return out

    @staticmethod
    def _sums_to(dissimilarities: FloatArray, labels: IntArray) -> FloatArray:
        order = np.argsort(labels, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(labels))[:-1]])
        return np.add.reduceat(dissimilarities[:, order], starts, axis=1)


def _blocks(n_rows: int, n_items: int) -> Iterator[IntArray]:
    """All rows, so many at once as have dissimilarities to the items that fit a block."""
    step = max(1, BLOCK // n_items)
    return (np.arange(start, min(start + step, n_rows)) for start in range(0, n_rows, step))


Items = BregmanItems | PairwiseItems
CostData = RowData | PairwiseData


def make_groups(data: CostData, n_clusters: int) -> Groups:
    """Empty statistics of ``n_clusters`` clusters, and scratch rows for proposals."""
    pairwise = isinstance(data, PairwiseData)
    n_rows, n_chunklets, d = n_clusters + N_SCRATCH, data.within_sum.size, 0 if pairwise else data.rows.shape[1]
    n_crossed = n_chunklets if pairwise else 0
    check_memory(8 * n_rows * (n_crossed + d), f"Sums over {n_clusters} clusters", "Use fewer clusters.")
    return Groups(
        labels=np.full(n_chunklets, -1),
        n_chunklets=np.zeros(n_rows, np.int64),
        sizes=np.zeros(n_rows),
        within_sum=np.zeros(n_rows),
        cost=np.zeros(n_rows),
        sums=np.zeros((n_rows, d)),
        cross_sum=np.zeros((n_rows, n_crossed)),
        scratch=np.zeros(n_crossed or d),
    )


def init_groups(labels: IntArray, data: CostData, groups: Groups) -> None:
    """Set all statistics from labels of the chunklets, by a descent of no step."""
    descend(labels, 0, 1.0, 0, data, groups)


def magnitude(data: CostData) -> float:
    """Sum of the numbers that costs are differences of: what is tiny beside it is rounding."""
    return float(np.abs(data.within_sum).sum() + (data.matrix.sum() if isinstance(data, PairwiseData) else 0.0))


def total_cost(items: Items, labels: IntArray) -> float:
    """Cost of a partition: the sum over its clusters."""
    data = items.data()
    groups = make_groups(data, int(labels.max()) + 1)
    init_groups(labels, data, groups)
    return max(float(groups.cost.sum()), 0.0)
