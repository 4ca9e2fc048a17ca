"""Partitions to start chains from, far apart on purpose."""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray, IntArray
from ..components import Encoded
from ..costs.items import Items
from ..partitions import canonical

PIECES = (1, 4, 10, 25)


def starts_at_resolutions(encoded: Encoded, n_chains: int, rng: np.random.Generator) -> list[IntArray]:
    """Partitions into few and into many pieces by k-means, one per chain, from one to twenty-five and round again."""
    from sklearn.cluster import KMeans

    points, n_items = features(encoded), encoded.n_items
    n_distinct = len(np.unique(points, axis=0)) if n_items <= 10_000 else n_items
    starts = []
    for number in range(n_chains):
        n_pieces = min(PIECES[number % len(PIECES)], max(1, n_items // 2), n_distinct)
        if n_pieces == 1:
            starts.append(np.zeros(n_items, np.int64))
        else:
            seed = int(rng.integers(2**31))
            pieces = KMeans(n_pieces, n_init=1, max_iter=20, random_state=seed).fit_predict(points)
            starts.append(canonical(pieces))
    return starts


def features(encoded: Encoded) -> FloatArray:
    """Items as points: numbers and square roots of counts in standard units, categories as indicators."""
    columns = []
    for block in encoded.blocks:
        if block.kind == "category":
            codes = block.x
            columns.append((codes[:, :, np.newaxis] == np.arange(codes.max() + 1)).any(axis=1).astype(float))
        else:
            numbers = np.sqrt(block.x) if block.kind == "count" else block.x
            spread = np.nanstd(numbers, axis=0)
            columns.append(np.nan_to_num((numbers - np.nanmean(numbers, axis=0)) / np.where(spread > 0, spread, 1.0)))
    return np.hstack(columns)


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
