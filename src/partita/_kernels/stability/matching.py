"""Averaged assignments from draws of partitions whose clusters are matched to those of one partition."""

import numpy as np

from .._jit import kernel
from ..partitions.assignment import find_partners


@kernel
def matched_shares(draws, weights, labels, n_clusters, n_labels, phi):
    """Add to ``phi`` (n_items, n_clusters + 1) each draw's weight at the cluster its item is matched to.

    The last column holds drawn clusters without a partner; a partner that shares no item is none.
    """
    cells, partner = np.empty(n_clusters * n_labels), np.empty(n_labels, np.int64)
    column_of, met = np.empty(max(n_clusters, n_labels), np.int64), np.empty(n_labels, np.bool_)
    for m in range(draws.shape[0]):
        find_partners(draws[m], labels, n_clusters, cells, column_of, partner)
        met[:] = False
        for i in range(labels.size):
            if draws[m, i] >= 0:
                met[draws[m, i]] |= partner[draws[m, i]] == labels[i]
        for i in range(labels.size):
            if draws[m, i] >= 0:
                phi[i, partner[draws[m, i]] if met[draws[m, i]] else n_clusters] += weights[m]
