"""Sum of the dissimilarities over all pairs of items of a cluster, divided by its size."""

from typing import NamedTuple

import numpy as np

from ..constraints.chunklets import Chunklets
from .formula import FORMULAS, Formula


class PairwiseData(NamedTuple):
    """Dissimilarities of chunklets, or rows whose distances are taken."""

    within_sum: np.ndarray  # (n_chunklets,) sum over the pairs inside each
    rows: np.ndarray  # (n_chunklets, d), used without a matrix
    chunklets: Chunklets
    matrix: np.ndarray  # (n_chunklets, n_chunklets) sums of dissimilarities, or empty
    p: float  # order of the norm
    power: float  # of the distance


def cost_with(data, groups, k, other, u, sign, size, within_sum):
    """The within-sum per item."""
    return within_sum / size


def within_sum_after(data, groups, k, u, sign):
    """The chunklet's own and its dissimilarities to the members are added."""
    return groups.within_sum[k] + sign * groups.cross_sum[k, u] + data.within_sum[u]


def look_at(data, groups, u):
    """Without a matrix, its dissimilarities to every item are computed."""
    if data.matrix.size > 0:
        return
    p, outer = data.p, data.power / data.p
    for other in range(groups.labels.size):
        total = 0.0
        for j in range(data.rows.shape[1]):
            gap = abs(data.rows[u, j] - data.rows[other, j])
            total += gap if p == 1.0 else gap * gap if p == 2.0 else gap**p
        groups.scratch[other] = total if outer == 1.0 else total**outer


def update_sums(data, groups, k, u, sign):
    """Its dissimilarities to all others are added."""
    if data.matrix.size > 0:
        for v in range(groups.labels.size):
            groups.cross_sum[k, v] += sign * data.matrix[u, v]
    else:
        for v in range(groups.labels.size):
            groups.cross_sum[k, v] += sign * groups.scratch[v]


def fill_cross(data, groups, k, cross):
    """The dissimilarities between the members of both."""
    for other in range(cross.size):
        cross[other] = 0.0
    for u in range(groups.labels.size):
        cross[groups.labels[u]] += groups.cross_sum[k, u]


def merge_sums(data, groups, a, b, into):
    """The sums of both, and the dissimilarities between them."""
    groups.within_sum[into] = groups.within_sum[a] + groups.within_sum[b]
    for u in range(groups.labels.size):
        if groups.labels[u] == b:
            groups.within_sum[into] += groups.cross_sum[a, u]
        groups.cross_sum[into, u] = groups.cross_sum[a, u] + groups.cross_sum[b, u]


FORMULAS[PairwiseData] = Formula(cost_with, within_sum_after, look_at, update_sums, fill_cross, merge_sums)
