"""Distances of items to clusters, from distances between items."""

import numpy as np

from .._jit import kernel


@kernel
def linkage_distances(pairwise, labels, sizes, power, out):
    """Distance of each item to each cluster, itself left out: mean (power 0), greatest (1) or least (-1)."""
    n_items, n_clusters = out.shape
    for i in range(n_items):
        for k in range(n_clusters):
            out[i, k] = np.inf if power < 0 else 0.0
        for j in range(n_items):
            if j == i:
                continue
            k = labels[j]
            if power == 0:
                out[i, k] += pairwise[i, j]
            elif power > 0:
                out[i, k] = max(out[i, k], pairwise[i, j])
            else:
                out[i, k] = min(out[i, k], pairwise[i, j])
        for k in range(n_clusters):
            others = sizes[k] - (labels[i] == k)
            if others == 0:
                out[i, k] = 0.0  # alone in its cluster: at home
            elif power == 0:
                out[i, k] /= others
