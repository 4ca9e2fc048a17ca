"""Prior distribution of the number of clusters, and the prior that expects a given number."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from .._typing import FloatArray
from .._validation import check_count, check_number

NEGLIGIBLE = 1e-30  # probabilities below are dropped as items are added
WIDEST = 30.0  # logarithms of parameters that are tried lie within this of zero


def urn_pmf(n_items: int, opens: Callable[[int, FloatArray], FloatArray]) -> FloatArray:
    """Distribution of the number of clusters among ``n_items`` items of an urn, along the last axis from 0 on.

    ``opens(m, k)`` is the probability that the next item opens a cluster when ``m`` items fill ``k``; leading axes are
    urns beside each other.
    """
    pmf = np.ones((*np.shape(opens(1, np.ones(1)))[:-1], 1))
    for m in range(1, n_items):
        new = pmf * opens(m, np.arange(1.0, pmf.shape[-1] + 1))
        pmf = np.concatenate([pmf - new, np.zeros((*pmf.shape[:-1], 1))], axis=-1)
        pmf[..., 1:] += new
        if pmf[..., -1].max() < NEGLIGIBLE:
            pmf = pmf[..., :-1]
    out = np.zeros((*pmf.shape[:-1], n_items + 1))
    out[..., 1 : pmf.shape[-1] + 1] = pmf
    return out


def solve_expected(
    expected: float, n_items: int, mean_clusters: Callable[[float], float], most: float | None = None
) -> float:
    """The parameter under which ``expected`` of ``n_items`` items are expected to open a cluster.

    ``mean_clusters`` grows with the parameter; ``most`` is what it never reaches, the number of items unless given.
    """
    n_items = check_count("n_items", n_items)
    low = mean_clusters(math.exp(-WIDEST))
    most = float(n_items) if most is None else min(most, float(n_items))
    rule = f"lie between {low:.4g} and {most:.4g}, what this prior can expect of {n_items} items"
    check_number("expected", expected, rule, lambda value: low < value < min(most, mean_clusters(math.exp(WIDEST))))
    found = brentq(lambda u: mean_clusters(math.exp(u)) - expected, -WIDEST, WIDEST, xtol=1e-12)
    return math.exp(found)
