"""Thinning: where draws resemble each other too much, chains go on and keep one of several."""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray

LEAST_SHARE = 1 / 25  # of effective draws among those kept: the 4000 of a default run then hold 160
MOST_APART = 8  # sweeps from one kept draw to the next
MOST_LOOKS = 240_000  # of an item at a cluster, from one kept draw to the next


def choose_thinning(values: FloatArray, n_looks: float) -> int:
    """Sweeps from one kept draw to the next that would have been enough, as far as they are affordable.

    ``values`` are quantities by chain: (n_chains, n_quantities, n_draws). A sweep looks ``n_looks`` times at how well
    an item fits a cluster.
    """
    most = max(1, min(MOST_APART, int(MOST_LOOKS / n_looks)))
    return int(np.clip(np.ceil(LEAST_SHARE / effective_share(values)), 1, most))


def effective_share(values: FloatArray) -> float:
    """The smallest share of effective draws of several quantities; one that never changes does not count."""
    from arviz_stats.base.array import array_stats

    shares, n_chains = [1.0], len(values)
    for quantity in values.transpose(1, 0, 2):
        if np.ptp(quantity) > 0:
            with np.errstate(divide="ignore", invalid="ignore"):  # chains that each stand still
                size = float(array_stats.ess(quantity))
            shares.append((size if np.isfinite(size) else n_chains) / quantity.size)
    return min(shares)
