"""The contract of a loss: what every loss offers, and what it may offer so that a search can move items one by one."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.losses.contingency import held_sizes_sum, joint_phi_sums
from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_labels, check_same_items, shorten
from ..posterior import PartitionPosterior, as_posterior
from ..posterior.draws import sum_over_sizes, sum_over_tables

SUMS = ("phi", "combine", "_of_entropies")  # methods that define it by sums over the contingency table
SMALL_TABLE = 1.0  # cells per item up to which a table is formed, which is faster than counting row by row
VALUES = ("between", "per_draw", "expected", "_values")  # methods that define a loss by its values alone


@runtime_checkable
class Loss(Protocol):
    """What every loss offers, and what it may offer beyond that to be searched well.

    See Also
    --------
    VariationOfInformation : the default.
    estimate_partition : minimizes the expectation of a loss.

    Notes
    -----
    A loss with these three methods can be minimized over draws, trees and the lattice of partitions. One that offers
    more is minimized by reallocation sweeps, which are better:

    - ``from_table(table)``, the loss as a function of the contingency table, such as :class:`TableLoss`;
    - ``phi`` and ``combine``, a formula on three sums over that table, such as :class:`TableSumLoss`;
    - ``formula``, the name of the compiled formula that the loss is: as those of this library have.

    A subclass has what its parent offers, unless it redefines the loss: then what it defines itself counts.
    ``estimate_partition(...).search`` says which search ran.

    Examples
    --------
    >>> from partita import Binder
    >>> isinstance(Binder(), Loss)
    True
    """

    def between(self, truth: ArrayLike, estimate: ArrayLike) -> float:
        """Loss of reporting ``estimate`` when the partition is ``truth``."""
        ...

    def per_draw(self, labels: ArrayLike, posterior: PartitionPosterior) -> FloatArray:
        """Loss of reporting ``labels`` if each draw in turn were the truth, shape (n_draws,)."""
        ...

    def expected(self, labels: ArrayLike, posterior: PartitionPosterior) -> float:
        """Posterior expected loss of reporting ``labels``."""
        ...


class DrawwiseLoss:
    """A loss given by its values ``_values(draws, labels)`` for rows of canonical labels."""

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        raise NotImplementedError

    def between(self, truth: ArrayLike, estimate: ArrayLike) -> float:
        """Loss of reporting ``estimate`` when the partition is ``truth``."""
        truth, estimate = check_same_items(truth=truth, estimate=estimate)
        return float(self._values(truth[np.newaxis], estimate)[0])

    def per_draw(self, labels: ArrayLike, posterior: PartitionPosterior) -> FloatArray:
        """Loss of reporting ``labels`` if each draw in turn were the truth, shape (n_draws,)."""
        posterior = as_posterior(posterior)
        labels = check_labels(labels, n_items=posterior.n_items)
        values = self._shared_values if posterior.partial else self._values
        return values(posterior.draws, labels)

    def _shared_values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        """The loss between each draw and the labels of the items it holds."""
        shared = ((draw[held], check_labels(labels[held])) for draw, held in zip(draws, draws >= 0, strict=True))
        return np.array([self._values(draw.astype(np.int64)[np.newaxis], part)[0] for draw, part in shared], float)

    def expected(self, labels: ArrayLike, posterior: PartitionPosterior) -> float:
        """Posterior expected loss of reporting ``labels``."""
        posterior = as_posterior(posterior)
        return float(self.per_draw(labels, posterior) @ posterior.probabilities())


class TableSumLoss(DrawwiseLoss):
    """A loss that is a formula on three sums of ``phi`` over the contingency table: rows, columns, cells.

    Subclasses define ``phi`` and ``combine``.

    See Also
    --------
    TableLoss : any function of the table.
    Loss : the contract.
    estimate_partition : minimizes its expectation.

    Examples
    --------
    >>> import numpy as np, partita as pt
    >>> class Cubes(pt.TableSumLoss):
    ...     def phi(self, n_items):
    ...         return np.arange(n_items + 1.0) ** 3
    ...
    ...     def combine(self, in_truth, in_estimate, in_both, n_items):
    ...         return (in_truth + in_estimate - 2 * in_both) / n_items**3
    >>> Cubes().between([0, 0, 1, 1], [0, 0, 0, 0])
    0.75
    """

    def phi(self, n_items: int) -> FloatArray:
        """Value of phi at the counts 0, 1, ..., n_items; 0 at 0, so that empty cells add nothing."""
        raise NotImplementedError

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the sums over the clusters of the truth, over those of the estimate, and over the cells.

        Parameters
        ----------
        in_truth, in_both : ndarray of float, shape (n_draws,)
            One sum for each draw, taken as the truth.
        in_estimate : float
            The sum over the clusters of the estimate.
        n_items : int
            Number of items.

        Returns
        -------
        losses : ndarray of float, shape (n_draws,)
            The loss under each draw.
        """
        raise NotImplementedError

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        n_items, n_labels = labels.size, int(draws.max()) + 1
        phi = check_phi(self.phi(n_items), n_items)
        in_truth, in_both = _table_sums(draws, labels, n_labels, phi)
        return self.combine(in_truth, float(phi[np.bincount(labels)].sum()), in_both, n_items)

    def _shared_values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        if declared_search(self) == "sums":  # a user's formula: phi and combine may depend on the number of items
            return super()._shared_values(draws, labels)
        n_items, n_labels, n_held = labels.size, int(draws.max()) + 1, (draws >= 0).sum(axis=1)
        phi = self.phi(n_items)
        in_truth, in_both = _table_sums(draws, labels, n_labels, phi)
        in_estimate = held_sizes_sum(draws, labels, int(labels.max()) + 1, phi)
        formula: Any = self.combine  # of ours, which take one number of items, and one sum of the estimate, per draw
        return np.asarray(formula(in_truth, in_estimate, in_both, n_held))


