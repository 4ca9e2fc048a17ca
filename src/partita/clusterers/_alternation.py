"""Alternating minimization over labels, centers and column weights from one start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .._kernels.clusterers.weighted_means import add_moments, nearest_clusters
from .._typing import FloatArray, IntArray


class Moments(NamedTuple):
    """Sufficient statistics of the clusters: counts, centers and scatter."""

    labels: IntArray  # (n_points,)
    counts: IntArray  # (n_clusters,)
    centers: FloatArray  # (n_clusters, n_columns)
    scatter: FloatArray  # (n_clusters, n_columns) sums of squares about the centers


class Weighting(NamedTuple):
    """Column weights and offset of each cluster, and the objective they give."""

    weights: FloatArray  # (n_clusters, n_columns)
    offsets: FloatArray  # (n_clusters,) added to the weighted squared distance of every point
    objective: float


@dataclass(frozen=True)
class Method:
    """The steps in which the methods differ: how chunklets are placed, and how columns are weighed."""

    chunklet: IntArray  # (n_points,) which points are placed as one, -1 where a point is placed alone
    voices: IntArray  # the same, but -2 where a point has no say in where its chunklet goes
    # From the costs of chunklets in clusters, (n_chunklets, n_clusters), to their clusters and how many met a conflict.
    place: Callable[[FloatArray], tuple[IntArray, int]]
    reweigh: Callable[[Moments], Weighting]


@dataclass(frozen=True)
class State:
    """One iterate of the alternation."""

    moments: Moments
    weighting: Weighting
    n_conflicts: int
    n_iter: int

    @property
    def rank(self) -> tuple[int, float]:
        """Less is better: conflicts first, then the objective."""
        return self.n_conflicts, self.weighting.objective


def alternate(X: FloatArray, centers: FloatArray, method: Method, max_iter: int) -> State:
    """Best iterate on the way from ``centers`` to labels that no longer change, or to an iterate seen before.

    Placing chunklets greedily can raise the objective, so the last state need not be the best one.
    """
    bound = np.flatnonzero(method.chunklet >= 0)
    labels, costs = np.full(len(X), -1), np.empty((method.chunklet.max(initial=-1) + 1, len(centers)))
    weighting, ranks, best = Weighting(np.ones(centers.shape), np.zeros(len(centers)), np.inf), set(), None
    for n_iter in range(1, max_iter + 1):
        before = labels.copy()
        worst = nearest_clusters(X, centers, weighting.weights, weighting.offsets, method.voices, labels, costs)
        placed, n_conflicts = method.place(costs)
        labels[bound] = placed[method.chunklet[bound]]
        if np.array_equal(labels, before):
            break
        moments = find_moments(X, labels, centers)
        weighting = method.reweigh(moments)
        state = State(moments._replace(labels=labels.copy()), weighting, n_conflicts, n_iter)
        best = state if best is None or state.rank < best.rank else best
        if state.rank in ranks:
            break
        ranks.add(state.rank)
        centers = moments.centers.copy()
        if not moments.counts.all():
            placed_costs = costs[np.arange(len(costs)), placed]
            centers[moments.counts.argmin()] = _worst_off(X, method.chunklet, placed_costs, *worst)
    assert best is not None
    return replace(best, n_iter=n_iter)


def find_moments(X: FloatArray, labels: IntArray, origins: FloatArray) -> Moments:
    """Size, mean and scatter of each cluster; an empty one keeps its origin for a mean.

    Differences are taken from origins near the means, so that little is lost when the means' squares are subtracted.
    """
    counts, sums, squares = np.zeros(len(origins), np.int64), np.zeros(origins.shape), np.zeros(origins.shape)
    add_moments(X, labels, origins, counts, sums, squares)
    shift = sums / np.maximum(counts, 1)[:, np.newaxis]
    return Moments(labels, counts, origins + shift, np.maximum(squares - sums * shift, 0.0))


def _worst_off(X: FloatArray, chunklet: IntArray, costs: FloatArray, farthest: int, most: float) -> FloatArray:
    """Restart of an empty cluster: mean of the chunklet, or the free point, that costs most per point."""
    share = costs / np.bincount(chunklet[chunklet >= 0], minlength=len(costs))
    return X[chunklet == share.argmax()].mean(axis=0) if share.max(initial=-np.inf) > most else X[farthest]
