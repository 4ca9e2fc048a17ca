"""Hill climbing among partitions by their exact probability: Algorithm 1 of Dalton et al. (2015)."""

import numpy as np

from .._jit import kernel
from .gaussian import fill_moments, join_cluster, leave_cluster, log_partition

GAIN = 1e-9  # a smaller gain in log probability is rounding


@kernel
def move_point(X, p, slot, labels, counts, means, scatters):
    """Move a point to another slot."""
    leave_cluster(X, p, labels[p], counts, means, scatters)
    labels[p] = slot
    join_cluster(X, p, slot, counts, means, scatters)


@kernel
def climb(X, labels, tables, pairs):
    """Flip the point, or the pair of points, that raises the probability most, until none does.

    ``labels`` ends at the local maximum, whose log probability is returned.
    """
    n_labels, d = tables.centers.shape
    counts, means, scatters = np.zeros(n_labels, np.int64), np.zeros((n_labels, d)), np.zeros((n_labels, d, d))
    terms, work = np.empty((n_labels, n_labels)), np.empty((d, d))
    flips = np.empty(4, np.int64)
    while True:
        fill_moments(X, labels, counts, means, scatters)
        current = log_partition(counts, means, scatters, tables, terms, work)
        best, flips[0], flips[2] = current + GAIN, -1, -1
        for p in range(labels.size):
            home = labels[p]
            for slot in range(n_labels):
                if slot == home:
                    continue
                move_point(X, p, slot, labels, counts, means, scatters)
                value = log_partition(counts, means, scatters, tables, terms, work)
                if value > best:
                    best, flips[0], flips[1], flips[2] = value, p, slot, -1
                for q in range(p if pairs else 0):
                    other_home = labels[q]
                    for other in range(n_labels):
                        if other == other_home:
                            continue
                        move_point(X, q, other, labels, counts, means, scatters)
                        value = log_partition(counts, means, scatters, tables, terms, work)
                        if value > best:
                            best, flips[0], flips[1], flips[2], flips[3] = value, p, slot, q, other
                        move_point(X, q, other_home, labels, counts, means, scatters)
                move_point(X, p, home, labels, counts, means, scatters)
        if flips[0] < 0:
            return current
        labels[flips[0]] = flips[1]
        if flips[2] >= 0:
            labels[flips[2]] = flips[3]
