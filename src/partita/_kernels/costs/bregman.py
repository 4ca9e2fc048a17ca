"""Bregman divergences from the mean of a cluster, summed over its items."""

import math
from typing import Any, NamedTuple

import numpy as np

from .._jit import by_type, inlined_options
from ..constraints.chunklets import Chunklets
from .formula import FORMULAS, Formula
from .user_function import call_row


class RowData(NamedTuple):
    """Statistics of chunklets of rows of numbers."""

    within_sum: np.ndarray  # (n_chunklets,) sum of phi over the items of each
    rows: np.ndarray  # (n_chunklets, d) sum of the rows of each
    chunklets: Chunklets
    factor: float  # multiplies the divergence
    shrinkage: float  # how many items at ``target`` a center is pulled by
    target: np.ndarray  # (d,)
    address: int  # of a user's convex function


class Squared(RowData):
    """Squared Euclidean distance."""


class RelativeEntropy(RowData):
    """Kullback-Leibler divergence of rows that need not sum to one."""


class ItakuraSaito(RowData):
    """Itakura-Saito divergence."""


class Logistic(RowData):
    """Logistic loss."""


class UserFunction(RowData):
    """Divergence of a user's own convex function."""


def relative_entropy(data, s, size, c):
    """Under the Kullback-Leibler divergence."""
    return size * c - (s * math.log(c) if s > 0.0 else 0.0)


def itakura_saito(data, s, size, c):
    """Under the Itakura-Saito divergence."""
    return size * math.log(c) + s / c - size


def logistic(data, s, size, c):
    """Under the logistic loss."""
    return -(s * math.log(c) if s > 0.0 else 0.0) - ((size - s) * math.log(1.0 - c) if size - s > 0.0 else 0.0)


TERMS: dict[type, Any] = {RelativeEntropy: relative_entropy, ItakuraSaito: itakura_saito, Logistic: logistic}


@by_type(TERMS.__getitem__, **inlined_options)
def column_term(data, s, size, c):
    """What a column with this sum and center adds to the cost of a cluster, up to the factor."""


def squared_cost(data, groups, k, other, u, sign, size, within_sum):
    """The sum of squares less that of the mean."""
    total = 0.0
    for j in range(other.shape[1]):
        s = groups.sums[k, j] + sign * other[u, j]
        total += s * s
    return within_sum - total / size


def column_cost(data, groups, k, other, u, sign, size, within_sum):
    """A sum over columns, each of which has its own share in the cost."""
    total, pulled = 0.0, data.shrinkage
    share = 1.0 / (size + pulled)
    for j in range(other.shape[1]):
        s = groups.sums[k, j] + sign * other[u, j]
        total += column_term(data, s, size, (s + pulled * data.target[j]) * share)
    return within_sum + data.factor * total


def user_cost(data, groups, k, other, u, sign, size, within_sum):
    """The sum of phi less that of the center."""
    share = 1.0 / (size + data.shrinkage)
    for j in range(other.shape[1]):
        s = groups.sums[k, j] + sign * other[u, j]
        groups.scratch[j] = (s + data.shrinkage * data.target[j]) * share
    return within_sum - data.factor * size * call_row(data.address, groups.scratch)


def within_sum_after(data, groups, k, u, sign):
    """The chunklet's own is added."""
    return groups.within_sum[k] + sign * data.within_sum[u]


def look_at(data, groups, u):
    """Its rows are at hand."""


def update_sums(data, groups, k, u, sign):
    """Its rows are added."""
    for j in range(data.rows.shape[1]):
        groups.sums[k, j] += sign * data.rows[u, j]


def fill_cross(data, groups, k, cross):
    """Nothing: phi is summed over items."""
    for other in range(cross.size):
        cross[other] = 0.0


def merge_sums(data, groups, a, b, into):
    """The sums of both."""
    groups.within_sum[into] = groups.within_sum[a] + groups.within_sum[b]
    for j in range(groups.sums.shape[1]):
        groups.sums[into, j] = groups.sums[a, j] + groups.sums[b, j]


for kind, cost in ((Squared, squared_cost), (UserFunction, user_cost), *((kind, column_cost) for kind in TERMS)):
    FORMULAS[kind] = Formula(cost, within_sum_after, look_at, update_sums, fill_cross, merge_sums)
