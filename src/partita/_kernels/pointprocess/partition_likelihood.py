"""Log probabilities of many partitions: from one to the next some points move, and their clusters are updated.

Moments are built anew every so often, so that rounding errors of rank-one updates do not accumulate.
"""

import numpy as np

from .._jit import inner_allocating, kernel
from .gaussian import Moments, fill_moments, log_partition, move_point

AFRESH = 4096  # moves between two times that moments are built anew


@inner_allocating
def make_moments(n_labels, d):
    """Moments of empty clusters."""
    return Moments(np.zeros(n_labels, np.int64), np.zeros((n_labels, d)), np.zeros((n_labels, d, d)))


@kernel
def log_rows(X, rows, tables, out):
    """Log probability of the partition, or label function, in each row."""
    n_labels, d = tables.centers.shape
    moments, labels = make_moments(n_labels, d), np.zeros(X.shape[0], np.int64)
    terms, work = np.empty((n_labels, n_labels)), np.empty((d, d))
    moved = AFRESH
    for r in range(rows.shape[0]):
        if moved >= AFRESH:
            for i in range(labels.size):
                labels[i] = rows[r, i]
            fill_moments(X, labels, moments)
            moved = 0
        for i in range(labels.size):
            if rows[r, i] != labels[i]:
                move_point(X, i, rows[r, i], labels, moments)
                moved += 1
        out[r] = log_partition(moments, tables, terms, work)


@kernel
def log_codes(X, tables, first, last, out):
    """Log probability of the two-cluster partitions at steps ``first`` to ``last - 1`` of a Gray walk, by code.

    Bit i of a partition's code says whether point i is apart from the last point. Step s of the walk is at code
    s XOR s / 2, and the next step moves one point. The steps are as many as ``out`` holds, a power of two, and begin at
    a multiple of it, so that their codes are contiguous.
    """
    d = X.shape[1]
    moments, labels = make_moments(2, d), np.zeros(X.shape[0], np.int64)
    terms, work = np.empty((2, 2)), np.empty((d, d))
    for step in range(first, last):
        code = step ^ (step >> 1)
        if step % AFRESH == 0 or step == first:
            for i in range(labels.size - 1):
                labels[i] = (code >> i) & 1
            fill_moments(X, labels, moments)
        else:
            i = 0
            while (step >> i) & 1 == 0:
                i += 1
            move_point(X, i, 1 - labels[i], labels, moments)
        out[code & (out.size - 1)] = log_partition(moments, tables, terms, work)
