"""The Pitman-Yor process prior on partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._kernels.priors.eppf import PITMAN_YOR, log_rising
from .._typing import FloatArray, IntArray
from .._validation import check_number
from .base import PartitionPrior
from .dirichlet_process import DirichletProcess
from .hyperpriors import Gamma, check_concentration
from .n_clusters import solve_expected, urn_pmf


@dataclass(frozen=True)
class PitmanYor(PartitionPrior):
    """Partition of draws from a Pitman-Yor process: cluster sizes with a power law.

    Parameters
    ----------
    concentration : float or Gamma
        Positive; larger values give more clusters.
    discount : float
        From 0, a Dirichlet process, to below 1; the number of clusters grows like ``n_items ** discount``.

    See Also
    --------
    DirichletProcess : without a discount.
    BayesianMixture : uses it.

    Notes
    -----
    Π_{i<k} (α + σ i) Π_j (1 - σ)^(m_j - 1) / α^(n) for k clusters of sizes m_j, with rising factorials x^(n).

    References
    ----------
    Pitman and Yor (1997). The two-parameter Poisson-Dirichlet distribution derived from a stable subordinator. Annals
    of Probability 25, 855-900.

    Examples
    --------
    >>> round(PitmanYor(concentration=1.0, discount=0.5).expected_clusters(100), 2)
    20.65
    """

    concentration: float | Gamma = 1.0
    discount: float = 0.0
    kind: ClassVar[int] = PITMAN_YOR

    @classmethod
    def from_expected_clusters(cls, expected: float, n_items: int, discount: float = 0.0) -> PitmanYor:
        """The process with this discount that expects so many clusters among ``n_items`` items.

        Examples
        --------
        >>> prior = PitmanYor.from_expected_clusters(8, n_items=200, discount=0.25)
        >>> round(prior.expected_clusters(200), 6)
        8.0
        """
        return cls(solve_expected(expected, n_items, lambda x: cls(x, discount).expected_clusters(n_items)), discount)

    def __post_init__(self) -> None:
        check_concentration(self.concentration)
        check_number("discount", self.discount, "be at least 0 and below 1", lambda value: 0 <= value < 1)

    @property
    def parameter(self) -> float:
        """The discount."""
        return float(self.discount)

    def _log_free_part(self, sizes: IntArray) -> float:
        return float(sum(log_rising(1.0 - self.discount, int(m) - 1) for m in sizes))

    def _mean_clusters(self, n_items: int, concentration: float) -> float:
        if self.discount < 1e-12:
            return DirichletProcess(concentration).expected_clusters(n_items)
        growth = np.log1p(self.discount / (concentration + np.arange(n_items))).sum()
        return float(concentration / self.discount * np.expm1(growth))

    def _pmf(self, n_items: int, concentration: FloatArray) -> FloatArray:
        x = concentration[:, None]
        return urn_pmf(n_items, lambda m, k: (x + self.discount * k) / (x + m))
