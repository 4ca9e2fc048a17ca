"""Split a cluster by tossing a coin for each item, or merge two clusters: a merge needs their sums alone.

The coin's bias is uniform, so a division into m and n items is proposed with probability m! n! / (m + n + 1)!, which is
what the partition's prior pays for it but for a factor of about m n / (m + n). What is left of the ratio compares the
clusters' marginal likelihoods: pieces that are alike merge at once, however many items they hold.
"""

from __future__ import annotations

import math

import numpy as np

from .anchored_split_merge import accept_merge, accept_split, pick_merge, pick_whole
from .configuration import Configuration
from .engines.base import NO_ANCHORS, Pair, Sums


def split_or_merge_at_random(config: Configuration) -> bool:
    """Propose to split a cluster at random or to merge two; whether it was done."""
    if config.rng.random() < 0.5:
        return split_at_random(config)
    return merge_by_sums(config) if config.n_clusters > 1 else False


def split_at_random(config: Configuration) -> bool:
    """Propose to split a cluster by tosses of a coin."""
    k = pick_whole(config)
    if k is None:
        return False
    bias = config.rng.random()
    pair, log_shares = Pair((k, k), NO_ANCHORS, 1.0, 0), np.log([bias, 1.0 - bias])
    unseen = np.zeros((2, config.sums.features.shape[1]))
    drawn = config.allocation.draw_sides(pair, unseen, log_shares, config.key())
    return bool(drawn.counts.all()) and accept_split(config, pair, drawn, log_tosses(drawn))


def merge_by_sums(config: Configuration) -> bool:
    """Propose to merge two clusters."""
    merge = pick_merge(config)
    return accept_merge(config, merge, log_tosses(merge.present))


def log_tosses(two: Sums) -> float:
    """Log probability of these tosses, the bias of the coin summed out."""
    heads, tails = two.counts
    return math.lgamma(heads + 1) + math.lgamma(tails + 1) - math.lgamma(heads + tails + 2)
