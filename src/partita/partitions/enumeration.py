"""Enumeration of set partitions, Stirling and Bell numbers."""

from __future__ import annotations

from collections import Counter
from math import comb, factorial, lgamma, prod

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.partitions.restricted_growth import growth_rows, sized_growth_rows
from .._typing import LabelRows
from .._validation import check_count, check_memory, check_numbers, magnitude, shorten

MOST_ITEMS = 2_000  # whose partitions are counted


def all_partitions(n_items: int, *, max_clusters: int | None = None, sizes: ArrayLike | None = None) -> LabelRows:
    """Every partition of ``n_items`` items, one canonical row each, in lexicographic order.

    Parameters
    ----------
    n_items : int
        Number of items.
    max_clusters : int, optional
        Keep partitions of at most this many clusters.
    sizes : array-like of int, optional
        Keep partitions with exactly these cluster sizes, in any order.

    Returns
    -------
    partitions : ndarray of unsigned int, shape (n_partitions, n_items)
        Canonical (restricted-growth) labels.

    See Also
    --------
    bell_number, stirling_number : how many there are.

    Notes
    -----
    Restricted growth strings in lexicographic order.

    References
    ----------
    Knuth (2011). The Art of Computer Programming, volume 4A, section 7.2.1.5.

    Examples
    --------
    >>> all_partitions(3)
    array([[0, 0, 0],
           [0, 0, 1],
           [0, 1, 0],
           [0, 1, 1],
           [0, 1, 2]], dtype=uint8)
    >>> len(all_partitions(20, sizes=[12, 8]))
    125970
    """
    n_items = check_count("n_items", n_items)
    if sizes is not None:
        if max_clusters is not None:
            raise ValueError("max_clusters must be left out when sizes are given: sizes fix the number of clusters.")
        given = np.atleast_1d(check_numbers("sizes", sizes))
        if given.ndim > 1 or (given < 1).any() or (given % 1 != 0).any() or given.sum() != n_items:
            raise ValueError(f"sizes must be whole, positive and add up to {n_items} items: got {shorten(sizes)}.")
        target = -np.sort(-given.astype(np.int64))
        out = _rows_for(_n_partitions_with_sizes(target.tolist()), n_items, target.size)
        sized_growth_rows(target, out)
        return out
    most = n_items if max_clusters is None else min(check_count("max_clusters", max_clusters), n_items)
    if most > 1 and n_items > 100:  # too many whatever their number, which would take long to find
        n_partitions = 2 ** min(n_items - 1, MOST_ITEMS)
    else:
        n_partitions = sum(stirling_number(n_items, k) for k in range(1, most + 1))
    out = _rows_for(n_partitions, n_items, most)
    growth_rows(n_items, most, out)
    return out


def stirling_number(n_items: int, n_clusters: int) -> int:
    """Number of partitions of ``n_items`` items into exactly ``n_clusters`` clusters.

    See Also
    --------
    bell_number : with any number of clusters.
    all_partitions : lists them.

    Notes
    -----
    A Stirling number of the second kind, by inclusion and exclusion in whole numbers.

    References
    ----------
    Knuth (2011). The Art of Computer Programming, volume 4A, section 7.2.1.5.

    Examples
    --------
    >>> stirling_number(10, 3)
    9330
    """
    check_count("n_items", n_items, least=0, most=MOST_ITEMS)
    check_count("n_clusters", n_clusters, least=0)
    if n_clusters > n_items:
        return 0
    signed = ((-1) ** j * comb(n_clusters, j) * (n_clusters - j) ** n_items for j in range(n_clusters + 1))
    return sum(signed) // factorial(n_clusters)


def bell_number(n_items: int) -> int:
    """Number of partitions of ``n_items`` items.

    See Also
    --------
    stirling_number : with a given number of clusters.
    all_partitions : lists them.

    Notes
    -----
    The sum of the Stirling numbers of the second kind.

    References
    ----------
    Knuth (2011). The Art of Computer Programming, volume 4A, section 7.2.1.5.

    Examples
    --------
    >>> [bell_number(n) for n in range(6)]
    [1, 1, 2, 5, 15, 52]
    >>> bell_number(30)
    846749014511809332450147
    """
    check_count("n_items", n_items, least=0, most=MOST_ITEMS)
    row = [1]  # the Bell triangle: each row starts with the last entry of the one before
    for _ in range(n_items):
        following = [row[-1]]
        for above in row:
            following.append(following[-1] + above)
        row = following
    return row[0]


def _n_partitions_with_sizes(target: list[int]) -> int:
    """Multinomial coefficient over the orders of clusters of equal size."""
    repeats = Counter(target).values()
    log_count = lgamma(sum(target) + 1) - sum(lgamma(n + 1) for n in (*target, *repeats))
    if log_count > 700:  # too many whatever their number, which would take long to find
        return 10**300
    arrangements = factorial(sum(target)) // prod(map(factorial, target))
    return arrangements // prod(map(factorial, repeats))


def _rows_for(n_partitions: int, n_items: int, most_clusters: int) -> LabelRows:
    dtype = np.min_scalar_type(most_clusters - 1)
    what = f"The {magnitude(n_partitions)} partitions of {n_items} items"
    help_ = "Enumerate fewer items, or bound the number of clusters."
    check_memory(n_partitions * n_items * dtype.itemsize, what, help_)
    return np.empty((n_partitions, n_items), dtype)
