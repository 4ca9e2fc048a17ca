"""k-means under any Bregman divergence."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, ClusterMixin

from .._typing import IntArray, RandomState
from ..costs import Cost
from ..costs.items import BregmanItems
from .least_cost import fit_least_cost, predict_least_cost


class BregmanKMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Partition with least sum of Bregman divergences from the cluster means.

    Parameters
    ----------
    n_clusters : int
        Number of clusters; none is ever empty.
    cost : str or Cost
        ``"squared-euclidean"`` (k-means), ``"mahalanobis"``, ``"kullback-leibler"``, ``"itakura-saito"``,
        ``"logistic"`` (zeros and ones), ``"poisson-deviance"`` (counts), or a cost such as
        ``costs.Bregman(phi, gradient)``.
    n_init : int
        Searches from different seeds; the one with the least cost is kept.
    max_iter : int
        Most steps of Lloyd's algorithm in a search, and most sweeps of single moves after them.
    n_jobs : int
        Threads; -1 for all cores. The result does not depend on it.
    random_state : int, Generator or None
        Seed.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_items,)
        Cluster of each item.
    cluster_centers_ : ndarray, shape (n_clusters, n_columns)
        Mean of each cluster, shrunk where the cost says so.
    cost_ : float
        Sum of the divergences; the inertia of k-means.
    n_iter_ : int
        Steps and sweeps of the search that was kept.

    See Also
    --------
    GeneralizedBayesClustering : how sure the partition is.
    KDissimilarities : from dissimilarities.
    partita.costs.Bregman : a divergence of one's own.

    Notes
    -----
    Seeds are spread as by k-means++. Lloyd's steps [1]_ often end where moving a single item would still save cost, for
    its center would follow it: such moves come last, until none helps.

    References
    ----------
    .. [1] Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. JMLR 6, 1705-1749.

    Examples
    --------
    >>> X = [[1.0, 9.0], [2.0, 8.0], [30.0, 1.0], [29.0, 2.0]]
    >>> BregmanKMeans(n_clusters=2, cost="kullback-leibler").fit(X).labels_
    array([0, 0, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        cost: str | Cost = "squared-euclidean",
        *,
        n_init: int = 10,
        max_iter: int = 300,
        n_jobs: int = -1,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.cost = cost
        self.n_init = n_init
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> BregmanKMeans:  # noqa: ARG002
        """Find the partition; ``y`` is ignored."""
        items = fit_least_cost(self, X, BregmanItems)
        self.cluster_centers_ = items.restore(items.centers(self.labels_))
        return self

    def predict(self, X: Any) -> IntArray:
        """Cluster of the nearest center for each new row."""
        return predict_least_cost(self, X)
