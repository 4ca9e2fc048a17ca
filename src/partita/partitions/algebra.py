"""The algebra of label vectors.

A partition of ``n_items`` items is an array of labels: items that share a label share a cluster. The *canonical*
labels number the clusters 0, 1, ... by first appearance, so two partitions are equal when their arrays are.
"""

from __future__ import annotations

from collections import Counter
from math import comb, factorial, prod

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .._kernels.partitions.restricted_growth import growth_rows, sized_growth_rows
from .._validation import (
    IntArray,
    LabelRows,
    check_count,
    check_draws,
    check_labels,
    check_memory,
    check_numbers,
    check_same_items,
    magnitude,
    shorten,
)


def canonical(labels: ArrayLike) -> IntArray:
    """The same partition with clusters numbered 0, 1, ... by first appearance.

    Parameters
    ----------
    labels : array-like of int, shape (n_items,)
        Cluster labels, not negative. Only which items share a label matters.

    Returns
    -------
    labels : ndarray of int64, shape (n_items,)
        Canonical labels.

    Examples
    --------
    >>> canonical([7, 7, 2, 9, 2])
    array([0, 0, 1, 2, 1])
    """
    return check_labels(labels)


def sizes(labels: ArrayLike) -> IntArray:
    """Number of items in each cluster, in canonical order.

    Examples
    --------
    >>> sizes([7, 7, 2, 9, 2])
    array([2, 2, 1])
    """
    return np.bincount(check_labels(labels))


def meet(a: ArrayLike, b: ArrayLike) -> IntArray:
    """Coarsest partition that refines both ``a`` and ``b``.

    Its clusters are the non-empty intersections of a cluster of ``a`` with a cluster of ``b``.

    Parameters
    ----------
    a, b : array-like of int, shape (n_items,)
        Cluster labels of the same items.

    Returns
    -------
    labels : ndarray of int64, shape (n_items,)
        Canonical labels of the meet.

    See Also
    --------
    join : finest partition that ``a`` and ``b`` both refine.

    Examples
    --------
    >>> meet([7, 7, 7, 2], [0, 0, 1, 1])
    array([0, 0, 1, 2])
    """
    a, b = check_same_items(a=a, b=b)
    return check_labels(np.unique(a * (b.max() + 1) + b, return_inverse=True)[1])


def join(a: ArrayLike, b: ArrayLike) -> IntArray:
    """Finest partition that both ``a`` and ``b`` refine.

    Items are together when a chain of shared clusters, of ``a`` or of ``b``, connects them.

    Parameters
    ----------
    a, b : array-like of int, shape (n_items,)
        Cluster labels of the same items.

    Returns
    -------
    labels : ndarray of int64, shape (n_items,)
        Canonical labels of the join.

    See Also
    --------
    meet : coarsest partition that refines ``a`` and ``b``.

    Examples
    --------
    >>> join([0, 0, 1, 2], [0, 1, 1, 2])
    array([0, 0, 0, 1])
    """
    a, b = check_same_items(a=a, b=b)
    # Clusters are the nodes of a graph, items its edges: a's cluster with b's cluster.
    n_a, n_b = a.max() + 1, b.max() + 1
    graph = coo_array((np.ones(a.size), (a, n_a + b)), shape=(n_a + n_b, n_a + n_b))
    return check_labels(connected_components(graph, directed=False)[1][a])


def refines(a: ArrayLike, b: ArrayLike) -> bool:
    """Whether every cluster of ``a`` lies inside a cluster of ``b``.

    Examples
    --------
    >>> refines([0, 0, 1, 2], [0, 0, 1, 1])
    True
    >>> refines([0, 0, 1, 1], [0, 0, 1, 2])
    False
    """
    a, b = check_same_items(a=a, b=b)
    return int((meet(a, b)).max()) == int(a.max())


