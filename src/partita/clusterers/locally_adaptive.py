"""Locally adaptive clustering."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.special import softmax, xlogy
from sklearn.base import BaseEstimator, ClusterMixin

from .._typing import BoolArray, IntArray, RandomState
from .._validation import check_positive
from ._alternation import Method, Moments, State, Weighting, alternate
from ._chunklets import place_nowhere
from ._fitting import check_task, column_variance, keep_best, predict_nearest
from ._seeds import seed_centers


class LocallyAdaptiveClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Locally adaptive clustering (LAC): k-means with column weights per cluster that add up to 1.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    bandwidth : float
        How even the weights are, in units of the mean variance of columns that vary: a small one lets a cluster look at
        few columns only, a large one gives k-means.
    n_init : int
        Starts from k-means++; the best is kept.
    max_iter : int
        Most iterations per start.
    random_state : int, Generator or None
        Seed.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_points,)
        Cluster of each point.
    cluster_centers_, weights_ : ndarray, shape (n_clusters, n_columns)
        Mean of each cluster, and its weights of the columns: 0 for a column that is constant in the data.
    objective_ : float
        Sum over points of the weighted squared distance less ``bandwidth`` times the entropy of the weights.
    n_violations_ : int
        Always 0: the method takes no constraints.
    n_iter_ : int
        Iterations of the start that was kept.

    See Also
    --------
    LocallyWeightedClustering : weights whose product is 1, and pairs.
    FuzzyCMeans : soft memberships.

    Notes
    -----
    LAC: k-means in which cluster k weighs column j by a weight proportional to exp(-V_kj / h), with V_kj the mean
    squared deviation in that column.

    References
    ----------
    Domeniconi, C., Papadopoulos, D., Gunopulos, D. and Ma, S. (2004). Subspace clustering of high dimensional data.
    SDM.

    Examples
    --------
    >>> import numpy as np, partita as pt
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, (5, 0.1), (50, 2)), rng.normal(3, (0.1, 5), (50, 2))])
    >>> found = pt.LocallyAdaptiveClustering(n_clusters=2).fit(X)
    >>> found.weights_.sum(axis=1).round(6)
    array([1., 1.])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        bandwidth: float = 1.0,
        n_init: int = 1,
        max_iter: int = 300,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.bandwidth = bandwidth
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> LocallyAdaptiveClustering:  # noqa: ARG002
        """Cluster the points; ``y`` is ignored."""
        check_positive("bandwidth", self.bandwidth)
        task = check_task(self, X, None)
        variance = column_variance(task.X)
        varies = variance > 0 if variance.any() else np.ones(len(variance), bool)
        spread = float(variance[varies].mean()) or 1.0
        reweigh = partial(entropy_weights, bandwidth=self.bandwidth * spread, varies=varies)
        method = Method(task.chunklet_of, task.chunklet_of, place_nowhere, reweigh)

        def start(rng: np.random.Generator) -> State:
            centers = seed_centers(task, rng)
            return alternate(task.X, centers, method, task.max_iter)

        return keep_best(self, task, start)

    def predict(self, X: Any) -> IntArray:
        """Cluster of the nearest center, as its cluster weighs the columns, for each new point."""
        return predict_nearest(self, X)


def entropy_weights(moments: Moments, bandwidth: float, varies: BoolArray) -> Weighting:
    """Weights with sum 1 that make the scatter less ``bandwidth`` per point times their entropy least."""
    mean_scatter = moments.scatter / np.maximum(moments.counts, 1)[:, np.newaxis]
    weights = softmax(np.where(varies, -mean_scatter / bandwidth, -np.inf), axis=1)
    objective = moments.counts @ (weights * mean_scatter + bandwidth * xlogy(weights, weights)).sum(axis=1)
    return Weighting(weights, np.zeros(len(weights)), float(objective))
