"""Initial centers: means of constrained chunklets, then k-means++."""

from __future__ import annotations

import numpy as np

from .._kernels.constraints.chunklets import Chunklets
from .._typing import FloatArray
from ._fitting import Task

LARGE = 3  # points that make a chunklet's mean a better seed than a point


def seed_centers(task: Task, rng: np.random.Generator) -> FloatArray:
    """Initial centers: means of large chunklets that must all be apart, then points by k-means++."""
    chosen = _clique(task.chunklets, task.n_clusters, rng)
    return plus_plus(task.X, task.n_clusters, [task.X[task.chunklet_of == u].mean(axis=0) for u in chosen], rng)


def plus_plus(X: FloatArray, n_clusters: int, centers: list[FloatArray], rng: np.random.Generator) -> FloatArray:
    """Initial centers by k-means++, beginning with those given."""
    nearest = np.full(len(X), np.inf)
    for center in centers:
        nearest = np.minimum(nearest, _squared_distances(X, center))
    while len(centers) < n_clusters:
        far = np.isfinite(nearest[0]) and nearest.sum() > 0
        centers.append(X[rng.choice(len(X), p=nearest / nearest.sum() if far else None)])
        nearest = np.minimum(nearest, _squared_distances(X, centers[-1]))
    return np.array(centers)


def _clique(chunklets: Chunklets, most: int, rng: np.random.Generator) -> list[int]:
    """Large chunklets of which every two must be apart, the largest first, ties at random."""
    chosen: list[int] = []
    rank = chunklets.size + rng.random(chunklets.size.size) / 2
    rank[chunklets.size < LARGE] = 0
    while len(chosen) < most and rank.max(initial=0) > 0:
        u = int(rank.argmax())
        chosen.append(u)
        apart = np.zeros(rank.size, bool)
        apart[chunklets.neighbor[chunklets.neighbor_start[u] : chunklets.neighbor_start[u + 1]]] = True
        rank[~apart] = 0
    return chosen


def _squared_distances(X: FloatArray, center: FloatArray) -> FloatArray:
    away = X - center
    return np.einsum("ij,ij->i", away, away)
