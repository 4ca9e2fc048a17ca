"""Priors on partitions.

Each knows the probability of any partition, the weights by which an item joins a cluster or opens one, how many
clusters to expect, and how to draw from itself. Each is exchangeable: only cluster sizes matter.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.priors.eppf import log_size_probability, log_weight_existing, log_weight_new, sample_urn
from .._typing import FloatArray, IntArray, RandomState
from .._validation import check_count, check_labels, check_number, check_rng, shorten
from .hyperpriors import Gamma


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
        log_weight_existing(self.kind, x, self.parameter, log_join)
        log_weight_new(self.kind, x, self.parameter, self.log_components(n_items), n_items, log_new)
        return log_join, log_new

    def expected_clusters(self, n_items: int) -> float:
        """Prior mean of the number of clusters among ``n_items`` items."""
        n_items = check_count("n_items", n_items)
        if isinstance(self.concentration, Gamma):
            return math.exp(self.concentration.log_average(lambda x: math.log(self._mean_clusters(n_items, x))))
        return self._mean_clusters(n_items, self.concentration)

    def n_clusters_pmf(self, n_items: int) -> FloatArray:
        """Prior distribution of the number of clusters among ``n_items`` items.

        Parameters
        ----------
        n_items : int
            Number of items.

        Returns
        -------
        pmf : ndarray of float, shape (n_items + 1,)
            Entry k is the probability of k clusters. A gamma prior on the concentration is integrated over.

        Notes
        -----
        Added up item by item: whether the next item opens a cluster depends on the number of items and clusters alone,
        given the number of components where that is random.
        """
        n_items = check_count("n_items", n_items)
        if not isinstance(self.concentration, Gamma):
            return self._pmf(n_items, np.array([self.concentration]))[0]
        nodes, weights = self.concentration.nodes()
        return np.asarray(weights @ self._pmf(n_items, nodes))

    def sample(self, n_items: int, random_state: RandomState = 0) -> IntArray:
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

    def _pmf(self, n_items: int, concentration: FloatArray) -> FloatArray:
        """Distribution of the number of clusters for each concentration, one per row."""
        raise NotImplementedError


def check_prior(prior: object) -> PartitionPrior:
    """A prior on partitions."""
    if not isinstance(prior, PartitionPrior):
        raise TypeError(f"prior must be a prior on partitions, such as DirichletProcess(): got {shorten(prior)}.")
    return prior
