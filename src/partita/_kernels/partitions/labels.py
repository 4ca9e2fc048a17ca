"""Label vectors, one partition per row."""

import numpy as np

from .._jit import kernel


@kernel
def canonical_rows(rows, n_labels, out):
    """Number the clusters of each row 0, 1, ... by first appearance; return the most clusters found in a row."""
    n_rows, n_items = rows.shape
    seen_in = np.full(n_labels, -1, np.int64)
    name = np.empty(n_labels, np.int64)
    most = 0
    for r in range(n_rows):
        n_clusters = 0
        for i in range(n_items):
            label = rows[r, i]
            if seen_in[label] != r:
                seen_in[label] = r
                name[label] = n_clusters
                n_clusters += 1
            out[r, i] = name[label]
        most = max(most, n_clusters)
    return most


@kernel
def row_sizes_sum(rows, n_labels, phi):
    """Sum ``phi[size]`` over the clusters of each row."""
    n_rows, n_items = rows.shape
    out = np.zeros(n_rows)
    sizes = np.empty(n_labels, np.int64)
    for r in range(n_rows):
        sizes[:] = 0
        for i in range(n_items):
            sizes[rows[r, i]] += 1
        for k in range(n_labels):
            out[r] += phi[sizes[k]]
    return out
