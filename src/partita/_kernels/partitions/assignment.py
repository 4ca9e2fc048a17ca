"""The assignment problem on many small tables.

scipy solves one table per call; the losses need one per draw, thousands of tables of a few cells each, and there
the cost of the call is the cost of everything.
"""

import numpy as np

from .._jit import inner_allocating, kernel


@inner_allocating
def best_matching(gain, n_rows, n_columns, column_of):
    """Match each row to a column of its own with most total gain (n_rows <= n_columns); return that gain.

    Shortest augmenting paths with dual prices (the Hungarian method), one row at a time; ``gain`` is read row by row.
    """
    row_price = np.zeros(n_rows + 1)
    column_price = np.zeros(n_columns + 1)
    row_at = np.zeros(n_columns + 1, np.int64)  # row_at[j]: the row (from 1) matched to column j (from 1)
    came_from = np.zeros(n_columns + 1, np.int64)
    slack = np.empty(n_columns + 1)
    used = np.empty(n_columns + 1, np.bool_)
    for row in range(1, n_rows + 1):
        row_at[0] = row
        for c in range(n_columns + 1):
            slack[c], used[c] = np.inf, False
        j = 0
        while row_at[j] != 0:
            used[j] = True
            i, delta, nearest = row_at[j], np.inf, 0
            for c in range(1, n_columns + 1):
                if not used[c]:
                    reduced = -gain[(i - 1) * n_columns + c - 1] - row_price[i] - column_price[c]
                    if reduced < slack[c]:
                        slack[c] = reduced
                        came_from[c] = j
                    if slack[c] < delta:
                        delta, nearest = slack[c], c
            for c in range(n_columns + 1):
                if used[c]:
                    row_price[row_at[c]] += delta
                    column_price[c] -= delta
                else:
                    slack[c] -= delta
            j = nearest
        while j != 0:
            row_at[j] = row_at[came_from[j]]
            j = came_from[j]
    total = 0.0
    for c in range(1, n_columns + 1):
        if row_at[c] != 0:
            column_of[row_at[c] - 1] = c - 1
            total += gain[(row_at[c] - 1) * n_columns + c - 1]
    return total


@inner_allocating
def find_partners(draw, labels, n_clusters, cells, column_of, partner):
    """Match a draw's clusters to those of ``labels``: ``partner[c]`` is c's match or -1. Return the items matched."""
    n_drawn = 0
    for i in range(draw.size):
        n_drawn = max(n_drawn, draw[i] + 1)  # of an item left out, the label is negative
    n_rows, n_columns = min(n_drawn, n_clusters), max(n_drawn, n_clusters)
    for t in range(n_rows * n_columns):
        cells[t] = 0.0
    draw_first = n_drawn <= n_clusters  # the shorter side makes the rows
    for i in range(labels.size):
        if draw[i] < 0:
            continue
        if draw_first:
            cells[draw[i] * n_columns + labels[i]] += 1.0
        else:
            cells[labels[i] * n_columns + draw[i]] += 1.0
    matched = best_matching(cells, n_rows, n_columns, column_of)
    for c in range(partner.size):
        partner[c] = -1
    for r in range(n_rows):
        if draw_first:
            partner[r] = column_of[r]
        else:
            partner[column_of[r]] = r
    return matched


@kernel
def matched_items(draws, labels, n_clusters, n_labels):
    """For each draw, the number of items in matched clusters under its best matching with ``labels``."""
    out = np.empty(draws.shape[0], np.int64)
    cells, partner = np.empty(n_clusters * n_labels), np.empty(n_labels, np.int64)
    column_of = np.empty(max(n_clusters, n_labels), np.int64)
    for m in range(draws.shape[0]):
        out[m] = round(find_partners(draws[m], labels, n_clusters, cells, column_of, partner))
    return out


@kernel
def count_votes(draws, weights, labels, n_clusters, n_labels, votes):
    """Add the weight of each draw to ``votes[i, k]`` where it puts item i into the cluster matched to k."""
    cells, partner = np.empty(n_clusters * n_labels), np.empty(n_labels, np.int64)
    column_of = np.empty(max(n_clusters, n_labels), np.int64)
    for m in range(draws.shape[0]):
        find_partners(draws[m], labels, n_clusters, cells, column_of, partner)
        for i in range(labels.size):
            if draws[m, i] >= 0 and partner[draws[m, i]] >= 0:
                votes[i, partner[draws[m, i]]] += weights[m]
