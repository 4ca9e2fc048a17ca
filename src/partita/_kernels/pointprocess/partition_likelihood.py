"""Log probabilities of many partitions: points move one at a time, and two clusters change.

Moments are built anew every so often, so that rounding errors of rank-one changes do not pile up.
"""

import numpy as np

from .._jit import kernel
from .gaussian import fill_moments, join_cluster, leave_cluster, log_partition

AFRESH = 4096  # moves between two times that moments are built anew


@kernel
def log_rows(X, rows, tables, out):
    """Log probability of the partition, or label function, in each row."""
    n_rows, n_points = rows.shape
    n_labels, d = tables.centers.shape
    counts, means, scatters = np.zeros(n_labels, np.int64), np.zeros((n_labels, d)), np.zeros((n_labels, d, d))
    terms, work = np.empty((n_labels, n_labels)), np.empty((d, d))
    labels = np.zeros(n_points, np.int64)
    moved = AFRESH
    for r in range(n_rows):
        if moved >= AFRESH:
            for i in range(n_points):
                labels[i] = rows[r, i]
            fill_moments(X, labels, counts, means, scatters)
            moved = 0
        for i in range(n_points):
            if rows[r, i] != labels[i]:
                leave_cluster(X, i, labels[i], counts, means, scatters)
                labels[i] = rows[r, i]
                join_cluster(X, i, labels[i], counts, means, scatters)
                moved += 1
        out[r] = log_partition(counts, means, scatters, tables, terms, work)
