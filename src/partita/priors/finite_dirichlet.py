"""The prior on partitions of a finite mixture with Dirichlet weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._kernels.priors.eppf import FINITE, log_rising
from .._typing import IntArray
from .._validation import check_count
from .base import PartitionPrior
from .hyperpriors import Gamma, check_concentration


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
