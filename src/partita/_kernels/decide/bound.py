"""Reallocation on a similarity matrix, to lower Jensen's bound to the expected variation of information.

The bound is, up to a constant, the sum of ``size log size`` over clusters minus twice the sum over items of the
log of the item's summed similarity to its cluster, itself included.
"""

import numpy as np

from .._jit import kernel


@kernel
def similarity_sums(similarity, labels, out):
    """Fill ``out`` with the sum of each item's similarities to its cluster."""
    for i in range(labels.size):
        total = 0.0
        for j in range(labels.size):
            if labels[j] == labels[i]:
                total += similarity[i, j]
        out[i] = total


@kernel
def bound_sweep(similarity, order, labels, sizes, within, gain, max_clusters):
    """Move each item once, in this order, to the cluster that lowers the bound most; return how many moved."""
    n_items, capacity, moved = labels.size, sizes.size, 0
    joined, scores = np.empty(capacity), np.empty(capacity)
    for i in order:
        own = labels[i]
        joined[:] = 1.0
        scores[:] = 0.0
        n_clusters, empty = 0, -1
        for j in range(n_items):
            if j != i:
                k, p = labels[j], similarity[i, j]
                without = within[j] - p if k == own else within[j]
                scores[k] += np.log2((without + p) / without)
                joined[k] += p
        for k in range(capacity):
            size = sizes[k] - (k == own)
            scores[k] = gain[size] - 2 * (scores[k] + np.log2(joined[k]))
            n_clusters += sizes[k] > 0
            if sizes[k] == 0 and empty < 0:
                empty = k
        best = own
        for k in range(capacity):
            usable = sizes[k] > 0 or (k == empty and n_clusters < max_clusters)
            if usable and scores[k] < scores[best] - 1e-10:
                best = k
        if best != own:
            for j in range(n_items):
                if labels[j] == own:
                    within[j] -= similarity[i, j]
                elif labels[j] == best:
                    within[j] += similarity[i, j]
            within[i] = joined[best]
            sizes[own] -= 1
            sizes[best] += 1
            labels[i] = best
            moved += 1
    return moved


@kernel
def pair_sweep(cost, order, labels, sizes, max_clusters):
    """Move each item once, in this order, to the cluster that costs least to join; return how many moved."""
    n_items, capacity, moved = labels.size, sizes.size, 0
    scores = np.empty(capacity)
    for i in order:
        own = labels[i]
        scores[:] = 0.0
        for j in range(n_items):
            if j != i:
                scores[labels[j]] += cost[i, j]
        n_clusters, empty, best = 0, -1, own
        for k in range(capacity):
            n_clusters += sizes[k] > 0
            if sizes[k] == 0 and empty < 0:
                empty = k
        for k in range(capacity):
            usable = sizes[k] > 0 or (k == empty and n_clusters < max_clusters)
            if usable and scores[k] < scores[best] - 1e-10:
                best = k
        if best != own:
            sizes[own] -= 1
            sizes[best] += 1
            labels[i] = best
            moved += 1
    return moved
