"""Averaged assignments from draws of partitions whose clusters are matched to those of one partition."""

import numpy as np

from .._jit import kernel
from ..partitions.assignment import best_matching


@kernel
def matched_shares(draws, weights, labels, n_clusters, n_labels, phi):
    """Add to ``phi`` (n_items, n_clusters + 1) each draw's weight at the cluster its item is matched to.

    The last column holds drawn clusters without a partner.
    """
    n_draws, n_items = draws.shape
    cells = np.empty(n_clusters * n_labels)
    column_of = np.empty(max(n_clusters, n_labels), np.int64)
    name = np.empty(n_labels, np.int64)
    for m in range(n_draws):
        n_drawn = np.int64(draws[m].max()) + 1
        wide = n_drawn >= n_clusters  # the shorter side becomes the rows
        n_rows, n_columns = min(n_drawn, n_clusters), max(n_drawn, n_clusters)
        table = cells[: n_rows * n_columns].reshape(n_rows, n_columns)
        table[:] = 0.0
        for i in range(n_items):
            if wide:
                table[labels[i], draws[m, i]] += 1.0
            else:
                table[draws[m, i], labels[i]] += 1.0
        best_matching(table, n_rows, n_columns, column_of)
        name[:] = n_clusters
        for row in range(n_rows):
            if table[row, column_of[row]] > 0.0:  # a partner without a shared item is none
                if wide:
                    name[column_of[row]] = row
                else:
                    name[row] = column_of[row]
        for i in range(n_items):
            phi[i, name[draws[m, i]]] += weights[m]