def merges(labels: ArrayLike) -> IntArray:
    """Partitions that cover this one: each merges two of its clusters.

    Returns
    -------
    partitions : ndarray of int64, shape (k (k - 1) / 2, n_items)
        Canonical labels, one partition per row, for k clusters.

    Examples
    --------
    >>> merges([0, 1, 2])
    array([[0, 0, 1],
           [0, 1, 0],
           [0, 1, 1]])
    """
    labels = check_labels(labels)
    n_clusters = int(labels.max()) + 1
    n_merges = comb(n_clusters, 2)
    check_memory(8 * n_merges * labels.size, f"The {n_merges} merges", "Merge a partition with fewer clusters.")
    first, second = np.triu_indices(n_clusters, 1)
    rows = np.tile(labels, (first.size, 1))
    # Canonical numbering survives: the later cluster takes the earlier one's number and the rest close up.
    rows[rows == second[:, None]] = np.repeat(first, (labels == second[:, None]).sum(axis=1))
    rows[(labels > second[:, None])] -= 1
    return rows


def splits(labels: ArrayLike) -> IntArray:
    """Partitions that this one covers: each splits one of its clusters in two.

    A cluster of m items splits in 2**(m - 1) - 1 ways, so this is meant for small clusters.

    Returns
    -------
    partitions : ndarray of int64, shape (n_splits, n_items)
        Canonical labels, one partition per row.

    Examples
    --------
    >>> splits([0, 0, 0])
    array([[0, 0, 1],
           [0, 1, 0],
           [0, 1, 1]])
    """
    labels = check_labels(labels)
    n_splits = sum(2 ** (int(m) - 1) - 1 for m in sizes(labels))
    what = f"The {magnitude(n_splits)} splits"
    check_memory(8 * n_splits * labels.size, what, "Split a partition with smaller clusters.")
    rows = np.tile(labels, (n_splits, 1))
    at = 0
    for k in range(labels.max() + 1):
        members = np.flatnonzero(labels == k)
        halves = all_partitions(members.size, max_clusters=2)[1:]
        rows[at : at + len(halves), members] = np.where(halves == 1, labels.max() + 1, k)
        at += len(halves)
    return check_draws(rows).astype(np.int64) if n_splits else rows


