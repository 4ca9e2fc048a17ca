"""Losses on pairs of items: Binder, adjusted Rand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._typing import FloatArray
from .._validation import check_between
from .base import TableSumLoss, disagreement, share


@dataclass(frozen=True)
class Binder(TableSumLoss):
    """Binder loss: the share of ordered item pairs on which truth and estimate disagree.

    Parameters
    ----------
    a : float
        Weight, from 0 to 2, of pairs together in the truth and apart in the estimate; pairs apart in the truth and
        together in the estimate weigh ``2 - a``. Larger values give estimates with fewer clusters. With 1 the loss
        is a metric.

    See Also
    --------
    VariationOfInformation : charges more for small clusters.
    AdjustedRand : pairs again, corrected for chance.

    Notes
    -----
    (2 / N²) Σ_{i<j} [a 1(together in c, apart in ĉ) + (2 - a) 1(apart in c, together in ĉ)]: the N-invariant form
    of Binder's loss, at most 1 - 1/N when a = 1.

    References
    ----------
    Binder (1978). Bayesian cluster analysis. Biometrika 65, 31-38.

    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

    Examples
    --------
    >>> Binder().between([0, 0, 1, 1], [0, 1, 2, 1])
    0.375
    """

    a: float = 1.0
    name: ClassVar[str] = "binder"
    formula: ClassVar[str] = "linear"

    def __post_init__(self) -> None:
        check_between("a", self.a, 0, 2)

    def phi(self, n_items: int) -> FloatArray:
        """Squared counts."""
        return np.arange(n_items + 1.0) ** 2

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        return disagreement(self.a, in_truth, in_estimate, in_both) / n_items**2


@dataclass(frozen=True)
class AdjustedRand(TableSumLoss):
    """One minus the adjusted Rand index: pair agreement corrected for chance.

    See Also
    --------
    Binder : pairs without the correction.
    soft_adjusted_rand : for assignments that are probabilities.

    Notes
    -----
    With A, B and C the numbers of pairs together in truth, estimate and both, and E = A B / (N (N - 1) / 2): 1 - (C -
    E) / ((A + B) / 2 - E). Its posterior expectation is one minus the PEAR criterion.

    References
    ----------
    Hubert and Arabie (1985). Comparing partitions. Journal of Classification 2, 193-218.

    Fritsch and Ickstadt (2009). Improved criteria for clustering based on the posterior similarity matrix. Bayesian
    Analysis 4, 367-391.

    Examples
    --------
    >>> round(AdjustedRand().between([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.4286
    """

    name: ClassVar[str] = "adjusted-rand"
    formula: ClassVar[str] = "adjusted-rand"

    def phi(self, n_items: int) -> FloatArray:
        """Number of pairs among a count of items."""
        counts = np.arange(n_items + 1.0)
        return counts * (counts - 1) / 2

    def combine(self, in_truth: FloatArray, in_estimate: float, in_both: FloatArray, n_items: int) -> FloatArray:
        """The loss from the three sums."""
        by_chance = in_truth * in_estimate / np.maximum(1, n_items * (n_items - 1) / 2)
        # Nothing is left to explain only when both partitions are trivial in the same way.
        return share(((in_truth + in_estimate) / 2 - in_both), (in_truth + in_estimate) / 2 - by_chance)
