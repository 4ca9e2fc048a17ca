"""Split a cluster at two anchors, or merge two clusters, labels drawn at once.

A *launch* divides the items S of one or two clusters between two anchors and never looks at how they are divided now:
parameters near each anchor, then sweeps of a two-component Gibbs sampler over random parts of S. Its last
sweep gives sums G; parameters θ of the two sides and their share v are drawn from the posterior given G, and all of S
is allocated to the sides independently given (θ, v). For a merge (θ, v) come from the posterior given the clusters as
they are, and the launch says how probable they and the labels would have been. The ratio of a split is

    p(c') p(θ, v | c') / [p(c) p(θ, v | G) Π_i q(c'_i | θ, v)] × probabilities of the choices,

in which the prior of θ cancels. What matters is the density of the two sides with labels summed out, not one
division of S among many, and G from a part of S is spread wide enough to reach the sides as they are: that is why
merges of overlapping clusters are accepted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._typing import FloatArray
from .configuration import Configuration, log_beta_density, merged
from .engines.base import Item, Pair, Sums

N_SWEEPS = 4  # of a launch
EXPONENTS = (1.0, 1.0, 0.5)  # a launch looks at this power of the number of items
LEAST = 200  # and at no fewer
N_ROUGH, ROUGH = 25, 1000  # sweeps before those, over about so many of the items where there are more
NEAR = 0.05  # nats per item of the smaller cluster that a merge may cost and still be tried often


class Sides(NamedTuple):
    """Natural parameters of two sides, and the logarithms of their shares."""

    natural: FloatArray  # (2, width)
    log_shares: FloatArray  # (2,)


def split_or_merge(config: Configuration) -> bool:
    """Propose to split a cluster or to merge two; whether it was done."""
    if config.rng.random() < 0.5:
        return split(config)
    return merge(config) if config.n_clusters > 1 else False


def split(config: Configuration) -> bool:
    """Propose to split a cluster at two of its items."""
    rng, sums, n_clusters = config.rng, config.sums, config.n_clusters
    splittable = np.flatnonzero(sums.counts > 1)
    if splittable.size == 0 or config.log_new(n_clusters) == -math.inf:
        return False
    k = int(rng.choice(splittable))
    one, other = (int(number) for number in rng.choice(int(sums.counts[k]), 2, replace=False))
    anchors = config.allocation.members([(k, one), (k, other)])
    pair, ends = pair_of((k, k), anchors), anchor_sums(anchors)
    launched = launch(config, pair, ends, sums.features[k], sums.sizes[k])
    sides = draw_sides(config, launched)
    drawn = add(config.allocation.draw_sides(pair, *sides, config.key()), ends)
    proposed = replace_row(sums, k, drawn)
    log_ratio = (
        log_split(config, sums, k, drawn)
        + log_density(config, sides, drawn)
        - log_proposal(config, sides, launched, drawn)
    )
    log_ratio += math.log(splittable.size) + log_pick(config, proposed, k, n_clusters)
    log_ratio += math.log(sums.counts[k] * (sums.counts[k] - 1)) - math.log(drawn.counts[0] * drawn.counts[1])
    if not math.log(rng.random()) < log_ratio:  # also where it is no number
        return False
    config.allocation.keep_split(pair, n_clusters)
    config.sums = proposed
    return True


def merge(config: Configuration) -> bool:
    """Propose to merge two clusters."""
    rng, sums = config.rng, config.sums
    first = int(rng.integers(config.n_clusters))
    second = int(rng.choice(config.n_clusters, p=partners(config, sums, first)))
    one, other = (int(rng.integers(sums.counts[k])) for k in (first, second))
    anchors = config.allocation.members([(first, one), (second, other)])
    pair, ends = pair_of((first, second), anchors), anchor_sums(anchors)
    after = merged(sums, first, second)
    at = second if first == config.n_clusters - 1 else first  # where the merged cluster is
    present = take(sums, [first, second])
    sides = draw_sides(config, present)
    launched = launch(config, pair, ends, after.features[at], after.sizes[at])
    weighed = config.allocation.weigh_sides(pair, *sides)
    present = present._replace(log_probability=weighed.log_probability)
    log_ratio = (
        log_split(config, after, at, present)
        + log_density(config, sides, present)
        - log_proposal(config, sides, launched, present)
    )
    log_ratio += math.log((after.counts > 1).sum()) + log_pick(config, sums, first, second)
    log_ratio += math.log(after.counts[at] * (after.counts[at] - 1)) - math.log(present.counts[0] * present.counts[1])
    if not math.log(rng.random()) < -log_ratio:
        return False
    config.allocation.merge(first, second, config.n_clusters - 1)
    config.sums = after
    return True


def launch(config: Configuration, pair: Pair, ends: Sums, pooled: FloatArray, size: float) -> Sums:
    """Sums of two sides around the anchors after a few sweeps over a part of the items, whatever their labels.

    The first parameters are drawn as if each side held as many items like its anchor as like the average.
    """
    rng, width = config.rng, len(pooled)
    n_looked_at = max(LEAST, size ** float(rng.choice(EXPONENTS)))
    part = pair._replace(share=min(1.0, n_looked_at / size), key=config.key())
    rough = pair._replace(share=min(1.0, ROUGH / size), key=config.key())
    start = 2 * width * (pooled / size + ends.features / ends.sizes[:, None])
    found = Sums(start, np.ones(2), ends.counts, 0.0, 0.0)
    for some in [rough] * (N_ROUGH if size > 2 * ROUGH else 0) + [part] * N_SWEEPS:
        sides = draw_sides(config, found)
        found = add(config.allocation.draw_sides(some, *sides, config.key()), ends)
    return found


def draw_sides(config: Configuration, sums: Sums) -> Sides:
    """Parameters and shares of two sides from their posterior."""
    log_weights = config.log_weights(sums.sizes)
    return Sides(config.statistics.draw(sums.features, config.rng), log_weights - np.logaddexp(*log_weights))


def log_density(config: Configuration, sides: Sides, sums: Sums) -> float:
    """Log density of parameters and shares given sums, relative to the prior of the parameters."""
    total = (sides.natural * sums.features).sum() - config.statistics.log_marginals(sums.features).sum()
    return float(total) + log_beta_density(sides.log_shares, sums.sizes + config.shift)


def log_split(config: Configuration, whole: Sums, k: int, two: Sums) -> float:
    """Log posterior of a split, relative to cluster ``k`` of ``whole`` left in one piece."""
    marginals = config.statistics.log_marginals(np.vstack([two.features, whole.features[k]]))
    total = config.log_new(len(whole.sizes)) + float(marginals[0] + marginals[1] - marginals[2])
    total += config.log_cluster(two.sizes[0]) + config.log_cluster(two.sizes[1]) - config.log_cluster(whole.sizes[k])
    return total


def log_proposal(config: Configuration, sides: Sides, launched: Sums, two: Sums) -> float:
    """Log probability of proposing a split: the sides' parameters given the launch, the labels given those."""
    return log_density(config, sides, launched) + two.log_probability


