"""The prior on partitions of a finite mixture whose number of components is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from .._kernels.priors.eppf import MFM
from .._typing import FloatArray, IntArray
from .base import PartitionPrior
from .finite_dirichlet import FiniteDirichlet, finite_pmf
from .hyperpriors import Gamma, Geometric, ShiftedPoisson, check_components, check_concentration
from .n_clusters import solve_expected


@dataclass(frozen=True)
class MixtureOfFiniteMixtures(PartitionPrior):
    """Partition by a finite mixture whose number of components is random (Miller and Harrison, 2018).

    Parameters
    ----------
    concentration : float or Gamma
        Dirichlet parameter of *each* component.
    n_components : ShiftedPoisson, Geometric or sequence of float
        Prior on the number of components; a sequence gives the probabilities of 1, 2, ... components. By default one
        more than a Poisson variable of mean 1.

    See Also
    --------
    FiniteDirichlet : a known number of components.
    ShiftedPoisson, Geometric : priors on that number.
    BayesianMixture : uses it.

    Notes
    -----
    V_n(k) Π_j γ^(m_j), V_n(k) = Σ_K p(K) K! / (K - k)! / (γ K)^(n), for k clusters of sizes m_j.

    References
    ----------
    Miller and Harrison (2018). Mixture models with a prior on the number of components. Journal of the American
    Statistical Association 113, 340-356.

    Examples
    --------
    >>> prior = MixtureOfFiniteMixtures(n_components=ShiftedPoisson(mean=4.0))
    >>> round(prior.expected_clusters(100), 2)
    4.77
    """

    concentration: float | Gamma = 1.0
    n_components: ShiftedPoisson | Geometric | Sequence[float] = field(default_factory=ShiftedPoisson)
    kind: ClassVar[int] = MFM

    @classmethod
    def from_expected_clusters(
        cls, expected: float, n_items: int, concentration: float = 1.0
    ) -> MixtureOfFiniteMixtures:
        """The prior that expects so many clusters among ``n_items`` items, its number of components Poisson plus one.

        Examples
        --------
        >>> prior = MixtureOfFiniteMixtures.from_expected_clusters(4, n_items=100)
        >>> round(prior.n_components.mean, 3), round(prior.expected_clusters(100), 6)
        (3.155, 4.0)
        """

        def mean(x: float) -> float:
            return n_items if x > 50.0 * n_items else cls(concentration, ShiftedPoisson(x)).expected_clusters(n_items)

        return cls(concentration, ShiftedPoisson(solve_expected(expected, n_items, mean)))

    def __post_init__(self) -> None:
        check_concentration(self.concentration)
        object.__setattr__(self, "n_components", check_components(self.n_components))

    def log_components(self, n_items: int) -> FloatArray:
        """Log probability of 1, 2, ... components, as many as matter to partitions into up to so many clusters."""
        if isinstance(self.n_components, (ShiftedPoisson, Geometric)):
            return self.n_components.log_probabilities(n_items)
        with np.errstate(divide="ignore"):
            return np.log(self.n_components)

    def _urn(self, rng: np.random.Generator) -> PartitionPrior:
        probabilities = np.exp(self.log_components(1))
        return FiniteDirichlet(1 + int(rng.choice(probabilities.size, p=probabilities / probabilities.sum())))

    def _log_free_part(self, sizes: IntArray) -> float:  # noqa: ARG002
        return 0.0

    def _mean_clusters(self, n_items: int, concentration: float) -> float:
        probabilities = np.exp(self.log_components(1))
        matter = np.flatnonzero(probabilities > 1e-20)
        means = [FiniteDirichlet(int(k) + 1, concentration).expected_clusters(n_items) for k in matter]
        return float(probabilities[matter] @ means)

    def _pmf(self, n_items: int, concentration: FloatArray) -> FloatArray:
        probabilities = np.exp(self.log_components(1))
        matter = np.flatnonzero(probabilities > 1e-20)
        pmf = finite_pmf(n_items, concentration[:, None, None], np.asarray(matter[:, None], dtype=np.float64) + 1)
        return np.einsum("c,xck->xk", probabilities[matter] / probabilities.sum(), pmf)
