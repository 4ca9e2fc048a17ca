"""Split a cluster around its own center, or merge two clusters that two such sides might be.

Parameters (θ, v) of two sides and their share are drawn as if each side had seen a part of the cluster's items that
looks like the whole, and all items are allocated given those, independently. The ratio of a split is

    p(c') p(θ, v | c') / [p(c) p(θ, v | part) Π_i q(c'_i | θ, v)] × probabilities of the choices,

and needs sums alone but for one pass over the items. A merge draws (θ, v) from the posterior given the two clusters.
Two clusters that are halves of one drift apart: each sweep moves labels after parameters. The tosses of a coin then no
longer explain their labels, nor do other sides that a launch comes to; parameters around the center of both do, at the
price of a density as wide as they have drifted. How wide that is, is one of `PARTS`, by chance.
"""

from __future__ import annotations

import math

import numpy as np

from .anchored_split_merge import draw_sides, log_density, log_pick, log_split, partners, replace_row, take
from .configuration import Configuration, merged
from .engines.base import NO_ANCHORS, Pair, Sums

PARTS = (0.5, 0.2, 0.08, 0.03)  # of the items, that the two sides have seen


def split_or_merge_around_center(config: Configuration) -> bool:
    """Propose to split a cluster around its center or to merge two; whether it was done."""
    part = float(config.rng.choice(PARTS))
    if config.rng.random() < 0.5:
        return split_around_center(config, part)
    return merge_to_center(config, part) if config.n_clusters > 1 else False


def split_around_center(config: Configuration, part: float) -> bool:
    """Propose to split a cluster by parameters around its center."""
    rng, sums = config.rng, config.sums
    splittable = np.flatnonzero(sums.counts > 1)
    if splittable.size == 0 or config.log_new(config.n_clusters) == -math.inf:
        return False
    k = int(rng.choice(splittable))
    seen = seen_by_sides(sums, k, part)
    sides, pair = draw_sides(config, seen), Pair((k, k), NO_ANCHORS, 1.0, 0)
    drawn = config.allocation.draw_sides(pair, *sides, config.key())
    if (drawn.counts == 0).any():
        return False
    proposed = replace_row(sums, k, drawn)
    log_ratio = log_split(config, sums, k, drawn) + log_density(config, sides, drawn)
    log_ratio -= log_density(config, sides, seen) + drawn.log_probability
    log_ratio += math.log(splittable.size) + log_pick(config, proposed, k, config.n_clusters)
    if math.log(rng.random()) >= log_ratio:
        return False
    config.allocation.keep_split(pair, config.n_clusters)
    config.sums = proposed
    return True


def merge_to_center(config: Configuration, part: float) -> bool:
    """Propose to merge two clusters."""
    rng, sums = config.rng, config.sums
    first = int(rng.integers(config.n_clusters))
    second = int(rng.choice(config.n_clusters, p=partners(config, sums, first)))
    after, present = merged(sums, first, second), take(sums, [first, second])
    at = second if first == config.n_clusters - 1 else first  # where the merged cluster is
    sides = draw_sides(config, present)
    weighed = config.allocation.weigh_sides(Pair((first, second), NO_ANCHORS, 1.0, 0), *sides)
    log_ratio = log_split(config, after, at, present) + log_density(config, sides, present)
    log_ratio -= log_density(config, sides, seen_by_sides(after, at, part)) + weighed.log_probability
    log_ratio += math.log((after.counts > 1).sum()) + log_pick(config, sums, first, second)
    if math.log(rng.random()) >= -log_ratio:
        return False
    config.allocation.merge(first, second, config.n_clusters - 1)
    config.sums = after
    return True


def seen_by_sides(sums: Sums, k: int, part: float) -> Sums:
    """Sums of two sides that have seen a part of a cluster between them, and an item each at least."""
    share = max(part / 2, 1.0 / sums.sizes[k])
    features, sizes, counts = (np.array([values[k], values[k]]) for values in sums[:3])
    return Sums(share * features, share * sizes, counts, 0.0, 0.0)
