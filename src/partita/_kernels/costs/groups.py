"""Sufficient statistics of the clusters of generalized Bayes, updated as chunklets, often of a single item, move."""

from .._jit import inlined, inner, plain_kernel
from .._lean import lean
from .formula import cost_with, look_at, update_sums, within_sum_after

N_SCRATCH = 5
ROUNDING = 1e-14  # gains below this share of what is compared are none


@inlined
def cost_after(k, u, sign, data, groups):
    """Cost of cluster ``k`` once chunklet ``u`` has joined (``sign`` 1) or left (-1)."""
    size, within_sum = groups.sizes[k] + sign * data.chunklets.size[u], within_sum_after(data, groups, k, u, sign)
    return cost_with(data, groups, k, data.rows, u, sign, size, within_sum)


@inlined
def update_stats(k, u, sign, data, groups):
    """Let chunklet ``u``, that was looked at, join (``sign`` 1) or leave (-1) cluster ``k``, but for its cost."""
    groups.within_sum[k] = within_sum_after(data, groups, k, u, sign)
    groups.sizes[k] += sign * data.chunklets.size[u]
    groups.n_chunklets[k] += int(sign)
    update_sums(data, groups, k, u, sign)


@inlined
def update_group(k, u, sign, data, groups):
    """The same with its cost."""
    groups.cost[k] = cost_after(k, u, sign, data, groups)
    update_stats(k, u, sign, data, groups)


@inlined
def relocate(u, k, data, groups):
    """Move chunklet ``u`` to cluster ``k``; from nowhere, where its label is negative."""
    look_at(data, groups, u)
    if groups.labels[u] >= 0:
        update_group(groups.labels[u], u, -1.0, data, groups)
    update_group(k, u, 1.0, data, groups)
    groups.labels[u] = k


@inner
def place_chunklet(u, k, data, groups):
    """Move a chunklet where that is seldom done: by a call, not by a copy of the code in its caller."""
    relocate(u, k, data, groups)


@inner
def reset_group(k, groups):
    """Make row ``k`` a cluster without members."""
    groups.n_chunklets[k] = 0
    groups.sizes[k] = groups.cost[k] = groups.within_sum[k] = 0.0
    for j in range(groups.sums.shape[1]):
        groups.sums[k, j] = 0.0
    for v in range(groups.cross_sum.shape[1]):
        groups.cross_sum[k, v] = 0.0


@inner
def set_groups(labels, data, groups):
    """Set all statistics from labels of the chunklets, adding the chunklets in order."""
    for k in range(groups.n_chunklets.size):
        reset_group(k, groups)
    for u in range(labels.size):
        groups.labels[u] = labels[u]
        look_at(data, groups, u)
        update_stats(labels[u], u, 1.0, data, groups)
    for k in range(groups.n_chunklets.size):
        if groups.n_chunklets[k] > 0:
            groups.cost[k] = cost_with(data, groups, k, groups.sums, k, 0.0, groups.sizes[k], groups.within_sum[k])


@inner
def pair_penalty(u, k, chunklets, labels):
    """Sum of the penalties of chunklet ``u`` for its neighbors in cluster ``k``; soft must-links count negative."""
    total = 0.0
    for t in range(chunklets.neighbor_start[u], chunklets.neighbor_start[u + 1]):
        if labels[chunklets.neighbor[t]] == k:
            total -= chunklets.log_odds[t]
    return total


@inlined
def log_weight(k, u, rate, data, groups):
    """Log weight of cluster ``k`` in the full conditional of chunklet ``u``: rate times saved cost, less penalties."""
    sign = -1.0 if groups.labels[u] == k else 1.0
    gain = sign * (groups.cost[k] - cost_after(k, u, sign, data, groups))
    penalty = pair_penalty(u, k, data.chunklets, groups.labels) if data.chunklets.neighbor.size > 0 else 0.0
    return rate * gain - penalty


@plain_kernel
def descend(labels, n_clusters, rate, most_sweeps, data, groups):
    """Set all statistics from labels, then move single chunklets while that lowers the cost (Hartigan's transfers).

    Never the last of a cluster; where a move and staying cost the same, the chunklet stays. Returns how many sweeps.
    """
    labels, data, groups = lean((labels, data, groups))
    set_groups(labels, data, groups)
    for done in range(most_sweeps):
        moved = False
        for u in range(groups.labels.size):
            own = groups.labels[u]
            if groups.n_chunklets[own] == 1:
                continue
            best, stay = own, log_weight(own, u, rate, data, groups)
            highest = stay
            for k in range(n_clusters):
                if k == own:
                    continue
                score = log_weight(k, u, rate, data, groups)
                compared = abs(groups.within_sum[k]) + abs(groups.within_sum[own])
                if score > highest and score - stay > ROUNDING * rate * compared:
                    best, highest = k, score
            if best != own:
                place_chunklet(u, best, data, groups)
                moved = True
        if not moved:
            return done + 1
    return most_sweeps
