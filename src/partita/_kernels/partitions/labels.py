"""Label vectors, one partition per row."""

import numpy as np

from .._jit import inner, kernel


@inner
def canonical_row(labels, r, seen_in, name, out):
    """Write labels to row ``r`` of ``out``, clusters numbered by first appearance; return how many there are.

    A negative label, of an item left out, is written as -1.

    ``seen_in`` and ``name`` are scratch arrays with an entry per label; the first holds no ``r`` before.
    """
    n_clusters = 0
    for i in range(labels.size):
        label = labels[i]
        if label < 0:
            out[r, i] = -1
            continue
        if seen_in[label] != r:
            seen_in[label] = r
            name[label] = n_clusters
            n_clusters += 1
        out[r, i] = name[label]
    return n_clusters


@kernel
def canonical_rows(rows, n_labels, out):
    """Number the clusters of each row 0, 1, ... by first appearance; return the most clusters found in a row."""
    seen_in, name, most = np.full(n_labels, -1, np.int64), np.empty(n_labels, np.int64), 0
    for r in range(rows.shape[0]):
        most = max(most, canonical_row(rows[r], r, seen_in, name, out))
    return most


@kernel
def row_sizes_sum(rows, n_labels, phi):
    """Sum ``phi[size]`` over the clusters of each row; items with a negative label are in none."""
    n_rows, n_items = rows.shape
    out = np.zeros(n_rows)
    sizes = np.empty(n_labels, np.int64)
    for r in range(n_rows):
        sizes[:] = 0
        for i in range(n_items):
            if rows[r, i] >= 0:
                sizes[rows[r, i]] += 1
        for k in range(n_labels):
            out[r] += phi[sizes[k]]
    return out
