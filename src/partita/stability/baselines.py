"""What distances look like when there are no clusters: three nulls (Koepke 2008, section 3.2.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from .._kernels._shuffle import shuffle
from .._typing import FloatArray
from .openmp import one_openmp_thread

Baseline = Callable[[np.random.Generator], FloatArray]
"""Distances of items to clusters under a null, shape (n_items, n_clusters)."""

BASELINES = ("permutation", "uniform", "recluster")


@dataclass(frozen=True, eq=False)
class UniformBox:
    """Items spread evenly over the box that encloses the data along its principal axes.

    Examples
    --------
    >>> box = UniformBox.around(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))
    >>> box.sample(np.random.default_rng(0)).shape
    (3, 2)
    """

    mean: FloatArray
    axes: FloatArray
    low: FloatArray
    high: FloatArray
    n_items: int

    @classmethod
    def around(cls, X: FloatArray) -> UniformBox:
        """The box of the data ``X``."""
        mean = X.mean(axis=0)
        axes = np.linalg.svd(X - mean, full_matrices=False)[2]
        turned = (X - mean) @ axes.T
        return cls(mean, axes, turned.min(axis=0), turned.max(axis=0), len(X))

    def sample(self, rng: np.random.Generator) -> FloatArray:
        """As many items as the data had."""
        return rng.uniform(self.low, self.high, size=(self.n_items, self.low.size)) @ self.axes + self.mean


def permuted(distances: FloatArray) -> Baseline:
    """The same distances in random order, over rows and columns alike."""

    def sample(rng: np.random.Generator) -> FloatArray:
        values = distances.copy()
        shuffle(values.reshape(-1), rng)
        return values

    return sample


def same_centers(X: FloatArray, centers: FloatArray) -> Baseline:
    """Uniform items and the centres as they are."""
    box = UniformBox.around(X)
    return lambda rng: cdist(box.sample(rng), centers)


def reclustered(X: FloatArray, clusterer: Any) -> Baseline:
    """Uniform items, clustered again with a copy of ``clusterer``."""
    from sklearn.base import clone

    box = UniformBox.around(X)

    def sample(rng: np.random.Generator) -> FloatArray:
        fresh = clone(clusterer)
        if "random_state" in fresh.get_params():
            fresh.set_params(random_state=int(rng.integers(2**31)))
        null = box.sample(rng)
        with one_openmp_thread():
            return cdist(null, fresh.fit(null).cluster_centers_)

    return sample
