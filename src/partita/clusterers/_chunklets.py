"""Chunklets of constrained points, and the order in which they are placed."""

from __future__ import annotations

import numpy as np

from .._kernels.constraints.chunklets import Chunklets
from .._typing import FloatArray, IntArray
from ..constraints import Constraints

FREE, SILENT = -1, -2  # a point in no chunklet, and one that has no say in where its chunklet goes


def constrained_chunklets(constraints: Constraints) -> Chunklets:
    """Chunklets of several points or with hard cannot-links; points outside them are free."""
    chunklets, (bounds, others) = constraints.chunklets, constraints.cannot_link_graph
    sizes = np.bincount(chunklets)
    known = (sizes > 1) | (np.diff(bounds) > 0)
    number = np.where(known, np.cumsum(known) - 1, -1)
    points = np.flatnonzero(known[chunklets])
    return Chunklets(
        np.concatenate([[0], np.cumsum(sizes[known])]),
        points[np.argsort(chunklets[points], kind="stable")],
        sizes[known].astype(float),
        np.append(bounds[:-1][known], bounds[-1]),
        number[others],
        np.full(others.size, -np.inf),
        np.ones(chunklets.size),
        True,
    )


def order_by_size(chunklets: Chunklets, rng: np.random.Generator) -> IntArray:
    """Turns, shape (n_turns, 2), in which chunklets are placed: most points first, with a neighbor not yet placed.

    The paper takes the chunklet that, together with its largest neighbor not yet placed, has most points (section
    4.2). Going through edges and single chunklets by decreasing size comes to the same: when a chunklet's own turn
    comes, its edges have all been seen, so that its neighbors are placed. Ties fall at random. A second entry of -1
    means no neighbor.
    """
    n_chunklets = chunklets.size.size
    first = np.repeat(np.arange(n_chunklets), np.diff(chunklets.neighbor_start))
    ends = np.column_stack([first, chunklets.neighbor])
    singles = np.column_stack([np.arange(n_chunklets), np.full(n_chunklets, -1)])
    turns = np.concatenate([ends[ends[:, 0] < ends[:, 1]], singles])
    n_points = chunklets.size[turns[:, 0]] + np.where(turns[:, 1] < 0, 0, chunklets.size[turns[:, 1]])
    placed, kept = np.zeros(n_chunklets + 1, bool), []
    for u, v in turns[np.lexsort([rng.random(len(turns)), -n_points])].tolist():
        if not placed[u] and (v < 0 or not placed[v]):
            placed[u] = placed[v] = True
            placed[-1] = False
            kept.append((u, v))
    return np.array(kept, np.int64).reshape(-1, 2)


def place_nowhere(costs: FloatArray) -> tuple[IntArray, int]:
    """Place no chunklets, for methods without constraints."""
    return np.empty(len(costs), np.int64), 0
