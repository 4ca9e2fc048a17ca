"""Members of each cluster that share an item's cluster, and draws that cluster a set of items as an estimate does.

A draw agrees while the clusters of the items added so far, in the draw and in the estimate, match one to one:
``estimate_of[m, c]`` is the cluster of the estimate matched to cluster c of draw m, and ``drawn_of[m, k]`` the cluster
of draw m matched to cluster k of the estimate; -1 where nothing is matched yet. A draw that leaves an item out, where
its drawn label is negative, agrees on it.
"""

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


@kernel
def agreeing_weight(by_item, weights, agree, estimate_of, drawn_of, cluster):
    """Weight of the draws that still agree once an item of this cluster, with these drawn labels, is added."""
    total = 0.0
    for m in range(weights.size):
        if agree[m]:
            if by_item[m] < 0:
                total += weights[m]
                continue
            matched = estimate_of[m, by_item[m]]
            if matched == cluster or (matched < 0 and drawn_of[m, cluster] < 0):
                total += weights[m]
    return total


@kernel
def add_item(by_item, agree, estimate_of, drawn_of, cluster):
    """Add an item of this cluster, with these drawn labels, to the set."""
    for m in range(agree.size):
        if agree[m] and by_item[m] >= 0:
            matched = estimate_of[m, by_item[m]]
            if matched == cluster:
                continue
            if matched < 0 and drawn_of[m, cluster] < 0:
                estimate_of[m, by_item[m]] = cluster
                drawn_of[m, cluster] = by_item[m]
            else:
                agree[m] = False
