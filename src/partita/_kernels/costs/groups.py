"""Cost of each cluster in generalized Bayes, updated as items join and leave: Bregman and pairwise costs in one form.

What moves is a *unit*: an item, or a chunklet of several. The cost of a cluster is a function of its sufficient
statistics: its size, the sum of its rows and its within-sum, which is the sum of phi over its items under a Bregman
cost and the sum of dissimilarities over its pairs under a pairwise one. No update looks at the other members.
"""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inlined_kernel, inlined_summing_kernel, plain_kernel
from .user_function import call_row

PAIRWISE, SQUARED, RELATIVE_ENTROPY, ITAKURA_SAITO, LOGISTIC, USER_FUNCTION = 0, 1, 2, 3, 4, 5

N_SCRATCH = 5


class Units(NamedTuple):
    """Units, the statistics each brings to a cluster, and the cost that is computed from them."""

    kind: int
    weight: np.ndarray  # (n_units,) items in each
    within_sum: np.ndarray  # (n_units,) sum of phi over its items, or of dissimilarities over its pairs
    rows: np.ndarray  # (n_units, d) sum of the rows of each; without a matrix the rows whose distances are taken
    factor: float  # multiplies a Bregman divergence
    shrinkage: float  # how many items at ``target`` a center is pulled by
    target: np.ndarray  # (d,)
    address: int  # of a user's convex function
    matrix: np.ndarray  # (n_units, n_units) sums of dissimilarities, or empty: made from ``rows`` when needed
    p: float  # order of the norm
    power: float  # of the distance
    first: np.ndarray  # (n_units + 1,) where the neighbors of each unit begin
    neighbor: np.ndarray  # units that pay for being in one cluster with it
    penalty: np.ndarray  # what they pay, in units of the log posterior; infinity forbids


class Groups(NamedTuple):
    """Sufficient statistics and cost of each cluster, one per row; the last five are scratch rows for proposals."""

    labels: np.ndarray  # (n_units,)
    n_units: np.ndarray  # (n_rows,)
    weight: np.ndarray  # (n_rows,) items
    within_sum: np.ndarray  # (n_rows,)
    cost: np.ndarray  # (n_rows,)
    sums: np.ndarray  # (n_rows, d)
    cross_sum: np.ndarray  # (n_rows, n_units) sum of dissimilarities from each unit to the members
    scratch: np.ndarray  # (n_units or d,) for one unit's dissimilarities, or for a center


@plain_kernel
def bregman_cost(k, other, u, sign, weight, units, groups):
    """Bregman cost other than the squared distance, without its within-sum."""
    total, pulled = 0.0, units.shrinkage
    for j in range(other.shape[1]):
        s = groups.sums[k, j] + sign * other[u, j]
        c = (s + pulled * units.target[j]) / (weight + pulled)
        if units.kind == RELATIVE_ENTROPY:
            total += weight * c - (s * math.log(c) if s > 0.0 else 0.0)
        elif units.kind == ITAKURA_SAITO:
            total += weight * math.log(c) + s / c - weight
        elif units.kind == LOGISTIC:
            total -= s * math.log(c) if s > 0.0 else 0.0
            total -= (weight - s) * math.log(1.0 - c) if weight - s > 0.0 else 0.0
        else:
            groups.scratch[j] = c
    if units.kind == USER_FUNCTION:
        total = -weight * call_row(units.address, groups.scratch)
    return units.factor * total


@inlined_summing_kernel
def cost_with(k, other, u, sign, weight, within_sum, units, groups):
    """Cost of a cluster of this size and within-sum whose rows sum to ``sums[k] + sign * other[u]``."""
    if units.kind == PAIRWISE:
        return within_sum / weight
    if units.kind == SQUARED:
        total = 0.0
        for j in range(other.shape[1]):
            s = groups.sums[k, j] + sign * other[u, j]
            total += s * s
        return within_sum - total / weight
    return within_sum + bregman_cost(k, other, u, sign, weight, units, groups)


