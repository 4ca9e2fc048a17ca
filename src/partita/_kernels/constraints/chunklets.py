"""Chunklets: groups of items that move as one, and the pairs of them that constraints speak about."""

from typing import NamedTuple

import numpy as np


class Chunklets(NamedTuple):
    """Groups of items that move as one, and the log odds of pairs of groups being together; compressed rows."""

    start: np.ndarray  # (n_chunklets + 1,) where each chunklet's items begin
    items: np.ndarray  # (n_counted,) items that count, chunklet by chunklet
    size: np.ndarray  # (n_chunklets,) what the prior counts
    neighbor_start: np.ndarray  # (n_chunklets + 1,)
    neighbor: np.ndarray  # (2 n_pairs,) chunklets
    log_odds: np.ndarray  # (2 n_pairs,) minus infinity forbids
    weight: np.ndarray  # (n_items,) how often each item counts in the likelihood
    equal: bool  # whether all weights are one


def single_items(n_items: int) -> Chunklets:
    """Items that move one by one, each counting once, without constraints."""
    starts, ones = np.arange(n_items + 1), np.ones(n_items)
    none = np.empty(0, np.int64)
    return Chunklets(starts, starts[:-1], ones, np.zeros_like(starts), none, np.empty(0), ones.copy(), True)


def chunklet_of(chunklets: Chunklets, n_items: int) -> np.ndarray:
    """Chunklet of each item, -1 for items in none."""
    out = np.full(n_items, -1)
    out[chunklets.items] = np.repeat(np.arange(chunklets.size.size), np.diff(chunklets.start))
    return out