def partners(config: Configuration, sums: Sums, k: int) -> FloatArray:
    """Probability of each cluster to be tried for a merge with cluster ``k``: those that cost little, by the sums."""
    n = len(sums.sizes)
    marginals = config.statistics.log_marginals(np.vstack([sums.features, sums.features + sums.features[k]]))
    cost = (marginals[k] + marginals[:n] - marginals[n:]) / np.minimum(sums.sizes, sums.sizes[k])
    weights = (NEAR + np.maximum(cost, 0.0)) ** -2.0
    weights[k] = 0.0
    return np.asarray(weights / weights.sum())


def log_pick(config: Configuration, sums: Sums, first: int, second: int) -> float:
    """Log probability that a merge is tried of these two, in this order."""
    return math.log(partners(config, sums, first)[second] / len(sums.sizes))


def pick_whole(config: Configuration) -> int | None:
    """A cluster to split, all that hold two items or more alike; None where there is none or no room for another."""
    splittable = np.flatnonzero(config.sums.counts > 1)
    if splittable.size == 0 or config.log_new(config.n_clusters) == -math.inf:
        return None
    return int(config.rng.choice(splittable))


def accept_split(config: Configuration, pair: Pair, drawn: Sums, log_proposed: float) -> bool:
    """Accept or reject the split of a picked cluster, given its log probability as a proposal; whether it was."""
    k, sums = pair.clusters[0], config.sums
    proposed = replace_row(sums, k, drawn)
    log_ratio = log_split(config, sums, k, drawn) - log_proposed
    log_ratio += math.log((sums.counts > 1).sum()) + log_pick(config, proposed, k, config.n_clusters)
    if not math.log(config.rng.random()) < log_ratio:
        return False
    config.allocation.keep_split(pair, config.n_clusters)
    config.sums = proposed
    return True


