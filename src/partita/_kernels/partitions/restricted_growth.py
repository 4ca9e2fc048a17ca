"""Enumeration of partitions as restricted-growth rows, in lexicographic order."""

import numpy as np

from .._jit import SharedKernel, kernel


@kernel
def growth_rows(n_items, max_clusters, out):
    """Fill ``out`` with every restricted-growth row of at most ``max_clusters`` clusters."""
    row = np.zeros(n_items, np.int64)
    highest = np.zeros(n_items, np.int64)  # largest label in row[: i + 1]
    for r in range(out.shape[0]):
        for i in range(n_items):
            out[r, i] = row[i]
        i = n_items - 1
        while i > 0 and row[i] == min(highest[i - 1] + 1, max_clusters - 1):
            i -= 1
        if i == 0:
            return
        row[i] += 1
        highest[i] = max(highest[i - 1], row[i])
        for j in range(i + 1, n_items):
            row[j] = 0
            highest[j] = highest[i]


@SharedKernel
def fits(sizes, n_clusters, target):
    """Whether clusters of these sizes can still grow into the ``target`` sizes (descending)."""
    ranked = np.sort(sizes[:n_clusters])
    for k in range(n_clusters):
        if ranked[n_clusters - 1 - k] > target[k]:
            return False
    return True


@kernel
def sized_growth_rows(target, out):
    """Fill ``out`` with every restricted-growth row whose cluster sizes are ``target`` (descending)."""
    n_items, n_rows = out.shape[1], out.shape[0]
    row = np.full(n_items, -1, np.int64)
    sizes = np.zeros(target.size + 1, np.int64)
    n_clusters, i, r = 0, 0, 0
    while r < n_rows:
        # Take item i out of its cluster and try the next one; step back when there is none left.
        if row[i] >= 0:
            sizes[row[i]] -= 1
            if sizes[row[i]] == 0:
                n_clusters -= 1
        placed = False
        label = row[i] + 1
        while label <= n_clusters and label < target.size:
            sizes[label] += 1
            if fits(sizes, max(n_clusters, label + 1), target):
                placed = True
                break
            sizes[label] -= 1
            label += 1
        if not placed:
            row[i] = -1
            i -= 1
            continue
        row[i] = label
        n_clusters = max(n_clusters, label + 1)
        if i < n_items - 1:
            i += 1
        else:
            for j in range(n_items):
                out[r, j] = row[j]
            r += 1
