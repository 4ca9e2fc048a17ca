"""How many colours a graph needs when neighbours must differ: bounds from a colouring and from a clique.

A graph is two arrays: the neighbours of vertex ``v`` are ``neighbours[bounds[v] : bounds[v + 1]]``.
"""

from __future__ import annotations

import heapq
from itertools import count

import numpy as np

from .._typing import IntArray


def colour_graph(bounds: IntArray, neighbours: IntArray) -> IntArray:
    """Colours 0, 1, ... of the vertices, neighbours differing; the vertex with most colours around it goes next.

    With two colours wherever two suffice (Brélaz 1979), few otherwise. Vertices without neighbours get colour 0.
    """
    degrees = np.diff(bounds)
    colours = np.where(degrees > 0, -1, 0)
    around: dict[int, set[int]] = {int(v): set() for v in np.flatnonzero(degrees)}
    heap = [(0, -int(degrees[v]), v) for v in around]
    heapq.heapify(heap)
    while heap:
        v = heapq.heappop(heap)[2]
        if colours[v] >= 0:
            continue
        colours[v] = colour = next(c for c in count() if c not in around[v])
        for u in neighbours[bounds[v] : bounds[v + 1]].tolist():
            around[u].add(colour)
            if colours[u] < 0:
                heapq.heappush(heap, (-len(around[u]), -int(degrees[u]), u))
    return colours.astype(np.int64)


def find_clique(bounds: IntArray, neighbours: IntArray) -> list[int]:
    """Vertices of which every two are neighbours: a large such set, grown greedily from every vertex."""
    degrees, best = np.diff(bounds), [0]
    for v in np.argsort(-degrees, kind="stable").tolist():
        if degrees[v] < len(best):
            break
        clique, candidates = [v], set(neighbours[bounds[v] : bounds[v + 1]].tolist())
        while candidates:
            u = max(candidates, key=lambda w: (degrees[w], -w))
            clique.append(u)
            candidates &= set(neighbours[bounds[u] : bounds[u + 1]].tolist())
        best = max(best, clique, key=len)
    return best


def count_colours(bounds: IntArray, neighbours: IntArray) -> tuple[int, int]:
    """Fewest colours that are proven to be needed, and a number that is known to suffice."""
    most = int(colour_graph(bounds, neighbours).max()) + 1
    if most <= 2:
        return most, most
    return max(3, len(find_clique(bounds, neighbours))), most
