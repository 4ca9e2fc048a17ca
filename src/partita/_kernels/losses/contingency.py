"""Sums over the cells of the contingency table of every draw with one partition.

Items come sorted by their cluster in that partition, so one cluster's row of the table is counted at a time and no
table is ever formed: time grows with draws times items, memory with the number of labels. A negative label is that of
an item the draw leaves out, which counts nowhere.
"""

import numpy as np

from .._jit import kernel, plain_kernel
from .._lean import lean


@kernel
def joint_phi_sums(draws, order, bounds, n_labels, phi):
    """Sum ``phi[count]`` over the cells of each draw's table; cluster k holds ``order[bounds[k]:bounds[k + 1]]``."""
    n_draws = draws.shape[0]
    out = np.zeros(n_draws)
    count = np.zeros(n_labels, np.int64)
    for m in range(n_draws):
        total = 0.0
        for k in range(bounds.size - 1):
            for t in range(bounds[k], bounds[k + 1]):
                if draws[m, order[t]] >= 0:
                    count[draws[m, order[t]]] += 1
            for t in range(bounds[k], bounds[k + 1]):
                label = draws[m, order[t]]
                if label >= 0:
                    total += phi[count[label]]
                    count[label] = 0
        out[m] = total
    return out


@plain_kernel
def table_phi_sums(draws, labels, n_clusters, phi, table, in_draw, in_both):
    """The same, and the sum over each draw's clusters, from one ``table`` at a time: quick where it is small."""
    draws, labels, phi, table, in_draw, in_both = lean((draws, labels, phi, table, in_draw, in_both))
    n_draws, n_items = draws.shape
    for m in range(n_draws):
        for cell in range(table.size):
            table[cell] = 0
        for i in range(n_items):
            if draws[m, i] >= 0:
                table[draws[m, i] * n_clusters + labels[i]] += 1
        over_clusters = over_cells = 0.0
        for first in range(0, table.size, n_clusters):
            size = 0
            for cell in range(first, first + n_clusters):
                size += table[cell]
                over_cells += phi[table[cell]]
            over_clusters += phi[size]
        in_draw[m], in_both[m] = over_clusters, over_cells


@kernel
def held_sizes_sum(draws, labels, n_clusters, phi):
    """Sum ``phi[size]`` over the clusters of ``labels``, each without the items that a draw leaves out."""
    n_draws, n_items = draws.shape
    out = np.zeros(n_draws)
    sizes = np.empty(n_clusters, np.int64)
    for m in range(n_draws):
        for k in range(n_clusters):
            sizes[k] = 0
        for i in range(n_items):
            if draws[m, i] >= 0:
                sizes[labels[i]] += 1
        for k in range(n_clusters):
            out[m] += phi[sizes[k]]
    return out


@kernel
def mean_intersections(draws, weights, order, bounds, n_labels):
    """Over weighted draws that hold an item, sums of how many its own and its drawn cluster share, and of weight."""
    n_draws, n_items = draws.shape
    out, held = np.zeros(n_items), np.zeros(n_items)
    count = np.zeros(n_labels, np.int64)
    for m in range(n_draws):
        for k in range(bounds.size - 1):
            for t in range(bounds[k], bounds[k + 1]):
                if draws[m, order[t]] >= 0:
                    count[draws[m, order[t]]] += 1
            for t in range(bounds[k], bounds[k + 1]):
                if draws[m, order[t]] >= 0:
                    out[order[t]] += weights[m] * count[draws[m, order[t]]]
                    held[order[t]] += weights[m]
            for t in range(bounds[k], bounds[k + 1]):
                if draws[m, order[t]] >= 0:
                    count[draws[m, order[t]]] = 0
    return out, held
