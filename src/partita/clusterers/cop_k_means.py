"""COP-KMeans: k-means under hard constraints."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from .._kernels.clusterers.chunklets import place_chunklets
from .._kernels.constraints.chunklets import Chunklets
from .._typing import FloatArray, IntArray, RandomState
from ..constraints import Constraints
from ._alternation import Method, Moments, State, Weighting, alternate
from ._chunklets import FREE, SILENT
from ._fitting import check_task, keep_best, predict_nearest
from ._seeds import plus_plus


class COPKMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """k-means under hard constraints: each point goes to the nearest cluster that violates none (COP-KMeans).

    Points are placed in random order; those that must be with a point placed before follow it. Where a point finds
    every cluster closed, another start is tried.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    n_init : int
        Starts from k-means++, each with an order of its own; the best that breaks no pair is kept.
    max_iter : int
        Most iterations per start.
    random_state : int, Generator or None
        Seed.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_points,)
        Cluster of each point.
    cluster_centers_ : ndarray, shape (n_clusters, n_columns)
        Mean of each cluster.
    weights_ : ndarray, shape (n_clusters, n_columns)
        Ones: the distance is Euclidean.
    objective_ : float
        Sum of squared distances to the centers.
    n_violations_ : int
        Always 0.
    n_iter_ : int
        Iterations of the start that was kept.

    Raises
    ------
    ValueError
        If no start could place every point.

    See Also
    --------
    MPCKMeans : pairs that can be broken.
    LocallyWeightedClustering : columns weighed by each cluster.
    Constraints : the pairs.

    Notes
    -----
    COP-KMeans: Lloyd's iterations in which a point, visited in random order, goes to the nearest cluster that breaks
    no pair.

    References
    ----------
    Wagstaff, K., Cardie, C., Rogers, S. and Schroedl, S. (2001). Constrained k-means clustering with background
    knowledge. ICML.

    Examples
    --------
    >>> import partita as pt
    >>> known = pt.Constraints(cannot_link=[(0, 1)], n_items=4)
    >>> pt.COPKMeans(n_clusters=2).fit_predict([[0.0], [0.1], [5.0], [5.1]], constraints=known).tolist()
    [0, 1, 1, 1]
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> COPKMeans:  # noqa: ARG002
        """Cluster the points; ``y`` is ignored."""
        task = check_task(self, X, constraints)

        def start(rng: np.random.Generator) -> State:
            turns, voices = _order_by_point(task.chunklet_of, rng)
            centers = plus_plus(task.X, task.n_clusters, [], rng)
            place = partial(_place, turns=turns, chunklets=task.chunklets)
            return alternate(task.X, centers, Method(task.chunklet_of, voices, place, even_weights), task.max_iter)

        keep_best(self, task, start)
        if self.n_violations_:
            why = f"got one that had none in each of {self.n_init} starts"
            help_ = "LocallyWeightedClustering does not give up."
            raise ValueError(f"constraints must leave a cluster for every point, placed in turn: {why}. {help_}")
        return self

    def predict(self, X: Any) -> IntArray:
        """Cluster of the nearest center for each new point."""
        return predict_nearest(self, X)


def _order_by_point(chunklet: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Order of placement: chunklets by their first point in a random permutation, whose distances alone decide."""
    order = rng.permutation(len(chunklet))
    order = order[chunklet[order] >= 0]
    turns, first = np.unique(chunklet[order], return_index=True)
    voices = np.where(chunklet >= 0, SILENT, FREE)
    voices[order[first]] = turns
    turns = turns[np.argsort(first)]
    return np.column_stack([turns, np.full(len(turns), -1)]), voices


def _place(costs: FloatArray, turns: IntArray, chunklets: Chunklets) -> tuple[IntArray, int]:
    labels = np.empty(len(costs), np.int64)
    return labels, place_chunklets(turns, costs, chunklets.neighbor_start, chunklets.neighbor, labels)


def even_weights(moments: Moments) -> Weighting:
    """Equal weights: those of k-means."""
    shape = moments.scatter.shape
    return Weighting(np.ones(shape), np.zeros(shape[0]), float(moments.scatter.sum()))
