"""A local maximum of the probability of a label function, from a given one."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..._kernels.pointprocess.gaussian import Tables, known_sizes
from ..._kernels.pointprocess.label_gains import make_posteriors
from ..._kernels.pointprocess.local_search import polish_flips, swap_down
from ..._typing import FloatArray, IntArray
from ..likelihood import flip_gains

MOST_ROUNDS = 1000


def polish(points: FloatArray, labels: IntArray, tables: Tables) -> None:
    """Flip points, in place, until no flip raises the probability; with known sizes, exchange pairs instead.

    Pairs are those of section IX-E: the points of two clusters that most want to flip. One round ranks all points
    once and goes down the two rankings while pairs gain.
    """
    if known_sizes(tables) is None:
        polish_flips(points, labels, tables, MOST_ROUNDS, make_posteriors(tables), np.empty(tables.nu.size))
        return
    for _ in range(MOST_ROUNDS):
        pairs = combinations(range(tables.nu.size), 2)
        if not sum(_swap_between(points, labels, tables, a, b) for a, b in pairs):
            return


def _swap_between(points: FloatArray, labels: IntArray, tables: Tables, a: int, b: int) -> int:
    """Exchange points of two clusters, those that gain most first; how many pairs were."""
    gains = flip_gains(points, labels, tables)
    in_a, in_b = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
    first, second = in_a[np.argsort(-gains[in_a, b])], in_b[np.argsort(-gains[in_b, a])]
    return int(swap_down(points, first, second, labels, tables, make_posteriors(tables)))
