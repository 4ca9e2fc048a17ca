"""One data set clustered into k clusters by any clusterer."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from .._typing import FloatArray, IntArray
from ..stability.openmp import one_openmp_thread


class Clustering(NamedTuple):
    """Labels 0, 1, ... and the mean of each cluster."""

    labels: IntArray
    centers: FloatArray

    def distances(self, X: FloatArray) -> FloatArray:
        """Distance of each row of ``X`` to each center."""
        return cdist(X, self.centers)

    def within(self, X: FloatArray) -> float:
        """Logarithm of the sum of squared distances to the own center."""
        return float(np.log(max(((X - self.centers[self.labels]) ** 2).sum(), np.finfo(float).tiny)))


def cluster(X: FloatArray, n_clusters: int, clusterer: Any, seed: int) -> Clustering:
    """Cluster ``X`` with a fresh copy; in one cluster no clusterer is asked."""
    if n_clusters == 1:
        return Clustering(np.zeros(len(X), np.int64), X.mean(axis=0, keepdims=True))
    with one_openmp_thread():
        found = np.asarray(_fresh(clusterer, n_clusters, seed).fit_predict(X))
    if found.min() < 0:
        raise ValueError(f"clusterer must assign every item: got label {found.min()} with {n_clusters} clusters.")
    names, labels = np.unique(found, return_inverse=True)
    centers = np.zeros((names.size, X.shape[1]))
    np.add.at(centers, labels, X)
    return Clustering(labels, centers / np.bincount(labels)[:, None])


def check_clusterer(clusterer: Any) -> Any:
    """A scikit-learn clusterer with ``n_clusters``, or a function of the number of clusters; k-means when None."""
    if clusterer is None:
        from sklearn.cluster import KMeans

        return KMeans(n_init=10)
    takes_number = hasattr(clusterer, "get_params") and "n_clusters" in clusterer.get_params()
    if takes_number or (callable(clusterer) and not hasattr(clusterer, "fit_predict")):
        return clusterer
    raise ValueError(
        f"clusterer must have fit_predict and a parameter n_clusters: got {clusterer!r}. "
        "A function that takes the number of clusters and returns a clusterer will do."
    )


def _fresh(clusterer: Any, n_clusters: int, seed: int) -> Any:
    from sklearn.base import clone

    fresh = clone(clusterer).set_params(n_clusters=n_clusters) if hasattr(clusterer, "fit") else clusterer(n_clusters)
    if hasattr(fresh, "get_params") and "random_state" in fresh.get_params():
        fresh.set_params(random_state=seed)
    return fresh
