"""Units: items that are together in every draw, which a search can move as one.

For losses that are linear in sums of x log x or of squares (variation of information and Binder's loss, with any weight
of errors) some partition of least expected loss keeps every unit whole, so nothing is lost: ``docs/mathematics.md`` has
the proof. For others there is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._typing import IntArray
from ...posterior import PartitionPosterior

BLOCK = 32  # draws compared at a time


class Units(NamedTuple):
    """Items grouped by their labels in all draws."""

    first: IntArray  # (n_units,) number of an item of each unit
    of_item: IntArray  # (n_items,) unit of each item
    sizes: IntArray  # (n_units,) number of items


def find_units(posterior: PartitionPosterior) -> Units:
    """Items with the same labels in every draw, left out by the same draws.

    By a sum of random numbers, one for each label of each draw; that equal sums mean equal labels is checked.
    """
    rng, draws = np.random.default_rng(0), posterior.draws
    code = np.zeros(posterior.n_items, np.uint64)
    for draw in draws:
        code += rng.integers(2**63, size=posterior.n_labels + 1, dtype=np.uint64)[draw]  # the last for items left out
    _, first, of_item, sizes = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
    if sizes.size < posterior.n_items:
        like = first[of_item]
        for block in range(0, posterior.n_draws, BLOCK):
            if (draws[block : block + BLOCK] != draws[block : block + BLOCK, like]).any():
                return Units(np.arange(code.size), np.arange(code.size), np.ones(code.size, np.int64))
    return Units(first, of_item, sizes)
