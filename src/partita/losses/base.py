"""Losses between partitions, and their expectation over a posterior.

``loss.between(truth, estimate)`` is the loss of reporting ``estimate`` when the partition is ``truth``. Most losses
are formulas on three sums over the table that crosses the two: of ``phi(size)`` over the clusters of the truth,
over those of the estimate, and of ``phi(count)`` over the cells. Information is in bits unless a base says otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.losses.contingency import joint_phi_sums, mean_intersections
from .._kernels.partitions.assignment import matched_items
from .._kernels.partitions.labels import row_sizes_sum
from .._validation import (
    FloatArray,
    IntArray,
    LabelRows,
    check_base,
    check_between,
    check_choice,
    check_labels,
    check_memory,
    check_same_items,
)
from ..posterior import PartitionPosterior, check_posterior


@runtime_checkable
class Loss(Protocol):
    """What every loss offers.

    Examples
    --------
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


class _DrawwiseLoss:
    """A loss given by its values ``_values(draws, labels)`` for rows of canonical labels."""

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        raise NotImplementedError

    def between(self, truth: ArrayLike, estimate: ArrayLike) -> float:
        """Loss of reporting ``estimate`` when the partition is ``truth``."""
        truth, estimate = check_same_items(truth=truth, estimate=estimate)
        return float(self._values(truth[np.newaxis], estimate)[0])

    def per_draw(self, labels: ArrayLike, posterior: PartitionPosterior) -> FloatArray:
        """Loss of reporting ``labels`` if each draw in turn were the truth, shape (n_draws,)."""
        labels = check_labels(labels, n_items=check_posterior(posterior).n_items)
        return self._values(posterior.draws, labels)

    def expected(self, labels: ArrayLike, posterior: PartitionPosterior) -> float:
        """Posterior expected loss of reporting ``labels``."""
        return float(self.per_draw(labels, posterior) @ posterior.probabilities())


class _TableLoss(_DrawwiseLoss):
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


@dataclass(frozen=True)
class VariationOfInformation(_TableLoss):
    """Information that truth and estimate do not share.

    Parameters
    ----------
    a : float
        Weight, from 0 to 2, of the information in the estimate that the truth lacks; the information in the truth
        that the estimate lacks weighs ``2 - a``. Larger values give estimates with fewer clusters. With 1 the loss
        is a metric.
    base : float
        Base of the logarithm: 2 for bits, ``math.e`` for nats.

    Notes
    -----
    a H(ĉ|c) + (2 - a) H(c|ĉ) for truth c and estimate ĉ. At most log(n_items) when a = 1.

    Examples
    --------
    >>> VariationOfInformation().between([0, 0, 1, 1], [0, 1, 2, 1])
    1.5
    """

    a: float = 1.0
    base: float = 2.0
    name: ClassVar[str] = "vi"

    def __post_init__(self) -> None:
        check_between("a", self.a, 0, 2)
        check_base(self.base)

    def phi(self, n_items: int) -> FloatArray:
        """Counts times their logarithm."""
        return _x_log_x(n_items, self.base)

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        return _disagreement(self.a, in_truth, in_estimate, in_both) / n_items


@dataclass(frozen=True)
class Binder(_TableLoss):
    """Share of ordered item pairs on which truth and estimate disagree.

    Parameters
    ----------
    a : float
        Weight, from 0 to 2, of pairs together in the truth and apart in the estimate; pairs apart in the truth and
        together in the estimate weigh ``2 - a``. Larger values give estimates with fewer clusters. With 1 the loss
        is a metric.

    Notes
    -----
    (2 / N²) Σ_{i<j} [a 1(together in c, apart in ĉ) + (2 - a) 1(apart in c, together in ĉ)]: the N-invariant form
    of Binder's loss, at most 1 - 1/N when a = 1.

    Examples
    --------
    >>> Binder().between([0, 0, 1, 1], [0, 1, 2, 1])
    0.375
    """

    a: float = 1.0
    name: ClassVar[str] = "binder"

    def __post_init__(self) -> None:
        check_between("a", self.a, 0, 2)

    def phi(self, n_items: int) -> FloatArray:
        """Squared counts."""
        return np.arange(n_items + 1.0) ** 2

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        return _disagreement(self.a, in_truth, in_estimate, in_both) / n_items**2


