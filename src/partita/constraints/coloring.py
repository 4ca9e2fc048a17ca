"""Graph coloring: bounds on the chromatic number from a greedy coloring and from a clique.

A graph is two arrays: the neighbors of vertex ``v`` are ``neighbors[bounds[v] : bounds[v + 1]]``.
"""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from .._typing import IntArray


def color_graph(bounds: IntArray, neighbors: IntArray) -> IntArray:
    """Greedy coloring of a graph (DSATUR): the vertex with most colors among its neighbors goes next.

    With two colors wherever two suffice (Brélaz 1979), few otherwise. Vertices without neighbors get color 0.
    """
    degrees = np.diff(bounds)
    colors = np.where(degrees > 0, -1, 0)
    around: dict[int, set[int]] = {int(v): set() for v in np.flatnonzero(degrees)}
    heap = [(0, -int(degrees[v]), v) for v in around]
    heapq.heapify(heap)
    while heap:
        v = heapq.heappop(heap)[2]
        if colors[v] >= 0:
            continue
        colors[v] = color = next(c for c in count() if c not in around[v])
        for u in neighbors[bounds[v] : bounds[v + 1]].tolist():
            around[u].add(color)
            if colors[u] < 0:
                heapq.heappush(heap, (-len(around[u]), -int(degrees[u]), u))
    return colors.astype(np.int64)


def find_clique(bounds: IntArray, neighbors: IntArray) -> list[int]:
    """A large clique, grown greedily from every vertex."""
    degrees, best = np.diff(bounds), [0]
    for v in np.argsort(-degrees, kind="stable").tolist():
        if degrees[v] < len(best):
            break
        clique, candidates = [v], set(neighbors[bounds[v] : bounds[v + 1]].tolist())
        while candidates:
            u = max(candidates, key=lambda w: (degrees[w], -w))
            clique.append(u)
            candidates &= set(neighbors[bounds[u] : bounds[u + 1]].tolist())
        best = max(best, clique, key=len)
    return best


def count_colors(bounds: IntArray, neighbors: IntArray) -> tuple[int, int]:
    """Lower and upper bound on the chromatic number."""
    most = int(color_graph(bounds, neighbors).max()) + 1
    if most <= 2:
        return most, most
    return max(3, len(find_clique(bounds, neighbors))), most
