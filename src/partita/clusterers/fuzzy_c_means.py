"""Fuzzy c-means clustering."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin

from .._kernels.clusterers.fuzzy_c_means import N_SCRATCH, fuzzy_means
from .._typing import RandomState
from .._validation import check_count, check_number, check_numbers, check_rng, check_squares


class FuzzyCMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Fuzzy c-means: a degree of membership of every point in every cluster.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    fuzziness : float
        Exponent of the memberships, greater than 1. Near 1 the result is that of k-means.
    n_init : int
        Starts from random points; the one with the least objective is kept.
    max_iter : int
        Most iterations per start.
    tol : float
        A start ends when no center moves by more than this share of the data's largest standard deviation.
    random_state : int, Generator or None
        Seed.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_points,)
        Cluster to which each point belongs most.
    memberships_ : ndarray, shape (n_points, n_clusters)
        Degrees, which sum to one over the clusters.
    cluster_centers_ : ndarray, shape (n_clusters, d)
        Means weighted by powers of the memberships.
    objective_ : float
        Sum of squared distances to the centers weighted by powers of the memberships.
    n_iter_ : int
        Iterations of the start that was kept.

    See Also
    --------
    GeneralizedBayesClustering : memberships as probabilities.
    LocallyAdaptiveClustering : weights on columns.

    Notes
    -----
    Fuzzy c-means: memberships and weighted means are updated in turn until memberships settle.

    References
    ----------
    Bezdek, J. C. (1981). Pattern Recognition with Fuzzy Objective Function Algorithms.

    Examples
    --------
    >>> X = [[0.0], [0.2], [5.0], [5.2]]
    >>> FuzzyCMeans(n_clusters=2).fit(X).cluster_centers_.round(2).ravel()
    array([0.1, 5.1])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        fuzziness: float = 2.0,
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 1e-5,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.fuzziness = fuzziness
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> FuzzyCMeans:  # noqa: ARG002
        """Cluster the points; ``y`` is ignored."""
        points = check_numbers("X", X)
        n_clusters = check_count("n_clusters", self.n_clusters)
        if points.ndim != 2 or len(points) < n_clusters or points.shape[1] == 0:
            raise ValueError(f"X must hold at least n_clusters = {n_clusters} points: got shape {points.shape}.")
        if not np.isfinite(points).all():
            raise ValueError("X must be finite: got nan or inf.")
        check_squares(points)
        check_number("fuzziness", self.fuzziness, "be greater than 1", lambda value: value > 1)
        check_number("tol", self.tol, "be a number that is not negative", lambda value: value >= 0)
        rng = check_rng(self.random_state)
        scale = self.tol * points.std(axis=0).max()
        starts = [self._from_random_points(points, scale, rng) for _ in range(check_count("n_init", self.n_init))]
        self.objective_, self.n_iter_, self.cluster_centers_, self.memberships_ = min(starts, key=lambda s: s[0])
        self.labels_ = self.memberships_.argmax(axis=1)
        return self

    def _from_random_points(self, points: Any, tolerance: float, rng: np.random.Generator) -> tuple[Any, ...]:
        centers = points[rng.choice(len(points), self.n_clusters, replace=False)]
        memberships = np.empty((len(points), self.n_clusters))
        scratch = np.empty((self.n_clusters, N_SCRATCH + points.shape[1]))
        most = check_count("max_iter", self.max_iter)
        objective, n_iter = fuzzy_means(points, centers, float(self.fuzziness), tolerance, most, memberships, scratch)
        return objective, n_iter, centers, memberships