@dataclass(frozen=True)
class AdjustedRand(_TableLoss):
    """One minus the adjusted Rand index: pair agreement corrected for chance.

    Examples
    --------
    >>> round(AdjustedRand().between([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.4286
    """

    name: ClassVar[str] = "adjusted-rand"

    def phi(self, n_items: int) -> FloatArray:
        """Pairs among so many items."""
        counts = np.arange(n_items + 1.0)
        return counts * (counts - 1) / 2

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        by_chance = in_truth * in_estimate / max(1, n_items * (n_items - 1) / 2)
        # Nothing is left to explain only when both partitions are trivial in the same way.
        return _share(((in_truth + in_estimate) / 2 - in_both), (in_truth + in_estimate) / 2 - by_chance)


@dataclass(frozen=True)
class _InformationLoss(_TableLoss):
    """A loss that is a formula on the entropies of truth, estimate and both together."""

    def phi(self, n_items: int) -> FloatArray:
        """Counts times their logarithm, in bits."""
        return _x_log_x(n_items, 2)

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        entropy = math.log2(n_items) - np.stack(np.broadcast_arrays(in_truth, in_estimate, in_both)) / n_items
        return self._of_entropies(*np.maximum(entropy, 0.0))

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        raise NotImplementedError


@dataclass(frozen=True)
class NormalizedVariationOfInformation(_InformationLoss):
    """Variation of information as a share of the joint entropy, from 0 to 1: 1 - I(c, ĉ) / H(c, ĉ).

    Examples
    --------
    >>> NormalizedVariationOfInformation().between([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """

    name: ClassVar[str] = "nvi"

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        return _share(np.maximum(0.0, 2 * both - truth - estimate), both)


@dataclass(frozen=True)
class InformationDistance(_InformationLoss):
    """Information that the richer of the two partitions does not share, in bits: max(H(c), H(ĉ)) - I(c, ĉ).

    Examples
    --------
    >>> InformationDistance().between([0, 0, 1, 1], [0, 1, 2, 3])
    1.0
    """

    name: ClassVar[str] = "id"

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        return np.maximum(0.0, both - np.minimum(truth, estimate))


@dataclass(frozen=True)
class NormalizedInformationDistance(_InformationLoss):
    """Information distance as a share of the larger entropy, from 0 to 1: 1 - I(c, ĉ) / max(H(c), H(ĉ)).

    Examples
    --------
    >>> NormalizedInformationDistance().between([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """

    name: ClassVar[str] = "nid"

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        return _share(np.maximum(0.0, both - np.minimum(truth, estimate)), np.maximum(truth, estimate))


@dataclass(frozen=True)
class VariationOfInformationBound(_TableLoss):
    """Jensen's lower bound to the expected variation of information, in the same units.

    Between two partitions it is the variation of information itself; :meth:`expected` swaps logarithm and
    expectation, and so needs the posterior only through how often pairs share a cluster and how large clusters are.
    The bound is negative where draws differ much.

    Parameters
    ----------
    base : float
        Base of the logarithm: 2 for bits, ``math.e`` for nats.

    Notes
    -----
    ``(1/N) Σ_i { log |ĉ_i| + E log |c_i| - 2 log E |c_i ∩ ĉ_i| }``, with ``|c_i|`` the size of item i's cluster.

    Examples
    --------
    >>> post = PartitionPosterior([[0, 0, 0, 0], [0, 1, 2, 3]])
    >>> round(VariationOfInformationBound().expected([0, 0, 1, 1], post), 4)
    0.8301
    >>> VariationOfInformation().expected([0, 0, 1, 1], post)
    1.0
    """

    base: float = 2.0
    name: ClassVar[str] = "vi-bound"

    def __post_init__(self) -> None:
        check_base(self.base)

    def phi(self, n_items: int) -> FloatArray:
        """Counts times their logarithm."""
        return _x_log_x(n_items, self.base)

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        return _disagreement(1.0, in_truth, in_estimate, in_both) / n_items

    def expected(self, labels: ArrayLike, posterior: PartitionPosterior) -> float:
        """Lower bound to the posterior expected variation of information of ``labels``."""
        labels = check_labels(labels, n_items=check_posterior(posterior).n_items)
        weights, n_labels = posterior.probabilities(), posterior.n_labels
        shared = mean_intersections(posterior.draws, weights, *by_cluster(labels), n_labels)
        phi = self.phi(labels.size)
        in_truth = row_sizes_sum(posterior.draws, n_labels, phi) @ weights
        in_estimate, in_both = phi[np.bincount(labels)].sum(), np.log(shared).sum() / math.log(self.base)
        return float(in_truth + in_estimate - 2 * in_both) / labels.size  # a bound may be negative


