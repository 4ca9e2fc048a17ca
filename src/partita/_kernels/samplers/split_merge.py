"""Split and merge proposals with restricted Gibbs scans: Jain and Neal (2004), conjugate case.

Two units are picked. Were they apart, their clusters may merge; were they together, their cluster may split around
them. A launch state, made by random seating and some scans that move units between the two sides only, makes the
proposed split a likely one; the chance that the last scan yields it enters the acceptance. That chance is at most one,
so a merge that would be refused even then is refused before any scan.
"""

import math
from typing import NamedTuple

import numpy as np

from .._jit import plain_kernel
from ..components.clusters import copy_cluster, empty_cluster, log_marginal
from .gibbs import below, close_row, open_row
from .units import BARRIER, change_unit, score_unit


class Launch(NamedTuple):
    """Room for a proposal."""

    members: np.ndarray  # (n_units,) the two units picked, then the others of their clusters
    side: np.ndarray  # (n_units,) 0 or 1 for each unit that is a member, otherwise -1
    original: np.ndarray  # (n_units,) sides of the members before anything moved
    rows: np.ndarray  # (3,) rows of the two sides, and of the whole
    pair: np.ndarray  # (2,) the rows to be scored


@plain_kernel
def find_members(i, j, units, seating, launch):
    """List the units of the clusters of units ``i`` and ``j``, those two first; return how many they are."""
    first = seating.labels[units.items[units.start[i]]]
    second = seating.labels[units.items[units.start[j]]]
    launch.members[0], launch.members[1], launch.original[0], launch.original[1] = i, j, 0, 1
    n_members = 2
    for u in range(units.start.size - 1):
        row = seating.labels[units.items[units.start[u]]]
        if u not in (i, j) and (row == first or row == second):
            launch.members[n_members], launch.original[n_members] = u, row == second
            n_members += 1
    return n_members


@plain_kernel
def seat_members(n_members, together, units, table, hyper, clusters, work, launch):
    """Add each member to the row of its side, or all to the third row."""
    for t in range(n_members):
        u = launch.members[t]
        row = launch.rows[2 if together else launch.side[u]]
        change_unit(row, row, u, 1, units, table, hyper, clusters, work)


@plain_kernel
def seat_apart(n_members, units, table, hyper, clusters, work, launch, rng):
    """Put the two picked units on sides of their own and every other member on either side at random."""
    for t in range(n_members):
        launch.side[launch.members[t]] = t if t < 2 else below(2, rng)
    seat_members(n_members, False, units, table, hyper, clusters, work, launch)


@plain_kernel
def restricted_scan(n_members, forced, units, prior, table, hyper, clusters, work, scores, launch, rng):
    """Reseat each member but the first two on one of two rows given all others; return the outcome's log probability.

    The outcome is drawn or, when ``forced``, the original sides.
    """
    spare, log_q = clusters.sizes.size - 2, 0.0
    for t in range(2, n_members):
        u = launch.members[t]
        here = launch.side[u]
        launch.pair[here], launch.pair[1 - here] = spare, launch.rows[1 - here]
        change_unit(launch.rows[here], spare, u, -1, units, table, hyper, clusters, work)
        score_unit(u, launch.pair, 2, units, prior, table, hyper, clusters, work, scores)
        odds = scores[1] - scores[0]
        for p in range(units.neighbor_start[u], units.neighbor_start[u + 1]):
            other = launch.side[units.neighbor[p]]
            if other >= 0:
                odds += (2 * other - 1) * max(units.weight[p], -BARRIER)
        log_second = -math.log1p(math.exp(-odds)) if odds > 0 else odds - math.log1p(math.exp(odds))
        there = launch.original[t] if forced else int(math.log(rng.random()) < log_second)
        log_q += log_second - (0.0 if there == 1 else odds)
        if there != here:
            launch.side[u] = there
            copy_cluster(spare, launch.rows[here], hyper, clusters)
            change_unit(launch.rows[there], launch.rows[there], u, 1, units, table, hyper, clusters, work)
    return log_q