@inlined_kernel
def within_sum_after(k, u, sign, units, groups):
    """Within-sum of cluster ``k`` once unit ``u`` has joined (``sign`` 1) or left (-1)."""
    if units.kind == PAIRWISE:
        return groups.within_sum[k] + sign * groups.cross_sum[k, u] + units.within_sum[u]
    return groups.within_sum[k] + sign * units.within_sum[u]


@inlined_kernel
def cost_after(k, u, sign, units, groups):
    """Cost of cluster ``k`` once unit ``u`` has joined (``sign`` 1) or left (-1)."""
    weight, within_sum = groups.weight[k] + sign * units.weight[u], within_sum_after(k, u, sign, units, groups)
    return cost_with(k, units.rows, u, sign, weight, within_sum, units, groups)


@plain_kernel
def fill_dissimilarities(u, units, groups):
    """Compute the dissimilarities between item ``u`` and every item."""
    p, outer = units.p, units.power / units.p
    for other in range(groups.labels.size):
        total = 0.0
        for j in range(units.rows.shape[1]):
            gap = abs(units.rows[u, j] - units.rows[other, j])
            total += gap if p == 1.0 else gap * gap if p == 2.0 else gap**p
        groups.scratch[other] = total if outer == 1.0 else total**outer


@inlined_kernel
def update_group(k, u, sign, units, groups):
    """Let unit ``u`` join (``sign`` 1) or leave (-1) cluster ``k``; without a matrix, ``scratch`` must be filled."""
    groups.cost[k] = cost_after(k, u, sign, units, groups)
    groups.within_sum[k] = within_sum_after(k, u, sign, units, groups)
    groups.weight[k] += sign * units.weight[u]
    groups.n_units[k] += int(sign)
    if units.kind != PAIRWISE:
        for j in range(units.rows.shape[1]):
            groups.sums[k, j] += sign * units.rows[u, j]
    elif units.matrix.size > 0:
        for v in range(groups.labels.size):
            groups.cross_sum[k, v] += sign * units.matrix[u, v]
    else:
        for v in range(groups.labels.size):
            groups.cross_sum[k, v] += sign * groups.scratch[v]


@inlined_kernel
def relocate(u, k, units, groups):
    """Move unit ``u`` to cluster ``k``; from nowhere, where its label is negative."""
    if units.kind == PAIRWISE and units.matrix.size == 0:
        fill_dissimilarities(u, units, groups)
    if groups.labels[u] >= 0:
        update_group(groups.labels[u], u, -1.0, units, groups)
    update_group(k, u, 1.0, units, groups)
    groups.labels[u] = k


@plain_kernel
def reset_group(k, groups):
    """Make row ``k`` a cluster without members."""
    groups.n_units[k] = 0
    groups.weight[k] = groups.cost[k] = groups.within_sum[k] = 0.0
    for j in range(groups.sums.shape[1]):
        groups.sums[k, j] = 0.0
    for v in range(groups.cross_sum.shape[1]):
        groups.cross_sum[k, v] = 0.0


@plain_kernel
def init_groups(labels, units, groups):
    """Set all statistics from labels of the units, adding the units in order."""
    for k in range(groups.n_units.size):
        reset_group(k, groups)
    for u in range(labels.size):
        groups.labels[u] = -1
        relocate(u, labels[u], units, groups)


@inlined_kernel
def pair_penalty(u, k, units, groups):
    """Sum of the penalties of unit ``u`` for its neighbors in cluster ``k``; soft must-links count negative."""
    total = 0.0
    for t in range(units.first[u], units.first[u + 1]):
        if groups.labels[units.neighbor[t]] == k:
            total += units.penalty[t]
    return total


@inlined_kernel
def log_weight(k, u, rate, units, groups):
    """Log weight of cluster ``k`` in the full conditional of unit ``u``: rate times saved cost, less penalties."""
    sign = -1.0 if groups.labels[u] == k else 1.0
    gain = sign * (groups.cost[k] - cost_after(k, u, sign, units, groups))
    return rate * gain - (pair_penalty(u, k, units, groups) if units.neighbor.size > 0 else 0.0)