def all_partitions(n_items: int, *, max_clusters: int | None = None, sizes: ArrayLike | None = None) -> LabelRows:
    """Every partition of ``n_items`` items, one canonical row each, in lexicographic order.

    Parameters
    ----------
    n_items : int
        Number of items.
    max_clusters : int, optional
        Keep partitions of at most so many clusters.
    sizes : array-like of int, optional
        Keep partitions with exactly these cluster sizes, in any order.

    Returns
    -------
    partitions : ndarray of unsigned int, shape (n_partitions, n_items)
        Canonical (restricted-growth) labels.

    See Also
    --------
    bell_number, stirling_number : how many there are.

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
        n_partitions = 2 ** (n_items - 1)
    else:
        n_partitions = sum(stirling_number(n_items, k) for k in range(1, most + 1))
    out = _rows_for(n_partitions, n_items, most)
    growth_rows(n_items, most, out)
    return out


def stirling_number(n_items: int, n_clusters: int) -> int:
    """Number of partitions of ``n_items`` items into exactly ``n_clusters`` clusters.

    Examples
    --------
    >>> stirling_number(10, 3)
    9330
    """
    check_count("n_items", n_items, least=0)
    check_count("n_clusters", n_clusters, least=0)
    signed = ((-1) ** j * comb(n_clusters, j) * (n_clusters - j) ** n_items for j in range(n_clusters + 1))
    return sum(signed) // factorial(n_clusters)


def bell_number(n_items: int) -> int:
    """Number of partitions of ``n_items`` items.

    Examples
    --------
    >>> [bell_number(n) for n in range(6)]
    [1, 1, 2, 5, 15, 52]
    >>> bell_number(30)
    846749014511809332450147
    """
    check_count("n_items", n_items, least=0)
    row = [1]  # the Bell triangle: each row starts with the last entry of the one before
    for _ in range(n_items):
        following = [row[-1]]
        for above in row:
            following.append(following[-1] + above)
        row = following
    return row[0]


def match_labels(labels: ArrayLike, reference: ArrayLike) -> IntArray:
    """The same partition, its clusters numbered like the clusters of ``reference`` they overlap most.

    Numbers are given so that as many items as possible carry the same label in both (an assignment problem).
    Clusters left without a partner get the next free numbers.

    Parameters
    ----------
    labels, reference : array-like of int, shape (n_items,)
        Cluster labels of the same items. ``reference`` is read in canonical form.

    Returns
    -------
    labels : ndarray of int64, shape (n_items,)
        Not canonical: numbered after ``reference``.

    Examples
    --------
    >>> match_labels([0, 1, 1, 2], [0, 0, 1, 1])
    array([0, 1, 1, 2])
    >>> match_labels([0, 0, 1, 1], [0, 1, 2, 2])
    array([0, 0, 2, 2])
    """
    labels, reference = check_same_items(labels=labels, reference=reference)
    n_labels, n_reference = int(labels.max()) + 1, int(reference.max()) + 1
    what = f"The table of {n_labels} by {n_reference} clusters"
    check_memory(8 * n_labels * n_reference, what, "Match partitions of fewer clusters.")
    overlap = coo_array((np.ones(labels.size), (labels, reference)), shape=(n_labels, n_reference)).toarray()
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    name = np.full(n_labels, -1)
    name[rows] = columns
    # A partner without a shared item is none; names not taken from the reference go on after it.
    name[rows[overlap[rows, columns] == 0]] = -1
    name[name < 0] = n_reference + np.arange((name < 0).sum())
    return name[labels]


def hasse_edges(n_items: int) -> tuple[LabelRows, IntArray]:
    """All partitions of a few items and the covering relation between them.

    Parameters
    ----------
    n_items : int
        Number of items; the diagram has ``bell_number(n_items)`` nodes.

    Returns
    -------
    partitions : ndarray of unsigned int, shape (n_partitions, n_items)
        The nodes, as from :func:`all_partitions`.
    edges : ndarray of int64, shape (n_edges, 2)
        Row numbers (finer, coarser): the coarser partition merges two clusters of the finer one.

    Examples
    --------
    >>> partitions, edges = hasse_edges(3)
    >>> edges
    array([[1, 0],
           [2, 0],
           [3, 0],
           [4, 1],
           [4, 2],
           [4, 3]])
    """
    some = min(check_count("n_items", n_items), 100)
    n_edges = (bell_number(some + 2) - 3 * bell_number(some + 1) + bell_number(some)) // 2
    # Each edge is a pair of Python integers before it is a row.
    check_memory(150 * n_edges, f"The {magnitude(n_edges)} edges of the diagram", "Draw that of fewer items.")
    partitions = all_partitions(n_items)
    row_of = {row.tobytes(): i for i, row in enumerate(partitions)}
    edges = [
        (finer, row_of[coarser.astype(partitions.dtype).tobytes()])
        for finer, labels in enumerate(partitions)
        for coarser in merges(labels)
    ]
    return partitions, np.array(edges, np.int64).reshape(-1, 2)


def _n_partitions_with_sizes(target: list[int]) -> int:
    """Multinomial coefficient over the orders of clusters of equal size."""
    arrangements = factorial(sum(target)) // prod(map(factorial, target))
    return arrangements // prod(map(factorial, Counter(target).values()))


def _rows_for(n_partitions: int, n_items: int, most_clusters: int) -> LabelRows:
    dtype = np.min_scalar_type(most_clusters - 1)
    what = f"The {magnitude(n_partitions)} partitions of {n_items} items"
    help_ = "Enumerate fewer items, or bound the number of clusters."
    check_memory(n_partitions * n_items * dtype.itemsize, what, help_)
    return np.empty((n_partitions, n_items), dtype)
