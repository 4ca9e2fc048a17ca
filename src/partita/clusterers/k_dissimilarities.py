"""K-dissimilarities: the least average dissimilarity inside clusters."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, ClusterMixin

from .._typing import IntArray, RandomState
from ..costs import Cost, Precomputed
from ..costs.items import PairwiseItems
from .least_cost import find_medoids, fit_least_cost, predict_least_cost


class KDissimilarities(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Partition with least sum, over clusters, of the average dissimilarity inside.

    Parameters
    ----------
    n_clusters : int
        Number of clusters; none is ever empty.
    cost : str or Cost
        ``"manhattan"``, ``"euclidean"``, ``"precomputed"`` (``X`` is then a matrix of dissimilarities), or a cost such
        as ``costs.Minkowski(p=1.5)`` or ``costs.Dissimilarity(function)``.
    n_init : int
        Searches from different seeds; the one with the least cost is kept.
    max_iter : int
        Most sweeps over the items in a search.
    n_jobs : int
        Threads; -1 for all cores. The result does not depend on it.
    random_state : int, Generator or None
        Seed.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_items,)
        Cluster of each item.
    medoids_ : ndarray of int64, shape (n_clusters,)
        Item of each cluster with least dissimilarity to the others.
    cost_ : float
        Sum over clusters of the dissimilarities of all pairs inside, divided by the cluster's size.
    n_iter_ : int
        Sweeps of the search that was kept.

    See Also
    --------
    GeneralizedBayesClustering : how sure the partition is.
    BregmanKMeans : from divergences to a mean.

    Notes
    -----
    Each item in turn goes where it adds least to the cost, until none wants to move: the algorithm of Rigon, Herring
    and Dunson [1]_. The cost never increases.

    References
    ----------
    .. [1] Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
       559-578.

    Examples
    --------
    >>> X = [[0.0], [1.0], [20.0], [21.0], [500.0]]
    >>> KDissimilarities(n_clusters=3).fit(X).labels_
    array([0, 0, 1, 1, 2])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        cost: str | Cost = "manhattan",
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.cost == "precomputed" or isinstance(self.cost, Precomputed)
        return tags

    def fit(self, X: Any, y: Any = None) -> KDissimilarities:  # noqa: ARG002
        """Find the partition; ``y`` is ignored."""
        items = fit_least_cost(self, X, PairwiseItems)
        self.medoids_ = find_medoids(items, self.labels_)
        return self

    def predict(self, X: Any) -> IntArray:
        """The cluster to whose cost each new row would add least.

        With ``cost="precomputed"`` rows hold the dissimilarities to the items of ``fit``.
        """
        return predict_least_cost(self, X)
