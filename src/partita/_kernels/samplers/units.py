"""Units: what moves as one between clusters, an item or the items of a must-link group, and pairs of them that care.

Each pair has a weight, the log odds of being together that it adds to the posterior; minus infinity forbids.
"""

from typing import NamedTuple

import numpy as np

from .._jit import inlined_kernel, kernel, plain_kernel
from ..components.clusters import change_cluster, empty_cluster, score_clusters

BARRIER = 30.0  # how much a forbidden pair weighs in proposals, where something must be possible


class Units(NamedTuple):
    """Groups of items and their neighbours, both as compressed rows."""

    start: np.ndarray  # (n_units + 1,) where each unit's items begin
    items: np.ndarray  # (n_items,) items, unit by unit
    neighbor_start: np.ndarray  # (n_units + 1,) where each unit's neighbours begin
    neighbor: np.ndarray  # (2 n_pairs,) units
    weight: np.ndarray  # (2 n_pairs,) of each pair


@inlined_kernel
def change_unit(source, target, u, sign, units, table, hyper, clusters, work):
    """Let row ``target`` hold what row ``source`` holds and unit ``u`` (``sign`` 1), or all but that unit (-1)."""
    for p in range(units.start[u], units.start[u + 1]):
        change_cluster(source, target, units.items[p], sign, table, hyper, clusters, work)
        source = target


@inlined_kernel
def score_unit(u, rows, n_rows, units, prior, table, hyper, clusters, work, scores):
    """Fill ``scores[t]`` with the log weight, prior and likelihood, of unit ``u`` in the cluster of row ``rows[t]``."""
    first, size = units.start[u], units.start[u + 1] - units.start[u]
    if size == 1:
        score_clusters(units.items[first], rows, n_rows, table, hyper, clusters, work, scores)
    else:
        score_group(u, rows, n_rows, units, table, hyper, clusters, work, scores)
    for t in range(n_rows):
        m = clusters.sizes[rows[t]]
        scores[t] += prior.log_cluster[m + size] - prior.log_cluster[m]


@plain_kernel
def score_group(u, rows, n_rows, units, table, hyper, clusters, work, scores):
    """Fill ``scores[t]`` with the log likelihood of all items of unit ``u`` in row ``rows[t]``, one after the other."""
    first, last = units.start[u], units.start[u + 1]
    score_clusters(units.items[first], rows, n_rows, table, hyper, clusters, work, scores)
    for t in range(n_rows):
        source = rows[t]
        for p in range(first + 1, last):
            change_cluster(source, clusters.trial[0], units.items[p - 1], 1, table, hyper, clusters, work)
            source = clusters.trial[0]
            score_clusters(units.items[p], clusters.trial, 1, table, hyper, clusters, work, clusters.score)
            scores[t] += clusters.score[0]


@kernel
def score_alone(units, table, hyper, clusters, work, out):
    """Fill ``out[u]`` with the log likelihood of unit ``u`` in a cluster of its own."""
    row, score = np.zeros(1, np.int64), np.zeros(1)
    empty_cluster(0, hyper, clusters)
    for u in range(out.size):
        score_group(u, row, 1, units, table, hyper, clusters, work, score)
        out[u] = score[0]
