"""The two steps of k-means-like methods in which every cluster weighs the columns in its own way."""

import numpy as np

from .._jit import summing_kernel

BLOCK = 128  # points whose distances are computed together, side by side in vector registers


@summing_kernel
def nearest_clusters(X, centers, weights, offsets, chunklet, labels, chunklet_costs):
    """Fill ``labels`` of free points (chunklet -1) and the costs of chunklets; return the worst free point.

    A point costs its weighted squared distance to the center plus the offset of the cluster, a chunklet the sum over
    its points; those of chunklet -2 count nowhere. Returned are the index of the free point that costs most, -1 if
    none is free, and what it costs.
    """
    n, d = X.shape
    columns, costs = np.empty((d, BLOCK)), np.empty(BLOCK)
    least, nearest, bound = np.empty(BLOCK), np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    chunklet_costs[:] = 0.0
    farthest, most = -1, -np.inf
    for start in range(0, n, BLOCK):
        size, n_bound = min(BLOCK, n - start), 0
        for b in range(size):
            least[b] = np.inf
            nearest[b] = 0
            for j in range(d):
                columns[j, b] = X[start + b, j]
            if chunklet[start + b] >= 0:
                bound[n_bound] = b
                n_bound += 1
        for k in range(centers.shape[0]):
            costs[:] = offsets[k]
            for j in range(d):
                center, weight = centers[k, j], weights[k, j]
                for b in range(size):
                    away = columns[j, b] - center
                    costs[b] += weight * away * away
            for b in range(size):
                nearest[b] = k if costs[b] < least[b] else nearest[b]
                least[b] = min(costs[b], least[b])
            for t in range(n_bound):
                chunklet_costs[chunklet[start + bound[t]], k] += costs[bound[t]]
        for b in range(size):
            if chunklet[start + b] == -1:
                labels[start + b] = nearest[b]
                if least[b] > most:
                    farthest, most = start + b, least[b]
    return farthest, most


@summing_kernel
def add_moments(X, labels, origins, counts, sums, squares):
    """Count the points of each cluster and add up their differences from its origin, and the squares of those."""
    for i in range(X.shape[0]):
        k = labels[i]
        counts[k] += 1
        for j in range(X.shape[1]):
            away = X[i, j] - origins[k, j]
            sums[k, j] += away
            squares[k, j] += away * away
