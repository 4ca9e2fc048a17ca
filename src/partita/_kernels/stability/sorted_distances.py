"""One item's distances to the clusters, put in order.

What the perturbation kernels share. Scaling a row changes nothing, so distances come back as multiples of the least.
"""

import numpy as np

from .._jit import inlined, inner

FEW = 32  # up to so many columns, insertion beats a general sort
FARTHEST = 1e300  # ratios stop here, so that sums of a few stay finite


@inlined
def share_zeros(row, phi):
    """Split one unit of ``phi`` evenly over the zeros of a row; return whether there are any."""
    n_zeros = 0
    for j in range(row.size):
        n_zeros += row[j] == 0.0
    if n_zeros == 0:
        return False
    for j in range(row.size):
        phi[j] = 1.0 / n_zeros if row[j] == 0.0 else 0.0
    return True


@inner
def sort_pairs(n, keys, names, spare_keys, spare_names):
    """Sort the first ``n`` of ``keys`` in place and take ``names`` along: short runs by insertion, then merged."""
    for start in range(0, n, FEW):
        for t in range(start + 1, min(start + FEW, n)):
            key, name, at = keys[t], names[t], t
            while at > start and keys[at - 1] > key:
                keys[at], names[at] = keys[at - 1], names[at - 1]
                at -= 1
            keys[at], names[at] = key, name
    width = FEW
    while width < n:
        for start in range(0, n, 2 * width):
            left, middle = start, min(start + width, n)
            right, end = middle, min(start + 2 * width, n)
            for at in range(start, end):
                if right >= end or (left < middle and keys[left] <= keys[right]):
                    spare_keys[at], spare_names[at] = keys[left], names[left]
                    left += 1
                else:
                    spare_keys[at], spare_names[at] = keys[right], names[right]
                    right += 1
        for t in range(n):
            keys[t], names[t] = spare_keys[t], spare_names[t]
        width *= 2


@inlined
def sort_near(row, reach, order, ratio, spare_order, spare_ratio):
    """Columns within reach, nearest first, in ``order``; multiples of the least distance in ``ratio``; how many.

    A column is out of reach when it is at least ``reach[j]`` times as far as some column j.
    """
    least, limit = np.inf, np.inf
    for j in range(row.size):
        least = min(least, row[j])
        limit = min(limit, row[j] * reach[j])
    n_near = 0
    for j in range(row.size):
        if row[j] < limit or row[j] == least:
            order[n_near] = j
            ratio[n_near] = min(row[j] / least, FARTHEST)
            n_near += 1
    sort_pairs(n_near, ratio, order, spare_ratio, spare_order)
    return n_near
