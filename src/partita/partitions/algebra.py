"""The lattice of partitions, on label vectors: canonical form, meet, join, refinement, merges and splits.

A partition of ``n_items`` items is an array of labels: items that share a label share a cluster. The *canonical*
labels number the clusters 0, 1, ... by first appearance, so two partitions are equal when their arrays are.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .._typing import IntArray, LabelRows
from .._validation import check_count, check_draws, check_labels, check_memory, check_same_items, magnitude
from .enumeration import all_partitions, bell_number


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

    See Also
    --------
    match_labels : numbers clusters like those of another partition.
    refines : compares two partitions.

    Examples
    --------
    >>> canonical([7, 7, 2, 9, 2])
    array([0, 0, 1, 2, 1])
    """
    return check_labels(labels)


def sizes(labels: ArrayLike) -> IntArray:
    """Number of items in each cluster, in canonical order.

    See Also
    --------
    canonical : labels from 0 by first appearance.

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
    refines : the order of the lattice.
    hasse_edges : the whole lattice of a few items.

    Notes
    -----
    Partitions ordered by refinement form a lattice; this is its greatest lower bound.

    References
    ----------
    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

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
    hasse_edges : the whole lattice of a few items.

    Notes
    -----
    Partitions ordered by refinement form a lattice; this is its least upper bound, the connected components of a
    graph.

    References
    ----------
    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

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

    See Also
    --------
    meet : coarsest partition that refines both.
    join : finest partition that both refine.

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

    See Also
    --------
    splits : the partitions below.
    hasse_edges : all partitions and their merges.

    Notes
    -----
    Neighbors above in the Hasse diagram of the lattice of partitions.

    References
    ----------
    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

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

    See Also
    --------
    merges : the partitions above.
    hasse_edges : all partitions and their merges.

    Notes
    -----
    Neighbors below in the Hasse diagram of the lattice of partitions.

    References
    ----------
    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

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

    See Also
    --------
    merges : the neighbors of one partition.
    all_partitions : the nodes alone.
    partita.plot.plot_hasse : the diagram.

    Notes
    -----
    The Hasse diagram of the lattice of partitions, ordered by refinement.

    References
    ----------
    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

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


def distinct_rows(rows: LabelRows) -> tuple[LabelRows, IntArray]:
    """Each distinct row once, in lexicographic order, and which of them each row is.

    Rows are compared as strings of bytes: ``numpy.unique`` along an axis compares them field by field, which takes
    longer and fails where an interrupt comes in between.

    Examples
    --------
    >>> distinct_rows(np.array([[0, 1], [0, 0], [0, 1]], np.uint8))
    (array([[0, 0],
           [0, 1]], dtype=uint8), array([1, 0, 1]))
    """
    ordered = np.ascontiguousarray(rows, dtype=rows.dtype.newbyteorder(">"))  # bytes compare as numbers do
    keys = ordered.view(np.dtype((np.void, ordered.shape[1] * ordered.itemsize))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], inverse
