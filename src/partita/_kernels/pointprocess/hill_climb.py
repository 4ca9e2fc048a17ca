"""Hill climbing among partitions by their exact probability: Algorithm 1 of Dalton et al. (2015)."""

from .._jit import apart_kernel, inner
from .._lean import lean
from .gaussian import fill_moments, log_partition, move_point

GAIN = 1e-9  # a smaller gain in log probability is rounding


@inner
def moved_log_partition(X, p, slot, labels, moments, tables):
    """Move a point to another slot; return the log probability of the partition then."""
    move_point(X, p, slot, labels, moments)
    return log_partition(moments, tables)


@apart_kernel
def climb(X, labels, tables, pairs, moments):
    """Flip the point, or the pair of points, that raises the probability most, until none does.

    ``labels`` ends at the local maximum, whose log probability is returned.
    """
    X, labels, tables, moments = lean((X, labels, tables, moments))
    n_labels = tables.nu.size
    while True:
        fill_moments(X, labels, moments)
        current = log_partition(moments, tables)
        best, first, to, second, second_to = current + GAIN, -1, -1, -1, -1
        for p in range(labels.size):
            own = labels[p]
            for slot in range(n_labels):
                if slot == own:
                    continue
                value = moved_log_partition(X, p, slot, labels, moments, tables)
                if value > best:
                    best, first, to, second = value, p, slot, -1
                for q in range(p if pairs else 0):
                    other_own = labels[q]
                    for other in range(n_labels):
                        if other != other_own:
                            value = moved_log_partition(X, q, other, labels, moments, tables)
                            if value > best:
                                best, first, to, second, second_to = value, p, slot, q, other
                    move_point(X, q, other_own, labels, moments)
                move_point(X, p, own, labels, moments)
        if first < 0:
            return current
        labels[first] = to
        if second >= 0:
            labels[second] = second_to