@dataclass(frozen=True)
class Misclassification(_DrawwiseLoss):
    """Share of items misplaced under the best matching of clusters.

    The natural partition cost of Dalton et al. (2015): clusters of truth and estimate are paired one to one so that
    as many items as possible lie in paired clusters, and the rest are misplaced. A metric.

    Examples
    --------
    >>> Misclassification().between([0, 0, 1, 1], [1, 1, 1, 0])
    0.25
    """

    name: ClassVar[str] = "misclassification"

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        n_clusters, n_labels = int(labels.max()) + 1, int(draws.max()) + 1
        what = f"The table of {n_clusters} by {n_labels} clusters"
        check_memory(8 * n_clusters * n_labels, what, "Misclassification is meant for partitions of fewer clusters.")
        return 1 - matched_items(draws, labels, n_clusters, n_labels) / labels.size


@dataclass(frozen=True)
class ZeroOne(_DrawwiseLoss):
    """Zero for the very same partition, one for any other; its best estimate is the posterior mode.

    Examples
    --------
    >>> ZeroOne().between([0, 0, 1], [5, 5, 2])
    0.0
    """

    name: ClassVar[str] = "zero-one"

    def _values(self, draws: LabelRows, labels: IntArray) -> FloatArray:
        return (draws != labels).any(axis=1).astype(float)


LOSSES: dict[str, type[Any]] = {
    loss.name: loss
    for loss in (
        VariationOfInformation,
        Binder,
        VariationOfInformationBound,
        AdjustedRand,
        NormalizedVariationOfInformation,
        InformationDistance,
        NormalizedInformationDistance,
        Misclassification,
        ZeroOne,
    )
}


def check_loss(loss: str | Loss, name: str = "loss") -> Loss:
    """A loss from its name, with its default parameters, or the loss itself.

    Examples
    --------
    >>> check_loss("vi")
    VariationOfInformation(a=1.0, base=2.0)
    """
    if isinstance(loss, str):
        return LOSSES[check_choice(name, loss.lower(), LOSSES)]()
    if isinstance(loss, type) or not isinstance(loss, Loss):
        raise TypeError(f"{name} must be a loss or the name of one ({', '.join(LOSSES)}): got {loss!r}.")
    return loss


def by_cluster(labels: IntArray) -> tuple[IntArray, IntArray]:
    """Items sorted by cluster, and where each cluster begins and ends among them."""
    bounds = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    return np.argsort(labels, kind="stable"), bounds


def _disagreement(a: float, in_truth: FloatArray, in_estimate: float, in_both: FloatArray) -> FloatArray:
    """What truth and estimate each hold beyond what they share."""
    return np.maximum(0.0, a * (in_truth - in_both) + (2 - a) * (in_estimate - in_both))


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """``part / whole``, and 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 1e-12)


def _x_log_x(n_items: int, base: float) -> FloatArray:
    counts = np.arange(n_items + 1.0)
    counts[1:] *= np.log2(counts[1:]) / math.log2(base)
    return counts
