"""Partitions to start chains from, far apart on purpose."""

from __future__ import annotations

import numpy as np

from .._kernels.components.clusters import Table
from .._typing import FloatArray, IntArray
from ..costs.items import Items
from ..partitions import canonical


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


def fixed_number_starts(items: Items, n_clusters: int, n_chains: int, rng: np.random.Generator) -> list[IntArray]:
    """Partitions into so many clusters: one with clusters of equal size at random, then items by the nearest seed."""
    starts = [canonical(rng.permutation(np.arange(items.n_items) % n_clusters))]
    return starts + [seeded_labels(items, n_clusters, rng) for _ in range(n_chains - 1)]


def seeded_labels(items: Items, n_clusters: int, rng: np.random.Generator) -> IntArray:
    """Items by the nearest of some seeds among them; no cluster is empty."""
    seeds = spread_seeds(items, n_clusters, rng)
    labels = items.from_items(seeds).argmin(axis=1)
    labels[seeds] = np.arange(n_clusters)
    return canonical(labels)


def spread_seeds(items: Items, n_clusters: int, rng: np.random.Generator) -> IntArray:
    """Items far apart: each drawn with probability proportional to the cost of joining those before, the best of a few.

    The seeding of k-means++ (Arthur and Vassilvitskii 2007) under any cost.
    """
    seeds = [int(rng.integers(items.n_items))]
    nearest = items.from_items(np.array(seeds))[:, 0]
    nearest[seeds] = 0.0
    for _ in range(n_clusters - 1):
        tried = _draw(nearest, seeds, 2 + int(np.log(n_clusters)), rng)
        reduced = np.minimum(nearest[:, np.newaxis], items.from_items(tried))
        best = int(reduced.sum(axis=0).argmin())
        seeds.append(int(tried[best]))
        nearest = reduced[:, best]
        nearest[seeds] = 0.0
    return np.array(seeds)


def _draw(weights: FloatArray, seeds: list[int], n_drawn: int, rng: np.random.Generator) -> IntArray:
    """Items drawn by weight, of those that are no seeds; by equal weights where all that remain have none."""
    if not weights.any():
        weights = np.ones(weights.size)
        weights[seeds] = 0.0
    sums = np.cumsum(weights)
    return np.minimum(np.searchsorted(sums, rng.random(n_drawn) * sums[-1], side="right"), np.flatnonzero(weights)[-1])
