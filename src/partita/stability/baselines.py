"""Null models of the distances between items and clusters: three baselines (Koepke 2008, section 3.2.3)."""

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
"""Draws distances of items to clusters under a null model, shape (n_items, n_clusters)."""

MANY_COLUMNS = 10  # from which uniform items, their centers given, fill a box along columns
BASELINES = ("permutation", "uniform", "recluster")


@dataclass(frozen=True, eq=False)
class UniformBox:
    """Uniform distribution on the bounding box of the data, along its principal axes or its columns.

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
    def around(cls, X: FloatArray, along: str = "principal-axes") -> UniformBox:
        """The box of the data ``X``, along its ``"principal-axes"`` or its ``"columns"``."""
        mean = X.mean(axis=0)
        axes = np.eye(X.shape[1]) if along == "columns" else np.linalg.svd(X - mean, full_matrices=False)[2]
        turned = (X - mean) @ axes.T
        return cls(mean, axes, turned.min(axis=0), turned.max(axis=0), len(X))

    def sample(self, rng: np.random.Generator) -> FloatArray:
        """As many items as the data have."""
        return rng.uniform(self.low, self.high, size=(self.n_items, self.low.size)) @ self.axes + self.mean


@dataclass(frozen=True, eq=False)
class Permuted:
    """The same distances in random order, over rows and columns alike."""

    distances: FloatArray

    def __call__(self, rng: np.random.Generator) -> FloatArray:
        """One null data set."""
        values = self.distances.copy()
        shuffle(values.reshape(-1), rng)
        return values


@dataclass(frozen=True, eq=False)
class SameCenters:
    """Distances of uniform items to the centers as they are."""

    box: UniformBox
    centers: FloatArray

    @classmethod
    def around(cls, X: FloatArray, centers: FloatArray) -> SameCenters:
        """Items uniform in the box around ``X``: along principal axes, or along columns where there are many.

        The centers lie in the space of the few principal axes that separate clusters. In many dimensions the box along
        principal axes is wide in that space and thin in all others, so that uniform items are near the centers, are as
        stable as the data, and nothing is left to compare. A box along columns is wide in every direction.
        """
        return cls(UniformBox.around(X, "principal-axes" if X.shape[1] < MANY_COLUMNS else "columns"), centers)

    def __call__(self, rng: np.random.Generator) -> FloatArray:
        """One null data set."""
        return cdist(self.box.sample(rng), self.centers)


@dataclass(frozen=True, eq=False)
class Reclustered:
    """Distances of uniform items to the centers of their own clustering, by a copy of ``clusterer``."""

    box: UniformBox
    clusterer: Any

    def __call__(self, rng: np.random.Generator) -> FloatArray:
        """One null data set."""
        from sklearn.base import clone

        fresh = clone(self.clusterer)
        if "random_state" in fresh.get_params():
            fresh.set_params(random_state=int(rng.integers(2**31)))
        null = self.box.sample(rng)
        with one_openmp_thread():
            return cdist(null, fresh.fit(null).cluster_centers_)
