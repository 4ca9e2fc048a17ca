"""The Dirichlet process prior on partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from .._kernels.priors.eppf import DIRICHLET_PROCESS
from .._typing import FloatArray, IntArray
from .base import PartitionPrior
from .hyperpriors import Gamma, check_concentration
from .n_clusters import solve_expected, urn_pmf


@dataclass(frozen=True)
class DirichletProcess(PartitionPrior):
    """Partition of draws from a Dirichlet process: the Chinese restaurant.

    Parameters
    ----------
    concentration : float or Gamma
        Positive; larger values give more clusters, about ``concentration * log(n_items)`` of them.

    See Also
    --------
    PitmanYor : many small clusters.
    MixtureOfFiniteMixtures : a prior on the number of components.
    BayesianMixture : uses it.

    Notes
    -----
    α^k Π_j (m_j - 1)! / α^(n) for k clusters of sizes m_j, with x^(n) = x (x + 1) ... (x + n - 1).

    References
    ----------
    Ferguson (1973). A Bayesian analysis of some nonparametric problems. Annals of Statistics 1, 209-230.

    Blackwell and MacQueen (1973). Ferguson distributions via Pólya urn schemes. Annals of Statistics 1, 353-355.

    Examples
    --------
    >>> import math
    >>> prior = DirichletProcess(concentration=1.0)
    >>> round(math.exp(prior.log_probability([0, 0, 1])), 4)
    0.1667
    >>> round(prior.expected_clusters(100), 2)
    5.19
    >>> prior.sample(8, random_state=1)
    array([0, 0, 1, 1, 0, 0, 1, 0])
    """

    concentration: float | Gamma = 1.0
    kind: ClassVar[int] = DIRICHLET_PROCESS

    @classmethod
    def from_expected_clusters(cls, expected: float, n_items: int) -> DirichletProcess:
        """The process that expects so many clusters among ``n_items`` items.

        Examples
        --------
        >>> prior = DirichletProcess.from_expected_clusters(5, n_items=200)
        >>> round(prior.concentration, 3), round(prior.expected_clusters(200), 6)
        (0.797, 5.0)
        """
        return cls(solve_expected(expected, n_items, lambda x: cls(x).expected_clusters(n_items)))

    def __post_init__(self) -> None:
        check_concentration(self.concentration)

    def _log_free_part(self, sizes: IntArray) -> float:
        return float(gammaln(sizes).sum())

    def _mean_clusters(self, n_items: int, concentration: float) -> float:
        return float((concentration / (concentration + np.arange(n_items))).sum())

    def _pmf(self, n_items: int, concentration: FloatArray) -> FloatArray:
        x = concentration[:, None]
        return urn_pmf(n_items, lambda m, k: x / (x + m) + 0 * k)
