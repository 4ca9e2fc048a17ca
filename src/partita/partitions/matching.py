"""Label matching: clusters numbered like those of a reference (relabeling against label switching)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array

from .._typing import IntArray
from .._validation import check_memory, check_same_items


def match_labels(labels: ArrayLike, reference: ArrayLike) -> IntArray:
    """The same partition, relabeled to agree with ``reference`` on as many items as possible.

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

    See Also
    --------
    canonical : numbers clusters by first appearance.
    Misclassification : the share of items that no matching brings together.

    Notes
    -----
    The assignment problem on the contingency table, solved by ``scipy.optimize.linear_sum_assignment``.

    References
    ----------
    Kuhn (1955). The Hungarian method for the assignment problem. Naval Research Logistics Quarterly 2, 83-97.

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


def number_like(labels: ArrayLike, reference: ArrayLike) -> IntArray:
    """The same partition, numbered as the clusters of ``reference`` are that it shares most items with.

    As :func:`match_labels`, but the numbers of the reference are kept as they are, without gaps.

    Examples
    --------
    >>> number_like([0, 0, 1, 1], [1, 1, 0, 0])
    array([1, 1, 0, 0])
    """
    numbers = np.unique(np.asarray(reference), return_inverse=True)[1].astype(np.int64)
    by_appearance = numbers[np.sort(np.unique(numbers, return_index=True)[1])]
    matched = match_labels(labels, numbers)
    return np.concatenate([by_appearance, np.arange(by_appearance.size, matched.max() + 1)])[matched]