class Merge(NamedTuple):
    """Two clusters that may become one."""

    clusters: tuple[int, int]
    present: Sums  # of the two
    after: Sums  # of all clusters, once merged
    at: int  # where the merged cluster then is
    log_pick: float  # log probability of trying these two


def pick_merge(config: Configuration) -> Merge:
    """Two clusters to merge, the second by what merging costs."""
    sums, last = config.sums, config.n_clusters - 1
    first = int(config.rng.integers(config.n_clusters))
    shares = partners(config, sums, first)
    second = int(config.rng.choice(config.n_clusters, p=shares))
    after, at = merged(sums, first, second), second if first == last else first
    log_pick = math.log(shares[second] / config.n_clusters)
    return Merge((first, second), take(sums, [first, second]), after, at, log_pick)


def accept_merge(
    config: Configuration, merge: Merge, log_proposed: float, log_labels: Callable[[], float] = lambda: 0.0
) -> bool:
    """Accept or reject a merge, given the log probability of proposing the split that undoes it; whether it was.

    ``log_labels`` is the part of it that needs a pass over the items, at most 0: most merges are ruled out before.
    """
    log_ratio = log_split(config, merge.after, merge.at, merge.present) - log_proposed
    log_ratio += math.log((merge.after.counts > 1).sum()) + merge.log_pick
    bar = math.log(config.rng.random())
    if not (bar < -log_ratio and bar < log_labels() - log_ratio):
        return False
    config.allocation.merge(*merge.clusters, config.n_clusters - 1)
    config.sums = merge.after
    return True


def pair_of(clusters: tuple[int, int], anchors: list[Item]) -> Pair:
    """All items of one or two clusters but for the anchors."""
    one, other = anchors
    return Pair(clusters, (one.number, other.number), 1.0, 0)


def anchor_sums(anchors: list[Item]) -> Sums:
    """Sums of two sides that hold an anchor each."""
    weights = np.array([item.weight for item in anchors])
    features = np.array([item.features for item in anchors])
    return Sums(weights[:, None] * features, weights, np.ones(2, np.int64), 0.0, 0.0)


def add(a: Sums, b: Sums) -> Sums:
    """Sums over the items of both."""
    added: list[Any] = [x + y for x, y in zip(a, b, strict=True)]  # type: ignore[operator]
    return Sums(*added)


def take(sums: Sums, clusters: list[int]) -> Sums:
    """Sums of some clusters."""
    return Sums(sums.features[clusters], sums.sizes[clusters], sums.counts[clusters], 0.0, 0.0)


def replace_row(sums: Sums, k: int, two: Sums) -> Sums:
    """Sums with cluster ``k`` replaced by the first side, the second a cluster after the last."""
    rows: list[Any] = []
    for whole, sides in zip(sums[:3], two[:3], strict=True):
        split_up = np.concatenate([whole, sides[1:]])
        split_up[k] = sides[0]
        rows.append(split_up)
    features, sizes, counts = rows
    return sums._replace(features=features, sizes=sizes, counts=counts)
