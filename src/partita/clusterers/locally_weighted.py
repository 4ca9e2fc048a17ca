"""Locally weighted clustering, unconstrained (LWC) and under constraints (CLWC)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from .._kernels.clusterers.chunklets import place_chunklets, swap_chains
from .._kernels.constraints.chunklets import Chunklets
from .._typing import FloatArray, IntArray, RandomState
from ..constraints import Constraints
from ._alternation import Method, Moments, State, Weighting, alternate
from ._chunklets import order_by_size
from ._fitting import Task, check_task, column_variance, keep_best, predict_nearest
from ._seeds import seed_centers

FLOOR = 1e-8  # of a column's sum of squares: the least that a cluster is taken to have


class LocallyWeightedClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Locally weighted clustering: k-means with column weights per cluster of product 1, under constraints (LWC, CLWC).

    A cluster gives a column the more weight the less its points differ there; its weights have product 1 (LWC).
    With constraints (CLWC), chunklets are placed as wholes: the largest first, each together with its largest
    neighbor not yet placed, where those placed before leave room.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    swap_chains : bool
        After chunklets are placed, swap pairs of clusters along chains of cannot-links wherever that lowers the
        objective. With two clusters the placement is then the best there is. False gives the method as published, which
        breaks constraints where it has run into a corner.
    n_init : int
        Starts, from the means of large chunklets that must be apart and from k-means++; the best is kept.
    max_iter : int
        Most iterations per start.
    random_state : int, Generator or None
        Seed.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_points,)
        Cluster of each point.
    cluster_centers_, weights_ : ndarray, shape (n_clusters, n_columns)
        Mean of each cluster, and its weights of the columns. A column that is constant in the data has weight 1.
    objective_ : float
        Sum of weighted squared distances to the centers.
    n_violations_ : int
        Pairs that the labels break.
    n_iter_ : int
        Iterations of the start that was kept.

    See Also
    --------
    LocallyAdaptiveClustering : weights that add up to 1.
    COPKMeans : constrained k-means.
    Constraints : the pairs.

    Notes
    -----
    Columns in which the points of a cluster agree would get infinite weight; their sum of squares is taken to be at
    least 1e-8 of that of the whole column. Placing chunklets greedily can raise the objective from one iteration to the
    next, so the best state on the way is kept. An empty cluster starts again where a point is worst off.

    References
    ----------
    Cheng, H., Hua, K. A. and Vu, K. (2008). Constrained locally weighted clustering. PVLDB 1.

    Examples
    --------
    >>> import numpy as np, partita as pt
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, (5, 0.1), (50, 2)), rng.normal(1, (0.1, 5), (50, 2))])
    >>> known = pt.Constraints(must_link=[(0, 1)], cannot_link=[(0, 99)], n_items=100)
    >>> found = pt.LocallyWeightedClustering(n_clusters=2).fit(X, constraints=known)
    >>> found.weights_.argmax(axis=1)[found.labels_[[0, 99]]]
    array([1, 0])
    >>> found.n_violations_
    0
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        swap_chains: bool = True,
        n_init: int = 1,
        max_iter: int = 300,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.swap_chains = swap_chains
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> LocallyWeightedClustering:  # noqa: ARG002
        """Cluster the points; ``y`` is ignored."""
        task = check_task(self, X, constraints)
        chunklets, floor = task.chunklets, FLOOR * column_variance(task.X) * len(task.X)
        first = _without_conflict(task) if self.swap_chains else None
        reweigh = partial(product_weights, floor=floor)

        def start(rng: np.random.Generator) -> State:
            centers, turns = seed_centers(task, rng), order_by_size(chunklets, rng)
            place = partial(_place, turns=turns, chunklets=chunklets, first=first, swap=self.swap_chains)
            return alternate(task.X, centers, Method(task.chunklet_of, task.chunklet_of, place, reweigh), task.max_iter)

        return keep_best(self, task, start)

    def predict(self, X: Any) -> IntArray:
        """Cluster of the nearest center, as its cluster weighs the columns, for each new point."""
        return predict_nearest(self, X)


def _place(
    costs: FloatArray, turns: IntArray, chunklets: Chunklets, first: IntArray | None, swap: bool
) -> tuple[IntArray, int]:
    """Cluster of each chunklet, and how many turns met a conflict."""
    labels, graph = np.empty(len(costs), np.int64), (chunklets.neighbor_start, chunklets.neighbor)
    n_conflicts = place_chunklets(turns, costs, *graph, labels)
    if n_conflicts and first is not None:
        labels, n_conflicts = first.copy(), 0
    if swap:
        swap_chains(costs, *graph, labels)
    return labels, n_conflicts


def _without_conflict(task: Task) -> IntArray | None:
    """A cluster for each chunklet that satisfies the cannot-links, where one is known."""
    coloring = task.constraints.feasible_coloring[task.constraints.chunklets]
    first = coloring[task.chunklets.items[task.chunklets.start[:-1]]]
    return first if first.max(initial=0) < task.n_clusters else None


def product_weights(moments: Moments, floor: FloatArray) -> Weighting:
    """Weights with product 1 that make the weighted scatter least (equation 4), in logarithms."""
    scatter, varies = moments.scatter, floor > 0
    log_scatter, weights = np.log(np.maximum(scatter[:, varies], floor[varies])), np.ones(scatter.shape)
    if varies.any():
        weights[:, varies] = np.exp(log_scatter.mean(axis=1, keepdims=True) - log_scatter)
    return Weighting(weights, np.zeros(len(scatter)), float((weights * scatter).sum()))
