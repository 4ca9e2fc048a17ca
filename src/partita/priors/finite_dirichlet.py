"""The prior on partitions of a finite mixture with Dirichlet weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._kernels.priors.eppf import FINITE, log_rising
from .._typing import FloatArray, IntArray
from .._validation import check_count
from .base import PartitionPrior
from .hyperpriors import Gamma, check_concentration
from .n_clusters import solve_expected, urn_pmf


@dataclass(frozen=True)
class FiniteDirichlet(PartitionPrior):
    """Partition by a mixture of so many components, their weights symmetric Dirichlet.

    Parameters
    ----------
    n_components : int
        Number of components; clusters are those that hold an item, so there may be fewer.
    concentration : float or Gamma
        Dirichlet parameter of *each* component. With ``concentration = c / n_components`` and many components this
        approaches a Dirichlet process of concentration c.

    See Also
    --------
    MixtureOfFiniteMixtures : an unknown number of components.
    BayesianMixture : uses it.

    Notes
    -----
    K! / (K - k)! Π_j γ^(m_j) / (K γ)^(n) for k clusters of sizes m_j, with rising factorials x^(n).

    References
    ----------
    Frühwirth-Schnatter (2006). Finite Mixture and Markov Switching Models. Springer.

    Examples
    --------
    >>> round(FiniteDirichlet(n_components=5).expected_clusters(10), 2)
    3.57
    >>> FiniteDirichlet(n_components=2).log_probability([0, 1, 2])
    -inf
    """

    n_components: int
    concentration: float | Gamma = 1.0
    kind: ClassVar[int] = FINITE

    @classmethod
    def from_expected_clusters(cls, expected: float, n_items: int, n_components: int) -> FiniteDirichlet:
        """The prior with so many components that expects so many clusters among ``n_items`` items.

        Examples
        --------
        >>> prior = FiniteDirichlet.from_expected_clusters(4, n_items=50, n_components=10)
        >>> round(prior.expected_clusters(50), 6)
        4.0
        """

        def mean(x: float) -> float:
            return cls(n_components, x).expected_clusters(n_items)

        return cls(n_components, solve_expected(expected, n_items, mean, most=n_components))

    def __post_init__(self) -> None:
        check_count("n_components", self.n_components)
        check_concentration(self.concentration)

    @property
    def parameter(self) -> float:
        """The number of components."""
        return float(self.n_components)

    def _log_free_part(self, sizes: IntArray) -> float:
        if sizes.size > self.n_components:
            return -math.inf
        return float(log_rising(self.n_components - sizes.size + 1.0, sizes.size))

    def _mean_clusters(self, n_items: int, concentration: float) -> float:
        if self.n_components == 1:
            return 1.0
        others = concentration * self.n_components + np.arange(n_items)
        return float(-self.n_components * np.expm1(np.log1p(-concentration / others).sum()))

    def _pmf(self, n_items: int, concentration: FloatArray) -> FloatArray:
        return finite_pmf(n_items, concentration[:, None], self.n_components)


def finite_pmf(n_items: int, concentration: FloatArray, n_components: FloatArray | int) -> FloatArray:
    """Distribution of the number of clusters for so many components."""

    def opens(m: int, k: FloatArray) -> FloatArray:
        share = concentration * np.maximum(n_components - k, 0.0) / (concentration * n_components + m)
        return np.asarray(share)

    return urn_pmf(n_items, opens)
