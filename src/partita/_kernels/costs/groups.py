"""Cost of each cluster in generalized Bayes, updated as items join and leave: Bregman and pairwise costs in one form.

What moves is a chunklet, often of a single item. The cost of a cluster is a function of its sufficient statistics: its
size, the sum of its rows and its within-sum, which is the sum of phi over its items under a Bregman cost and the sum of
dissimilarities over its pairs under a pairwise one. No update looks at the other members.
"""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inlined, inner, plain_kernel
from ..constraints.chunklets import Chunklets
from .user_function import call_row

PAIRWISE, SQUARED, RELATIVE_ENTROPY, ITAKURA_SAITO, LOGISTIC, USER_FUNCTION = 0, 1, 2, 3, 4, 5

N_SCRATCH = 5


class Formula(NamedTuple):
    """The cost of a cluster as a function of its statistics."""

    kind: int
    factor: float  # multiplies a Bregman divergence
    shrinkage: float  # how many items at ``target`` a center is pulled by
    target: np.ndarray  # (d,)
    address: int  # of a user's convex function


class CostData(NamedTuple):
    """A cost, and the statistics that each chunklet brings to its cluster."""

    formula: Formula
    within_sum: np.ndarray  # (n_chunklets,) sum of phi over its items, or of dissimilarities over its pairs
    rows: np.ndarray  # (n_chunklets, d) sum of the rows of each; without a matrix the rows whose distances are taken
    matrix: np.ndarray  # (n_chunklets, n_chunklets) sums of dissimilarities, or empty: made from ``rows`` when needed
    p: float  # order of the norm
    power: float  # of the distance
    chunklets: Chunklets


class Groups(NamedTuple):
    """Sufficient statistics and cost of each cluster, one per row; the last five are scratch rows for proposals."""

    labels: np.ndarray  # (n_chunklets,)
    n_chunklets: np.ndarray  # (n_rows,)
    sizes: np.ndarray  # (n_rows,) items
    within_sum: np.ndarray  # (n_rows,)
    cost: np.ndarray  # (n_rows,)
    sums: np.ndarray  # (n_rows, d)
    cross_sum: np.ndarray  # (n_rows, n_chunklets) sum of dissimilarities from each chunklet to the members
    scratch: np.ndarray  # (n_chunklets or d,) for one chunklet's dissimilarities, or for a center


@inlined
def bregman_cost(k, other, u, sign, size, formula, sums, center):
    """Bregman cost other than the squared distance, without its within-sum; ``center`` is written to."""
    total, pulled = 0.0, formula.shrinkage
    share = 1.0 / (size + pulled)
    for j in range(other.shape[1]):
        s = sums[k, j] + sign * other[u, j]
        c = (s + pulled * formula.target[j]) * share
        if formula.kind == RELATIVE_ENTROPY:
            total += size * c - (s * math.log(c) if s > 0.0 else 0.0)
        elif formula.kind == ITAKURA_SAITO:
            total += size * math.log(c) + s / c - size
        elif formula.kind == LOGISTIC:
            total -= s * math.log(c) if s > 0.0 else 0.0
            total -= (size - s) * math.log(1.0 - c) if size - s > 0.0 else 0.0
        else:
            center[j] = c
    if formula.kind == USER_FUNCTION:
        total = -size * call_row(formula.address, center)
    return formula.factor * total


@inlined
def cost_with(k, other, u, sign, size, within_sum, data, groups):
    """Cost of a cluster of this size and within-sum whose rows sum to ``sums[k] + sign * other[u]``."""
    if data.formula.kind == PAIRWISE:
        return within_sum / size
    if data.formula.kind == SQUARED:
        total = 0.0
        for j in range(other.shape[1]):
            s = groups.sums[k, j] + sign * other[u, j]
            total += s * s
        return within_sum - total / size
    return within_sum + bregman_cost(k, other, u, sign, size, data.formula, groups.sums, groups.scratch)


@inlined
def within_sum_after(k, u, sign, data, groups):
    """Within-sum of cluster ``k`` once chunklet ``u`` has joined (``sign`` 1) or left (-1)."""
    if data.formula.kind == PAIRWISE:
        return groups.within_sum[k] + sign * groups.cross_sum[k, u] + data.within_sum[u]
    return groups.within_sum[k] + sign * data.within_sum[u]


@inlined
def cost_after(k, u, sign, data, groups):
    """Cost of cluster ``k`` once chunklet ``u`` has joined (``sign`` 1) or left (-1)."""
    size, within_sum = groups.sizes[k] + sign * data.chunklets.size[u], within_sum_after(k, u, sign, data, groups)
    return cost_with(k, data.rows, u, sign, size, within_sum, data, groups)


@inner
def fill_dissimilarities(u, data, groups):
    """Compute the dissimilarities between item ``u`` and every item."""
    p, outer = data.p, data.power / data.p
    for other in range(groups.labels.size):
        total = 0.0
        for j in range(data.rows.shape[1]):
            gap = abs(data.rows[u, j] - data.rows[other, j])
            total += gap if p == 1.0 else gap * gap if p == 2.0 else gap**p
        groups.scratch[other] = total if outer == 1.0 else total**outer


@inlined
def update_sums(k, u, sign, data, groups):
    """Let chunklet ``u`` join (``sign`` 1) or leave (-1) cluster ``k``, but for the cost; see `update_group`."""
    groups.within_sum[k] = within_sum_after(k, u, sign, data, groups)
    groups.sizes[k] += sign * data.chunklets.size[u]
    groups.n_chunklets[k] += int(sign)
    if data.formula.kind != PAIRWISE:
        for j in range(data.rows.shape[1]):
            groups.sums[k, j] += sign * data.rows[u, j]
    elif data.matrix.size > 0:
        for v in range(groups.labels.size):
            groups.cross_sum[k, v] += sign * data.matrix[u, v]
    else:
        for v in range(groups.labels.size):
            groups.cross_sum[k, v] += sign * groups.scratch[v]


@inlined
def update_group(k, u, sign, data, groups):
    """Let chunklet ``u`` join (``sign`` 1) or leave (-1) cluster ``k``; without a matrix, fill ``scratch`` first."""
    groups.cost[k] = cost_after(k, u, sign, data, groups)
    update_sums(k, u, sign, data, groups)


@inlined
def relocate(u, k, data, groups):
    """Move chunklet ``u`` to cluster ``k``; from nowhere, where its label is negative."""
    if data.formula.kind == PAIRWISE and data.matrix.size == 0:
        fill_dissimilarities(u, data, groups)
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


@plain_kernel
def init_groups(labels, data, groups):
    """Set all statistics from labels of the chunklets, adding the chunklets in order."""
    for k in range(groups.n_chunklets.size):
        reset_group(k, groups)
    for u in range(labels.size):
        groups.labels[u] = labels[u]
        if data.formula.kind == PAIRWISE and data.matrix.size == 0:
            fill_dissimilarities(u, data, groups)
        update_sums(labels[u], u, 1.0, data, groups)
    for k in range(groups.n_chunklets.size):
        if groups.n_chunklets[k] > 0:
            groups.cost[k] = cost_with(k, groups.sums, k, 0.0, groups.sizes[k], groups.within_sum[k], data, groups)


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
