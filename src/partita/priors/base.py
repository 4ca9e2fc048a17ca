"""Priors on partitions.

Each knows the probability of any partition, the weights by which an item joins a cluster or opens one, how many
clusters to expect, and how to draw from itself. Each is exchangeable: only cluster sizes matter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from .._kernels.priors.eppf import fill_log_join, fill_log_new, sample_urn
from .._kernels.samplers.concentration import (
    DIRICHLET_PROCESS,
    FINITE,
    MFM,
    PITMAN_YOR,
    log_rising,
    log_size_probability,
)
from .._validation import FloatArray, IntArray, check_count, check_labels, check_rng
from .hyperpriors import Gamma, Geometric, ShiftedPoisson, check_components, check_concentration, check_number


class PartitionPrior:
    """What every prior on partitions offers."""

    kind: ClassVar[int]
    concentration: float | Gamma

    @property
    def parameter(self) -> float:
        """Discount or number of components, for the kernels; 0 where there is neither."""
        return 0.0

    def log_components(self, n_items: int) -> FloatArray:  # noqa: ARG002
        """Log probability of 1, 2, ... components where their number is random, for the kernels; else empty."""
        return np.empty(0)

    def log_probability(self, labels: ArrayLike, concentration: float | None = None) -> float:
        """Log prior probability of a partition.

        Parameters
        ----------
        labels : array-like of int, shape (n_items,)
            Cluster labels.
        concentration : float, optional
            In place of the prior's own. Left out, a gamma prior on it is integrated over by quadrature.
        """
        sizes = np.bincount(check_labels(labels))
        n_items, free = int(sizes.sum()), self._log_free_part(sizes)
        rest = (self.parameter, self.log_components(n_items), sizes, sizes.size, n_items)

        def log_probability(x: float) -> float:
            return free + log_size_probability(self.kind, x, *rest)

        if concentration is None and isinstance(self.concentration, Gamma):
            return self.concentration.log_average(log_probability)
        return float(log_probability(self._fixed(concentration)))

    def log_weights(self, n_items: int, concentration: float | None = None) -> tuple[FloatArray, FloatArray]:
        """Log weights by which the last of ``n_items`` items joins a cluster or opens one.

        Parameters
        ----------
        n_items : int
            Number of items.
        concentration : float, optional
            In place of the prior's own; needed when that has a gamma prior.

        Returns
        -------
        log_join : ndarray, shape (n_items + 1,)
            ``log_join[m]`` is the weight of a cluster that holds m other items; entry 0 means nothing.
        log_new : ndarray, shape (n_items + 1,)
            ``log_new[k]`` is the weight of a new cluster when the others fill k.
        """
        n_items, x = check_count("n_items", n_items), self._fixed(concentration)
        log_join, log_new = np.empty(n_items + 1), np.empty(n_items + 1)
        fill_log_join(self.kind, x, self.parameter, log_join)
        fill_log_new(self.kind, x, self.parameter, self.log_components(n_items), n_items, log_new)
        return log_join, log_new

    def expected_clusters(self, n_items: int) -> float:
        """Prior mean of the number of clusters among ``n_items`` items."""
        n_items = check_count("n_items", n_items)
        if isinstance(self.concentration, Gamma):
            return math.exp(self.concentration.log_average(lambda x: math.log(self._mean_clusters(n_items, x))))
        return self._mean_clusters(n_items, self.concentration)

    def sample(self, n_items: int, random_state: int | np.random.Generator | None = 0) -> IntArray:
        """Canonical labels of a partition drawn from the prior, and its concentration too where that has a prior."""
        n_items, rng = check_count("n_items", n_items), check_rng(random_state)
        x = self.concentration.sample(rng) if isinstance(self.concentration, Gamma) else self.concentration
        labels = np.empty(n_items, np.int64)
        log_join, log_new = self._urn(rng).log_weights(n_items, x)
        sample_urn(np.exp(log_join), np.exp(log_new), labels, rng)
        return labels

    def _urn(self, rng: np.random.Generator) -> PartitionPrior:  # noqa: ARG002
        """The prior itself, or one drawn from it, whose weights are the same for any number of items."""
        return self

    def _fixed(self, concentration: float | None) -> float:
        """The concentration given, or else the prior's own, which must then be a number."""
        if concentration is not None:
            return check_number("concentration", concentration, "be a positive number", lambda value: value > 0)
        if isinstance(self.concentration, Gamma):
            raise ValueError(f"concentration must be given when it has a prior: got None for {self!r}.")
        return float(self.concentration)

    def _log_free_part(self, sizes: IntArray) -> float:
        """Terms of the log probability that are free of the concentration."""
        raise NotImplementedError

    def _mean_clusters(self, n_items: int, concentration: float) -> float:
        raise NotImplementedError


@dataclass(frozen=True)
class DirichletProcess(PartitionPrior):
    """Partition of draws from a Dirichlet process: the Chinese restaurant.

    Parameters
    ----------
    concentration : float or Gamma
        Positive; larger values give more clusters, about ``concentration * log(n_items)`` of them.

    Notes
    -----
    α^k Π_j (m_j - 1)! / α^(n) for k clusters of sizes m_j, with x^(n) = x (x + 1) ... (x + n - 1).

    Examples
    --------
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

    def __post_init__(self) -> None:
        check_concentration(self.concentration)

    def _log_free_part(self, sizes: IntArray) -> float:
        return float(gammaln(sizes).sum())

    def _mean_clusters(self, n_items: int, concentration: float) -> float:
        return float((concentration / (concentration + np.arange(n_items))).sum())


@dataclass(frozen=True)
class PitmanYor(PartitionPrior):
    """Partition of draws from a Pitman-Yor process: cluster sizes with a power law.

    Parameters
    ----------
    concentration : float or Gamma
        Positive; larger values give more clusters.
    discount : float
        From 0, a Dirichlet process, to below 1; the number of clusters grows like ``n_items ** discount``.

    Notes
    -----
    Π_{i<k} (α + σ i) Π_j (1 - σ)^(m_j - 1) / α^(n) for k clusters of sizes m_j, with rising factorials x^(n).

    Examples
    --------
    >>> round(PitmanYor(concentration=1.0, discount=0.5).expected_clusters(100), 2)
    20.65
    """

    concentration: float | Gamma = 1.0
    discount: float = 0.0
    kind: ClassVar[int] = PITMAN_YOR

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

    Notes
    -----
    K! / (K - k)! Π_j γ^(m_j) / (K γ)^(n) for k clusters of sizes m_j, with rising factorials x^(n).

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

    Notes
    -----
    V_n(k) Π_j γ^(m_j), V_n(k) = Σ_K p(K) K! / (K - k)! / (γ K)^(n), for k clusters of sizes m_j.

    Examples
    --------
    >>> prior = MixtureOfFiniteMixtures(n_components=ShiftedPoisson(mean=4.0))
    >>> round(prior.expected_clusters(100), 2)
    4.77
    """

    concentration: float | Gamma = 1.0
    n_components: ShiftedPoisson | Geometric | Sequence[float] = field(default_factory=ShiftedPoisson)
    kind: ClassVar[int] = MFM

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
