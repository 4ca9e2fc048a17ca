"""Merge-split proposal that keeps the number of clusters: merge two, then split one of those there now are.

A cluster is picked, and one to merge it with, near ones being likelier; then, of the clusters there now are, one to
split, costly ones being likelier. A split begins with two of its data, one for each side; the others join one after
the other, and then take sides anew. As in Jain and Neal (2004) only the last scan counts, the launch before it being
drawn the same way in both directions. Whichever way the move is made, the partition between its steps is the same.
"""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inner
from ..costs.formula import cost_with, fill_cross, merge_sums
from ..costs.groups import log_weight, pair_penalty, place_chunklet, relocate, reset_group
from .gibbs import pick


class Scratch(NamedTuple):
    """Arrays for kernels to work in."""

    scores: np.ndarray  # (n_rows,)
    cross: np.ndarray  # (n_rows,)
    alive: np.ndarray  # (n_rows,)
    members: np.ndarray  # (4, n_chunklets) chunklets to merge and to split, and the side that each is on
    labels: np.ndarray  # (n_items,)
    seen_in: np.ndarray  # (n_rows,) -1 before a block
    name: np.ndarray  # (n_rows,)


@inner
def split_scan(members, n_members, row, forced, target, rate, data, groups, rng):
    """Put each member but the first two on one of two rows given the others; return the outcome's log probability.

    Where ``forced``, the outcome is ``target``. Where a row is forbidden to a member, give up: minus infinity.
    """
    log_q, q = 0.0, 1.0
    for t in range(2, n_members):
        u = members[t]
        first, second = log_weight(row, u, rate, data, groups), log_weight(row + 1, u, rate, data, groups)
        odds = math.exp(min(abs(second - first), 700.0)) if second != first else 1.0  # of the likelier side
        likelier = int(second > first)
        side = target[t] if forced else likelier if rng.random() * (1.0 + odds) < odds else 1 - likelier
        if (second if side == 1 else first) == -np.inf:
            return -np.inf
        q *= (odds if side == likelier else 1.0) / (1.0 + odds)
        if q < 1e-200:
            log_q, q = log_q + math.log(q), 1.0
        if groups.labels[u] != row + side:
            relocate(u, row + side, data, groups)
    return log_q + math.log(q)


@inner
def launch(members, n_members, row, rate, data, groups, rng):
    """Split members over two empty rows around the first two of them; False where neighbors forbid it."""
    reset_group(row, groups)
    reset_group(row + 1, groups)
    for t in range(n_members):
        groups.labels[members[t]] = -1
    for t in range(2):
        place_chunklet(members[t], row + t, data, groups)
    return split_scan(members, n_members, row, False, members, rate, data, groups, rng) > -np.inf


@inner
def collect(k, start, groups, members):
    """Write the chunklets of cluster ``k`` to ``members`` from ``start`` on; return where they end."""
    for u in range(groups.labels.size):
        if groups.labels[u] == k:
            members[start] = u
            start += 1
    return start


@inner
def penalty_among(members, n_members, data, groups):
    """Sum of the pair penalties of members, each pair once where both are members."""
    total = 0.0
    if data.chunklets.neighbor.size > 0:
        for t in range(n_members):
            total += 0.5 * pair_penalty(members[t], groups.labels[members[t]], data.chunklets, groups.labels)
    return total


@inner
def merge_log_weights(k, alive, rate, data, groups, cross, scores):
    """Fill ``scores`` with the log weight of merging row ``k`` with each live row: the more cost is saved, the more."""
    fill_cross(data, groups, k, cross)
    for other in range(alive.size):
        scores[other] = -np.inf
        if alive[other] and other != k:
            size = groups.sizes[k] + groups.sizes[other]
            within_sum = groups.within_sum[k] + groups.within_sum[other] + cross[other]
            merged = cost_with(data, groups, other, groups.sums, k, 1.0, size, within_sum)
            scores[other] = rate * (groups.cost[k] + groups.cost[other] - merged)


@inner
def pick_share(scores, scratch, rng):
    """An index drawn with probability proportional to ``exp(scores)``, which stay as they are."""
    for t in range(scores.size):
        scratch[t] = scores[t]
    return pick(scratch, scores.size, rng)[0]


@inner
def put_first(place, start, end, members, rng):
    """Exchange the member at ``place`` with one drawn from a range."""
    at = start + int(rng.random() * (end - start))
    members[place], members[at] = members[at], members[place]


@inner
def shuffle_members(start, end, members, rng):
    """Put a range of members in random order."""
    for last in range(end - 1, start, -1):
        at = start + int(rng.random() * (last - start + 1))
        members[last], members[at] = members[at], members[last]


@inner
def log_share(scores, chosen):
    """Log probability of picking ``chosen``."""
    highest, total = -np.inf, 0.0
    for t in range(scores.size):
        highest = max(highest, scores[t])
    for t in range(scores.size):
        total += math.exp(scores[t] - highest)
    return scores[chosen] - highest - math.log(total)


@inner
def merge_rows(a, b, into, data, groups):
    """Make row ``into`` the union of two clusters."""
    groups.n_chunklets[into] = groups.n_chunklets[a] + groups.n_chunklets[b]
    groups.sizes[into] = groups.sizes[a] + groups.sizes[b]
    merge_sums(data, groups, a, b, into)
    size, within_sum = groups.sizes[into], groups.within_sum[into]
    groups.cost[into] = cost_with(data, groups, a, groups.sums, b, 1.0, size, within_sum)


