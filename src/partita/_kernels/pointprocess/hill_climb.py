"""Hill climbing among partitions by their exact probability: Algorithm 1 of Dalton et al. (2015)."""

import numpy as np

from .._jit import inner, kernel
from .gaussian import fill_moments, log_partition, move_point
from .partition_likelihood import make_moments

GAIN = 1e-9  # a smaller gain in log probability is rounding


@inner
def moved_log_partition(X, p, slot, labels, moments, tables, terms, work):
    """Move a point to another slot; return the log probability of the partition then."""
    move_point(X, p, slot, labels, moments)
    return log_partition(moments, tables, terms, work)


@kernel
def climb(X, labels, tables, pairs):
    """Flip the point, or the pair of points, that raises the probability most, until none does.

    ``labels`` ends at the local maximum, whose log probability is returned.
    """
    n_labels, d = tables.centers.shape
    moments, terms, work = make_moments(n_labels, d), np.empty((n_labels, n_labels)), np.empty((d, d))
    flips = np.empty(4, np.int64)
    while True:
        fill_moments(X, labels, moments)
        current = log_partition(moments, tables, terms, work)
        best, flips[0], flips[2] = current + GAIN, -1, -1
        for p in range(labels.size):
            own = labels[p]
            for slot in range(n_labels):
                if slot == own:
                    continue
                value = moved_log_partition(X, p, slot, labels, moments, tables, terms, work)
                if value > best:
                    best, flips[0], flips[1], flips[2] = value, p, slot, -1
                for q in range(p if pairs else 0):
                    other_own = labels[q]
                    for other in range(n_labels):
                        if other != other_own:
                            value = moved_log_partition(X, q, other, labels, moments, tables, terms, work)
                            if value > best:
                                best, flips[0], flips[1], flips[2], flips[3] = value, p, slot, q, other
                    move_point(X, q, other_own, labels, moments)
                move_point(X, p, own, labels, moments)
        if flips[0] < 0:
            return current
        labels[flips[0]] = flips[1]
        if flips[2] >= 0:
            labels[flips[2]] = flips[3]
