"""Collapsed Gibbs sampling of a partition: Neal's (2000) algorithm 3."""

import math
from typing import NamedTuple

import numpy as np

from ._jit import inlined_kernel, plain_kernel
from .clusters import change_cluster, empty_cluster, score_clusters


class Prior(NamedTuple):
    """A prior on partitions, as the sampler reads it (see ``priors.py``)."""

    log_join: np.ndarray  # (n_items + 1,) log weight of joining m items
    log_new: np.ndarray  # (capacity,) log weight of opening a cluster beside k
    log_cluster: np.ndarray  # (n_items + 1,) sum of log_join below m: what a cluster of m items weighs


class Seating(NamedTuple):
    """Which item is in which cluster, and which rows hold clusters."""

    labels: np.ndarray  # (n_items,) row of each item's cluster
    active: np.ndarray  # (capacity,) the occupied rows first, the free ones after
    place: np.ndarray  # (capacity,) where a row stands in ``active``
    n_clusters: np.ndarray  # (1,)


@inlined_kernel
def open_row(seating):
    """Take the next free row into use."""
    seating.n_clusters[0] += 1
    return seating.active[seating.n_clusters[0] - 1]


@inlined_kernel
def close_row(k, seating):
    """Give row ``k`` back."""
    seating.n_clusters[0] -= 1
    last, here = seating.n_clusters[0], seating.place[k]
    moved = seating.active[last]
    seating.active[here], seating.active[last] = moved, k
    seating.place[moved], seating.place[k] = here, last


@plain_kernel
def seat_all(labels, table, hyper, clusters, seating, work):
    """Begin with these canonical labels: every sum is made anew, in the order of the items."""
    for k in range(seating.active.size):
        seating.active[k] = seating.place[k] = k
        empty_cluster(k, hyper, clusters)
    seating.n_clusters[0] = 0
    for i in range(labels.size):
        seating.labels[i] = labels[i]
        seating.n_clusters[0] = max(seating.n_clusters[0], labels[i] + 1)
        change_cluster(labels[i], i, 1, table, hyper, clusters, work)


@inlined_kernel
def pick(scores, n, rng):
    """An index drawn with probability proportional to ``exp(scores)``; ``scores`` are used up."""
    highest = scores[0]
    for t in range(1, n):
        highest = max(highest, scores[t])
    total = 0.0
    for t in range(n):
        scores[t] = math.exp(scores[t] - highest) if scores[t] < highest else 1.0
        total += scores[t]
    at = rng.random() * total
    for t in range(n - 1):
        at -= scores[t]
        if at < 0:
            return t
    return n - 1


@plain_kernel
def gibbs_sweep(alone, prior, table, hyper, clusters, seating, work, scores, rng):
    """Draw the cluster of each item in turn given all others; ``alone[i]`` is its density in an empty cluster.

    Stops early, returning False, when no free row is left.
    """
    for i in range(seating.labels.size):
        k = seating.labels[i]
        change_cluster(k, i, -1, table, hyper, clusters, work)
        if clusters.sizes[k] == 0:
            empty_cluster(k, hyper, clusters)
            close_row(k, seating)
        n_clusters = seating.n_clusters[0]
        if n_clusters == seating.active.size:
            return False
        score_clusters(i, seating.active, n_clusters, table, hyper, clusters, work, scores)
        for t in range(n_clusters):
            scores[t] += prior.log_join[clusters.sizes[seating.active[t]]]
        scores[n_clusters] = prior.log_new[n_clusters] + alone[i]
        chosen = pick(scores, n_clusters + 1, rng)
        k = open_row(seating) if chosen == n_clusters else seating.active[chosen]
        seating.labels[i] = k
        change_cluster(k, i, 1, table, hyper, clusters, work)
    return True
