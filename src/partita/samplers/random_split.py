"""Split a cluster by tossing a coin for each item, or merge two clusters: a merge needs their sums alone.

The coin's bias is uniform, so a division into m and n items is proposed with probability m! n! / (m + n + 1)!, which is
what the partition's prior pays for it but for a factor of about m n / (m + n). What is left of the ratio compares the
clusters' marginal likelihoods: pieces that are alike merge at once, however many items they hold.
"""

from __future__ import annotations

import math

import numpy as np

from .anchored_split_merge import log_pick, log_split, partners, replace_row, take
from .configuration import Configuration, merged
from .engines.base import NO_ANCHORS, Pair, Sums


def split_or_merge_at_random(config: Configuration) -> bool:
    """Propose to split a cluster at random or to merge two; whether it was done."""
    if config.rng.random() < 0.5:
        return split_at_random(config)
    return merge_by_sums(config) if config.n_clusters > 1 else False


def split_at_random(config: Configuration) -> bool:
    """Propose to split a cluster by tosses of a coin."""
    rng, sums = config.rng, config.sums
    splittable = np.flatnonzero(sums.counts > 1)
    if splittable.size == 0 or config.log_new(config.n_clusters) == -math.inf:
        return False
    k, bias = int(rng.choice(splittable)), rng.random()
    pair, log_shares = Pair((k, k), NO_ANCHORS, 1.0, 0), np.log([bias, 1.0 - bias])
    drawn = config.allocation.draw_sides(pair, np.zeros((2, sums.features.shape[1])), log_shares, config.key())
    if (drawn.counts == 0).any():
        return False
    proposed = replace_row(sums, k, drawn)
    log_ratio = log_split(config, sums, k, drawn) - log_tosses(drawn)
    log_ratio += math.log(splittable.size) + log_pick(config, proposed, k, config.n_clusters)
    if math.log(rng.random()) >= log_ratio:
        return False
    config.allocation.keep_split(pair, config.n_clusters)
    config.sums = proposed
    return True


def merge_by_sums(config: Configuration) -> bool:
    """Propose to merge two clusters."""
    rng, sums = config.rng, config.sums
    first = int(rng.integers(config.n_clusters))
    second = int(rng.choice(config.n_clusters, p=partners(config, sums, first)))
    after, present = merged(sums, first, second), take(sums, [first, second])
    at = second if first == config.n_clusters - 1 else first  # where the merged cluster is
    log_ratio = log_split(config, after, at, present) - log_tosses(present)
    log_ratio += math.log((after.counts > 1).sum()) + log_pick(config, sums, first, second)
    if math.log(rng.random()) >= -log_ratio:
        return False
    config.allocation.merge(first, second, config.n_clusters - 1)
    config.sums = after
    return True


def log_tosses(two: Sums) -> float:
    """Log probability of these tosses, the bias of the coin summed out."""
    heads, tails = two.counts
    return math.lgamma(heads + 1) + math.lgamma(tails + 1) - math.lgamma(heads + tails + 2)
