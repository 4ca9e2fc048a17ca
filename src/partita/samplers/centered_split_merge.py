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

import numpy as np

from .anchored_split_merge import (
    Sides,
    accept_merge,
    accept_split,
    draw_sides,
    log_density,
    log_proposal,
    pick_merge,
    pick_whole,
)
from .configuration import Configuration
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
    k = pick_whole(config)
    if k is None:
        return False
    seen = seen_by_sides(config.sums, k, part)
    sides, pair = draw_sides(config, seen), Pair((k, k), NO_ANCHORS, 1.0, 0)
    drawn = config.allocation.draw_sides(pair, *sides, config.key())
    return bool(drawn.counts.all()) and accept_split(config, pair, drawn, log_centered(config, sides, seen, drawn))


def merge_to_center(config: Configuration, part: float) -> bool:
    """Propose to merge two clusters."""
    merge = pick_merge(config)
    sides = draw_sides(config, merge.present)
    weighed = config.allocation.weigh_sides(Pair(merge.clusters, NO_ANCHORS, 1.0, 0), *sides)
    two = merge.present._replace(log_probability=weighed.log_probability)
    return accept_merge(config, merge, log_centered(config, sides, seen_by_sides(merge.after, merge.at, part), two))


def log_centered(config: Configuration, sides: Sides, seen: Sums, two: Sums) -> float:
    """Log probability of proposing two sides, less that of their parameters once the split is made."""
    return log_proposal(config, sides, seen, two) - log_density(config, sides, two)


def seen_by_sides(sums: Sums, k: int, part: float) -> Sums:
    """Sums of two sides that have seen a part of a cluster between them, and an item each at least."""
    share = max(part / 2, 1.0 / sums.sizes[k])
    features, sizes, counts = (np.array([values[k], values[k]]) for values in sums[:3])
    return Sums(share * features, share * sizes, counts, 0.0, 0.0)
