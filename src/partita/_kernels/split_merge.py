"""Split and merge proposals with restricted Gibbs scans: Jain and Neal (2004), conjugate case.

Two items are picked. Were they apart, their clusters may merge; were they together, their cluster may split around
them. A launch state, made by random seating and some scans that move items between the two sides only, makes the
proposed split a likely one; the chance that the last scan yields it enters the acceptance.
"""

import math

import numpy as np

from ._jit import kernel, plain_kernel
from .clusters import change_cluster, empty_cluster, log_marginal, score_clusters
from .gibbs import close_row, open_row


@plain_kernel
def seat_on(rows, members, sides, table, hyper, clusters, work):
    """Add each member to the row of its side."""
    for t in range(members.size):
        change_cluster(rows[sides[t]], members[t], 1, table, hyper, clusters, work)


@plain_kernel
def restricted_scan(members, sides, rows, target, prior, table, hyper, clusters, work, scores, rng):
    """Reseat each member but the first two on one of two rows given all others; return the outcome's log probability.

    With a ``target`` of the same length the outcome is forced to it, otherwise (length 0) it is drawn.
    """
    log_q = 0.0
    for t in range(2, members.size):
        change_cluster(rows[sides[t]], members[t], -1, table, hyper, clusters, work)
        score_clusters(members[t], rows, 2, table, hyper, clusters, work, scores)
        odds = scores[1] + prior.log_join[clusters.sizes[rows[1]]]
        odds -= scores[0] + prior.log_join[clusters.sizes[rows[0]]]
        log_second = -math.log1p(math.exp(-odds)) if odds > 0 else odds - math.log1p(math.exp(odds))
        if target.size > 0:
            sides[t] = target[t]
        else:
            sides[t] = math.log(rng.random()) < log_second
        log_q += log_second - (0.0 if sides[t] == 1 else odds)
        change_cluster(rows[sides[t]], members[t], 1, table, hyper, clusters, work)
    return log_q


@plain_kernel
def cluster_weight(k, prior, hyper, clusters):
    """What cluster ``k`` contributes to the log posterior."""
    return prior.log_cluster[clusters.sizes[k]] + log_marginal(k, hyper, clusters)


@kernel
def find_members(i, j, labels, n_members):
    """The items of the clusters of ``i`` and ``j``, those two first, and whether each is in the cluster of ``j``."""
    members, sides = np.empty(n_members, np.int64), np.empty(n_members, np.int64)
    members[0], members[1], sides[0], sides[1] = i, j, 0, 1
    t = 2
    for item in range(labels.size):
        if item not in (i, j) and (labels[item] == labels[i] or labels[item] == labels[j]):
            members[t], sides[t] = item, labels[item] == labels[j]
            t += 1
    return members, sides


@kernel
def split_or_merge(n_scans, prior, table, hyper, clusters, seating, work, scores, rng):
    """Propose to split or to merge the clusters of two items picked at random; return whether it was accepted."""
    labels, n_items = seating.labels, seating.labels.size
    if n_items < 2:
        return False
    i = rng.integers(0, n_items)
    j = rng.integers(0, n_items - 1)
    j += j >= i
    a, b, n_clusters = labels[i], labels[j], seating.n_clusters[0]
    n_members = clusters.sizes[a] + (clusters.sizes[b] if a != b else 0)
    members, original = find_members(i, j, labels, n_members)
    rows = np.array([open_row(seating), open_row(seating), open_row(seating)])
    sides = original.copy()
    for t in range(2, members.size):
        sides[t] = rng.integers(0, 2)
    seat_on(rows, members, sides, table, hyper, clusters, work)
    drawn = np.empty(0, np.int64)
    for _ in range(n_scans):
        restricted_scan(members, sides, rows, drawn, prior, table, hyper, clusters, work, scores, rng)
    target = drawn if a == b else original
    log_q = restricted_scan(members, sides, rows, target, prior, table, hyper, clusters, work, scores, rng)
    if a == b:
        ratio = prior.log_new[n_clusters] - cluster_weight(a, prior, hyper, clusters) - log_q
        ratio += cluster_weight(rows[0], prior, hyper, clusters) + cluster_weight(rows[1], prior, hyper, clusters)
    else:
        sides[:] = 2
        seat_on(rows, members, sides, table, hyper, clusters, work)
        ratio = cluster_weight(rows[2], prior, hyper, clusters) - prior.log_new[n_clusters - 1] + log_q
        ratio -= cluster_weight(a, prior, hyper, clusters) + cluster_weight(b, prior, hyper, clusters)
    accepted = math.log(rng.random()) < ratio
    if accepted:
        for t in range(members.size):
            labels[members[t]] = rows[sides[t]]
        retire(a, hyper, clusters, seating)
        if a != b:
            retire(b, hyper, clusters, seating)
    for row in rows:
        if not accepted or (row == rows[2]) == (a == b):
            retire(row, hyper, clusters, seating)
    return accepted


@plain_kernel
def retire(k, hyper, clusters, seating):
    """Empty a row and give it back."""
    empty_cluster(k, hyper, clusters)
    close_row(k, seating)
