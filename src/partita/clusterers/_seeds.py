"""Initial centers: means of constrained chunklets, then k-means++."""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray
from ._units import Units

LARGE = 3  # points that make a chunklet's mean a better seed than a point


def seed_centers(X: FloatArray, n_clusters: int, units: Units, rng: np.random.Generator) -> FloatArray:
    """Initial centers: means of large chunklets that must all be apart, then points by k-means++."""
    centers = [X[units.of_point == u].mean(axis=0) for u in _apart(units, n_clusters, rng)]
    nearest = np.full(len(X), np.inf)
    for center in centers:
        nearest = np.minimum(nearest, _squared_distances(X, center))
    while len(centers) < n_clusters:
        far = np.isfinite(nearest[0]) and nearest.sum() > 0
        centers.append(X[rng.choice(len(X), p=nearest / nearest.sum() if far else None)])
        nearest = np.minimum(nearest, _squared_distances(X, centers[-1]))
    return np.array(centers)


def _apart(units: Units, most: int, rng: np.random.Generator) -> list[int]:
    """Large chunklets of which every two must be apart (a clique), the largest first, ties at random."""
    chosen: list[int] = []
    rank = units.sizes + rng.random(len(units.sizes)) / 2
    rank[units.sizes < LARGE] = 0
    while len(chosen) < most and rank.max(initial=0) > 0:
        u = int(rank.argmax())
        chosen.append(u)
        apart = np.zeros(len(rank), bool)
        apart[units.others[units.bounds[u] : units.bounds[u + 1]]] = True
        rank[~apart] = 0
    return chosen


def _squared_distances(X: FloatArray, center: FloatArray) -> FloatArray:
    away = X - center
    return np.einsum("ij,ij->i", away, away)
