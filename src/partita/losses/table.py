"""A loss of the user's own: any function of the contingency table of truth and estimate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._typing import FloatArray, IntArray, LabelRows
from .base import DrawwiseLoss


@dataclass(frozen=True)
class TableLoss(DrawwiseLoss):
    """A loss written as a function of the contingency table of truth and estimate.

    Parameters
    ----------
    function : callable
        From a table of counts, ndarray of int64 of shape (clusters of the truth, clusters of the estimate) without
        empty rows or columns, to the loss. The numbering of clusters must not matter to it.
    name : str
        What results call the loss.

    See Also
    --------
    TableSumLoss : the same for formulas on sums over the table, which are searched faster.

    Notes
    -----
    The function is called once for each draw and each move that a search tries: give ``n_starts`` or ``time_limit`` to
    :func:`estimate_partition` where that takes long.

    Examples
    --------
    >>> import partita as pt
    >>> impurity = pt.TableLoss(lambda table: 1 - table.max(axis=0).sum() / table.sum(), name="impurity")
    >>> impurity.between([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    >>> posterior, _ = pt.datasets.make_noisy_draws(n_items=12, n_draws=50, random_state=1)
    >>> pt.estimate_partition(posterior, impurity, max_clusters=2).search
    'reallocation sweeps over contingency tables from 4 starts'
    """

    function: Callable[[IntArray], float]
    name: str = "table loss"

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"function must be a function of a contingency table: got {self.function!r}.")

    def from_table(self, table: IntArray) -> float:
        """The loss from the contingency table."""
        return float(self.function(table))

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        return np.array([self.from_table(contingency_table(draw, labels)) for draw in draws], dtype=float)


def contingency_table(truth: Any, estimate: IntArray) -> IntArray:
    """Number of items in each cluster of the truth (rows) and of the estimate (columns), from canonical labels."""
    n_rows, n_columns = int(truth.max()) + 1, int(estimate.max()) + 1
    cells = truth.astype(np.int64) * n_columns + estimate
    return np.bincount(cells, minlength=n_rows * n_columns).reshape(n_rows, n_columns)
