"""A blocked sampler that is wrong on purpose, which every test of the right one must notice."""

import numpy as np

from partita.samplers.configuration import merged


def dropping(config, found):
    """The control: clusters that a sweep empties are dropped."""
    config.allocation.keep_labels()
    config.sums = found
    for k in np.flatnonzero(found.counts == 0)[::-1]:
        other = 0 if k else 1
        config.allocation.merge(int(other), int(k), config.n_clusters - 1)
        config.sums = merged(config.sums, int(other), int(k))