def declared_search(loss: Loss) -> str:
    """What a search may use of a loss: the name of its compiled formula, ``sums``, ``table``, or ``values`` alone.

    The most derived class that says anything about the loss decides, so that a subclass which redefines the loss is
    not searched as if it were its parent.
    """
    for kind in type(loss).__mro__:
        own = vars(kind)
        if "formula" in own:
            return str(own["formula"])
        if any(name in own for name in SUMS):
            return "sums"
        if "from_table" in own:
            return "table"
        if any(name in own for name in VALUES):
            break
    return "values"


def check_phi(phi: ArrayLike, n_items: int) -> FloatArray:
    """Values at 0, 1, ..., n_items, the first of which is 0."""
    values = np.asarray(phi, dtype=float)
    if values.shape != (n_items + 1,) or values[0] != 0:
        raise ValueError(f"phi must be {n_items + 1} numbers, the first of them 0: got {shorten(values)}.")
    return values


def _table_sums(draws: LabelRows, labels: IntArray, n_labels: int, phi: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sums of phi over each draw's clusters, and over the cells of its table with the labels."""
    n_clusters = int(labels.max()) + 1
    if n_clusters * n_labels <= SMALL_TABLE * labels.size:
        return sum_over_tables(draws, labels, n_clusters, n_labels, phi)
    return sum_over_sizes(draws, n_labels, phi), joint_phi_sums(draws, *by_cluster(labels), n_labels, phi)


def by_cluster(labels: IntArray) -> tuple[IntArray, IntArray]:
    """Items sorted by cluster, and where each cluster begins and ends among them."""
    bounds = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    return np.argsort(labels, kind="stable"), bounds


def disagreement(a: float, in_truth: FloatArray, in_estimate: float, in_both: FloatArray) -> FloatArray:
    """Weighted sum of the conditional terms of truth given estimate and of estimate given truth."""
    return np.maximum(0.0, a * (in_truth - in_both) + (2 - a) * (in_estimate - in_both))


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """``part / whole``, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 1e-12)
