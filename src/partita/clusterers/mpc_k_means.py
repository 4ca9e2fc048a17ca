"""MPCK-Means: k-means with learned metrics and penalties for violated constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from .._kernels.clusterers.icm import icm
from .._typing import FloatArray, IntArray, RandomState
from .._validation import check_positive
from ..constraints import Constraints
from ._alternation import Method, Moments, State, Weighting, alternate
from ._chunklets import FREE
from ._fitting import check_task, column_variance, keep_best, predict_nearest
from ._seeds import seed_centers

LEAST_SPREAD = 1e-2  # of a column's variance: the least a cluster is taken to have, or a single point would be one
MOST_SWEEPS = 20
MOST_ENTAILED = 4_000_000  # pairs times columns; where hard pairs settle more, only those given are penalized


class MPCKMeans(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """k-means with a diagonal metric per cluster and penalties for violated constraints (MPCK-Means).

    Breaking a must-link costs the more the farther apart the two points are, breaking a cannot-link the more the nearer
    they are, as the clusters weigh the columns. Pairs are requests here, hard ones too: ``n_violations_`` counts those
    that were not granted. Pairs that follow from hard ones are requested too.

    Parameters
    ----------
    n_clusters : int
        Number of clusters.
    violation_penalty : float
        Weight of a violated hard pair, in units of squared distance; that of a soft pair is its own log odds.
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
        Mean of each cluster, and its weights of the columns: the diagonal of its metric.
    objective_ : float
        Weighted squared distances to the centers, less the log determinants of the metrics, plus the penalties of the
        violated pairs.
    n_violations_ : int
        Pairs that the labels break.
    n_iter_ : int
        Iterations of the start that was kept.

    See Also
    --------
    COPKMeans : pairs are never broken.
    LocallyWeightedClustering : columns weighed by each cluster.
    Constraints : the pairs.

    Notes
    -----
    MPCK-Means: points are placed one by one by iterated conditional modes (ICM), then means and diagonal metrics are
    updated in closed form.

    References
    ----------
    Bilenko, M., Basu, S. and Mooney, R. J. (2004). Integrating constraints and metric learning in semi-supervised
    clustering. ICML.

    Examples
    --------
    >>> import numpy as np, partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=100)
    >>> known = pt.sample_constraints(truth, n_pairs=40)
    >>> pt.MPCKMeans(n_clusters=4).fit(X, constraints=known).n_violations_ <= 4
    True
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        violation_penalty: float = 1.0,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.violation_penalty = violation_penalty
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, constraints: Constraints | None = None) -> MPCKMeans:  # noqa: ARG002
        """Cluster the points; ``y`` is ignored."""
        check_positive("violation_penalty", self.violation_penalty)
        task = check_task(self, X, constraints, allow_soft=True)
        pairs = _find_pairs(task.X, task.constraints, float(self.violation_penalty))

        def start(rng: np.random.Generator) -> State:
            centers = seed_centers(task, rng)
            penalties = _PairPenalties(task.X, pairs, task.n_clusters, rng)
            method = Method(pairs.points, pairs.points, penalties.place, penalties.reweigh)
            return alternate(task.X, centers, method, task.max_iter)

        return keep_best(self, task, start)

    def predict(self, X: Any) -> IntArray:
        """Cluster of the nearest center, as its cluster weighs the columns, for each new point."""
        return predict_nearest(self, X)


@dataclass(frozen=True)
class _Pairs:
    """Constrained pairs, as a graph on the points that are in any."""

    points: IntArray  # (n_points,) new number of each point, -1 where it is in no pair
    ends: IntArray  # (n_pairs, 2) original numbers
    squares: FloatArray  # (n_pairs, n_columns) squared differences
    must: Any  # (n_pairs,) bool
    weights: FloatArray  # (n_pairs,) penalty per unit of squared distance
    bounds: IntArray  # graph of the points, by new numbers
    others: IntArray
    edges: IntArray  # pair of each edge


def _find_pairs(X: FloatArray, constraints: Constraints, penalty: float) -> _Pairs:
    ends, must, weights = _requests(constraints, penalty, n_columns=X.shape[1])
    known, inverse = np.unique(ends, return_inverse=True)
    points = np.full(len(X), FREE)
    points[known] = np.arange(len(known))
    numbered = inverse.reshape(-1, 2)
    one_way, edges = np.concatenate([numbered, numbered[:, ::-1]]), np.tile(np.arange(len(ends)), 2)
    order = np.argsort(one_way[:, 0], kind="stable")
    bounds = np.searchsorted(one_way[order, 0], np.arange(len(known) + 1))
    squares = (X[ends[:, 0]] - X[ends[:, 1]]) ** 2
    return _Pairs(points, ends, squares, must, weights, bounds, one_way[order, 1], edges[order])


