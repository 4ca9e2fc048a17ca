"""Expected number of each cluster's members that share an item's cluster, over the draws."""

import numpy as np

from .._jit import kernel


@kernel
def mean_co_members(draws, weights, labels, n_clusters, n_labels, out):
    """Fill ``out[i, k]`` with the mean number of cluster k's items that share item i's cluster, over weighted draws."""
    table = np.empty((n_labels, n_clusters))
    for m in range(draws.shape[0]):
        table[: draws[m].max() + 1] = 0.0
        for i in range(labels.size):
            if draws[m, i] >= 0:
                table[draws[m, i], labels[i]] += weights[m]
        for i in range(labels.size):
            if draws[m, i] >= 0:
                for k in range(n_clusters):
                    out[i, k] += table[draws[m, i], k]


@kernel
def mean_held_members(draws, weights, labels, n_clusters, out):
    """Fill ``out[i, k]`` with the mean number of cluster k's items in a draw, over weighted draws that hold item i."""
    sizes = np.empty(n_clusters)
    for m in range(draws.shape[0]):
        sizes[:] = 0.0
        for i in range(labels.size):
            if draws[m, i] >= 0:
                sizes[labels[i]] += weights[m]
        for i in range(labels.size):
            if draws[m, i] >= 0:
                for k in range(n_clusters):
                    out[i, k] += sizes[k]
