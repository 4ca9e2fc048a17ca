"""Draws of partitions around a known truth."""

from __future__ import annotations

import numpy as np

from .._typing import IntArray, RandomState
from .._validation import check_between, check_count, check_labels, check_rng
from ..posterior import PartitionPosterior


def make_noisy_draws(
    n_items: int = 100,
    n_draws: int = 1000,
    n_clusters: int = 4,
    noise: float = 0.1,
    random_state: RandomState = 0,
) -> tuple[PartitionPosterior, IntArray]:
    """Draws that each repeat one partition, with some items moved to clusters picked at random.

    Parameters
    ----------
    n_items, n_draws, n_clusters : int
        Items, draws, and clusters of the truth, into which items fall at random.
    noise : float
        Probability, from 0 to 1, that a draw puts an item into a cluster picked at random.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    posterior : PartitionPosterior
        The draws.
    truth : ndarray of int64, shape (n_items,)
        The partition they repeat, in canonical labels.

    See Also
    --------
    make_quadrants : data instead of draws.
    partita.PartitionPosterior : what it returns.

    Examples
    --------
    >>> posterior, truth = make_noisy_draws(n_items=6, n_draws=50, n_clusters=2)
    >>> posterior
    PartitionPosterior: 50 draws of 6 items, 1 to 2 clusters
    """
    check_between("noise", noise, 0, 1)
    check_count("n_draws", n_draws)
    rng = check_rng(random_state)
    dtype = np.min_scalar_type(check_count("n_clusters", n_clusters) - 1)
    truth = rng.integers(n_clusters, size=check_count("n_items", n_items), dtype=dtype)
    draws = np.empty((n_draws, n_items), dtype)
    for row in draws:
        moved = rng.random(n_items, dtype=np.float32) < noise
        row[:] = np.where(moved, rng.integers(n_clusters, size=n_items, dtype=dtype), truth)
    return PartitionPosterior(draws), check_labels(truth)
