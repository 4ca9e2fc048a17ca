"""Locality preserving projection: a linear Laplacian eigenmap."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.neighbors import kneighbors_graph
from sklearn.utils.validation import check_is_fitted

from .._typing import FloatArray
from .._validation import check_count
from ._points import read_points

NEGLIGIBLE = 1e-10  # of the largest variance: directions that say nothing


class LocalityPreservingProjection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Locality preserving projection: linear directions along which nearest neighbors stay close.

    In a pipeline before k-means it gives clusters in the space of a graph of neighbors.

    Parameters
    ----------
    n_components : int
        Number of directions; fewer are returned where the data span fewer.
    n_neighbors : int
        Neighbors of each point in the graph; all other points where there are not as many.

    Attributes
    ----------
    components_ : ndarray, shape (n_components, n_columns)
        The directions, those that keep neighbors nearest first.
    mean_ : ndarray, shape (n_columns,)
        Mean of the points, each weighted by how many neighbors it has.

    See Also
    --------
    LocallyWeightedClustering : weighs columns instead.

    Notes
    -----
    The generalized eigenproblem Xᵀ L X a = λ Xᵀ D X a, with L the Laplacian and D the degrees of a graph of nearest
    neighbors.

    References
    ----------
    He, X. and Niyogi, P. (2003). Locality preserving projections. NIPS.

    Examples
    --------
    >>> import partita as pt
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.pipeline import make_pipeline
    >>> X, truth = pt.datasets.make_quadrants(n_items=100)
    >>> space = pt.LocalityPreservingProjection(n_components=2)
    >>> make_pipeline(space, KMeans(n_clusters=4, n_init=10, random_state=0)).fit_predict(X).shape
    (100,)
    """

    def __init__(self, n_components: int = 2, *, n_neighbors: int = 5) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors

    def fit(self, X: Any, y: Any = None) -> LocalityPreservingProjection:  # noqa: ARG002
        """Find the directions; ``y`` is ignored."""
        n_components = check_count("n_components", self.n_components)
        n_neighbors = check_count("n_neighbors", self.n_neighbors)
        points = read_points(self, X, ensure_min_samples=2)
        near = kneighbors_graph(points, min(n_neighbors, len(points) - 1))
        near = near.maximum(near.T)
        degrees = np.asarray(near.sum(axis=1)).ravel()
        self.mean_ = degrees @ points / degrees.sum()
        away = points - self.mean_
        total = away.T @ (degrees[:, np.newaxis] * away)
        # Where some column is a combination of others, look only in the space that the points span.
        variances, span = np.linalg.eigh(total)
        span = span[:, variances > NEGLIGIBLE * max(variances[-1], np.finfo(float).tiny)]
        flat = away @ span
        kept = min(n_components, span.shape[1])
        within = flat.T @ (degrees[:, np.newaxis] * flat - near @ flat)
        directions = eigh(within, flat.T @ (degrees[:, np.newaxis] * flat), subset_by_index=[0, kept - 1])[1]
        self.components_ = (span @ directions).T
        self._n_features_out = kept
        return self

    def transform(self, X: Any) -> FloatArray:
        """The points along those directions."""
        check_is_fitted(self)
        points = read_points(self, X, reset=False)
        return (points - self.mean_) @ self.components_.T