@inner
def copy_row(source, into, groups):
    """Make row ``into`` equal to another."""
    groups.n_chunklets[into] = groups.n_chunklets[source]
    groups.sizes[into] = groups.sizes[source]
    groups.within_sum[into] = groups.within_sum[source]
    groups.cost[into] = groups.cost[source]
    for j in range(groups.sums.shape[1]):
        groups.sums[into, j] = groups.sums[source, j]
    for v in range(groups.cross_sum.shape[1]):
        groups.cross_sum[into, v] = groups.cross_sum[source, v]


@inner
def split_log_weights(a, b, n_clusters, groups, scores):
    """Fill ``scores`` with the log weight of splitting each cluster once ``a`` and ``b`` are merged."""
    for k in range(scores.size):
        scores[k] = -np.inf
    for k in range(n_clusters + 1):
        if k == n_clusters or (k != a and k != b and groups.n_chunklets[k] > 1):
            scores[k] = math.log(max(groups.cost[k], 0.0) + 1e-300)


@inner
def label_sides(members, n_members, sides, first, second, groups):
    """Label members by the side each is on."""
    for t in range(n_members):
        groups.labels[members[t]] = second if sides[t] == 1 else first


@inner
def split_ratio(a, b, c, n_clusters, alive, rate, data, groups, cross, scores):
    """Log ratio of the posterior after and before, and of the probabilities to pick clusters and members."""
    union, one, two = n_clusters, n_clusters + 1, n_clusters + 2
    ratio = rate * (groups.cost[a] + groups.cost[b] - groups.cost[one] - groups.cost[two])
    n = groups.n_chunklets
    ratio += math.log(float(n[a]) * n[b] / (float(n[one]) * n[two]))
    alive[a] = alive[b] = alive[c] = False
    alive[one] = alive[two] = True
    if c != union:
        ratio += rate * (groups.cost[c] - groups.cost[union])
        n_split, n_merged = float(n[c]), float(n[union])
        ratio += math.log(n_split * (n_split - 1.0) / (n_merged * (n_merged - 1.0)))
        alive[union] = True
    merge_log_weights(one, alive, rate, data, groups, cross, scores)
    return ratio + log_share(scores, two)


@inner
def merge_then_split(n_clusters, rate, data, groups, scratch, rng):
    """Propose to merge two clusters and to split one; return whether it was accepted."""
    n_chunklets, n_rows = groups.labels.size, groups.n_chunklets.size
    union, one, two, back = n_clusters, n_clusters + 1, n_clusters + 2, n_clusters + 3
    if n_clusters < 2 or n_chunklets == n_clusters:
        return False
    cross, scores, alive = scratch.cross, scratch.scores, scratch.alive
    for k in range(n_rows):
        alive[k] = k < n_clusters
    a = int(rng.random() * n_clusters)
    merge_log_weights(a, alive, rate, data, groups, cross, scores)
    b = pick_share(scores, cross, rng)
    ratio = -log_share(scores, b)
    merge_rows(a, b, union, data, groups)
    split_log_weights(a, b, n_clusters, groups, scores)
    c = pick_share(scores, cross, rng)
    ratio += scores[union] - scores[c]

    merged, target, split, sides = scratch.members[0], scratch.members[1], scratch.members[2], scratch.members[3]
    n_a = collect(a, 0, groups, merged)
    n_merged = n_split = collect(b, n_a, groups, merged)
    put_first(0, 0, n_a, merged, rng)
    put_first(1, n_a, n_merged, merged, rng)
    shuffle_members(2, n_merged, merged, rng)
    for t in range(n_merged):
        target[t] = groups.labels[merged[t]] == b
        split[t] = merged[t]
    ratio += penalty_among(merged, n_merged, data, groups)
    if c != union:
        n_split = collect(c, 0, groups, split)
        ratio += penalty_among(split, n_split, data, groups)
        label_sides(merged, n_merged, target, union, union, groups)
        ratio -= penalty_among(merged, n_merged, data, groups)
    shuffle_members(0, n_split, split, rng)

    accepted = ratio > -np.inf and launch(split, n_split, one, rate, data, groups, rng)
    if accepted:
        ratio -= split_scan(split, n_split, one, False, target, rate, data, groups, rng)
        accepted = ratio < np.inf
    if accepted:
        for t in range(n_split):
            sides[t] = groups.labels[split[t]] - one
        ratio += split_ratio(a, b, c, n_clusters, alive, rate, data, groups, cross, scores)
        ratio -= penalty_among(split, n_split, data, groups)
        log_u = math.log(rng.random())
        # The way back has a probability of at most one: most proposals are lost before it is asked for.
        accepted = log_u < ratio and launch(merged, n_merged, back, rate, data, groups, rng)
        if accepted:
            ratio += split_scan(merged, n_merged, back, True, target, rate, data, groups, rng)
            accepted = log_u < ratio
    if not accepted:
        label_sides(split, n_split, sides, c, c, groups)
        label_sides(merged, n_merged, target, a, b, groups)
        return False
    first, second = (a, b) if c == union else (b, c)
    if c != union:
        label_sides(merged, n_merged, target, a, a, groups)
        copy_row(union, a, groups)
    label_sides(split, n_split, sides, first, second, groups)
    copy_row(one, first, groups)
    copy_row(two, second, groups)
    return True
