"""Split a cluster around its own center, or merge two clusters that two such sides might be.

A split draws the first side's share v, uniform, and a parameter φ as if it had seen a part of the cluster's items. Sums
G of two sides are then those that balance: v n items as φ expects them, and what the cluster's sums S leave. Parameters
θ of the sides are drawn from the posterior given G, and all items allocated given (θ, v), independently. A merge draws
(θ, v) from the posterior given the two clusters, and φ given θ: the first side as θ says, and as S leaves it beside the
second. The ratio of a split is

    p(c') p(θ, v | c') p(φ | θ) / [p(c) p(φ | part of S) p(θ | G) Π_i q(c'_i | θ, v)] × probabilities of the choices,

and needs sums alone but for one pass over the items. Two clusters that are halves of one drift apart, as each sweep
moves labels after parameters, but what they have in common stays: the mixture of both is still that of the items.
So the proposal is wide in the difference of the sides, one of `PARTS` by chance, and narrow in what they add up to.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray
from .anchored_split_merge import Sides, accept_merge, accept_split, draw_sides, pick_merge, pick_whole
from .configuration import Configuration, Statistics, log_beta_density
from .engines.base import NO_ANCHORS, Pair, Sums

MERGES = 0.8  # of the proposals: most are ruled out by sums alone, a split needs a pass
PARTS = (0.5, 0.2, 0.08, 0.03)  # of twice the smaller side's items, that φ has seen


def split_or_merge_around_center(config: Configuration) -> bool:
    """Propose to split a cluster around its center or to merge two; whether it was done."""
    part = float(config.rng.choice(PARTS))
    if config.rng.random() >= MERGES:
        return split_around_center(config, part)
    return merge_to_center(config, part) if config.n_clusters > 1 else False


def split_around_center(config: Configuration, part: float) -> bool:
    """Propose to split a cluster by parameters around its center."""
    k = pick_whole(config)
    if k is None:
        return False
    statistics, share = config.statistics, config.rng.random()
    whole = Whole(config.sums.features[k], float(config.sums.sizes[k]), np.array([share, 1.0 - share]))
    seen = whole.seen(part)
    phi = statistics.draw(seen, config.rng)
    balanced = balance(statistics, whole, phi)
    if balanced is None:
        return False
    sides = Sides(statistics.draw(balanced, config.rng), np.log(whole.shares))
    back = smaller_side(statistics, whole, sides)
    if back is None:
        return False
    pair = Pair((k, k), NO_ANCHORS, 1.0, 0)
    drawn = config.allocation.draw_sides(pair, *sides, config.key())
    if not drawn.counts.all():
        return False
    return accept_split(config, pair, drawn, log_proposed(config, sides, phi, [balanced, seen, back], drawn))


def merge_to_center(config: Configuration, part: float) -> bool:
    """Propose to merge two clusters."""
    statistics, merge = config.statistics, pick_merge(config)
    sides = draw_sides(config, merge.present)
    whole = Whole(merge.after.features[merge.at], float(merge.after.sizes[merge.at]), np.exp(sides.log_shares))
    back = smaller_side(statistics, whole, sides)
    if back is None:
        return False
    phi = statistics.draw(back, config.rng)
    balanced = balance(statistics, whole, phi)
    if balanced is None:
        return False
    log_known = log_proposed(config, sides, phi, [balanced, whole.seen(part), back], merge.present)
    pair = Pair(merge.clusters, NO_ANCHORS, 1.0, 0)
    return accept_merge(config, merge, log_known, lambda: config.allocation.weigh_sides(pair, *sides).log_probability)


class Whole(NamedTuple):
    """A cluster and the shares of two sides in it."""

    features: FloatArray  # sums
    size: float
    shares: FloatArray

    @property
    def order(self) -> IntArray:
        """The smaller side and the other."""
        return np.argsort(self.shares, kind="stable")

    def seen(self, part: float) -> FloatArray:
        """Sums that φ has seen, which the smaller side is like: a part of its items, one at least."""
        return np.asarray(max(2 * part * self.shares.min(), 1.0 / self.size) * self.features[np.newaxis])


def balance(statistics: Statistics, whole: Whole, phi: FloatArray) -> FloatArray | None:
    """Sums of two sides: the smaller as φ expects it, the other what is left of the whole."""
    one = whole.shares.min() * whole.size * statistics.expected(phi, whole.features / whole.size)
    return statistics.admit(np.vstack([one, whole.features - one])[whole.order.argsort()])


def smaller_side(statistics: Statistics, whole: Whole, sides: Sides) -> FloatArray | None:
    """Sums by which φ is drawn given the sides: the smaller as it is, and as the whole leaves it beside the other.

    Both are as exact as the side they come from, whence their weights.
    """
    small, large = whole.order
    one, other = whole.size * whole.shares[[small, large]]
    expected = statistics.expected(sides.natural, whole.features / whole.size)
    return statistics.admit(one * expected[[small]] + one / other * (whole.features - other * expected[[large]]))


def log_proposed(config: Configuration, sides: Sides, phi: FloatArray, sums: list[FloatArray], two: Sums) -> float:
    """Log probability of choosing to split and of proposing two sides, less those of the way back but for the pair.

    ``sums`` are those by which the sides were drawn, and φ in a split and in a merge.
    """
    rows = np.vstack([*sums, two.features])
    natural = np.vstack([sides.natural, phi, phi, sides.natural])
    logs = (natural * rows).sum(axis=1) - config.statistics.log_marginals(rows)
    log_choice = math.log((1.0 - MERGES) / MERGES)
    log_given_two = float(logs[4:].sum()) + log_beta_density(sides.log_shares, two.sizes + config.shift)
    return log_choice + float(logs[:3].sum() - logs[3]) + two.log_probability - log_given_two
