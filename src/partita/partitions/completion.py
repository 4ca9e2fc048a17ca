"""Partitions of some of the items, completed after a partition of all."""

from __future__ import annotations

import numpy as np

from .._typing import IntArray, LabelRows
from .._validation import check_labels


def complete_labels(labels: LabelRows, reference: IntArray) -> IntArray:
    """Labels of all items: one left out (negative) joins most of its fellows in ``reference``, as they are labeled.

    Fellows none of whom is labeled stay together, in a cluster of their own.

    Examples
    --------
    >>> complete_labels(np.array([0, 0, 1, -1, -1]), np.array([0, 0, 1, 1, 2]))
    array([0, 0, 1, 1, 2])
    """
    held = labels >= 0
    fellows = check_labels(reference)
    n_labels, n_fellows = int(labels.max()) + 1, int(fellows.max()) + 1
    cells = fellows[held] * n_labels + labels[held]
    overlap = np.bincount(cells, minlength=n_fellows * n_labels).reshape(n_fellows, n_labels)
    joined = np.where(overlap.any(axis=1), overlap.argmax(axis=1), n_labels + np.arange(n_fellows))
    return check_labels(np.where(held, labels, joined[fellows]))