def _requests(constraints: Constraints, penalty: float, n_columns: int) -> tuple[IntArray, Any, FloatArray]:
    """Hard pairs with all that follow from them, and soft pairs: ends, whether must-links, penalty weights."""
    soft = np.isfinite(constraints.must_link_weights), np.isfinite(constraints.cannot_link_weights)
    hard = constraints.must_link[~soft[0]], constraints.cannot_link[~soft[1]]
    if constraints.n_entailed * n_columns <= MOST_ENTAILED:
        closure = constraints.closure()
        hard = closure.must_link, closure.cannot_link
    parts = hard[0], constraints.must_link[soft[0]], hard[1], constraints.cannot_link[soft[1]]
    sizes = [len(part) for part in parts]
    weights = np.full(sum(sizes), penalty)
    log_odds = constraints.must_link_weights[soft[0]], constraints.cannot_link_weights[soft[1]]
    weights[np.repeat([False, True, False, True], sizes)] = np.concatenate(log_odds)
    return np.concatenate(parts), np.repeat([True, True, False, False], sizes), weights


class _PairPenalties:
    """Penalties of the pairs in one start, given the labels of their points and the metrics of the clusters."""

    def __init__(self, X: FloatArray, pairs: _Pairs, n_clusters: int, rng: np.random.Generator) -> None:
        self.pairs, self.known, self.variance = pairs, X[pairs.points >= 0], column_variance(X)
        self.order, self.labels = rng.permutation(len(self.known)), np.full(len(self.known), -1)
        self._set_metrics(np.ones((n_clusters, X.shape[1])))

    def _set_metrics(self, weights: FloatArray) -> None:
        """Penalty of each pair in each cluster: its distance for must-links, the farthest less its own for others."""
        must, distances = self.pairs.must[:, np.newaxis], self.pairs.squares @ weights.T
        self.far = np.array([_farthest_pair(self.known, w) for w in weights])
        lacking = np.maximum((self.far * weights).sum(axis=1) - distances, 0.0)
        self.penalties = self.pairs.weights[:, np.newaxis] * np.where(must, distances, lacking)

    def place(self, costs: FloatArray) -> tuple[IntArray, int]:
        """Cluster of each point that is in a pair, given the others (iterated conditional modes)."""
        pairs = self.pairs
        graph = pairs.bounds, pairs.others, pairs.edges, pairs.must
        icm(self.order, costs, self.penalties, *graph, self.labels, MOST_SWEEPS)
        return self.labels.copy(), 0

    def reweigh(self, moments: Moments) -> Weighting:
        """Diagonal metrics: inverse spread of each cluster in each column, violated pairs counting as spread."""
        broken, pairs = self._broken(moments.labels, len(moments.counts)), self.pairs
        paid = broken * pairs.weights
        spread = moments.scatter + np.where(pairs.must, paid, -paid) @ pairs.squares
        spread += (paid @ ~pairs.must)[:, np.newaxis] * self.far
        spread /= np.maximum(moments.counts, 1)[:, np.newaxis]
        spread[moments.counts == 0] = self.variance
        spread = np.where(self.variance > 0, np.maximum(spread, LEAST_SPREAD * self.variance), 1.0)
        self._set_metrics(1 / spread)
        offsets = np.log(spread).sum(axis=1)
        objective = (moments.scatter / spread).sum() + moments.counts @ offsets + (broken * self.penalties.T).sum()
        return Weighting(1 / spread, offsets, float(objective))

    def _broken(self, labels: IntArray, n_clusters: int) -> FloatArray:
        """Half of each broken pair to the cluster of each of its ends, shape (n_clusters, n_pairs)."""
        ends = labels[self.pairs.ends]
        broken = (ends[:, 0] == ends[:, 1]) != self.pairs.must
        share = np.zeros((n_clusters, len(ends)))
        for side in (0, 1):
            share[ends[:, side], np.arange(len(ends))] += broken / 2
        return share


def _farthest_pair(points: FloatArray, weights: FloatArray) -> FloatArray:
    """Squared differences, column by column, of two points far apart, found by three farthest-point steps."""
    squares, at = np.zeros(len(weights)), points[:1]
    for _ in range(3 if len(points) else 0):
        away = (points - at) ** 2
        farthest = (away @ weights).argmax()
        squares, at = away[farthest], points[farthest]
    return squares
