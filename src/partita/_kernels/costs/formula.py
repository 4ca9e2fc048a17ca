"""The functions of a cost, chosen by the type of its data when a kernel is compiled.

The cost of a cluster is a function of its sufficient statistics: its size, the sum of its rows and its within-sum,
which is the sum of phi over its items under a Bregman cost and the sum of dissimilarities over its pairs under a
pairwise one. No update looks at the other members. The data of a cost are a NamedTuple with the statistics that each
chunklet brings to its cluster: ``within_sum``, ``chunklets`` and what the cost's own functions read. A cost registers
those for the type of its data, and numba compiles those of the cost in use, and no others.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._jit import by_type, inlined_options, inner_options


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


class Formula(NamedTuple):
    """What a cost must know; each function is described below, where kernels call it."""

    cost_with: Callable[..., float]
    within_sum_after: Callable[..., float]
    look_at: Callable[..., None]
    update_sums: Callable[..., None]
    fill_cross: Callable[..., None]
    merge_sums: Callable[..., None]


FORMULAS: dict[type, Formula] = {}


def of_formula(**options: Any) -> Callable[[Any], Any]:
    """Call the function of the same name that the cost has."""
    return lambda described: by_type(lambda kind: getattr(FORMULAS[kind], described.__name__), **options)(described)


@of_formula(**inlined_options)
def cost_with(data, groups, k, other, u, sign, size, within_sum):
    """Cost of a cluster of this size and within-sum whose rows sum to ``sums[k] + sign * other[u]``."""


@of_formula(**inlined_options)
def within_sum_after(data, groups, k, u, sign):
    """Within-sum of cluster ``k`` once chunklet ``u`` has joined (``sign`` 1) or left (-1)."""


@of_formula(**inner_options)
def look_at(data, groups, u):
    """Fill ``scratch`` with what `update_sums` needs for chunklet ``u``."""


@of_formula(**inlined_options)
def update_sums(data, groups, k, u, sign):
    """Let chunklet ``u`` join (``sign`` 1) or leave (-1) the sums of cluster ``k``."""


@of_formula(**inner_options)
def fill_cross(data, groups, k, cross):
    """Fill ``cross`` with what the within-sums of cluster ``k`` and of each other lack to that of their union."""


@of_formula(**inner_options)
def merge_sums(data, groups, a, b, into):
    """Make the sums of row ``into`` those of the union of two clusters."""
