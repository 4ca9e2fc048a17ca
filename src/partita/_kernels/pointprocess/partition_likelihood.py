"""Log probabilities of many partitions: from one to the next some points move, and their clusters are updated.

Moments are built anew every so often, so that rounding errors of rank-one updates do not accumulate.
"""

from .._jit import apart_kernel
from .._lean import lean
from .gaussian import fill_moments, log_partition, move_point

AFRESH = 4096  # moves between two times that moments are built anew


@apart_kernel
def log_rows(X, rows, tables, labels, moments, out):
    """Log probability of the partition, or label function, in each row; ``labels`` and ``moments`` are written to."""
    X, rows, tables, labels, moments, out = lean((X, rows, tables, labels, moments, out))
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
        out[r] = log_partition(moments, tables)


@apart_kernel
def log_codes(X, tables, first, last, labels, moments, out):
    """Log probability of the two-cluster partitions at steps ``first`` to ``last - 1`` of a Gray walk, by code.

    Bit i of a partition's code says whether point i is apart from the last point. Step s of the walk is at code
    s XOR s / 2, and the next step moves one point. The steps are as many as ``out`` holds, a power of two, and begin at
    a multiple of it, so that their codes are contiguous. ``labels`` begin as zeros; they and
    ``moments`` are written to.
    """
    X, tables, labels, moments, out = lean((X, tables, labels, moments, out))
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
        out[code & (out.size - 1)] = log_partition(moments, tables)
