"""What every loss offers, and what losses that are formulas on a contingency table share."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.losses.contingency import joint_phi_sums
from .._kernels.partitions.labels import row_sizes_sum
from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_labels, check_same_items
from ..posterior import PartitionPosterior, as_posterior


@runtime_checkable
class Loss(Protocol):
    """What every loss offers.

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
        return self._values(posterior.draws, check_labels(labels, n_items=posterior.n_items))

    def expected(self, labels: ArrayLike, posterior: PartitionPosterior) -> float:
        """Posterior expected loss of reporting ``labels``."""
        posterior = as_posterior(posterior)
        return float(self.per_draw(labels, posterior) @ posterior.probabilities())


class TableLoss(DrawwiseLoss):
    """A loss that is a formula on sums of ``phi`` over the sizes and the cells of the crossed table."""

    def phi(self, n_items: int) -> FloatArray:
        """Value of phi at the counts 0, 1, ..., n_items."""
        raise NotImplementedError

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        raise NotImplementedError

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        n_items, n_labels = labels.size, int(draws.max()) + 1
        phi = self.phi(n_items)
        in_truth = row_sizes_sum(draws, n_labels, phi)
        in_estimate = float(phi[np.bincount(labels)].sum())
        in_both = joint_phi_sums(draws, *by_cluster(labels), n_labels, phi)
        return self.combine(in_truth, in_estimate, in_both, n_items)


def by_cluster(labels: IntArray) -> tuple[IntArray, IntArray]:
    """Items sorted by cluster, and where each cluster begins and ends among them."""
    bounds = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    return np.argsort(labels, kind="stable"), bounds


def disagreement(a: float, in_truth: FloatArray, in_estimate: float, in_both: FloatArray) -> FloatArray:
    """What truth and estimate each hold beyond what they share."""
    return np.maximum(0.0, a * (in_truth - in_both) + (2 - a) * (in_estimate - in_both))


def share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """``part / whole``, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 1e-12)