@plain_kernel
def weight_across(n_members, units, launch):
    """Sum of the weights of pairs of members on different sides."""
    total = 0.0
    for t in range(n_members):
        u = launch.members[t]
        for p in range(units.neighbor_start[u], units.neighbor_start[u + 1]):
            if launch.side[u] == 0 and launch.side[units.neighbor[p]] == 1:
                total += units.weight[p]
    return total


@plain_kernel
def cluster_weight(k, prior, hyper, clusters):
    """What cluster ``k`` contributes to the log posterior."""
    return prior.log_cluster[clusters.sizes[k]] + log_marginal(k, hyper, clusters)


@plain_kernel
def propose_split(k, n_members, n_scans, units, prior, table, hyper, clusters, seating, work, scores, launch, rng):
    """Seat the members of cluster ``k`` on the two sides; return the log acceptance ratio."""
    seat_apart(n_members, units, table, hyper, clusters, work, launch, rng)
    log_q = 0.0
    for _ in range(n_scans + 1):
        log_q = restricted_scan(n_members, False, units, prior, table, hyper, clusters, work, scores, launch, rng)
    first, second = launch.rows[0], launch.rows[1]
    ratio = prior.log_new[seating.n_clusters[0] - 3] - cluster_weight(k, prior, hyper, clusters) - log_q
    ratio += cluster_weight(first, prior, hyper, clusters) + cluster_weight(second, prior, hyper, clusters)
    return ratio - weight_across(n_members, units, launch)


@plain_kernel
def propose_merge(
    a, b, log_u, n_members, n_scans, units, prior, table, hyper, clusters, seating, work, scores, launch, rng
):
    """Seat the members of clusters ``a`` and ``b`` on the third row; return the log acceptance ratio or a bound on it.

    A bound below ``log_u`` is returned as it is: the proposal is refused either way.
    """
    for t in range(n_members):
        launch.side[launch.members[t]] = launch.original[t]
    seat_members(n_members, True, units, table, hyper, clusters, work, launch)
    ratio = cluster_weight(launch.rows[2], prior, hyper, clusters) - prior.log_new[seating.n_clusters[0] - 4]
    ratio -= cluster_weight(a, prior, hyper, clusters) + cluster_weight(b, prior, hyper, clusters)
    ratio += weight_across(n_members, units, launch)
    if log_u >= ratio:
        return ratio
    seat_apart(n_members, units, table, hyper, clusters, work, launch, rng)
    for _ in range(n_scans):
        restricted_scan(n_members, False, units, prior, table, hyper, clusters, work, scores, launch, rng)
    return ratio + restricted_scan(n_members, True, units, prior, table, hyper, clusters, work, scores, launch, rng)


@plain_kernel
def split_or_merge(n_scans, units, prior, table, hyper, clusters, seating, work, scores, launch, rng):
    """Propose to split or to merge the clusters of two units picked at random; return whether it was accepted."""
    labels, n_units = seating.labels, units.start.size - 1
    if n_units < 2:
        return False
    i = below(n_units, rng)
    j = below(n_units - 1, rng)
    j += j >= i
    a, b = labels[units.items[units.start[i]]], labels[units.items[units.start[j]]]
    n_members = find_members(i, j, units, seating, launch)
    for t in range(3):
        launch.rows[t] = open_row(seating)
    log_u = math.log(rng.random())
    if a == b:
        ratio = propose_split(
            a, n_members, n_scans, units, prior, table, hyper, clusters, seating, work, scores, launch, rng
        )
    else:
        ratio = propose_merge(
            a, b, log_u, n_members, n_scans, units, prior, table, hyper, clusters, seating, work, scores, launch, rng
        )
    accepted = log_u < ratio
    for t in range(n_members):
        u = launch.members[t]
        row = launch.rows[launch.side[u] if a == b else 2]
        launch.side[u] = -1
        for p in range(units.start[u], units.start[u + 1] if accepted else 0):
            labels[units.items[p]] = row
    for t in range(3):
        if not accepted or (t == 2) == (a == b):
            retire(launch.rows[t], hyper, clusters, seating)
    if accepted:
        retire(a, hyper, clusters, seating)
        if a != b:
            retire(b, hyper, clusters, seating)
    return accepted


@plain_kernel
def retire(k, hyper, clusters, seating):
    """Empty a row and give it back."""
    empty_cluster(k, hyper, clusters)
    close_row(k, seating)
