"""Partitions to start chains from, far apart on purpose."""

from __future__ import annotations

import numpy as np

from .._check import FloatArray, IntArray
from .._kernels.clusters import Table
from ..partition import canonical


def overdispersed_starts(table: Table, n_chains: int, rng: np.random.Generator) -> list[IntArray]:
    """One cluster; many clusters at random; then k-means++ with few to many centres, once per further chain."""
    n_items = len(table.numbers)
    many = max(2, min(n_items, int(2 * np.sqrt(n_items)), 100))
    starts = [np.zeros(n_items, np.int64), canonical(rng.integers(many, size=n_items))]
    while len(starts) < n_chains:
        starts.append(_nearest_centres(table, int(rng.integers(2, many + 1)), rng))
    return starts[:n_chains]


def _nearest_centres(table: Table, n_centres: int, rng: np.random.Generator) -> IntArray:
    """Items by the nearest of some centres spread out over the data; at random where there are no numbers."""
    numbers = np.hstack([table.numbers, table.counts])
    n_centres = min(n_centres, len(numbers))
    if numbers.shape[1] == 0:
        return canonical(rng.integers(n_centres, size=len(numbers)))
    from sklearn.cluster import kmeans_plusplus
    from sklearn.metrics import pairwise_distances_argmin

    points = _standardize(numbers)
    centres, _ = kmeans_plusplus(points, n_centres, random_state=int(rng.integers(2**31)))
    return canonical(pairwise_distances_argmin(points, centres))


def _standardize(numbers: FloatArray) -> FloatArray:
    center, spread = np.nanmean(numbers, axis=0), np.nanstd(numbers, axis=0)
    return np.nan_to_num((numbers - center) / np.where(spread > 0, spread, 1.0))
