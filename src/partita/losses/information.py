"""Losses on entropies: variation of information, its relatives and its lower bound, in bits unless a base is given."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.losses.contingency import held_sizes_sum, mean_intersections
from .._typing import FloatArray
from .._validation import check_base, check_between, check_labels
from ..posterior import PartitionPosterior, as_posterior
from ..posterior.draws import sum_over_sizes
from .base import TableSumLoss, by_cluster, disagreement, share


class _VariationSums(TableSumLoss):
    """Entropies as sums of counts times their logarithm, and the information that truth and estimate do not share."""

    a: float
    base: float

    def phi(self, n_items: int) -> FloatArray:
        """Counts times their logarithm."""
        return _x_log_x(n_items, self.base)

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        return disagreement(self.a, in_truth, in_estimate, in_both) / n_items


@dataclass(frozen=True)
class VariationOfInformation(_VariationSums):
    """Variation of information: H(c|ĉ) + H(ĉ|c), the information that truth and estimate do not share.

    Parameters
    ----------
    a : float
        Weight, from 0 to 2, of the information in the estimate that the truth lacks; the information in the truth
        that the estimate lacks weighs ``2 - a``. Larger values give estimates with fewer clusters. With 1 the loss
        is a metric.
    base : float
        Base of the logarithm: 2 for bits, ``math.e`` for nats.

    See Also
    --------
    Binder : counts pairs of items instead.
    VariationOfInformationBound : a bound that the similarity matrix suffices for.
    estimate_partition : minimizes its expectation.

    Notes
    -----
    a H(ĉ|c) + (2 - a) H(c|ĉ) for truth c and estimate ĉ. At most log(n_items) when a = 1.

    References
    ----------
    Meilă (2007). Comparing clusterings: an information based distance. Journal of Multivariate Analysis 98, 873-895.

    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

    Examples
    --------
    >>> VariationOfInformation().between([0, 0, 1, 1], [0, 1, 2, 1])
    1.5
    """

    a: float = 1.0
    base: float = 2.0
    name: ClassVar[str] = "vi"
    formula: ClassVar[str] = "linear"

    def __post_init__(self) -> None:
        check_between("a", self.a, 0, 2)
        check_base(self.base)


@dataclass(frozen=True)
class _InformationLoss(TableSumLoss):
    """A loss that is a formula on the entropies of truth, estimate and both together."""

    def phi(self, n_items: int) -> FloatArray:
        """Counts times their logarithm, in bits."""
        return _x_log_x(n_items, 2)

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        entropy = np.log2(n_items) - np.stack(np.broadcast_arrays(in_truth, in_estimate, in_both)) / n_items
        return self._of_entropies(*np.maximum(entropy, 0.0))

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        raise NotImplementedError


@dataclass(frozen=True)
class NormalizedVariationOfInformation(_InformationLoss):
    """Variation of information over joint entropy, from 0 to 1: 1 - I(c, ĉ) / H(c, ĉ).

    See Also
    --------
    VariationOfInformation : the same in bits.
    NormalizedInformationDistance : normalized by the larger entropy.

    Notes
    -----
    VI(c, ĉ) / H(c, ĉ), with H the joint entropy; 0 where both partitions are one cluster. A metric.

    References
    ----------
    Vinh, Epps and Bailey (2010). Information theoretic measures for clusterings comparison. Journal of Machine
    Learning Research 11, 2837-2854.

    Dahl, Johnson and Müller (2022). Search algorithms and loss functions for Bayesian clustering. Journal of
    Computational and Graphical Statistics 31, 1189-1201.

    Examples
    --------
    >>> NormalizedVariationOfInformation().between([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """

    name: ClassVar[str] = "nvi"
    formula: ClassVar[str] = "nvi"

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        return share(np.maximum(0.0, 2 * both - truth - estimate), both)


@dataclass(frozen=True)
class InformationDistance(_InformationLoss):
    """Larger entropy minus mutual information, in bits: max(H(c), H(ĉ)) - I(c, ĉ).

    See Also
    --------
    NormalizedInformationDistance : the same as a share.
    VariationOfInformation : the sum where this is the maximum.

    Notes
    -----
    max{H(c), H(ĉ)} - I(c, ĉ), with H the entropy and I the mutual information. A metric.

    References
    ----------
    Vinh, Epps and Bailey (2010). Information theoretic measures for clusterings comparison. Journal of Machine
    Learning Research 11, 2837-2854.

    Dahl, Johnson and Müller (2022). Search algorithms and loss functions for Bayesian clustering. Journal of
    Computational and Graphical Statistics 31, 1189-1201.

    Examples
    --------
    >>> InformationDistance().between([0, 0, 1, 1], [0, 1, 2, 3])
    1.0
    """

    name: ClassVar[str] = "id"
    formula: ClassVar[str] = "id"

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        return np.maximum(0.0, both - np.minimum(truth, estimate))


@dataclass(frozen=True)
class NormalizedInformationDistance(_InformationLoss):
    """Information distance over the larger entropy, from 0 to 1: 1 - I(c, ĉ) / max(H(c), H(ĉ)).

    See Also
    --------
    InformationDistance : the same in bits.
    NormalizedVariationOfInformation : normalized by the joint entropy.

    Notes
    -----
    1 - I(c, ĉ) / max{H(c), H(ĉ)}, with H the entropy and I the mutual information. A metric.

    References
    ----------
    Vinh, Epps and Bailey (2010). Information theoretic measures for clusterings comparison. Journal of Machine
    Learning Research 11, 2837-2854.

    Dahl, Johnson and Müller (2022). Search algorithms and loss functions for Bayesian clustering. Journal of
    Computational and Graphical Statistics 31, 1189-1201.

    Examples
    --------
    >>> NormalizedInformationDistance().between([0, 0, 1, 1], [0, 1, 2, 3])
    0.5
    """

    name: ClassVar[str] = "nid"
    formula: ClassVar[str] = "nid"

    def _of_entropies(self, truth: FloatArray, estimate: FloatArray, both: FloatArray) -> FloatArray:
        return share(np.maximum(0.0, both - np.minimum(truth, estimate)), np.maximum(truth, estimate))


@dataclass(frozen=True)
class VariationOfInformationBound(_VariationSums):
    """Jensen's lower bound to the expected variation of information, in the same units.

    Between two partitions it is the variation of information itself; :meth:`expected` swaps logarithm and
    expectation, and so needs the posterior only through how often pairs share a cluster and how large clusters are.
    The bound is negative where draws differ much.

    Parameters
    ----------
    base : float
        Base of the logarithm: 2 for bits, ``math.e`` for nats.

    See Also
    --------
    VariationOfInformation : what it bounds.
    estimate_partition : minimizes it.

    Notes
    -----
    ``(1/N) Σ_i { log |ĉ_i| + E log |c_i| - 2 log E |c_i ∩ ĉ_i| }``, with ``|c_i|`` the size of item i's cluster.

    References
    ----------
    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

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
    formula: ClassVar[str] = "similarity"
    a = 1.0  # not to be chosen

    def __post_init__(self) -> None:
        check_base(self.base)

    def expected(self, labels: ArrayLike, posterior: PartitionPosterior) -> float:
        """Lower bound to the posterior expected variation of information of ``labels``."""
        posterior = as_posterior(posterior)
        labels = check_labels(labels, n_items=posterior.n_items)
        n_labels, phi = posterior.n_labels, self.phi(labels.size)
        rates = posterior.probabilities() / posterior.n_held()  # weight of one item of a draw
        in_truth = sum_over_sizes(posterior.draws, n_labels, phi) @ rates
        in_estimate = held_sizes_sum(posterior.draws, labels, int(labels.max()) + 1, phi) @ rates
        shared, weight = mean_intersections(posterior.draws, rates, *by_cluster(labels), n_labels)
        held = weight > 0  # an item of no weight has no part in the loss
        in_both = weight[held] @ np.log(shared[held] / weight[held]) / math.log(self.base)
        return float(in_truth + in_estimate - 2 * in_both)  # a bound may be negative


def _x_log_x(n_items: int, base: float) -> FloatArray:
    counts = np.arange(n_items + 1.0)
    counts[1:] *= np.log2(counts[1:]) / math.log2(base)
    return counts
