"""Collapsed Gibbs sampling of a partition: Neal's (2000) algorithm 3."""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inlined_kernel, plain_kernel
from ..components.clusters import change_cluster, copy_cluster, empty_cluster
from .units import change_unit, score_unit

NEGLIGIBLE = 40.0  # what is exp(-40) of the largest weight is never picked


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
        change_cluster(labels[i], labels[i], i, 1, table, hyper, clusters, work)


@inlined_kernel
def pick(scores, n, rng):
    """An index drawn with probability proportional to ``exp(scores)``; ``scores`` are used up."""
    highest = scores[0]
    for t in range(1, n):
        highest = max(highest, scores[t])
    total = 0.0
    for t in range(n):
        lead = scores[t] - highest
        scores[t] = 1.0 if lead == 0.0 else math.exp(lead) if lead > -NEGLIGIBLE else 0.0
        total += scores[t]
    at = rng.random() * total
    for t in range(n - 1):
        at -= scores[t]
        if at < 0:
            return t
    return n - 1


@inlined_kernel
def below(n, rng):
    """A whole number from 0 to n - 1."""
    return int(rng.random() * n)


@inlined_kernel
def add_pairs(u, units, seating, scores):
    """Add to the scores of the clusters where unit ``u`` has neighbours what it weighs to be with them."""
    for p in range(units.neighbor_start[u], units.neighbor_start[u + 1]):
        row = seating.labels[units.items[units.start[units.neighbor[p]]]]
        scores[seating.place[row]] += units.weight[p]


@plain_kernel
def gibbs_sweep(units, alone, prior, table, hyper, clusters, seating, work, scores, rng):
    """Draw the cluster of each unit in turn given all others; ``alone[u]`` is its likelihood in an empty cluster.

    What a unit leaves behind is kept in a spare row, so nothing changes when it returns, as it mostly does.
    Stops early, returning False, when no free row is left.
    """
    spare = clusters.sizes.size - 2
    for u in range(units.start.size - 1):
        size, k = units.start[u + 1] - units.start[u], seating.labels[units.items[units.start[u]]]
        here, had_company = seating.place[k], clusters.sizes[k] > size
        if had_company:
            change_unit(k, spare, u, -1, units, table, hyper, clusters, work)
            seating.active[here] = spare
        else:
            close_row(k, seating)
        n_clusters = seating.n_clusters[0]
        if n_clusters == seating.active.size:
            return False
        score_unit(u, seating.active, n_clusters, units, prior, table, hyper, clusters, work, scores)
        scores[n_clusters] = prior.log_new[n_clusters] + prior.log_cluster[size] + alone[u]
        add_pairs(u, units, seating, scores)
        chosen = pick(scores, n_clusters + 1, rng)
        if had_company:
            seating.active[here] = k
        target = open_row(seating) if chosen == n_clusters else seating.active[chosen]
        if target != k:
            if had_company:
                copy_cluster(spare, k, hyper, clusters)
            else:
                empty_cluster(k, hyper, clusters)
            change_unit(target, target, u, 1, units, table, hyper, clusters, work)
            for p in range(units.start[u], units.start[u + 1]):
                seating.labels[units.items[p]] = target
    return True
