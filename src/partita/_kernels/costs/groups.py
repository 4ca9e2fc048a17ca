"""What clusters cost in generalized Bayes, as items join and leave: Bregman and pairwise costs in one form.

What moves is a *unit*: an item, or several that stay together. A cluster has a size, a sum of rows and a level: the
sum of phi over its items under a Bregman cost, the sum of dissimilarities over its pairs under a pairwise one. Its cost
is a function of these three, so it follows a unit's joining or leaving without a look at the other members.
"""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inlined_kernel, inlined_summing_kernel, plain_kernel
from .user_function import call_row

PAIRWISE, SQUARED, RELATIVE_ENTROPY, ITAKURA_SAITO, LOGISTIC, FOREIGN = 0, 1, 2, 3, 4, 5

N_SPARE = 5


class Units(NamedTuple):
    """What moves as one, and how it is to be costed."""

    kind: int
    weight: np.ndarray  # (n_units,) items in each
    level: np.ndarray  # (n_units,) sum of phi over its items, or of dissimilarities over its pairs
    rows: np.ndarray  # (n_units, d) sum of the rows of each; without a matrix the rows whose distances are taken
    factor: float  # multiplies a Bregman divergence
    shrinkage: float  # how many items at ``target`` a centre is pulled by
    target: np.ndarray  # (d,)
    address: int  # of a user's convex function
    matrix: np.ndarray  # (n_units, n_units) sums of dissimilarities, or empty: made from ``rows`` when needed
    p: float  # order of the norm
    power: float  # of the distance
    first: np.ndarray  # (n_units + 1,) where the neighbours of each unit begin
    neighbour: np.ndarray  # units that pay for being in one cluster with it
    penalty: np.ndarray  # what they pay, in units of the log posterior; infinity forbids


class Groups(NamedTuple):
    """Clusters of units; the last five rows are room to try others."""

    labels: np.ndarray  # (n_units,)
    n_units: np.ndarray  # (n_rows,)
    weight: np.ndarray  # (n_rows,) items
    level: np.ndarray  # (n_rows,)
    cost: np.ndarray  # (n_rows,)
    sums: np.ndarray  # (n_rows, d)
    reach: np.ndarray  # (n_rows, n_units) sum of dissimilarities from each unit to the members
    room: np.ndarray  # (n_units or d,) for one unit's dissimilarities, or for a centre


@plain_kernel
def generated_cost(k, other, u, sign, weight, units, groups):
    """Cost under a Bregman divergence that takes logarithms or a user's function, short of the level."""
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
            groups.room[j] = c
    if units.kind == FOREIGN:
        total = -weight * call_row(units.address, groups.room)
    return units.factor * total


@inlined_summing_kernel
def cost_with(k, other, u, sign, weight, level, units, groups):
    """Cost of a cluster of this weight and level, its sum that of row ``k`` and ``sign`` times a row of ``other``."""
    if units.kind == PAIRWISE:
        return level / weight
    if units.kind == SQUARED:
        total = 0.0
        for j in range(other.shape[1]):
            s = groups.sums[k, j] + sign * other[u, j]
            total += s * s
        return level - total / weight
    return level + generated_cost(k, other, u, sign, weight, units, groups)


@inlined_kernel
def level_after(k, u, sign, units, groups):
    """Level of cluster ``k`` once unit ``u`` has joined (``sign`` 1) or left (-1)."""
    if units.kind == PAIRWISE:
        return groups.level[k] + sign * groups.reach[k, u] + units.level[u]
    return groups.level[k] + sign * units.level[u]


@inlined_kernel
def cost_after(k, u, sign, units, groups):
    """Cost of cluster ``k`` once unit ``u`` has joined (``sign`` 1) or left (-1)."""
    weight, level = groups.weight[k] + sign * units.weight[u], level_after(k, u, sign, units, groups)
    return cost_with(k, units.rows, u, sign, weight, level, units, groups)


@plain_kernel
def fill_room(u, units, groups):
    """Work out the dissimilarities between item ``u`` and every item."""
    p, outer = units.p, units.power / units.p
    for other in range(groups.labels.size):
        total = 0.0
        for j in range(units.rows.shape[1]):
            gap = abs(units.rows[u, j] - units.rows[other, j])
            total += gap if p == 1.0 else gap * gap if p == 2.0 else gap**p
        groups.room[other] = total if outer == 1.0 else total**outer


@inlined_kernel
def change_group(k, u, sign, units, groups):
    """Let unit ``u`` join (``sign`` 1) or leave (-1) cluster ``k``; without a matrix, ``room`` must be filled."""
    groups.cost[k] = cost_after(k, u, sign, units, groups)
    groups.level[k] = level_after(k, u, sign, units, groups)
    groups.weight[k] += sign * units.weight[u]
    groups.n_units[k] += int(sign)
    if units.kind != PAIRWISE:
        for j in range(units.rows.shape[1]):
            groups.sums[k, j] += sign * units.rows[u, j]
    elif units.matrix.size > 0:
        for v in range(groups.labels.size):
            groups.reach[k, v] += sign * units.matrix[u, v]
    else:
        for v in range(groups.labels.size):
            groups.reach[k, v] += sign * groups.room[v]


@inlined_kernel
def relocate(u, k, units, groups):
    """Move unit ``u`` to cluster ``k``; from nowhere, where its label is negative."""
    if units.kind == PAIRWISE and units.matrix.size == 0:
        fill_room(u, units, groups)
    if groups.labels[u] >= 0:
        change_group(groups.labels[u], u, -1.0, units, groups)
    change_group(k, u, 1.0, units, groups)
    groups.labels[u] = k


@plain_kernel
def empty_group(k, groups):
    """Make row ``k`` a cluster without members."""
    groups.n_units[k] = 0
    groups.weight[k] = groups.cost[k] = groups.level[k] = 0.0
    for j in range(groups.sums.shape[1]):
        groups.sums[k, j] = 0.0
    for v in range(groups.reach.shape[1]):
        groups.reach[k, v] = 0.0


@plain_kernel
def group_all(labels, units, groups):
    """Begin with these labels of the units: every sum is made anew, in the order of the units."""
    for k in range(groups.n_units.size):
        empty_group(k, groups)
    for u in range(labels.size):
        groups.labels[u] = -1
        relocate(u, labels[u], units, groups)


@inlined_kernel
def paid_in(u, k, units, groups):
    """What unit ``u`` pays for its neighbours in cluster ``k``."""
    total = 0.0
    for t in range(units.first[u], units.first[u + 1]):
        if groups.labels[units.neighbour[t]] == k:
            total += units.penalty[t]
    return total


@inlined_kernel
def join_score(k, u, rate, units, groups):
    """Log weight of unit ``u`` in cluster ``k``, the unit itself left out of account where it is a member."""
    sign = -1.0 if groups.labels[u] == k else 1.0
    gain = sign * (groups.cost[k] - cost_after(k, u, sign, units, groups))
    return rate * gain - (paid_in(u, k, units, groups) if units.neighbour.size > 0 else 0.0)
