"""Constrained chunklets as clusterers see them, and the order in which they are placed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray
from ..constraints import Constraints

FREE, SILENT = -1, -2  # a point in no unit, and one without a say in where its unit goes


class Units(NamedTuple):
    """Chunklets of several points or with neighbors; points outside them are free."""

    of_point: IntArray  # (n_points,) unit, -1 where free
    sizes: IntArray  # (n_units,)
    bounds: IntArray  # (n_units + 1,) and below, the graph of units that must be apart
    others: IntArray


def find_units(constraints: Constraints) -> Units:
    """Number the chunklets about which something is known."""
    chunklets, (bounds, others) = constraints.chunklets, constraints.cannot_link_graph
    sizes = np.bincount(chunklets)
    known = (sizes > 1) | (np.diff(bounds) > 0)
    number = np.where(known, np.cumsum(known) - 1, -1)
    return Units(number[chunklets], sizes[known], np.append(bounds[:-1][known], bounds[-1]), number[others])


def order_by_size(units: Units, rng: np.random.Generator) -> IntArray:
    """Turns, shape (n_turns, 2), in which units are placed: most points first, with a neighbor not yet placed.

    The paper takes the unit that, together with its largest neighbor not yet placed, has most points (section 4.2).
    Going through edges and single units by decreasing size comes to the same: when a unit's own turn comes, its edges
    have all been seen, so that its neighbors are placed. Ties fall at random. A second entry of -1 means no neighbor.
    """
    n_units = len(units.sizes)
    ends = np.column_stack([np.repeat(np.arange(n_units), np.diff(units.bounds)), units.others])
    singles = np.column_stack([np.arange(n_units), np.full(n_units, -1)])
    turns = np.concatenate([ends[ends[:, 0] < ends[:, 1]], singles])
    n_points = units.sizes[turns[:, 0]] + np.where(turns[:, 1] < 0, 0, units.sizes[turns[:, 1]])
    placed, kept = np.zeros(n_units + 1, bool), []
    for u, v in turns[np.lexsort([rng.random(len(turns)), -n_points])].tolist():
        if not placed[u] and (v < 0 or not placed[v]):
            placed[u] = placed[v] = True
            placed[-1] = False
            kept.append((u, v))
    return np.array(kept, np.int64).reshape(-1, 2)


def place_nowhere(costs: FloatArray) -> tuple[IntArray, int]:
    """Place no units, for methods that know none."""
    return np.empty(len(costs), np.int64), 0
