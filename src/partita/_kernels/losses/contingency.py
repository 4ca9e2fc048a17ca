"""Sums over the cells of the contingency table of every draw with one partition.

Items come sorted by their cluster in that partition, so one cluster's row of the table is counted at a time and no
table is ever formed: time grows with draws times items, memory with the number of labels.
"""

import numpy as np

from .._jit import kernel


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
                count[draws[m, order[t]]] += 1
            for t in range(bounds[k], bounds[k + 1]):
                label = draws[m, order[t]]
                total += phi[count[label]]
                count[label] = 0
        out[m] = total
    return out


@kernel
def mean_intersections(draws, weights, order, bounds, n_labels):
    """Expected size, over weighted draws, of the intersection of an item's cluster with its drawn cluster."""
    n_draws, n_items = draws.shape
    out = np.zeros(n_items)
    count = np.zeros(n_labels, np.int64)
    for m in range(n_draws):
        for k in range(bounds.size - 1):
            for t in range(bounds[k], bounds[k + 1]):
                count[draws[m, order[t]]] += 1
            for t in range(bounds[k], bounds[k + 1]):
                out[order[t]] += weights[m] * count[draws[m, order[t]]]
            for t in range(bounds[k], bounds[k + 1]):
                count[draws[m, order[t]]] = 0
    return out
