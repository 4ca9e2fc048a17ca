"""Lloyd's step for every Bregman divergence: up to a term of the row's own, each is linear in the row."""

import numpy as np

from .._jit import kernel

BLOCK = 256  # rows whose products with the centers are taken at once, while they are in the cache


@kernel
def assign_rows(rows, slopes, offsets, labels, sums, sizes):
    """Label each row with the least ``offset - row @ slope``, add it to that cluster's sum; return the sum of those."""
    n, d = rows.shape
    total, products = 0.0, np.empty((BLOCK, offsets.size))
    sums[:] = 0.0
    sizes[:] = 0
    for start in range(0, n, BLOCK):
        end = min(n, start + BLOCK)
        np.dot(rows[start:end], slopes, products[: end - start])
        for i in range(start, end):
            best, least = 0, np.inf
            for k in range(offsets.size):
                score = offsets[k] - products[i - start, k]
                if score < least:
                    best, least = k, score
            labels[i] = best
            sizes[best] += 1
            total += least
            for j in range(d):
                sums[best, j] += rows[i, j]
    return total
