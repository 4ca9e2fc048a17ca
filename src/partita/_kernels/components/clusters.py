"""What the items of a cluster contribute to the likelihood, with one item added or removed at a time.

Sums over a cluster's items are plain arrays, a row per cluster. Beside them lie the terms of the predictive density
that depend on the cluster alone, renewed when an item comes or goes. Gaussian columns are measured from their prior
mean, so that sums of squares lose no digits.
"""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inlined_kernel, inlined_summing_kernel, plain_kernel

COLUMNS, SPHERICAL, FULL = 0, 1, 2


class Table(NamedTuple):
    """The data: numbers, category slots, counts. NaN and -1 are missing."""

    numbers: np.ndarray  # (n_items, n_numbers) measured from the prior mean
    slots: np.ndarray  # (n_items, n_categorical) column's first slot + category
    counts: np.ndarray  # (n_items, n_counts)


class Hyper(NamedTuple):
    """Hyperparameters, and what follows from them and a number of items m alone."""

    family: int
    uniform: bool  # nothing missing, and all number columns share strength and shape
    strength: np.ndarray  # (n_numbers,) prior items behind the mean
    shape: np.ndarray  # (n_numbers,) of the inverse gamma; half the degrees of freedom for FULL
    scale: np.ndarray  # (n_numbers,)
    root: np.ndarray  # (n_numbers, n_numbers) Cholesky factor of the prior scale matrix, for FULL
    student: np.ndarray  # (n_numbers or 1, n_items + 1) constants of the predictive density, by m
    marginal: np.ndarray  # (n_numbers or 1, n_items + 1) constants of the marginal likelihood, by m
    slot_weight: np.ndarray  # (n_slots,) of the Dirichlet
    column_weight: np.ndarray  # (n_categorical,) its sum over a column's slots
    count_shape: np.ndarray  # (n_counts,) of the gamma
    count_rate: np.ndarray


class Clusters(NamedTuple):
    """Sums and cached terms, a row per cluster."""

    sizes: np.ndarray  # (capacity,)
    seen: np.ndarray  # (capacity, n_numbers) entries that are not missing
    total: np.ndarray  # (capacity, n_numbers)
    square: np.ndarray  # (capacity, n_numbers)
    center: np.ndarray  # (capacity, n_numbers) posterior mean
    spread: np.ndarray  # (capacity, n_numbers) posterior scale
    inverse: np.ndarray  # (capacity, n_numbers) one over it
    root: np.ndarray  # (capacity, n_numbers, n_numbers) Cholesky factor of the posterior scale matrix, for FULL
    level: np.ndarray  # (capacity,) part of the predictive density that no item changes
    in_slot: np.ndarray  # (capacity, n_slots)
    filled: np.ndarray  # (capacity, n_categorical)
    counted: np.ndarray  # (capacity, n_counts)
    sum_counts: np.ndarray  # (capacity, n_counts)
    trial: np.ndarray  # (1,) the last row, where groups of items are tried
    score: np.ndarray  # (1,) room for a score


@plain_kernel
def empty_cluster(k, hyper, clusters):
    """Forget all items of cluster ``k``."""
    d = clusters.total.shape[1]
    clusters.sizes[k] = 0
    for j in range(d):
        clusters.seen[k, j] = 0
        clusters.total[k, j] = clusters.square[k, j] = clusters.center[k, j] = 0.0
        clusters.spread[k, j] = hyper.scale[j]
    for slot in range(clusters.in_slot.shape[1]):
        clusters.in_slot[k, slot] = 0.0
    for j in range(clusters.filled.shape[1]):
        clusters.filled[k, j] = 0.0
    for j in range(clusters.counted.shape[1]):
        clusters.counted[k, j] = clusters.sum_counts[k, j] = 0.0
    if hyper.family == FULL:
        for i in range(d):
            for j in range(d):
                clusters.root[k, i, j] = hyper.root[i, j]
    refresh(k, hyper, clusters)


@inlined_kernel
def refresh(k, hyper, clusters):
    """Renew the part of cluster ``k``'s predictive density that no item changes."""
    m, d = clusters.sizes[k], clusters.total.shape[1]
    level = 0.0
    if hyper.family == FULL:
        for j in range(d):
            level -= math.log(clusters.root[k, j, j])
        level += hyper.student[0, m]
    elif hyper.family == SPHERICAL:
        level = hyper.student[0, m] - 0.5 * d * math.log(clusters.spread[k, 0])
    elif hyper.uniform and d > 0:
        level, product = d * hyper.student[0, m], 1.0
        for j in range(d):
            product *= clusters.spread[k, j]
            clusters.inverse[k, j] = 1.0 / clusters.spread[k, j]
            if not 1e-150 < product < 1e150:
                level -= 0.5 * math.log(product)
                product = 1.0
        level -= 0.5 * math.log(product)
    clusters.level[k] = level


@plain_kernel
def rank_one(root, v, sign):
    """Cholesky factor of ``root root' + sign v v'``, in place; ``v`` is used up."""
    d = root.shape[0]
    for j in range(d):
        squared = max(root[j, j] * root[j, j] + sign * v[j] * v[j], 1e-14 * root[j, j] * root[j, j])
        r = math.sqrt(squared)
        c, s = r / root[j, j], v[j] / root[j, j]
        root[j, j] = r
        for i in range(j + 1, d):
            root[i, j] = (root[i, j] + sign * s * v[i]) / c
            v[i] = c * v[i] - s * root[i, j]


@plain_kernel
def change_full(source, target, i, sign, table, hyper, clusters, work):
    """Mean and scale matrix of ``source`` as an item comes or goes, written to ``target``."""
    d = table.numbers.shape[1]
    with_item = hyper.strength[0] + clusters.sizes[target] + (sign < 0)
    for j in range(d):
        apart = table.numbers[i, j] - clusters.center[source, j]
        if sign < 0:
            apart *= with_item / (with_item - 1.0)
        clusters.center[target, j] = clusters.center[source, j] + sign * apart / with_item
        work[j] = apart * math.sqrt((with_item - 1.0) / with_item)
        for h in range(j + 1):
            clusters.root[target, j, h] = clusters.root[source, j, h]
    rank_one(clusters.root[target], work, sign)


@plain_kernel
def change_spherical(source, target, i, sign, table, hyper, clusters):
    """Mean of ``source``, and the scale its columns share, as an item comes or goes, written to ``target``."""
    strength, spread = hyper.strength[0] + clusters.sizes[target], hyper.scale[0]
    for j in range(table.numbers.shape[1]):
        x = table.numbers[i, j]
        clusters.total[target, j] = clusters.total[source, j] + sign * x
        clusters.square[target, j] = clusters.square[source, j] + sign * x * x
        clusters.center[target, j] = clusters.total[target, j] / strength
        spread += 0.5 * (clusters.square[target, j] - clusters.total[target, j] * clusters.center[target, j])
    clusters.spread[target, 0] = spread


@plain_kernel
def change_discrete(source, target, i, sign, table, clusters):
    """Categories and counts of ``source`` with those of an item counted in or out, written to ``target``."""
    if source != target:
        copy_discrete(source, target, clusters)
    for j in range(table.slots.shape[1]):
        slot = table.slots[i, j]
        if slot >= 0:
            clusters.in_slot[target, slot] += sign
            clusters.filled[target, j] += sign
    for j in range(table.counts.shape[1]):
        x = table.counts[i, j]
        if not math.isnan(x):
            clusters.counted[target, j] += sign
            clusters.sum_counts[target, j] += sign * x


@inlined_kernel
def change_cluster(source, target, i, sign, table, hyper, clusters, work):
    """Let row ``target`` hold what row ``source`` holds and item ``i`` (``sign`` 1), or all but that item (-1)."""
    clusters.sizes[target] = clusters.sizes[source] + sign
    if hyper.family == COLUMNS:
        for j in range(table.numbers.shape[1]):
            x, times = table.numbers[i, j], sign
            if not hyper.uniform and math.isnan(x):
                x, times = 0.0, 0
            seen, total = clusters.seen[source, j] + times, clusters.total[source, j] + times * x
            square, center = clusters.square[source, j] + times * x * x, total / (hyper.strength[j] + seen)
            clusters.seen[target, j], clusters.total[target, j] = seen, total
            clusters.square[target, j], clusters.center[target, j] = square, center
            clusters.spread[target, j] = hyper.scale[j] + 0.5 * (square - total * center)
        if table.slots.shape[1] + table.counts.shape[1] > 0:
            change_discrete(source, target, i, sign, table, clusters)
    elif hyper.family == FULL:
        change_full(source, target, i, sign, table, hyper, clusters, work)
    else:
        change_spherical(source, target, i, sign, table, hyper, clusters)
    refresh(target, hyper, clusters)


@inlined_kernel
def copy_cluster(source, target, hyper, clusters):
    """Let row ``target`` hold what row ``source`` holds."""
    d = clusters.total.shape[1]
    clusters.sizes[target], clusters.level[target] = clusters.sizes[source], clusters.level[source]
    for j in range(d):
        clusters.seen[target, j], clusters.total[target, j] = clusters.seen[source, j], clusters.total[source, j]
        clusters.square[target, j], clusters.center[target, j] = clusters.square[source, j], clusters.center[source, j]
        clusters.spread[target, j], clusters.inverse[target, j] = (
            clusters.spread[source, j],
            clusters.inverse[source, j],
        )
    if hyper.family == FULL:
        for j in range(d):
            for h in range(j + 1):
                clusters.root[target, j, h] = clusters.root[source, j, h]
    if clusters.in_slot.shape[1] + clusters.counted.shape[1] > 0:
        copy_discrete(source, target, clusters)


@plain_kernel
def copy_discrete(source, target, clusters):
    """Let row ``target`` hold the categories and counts that row ``source`` holds."""
    for slot in range(clusters.in_slot.shape[1]):
        clusters.in_slot[target, slot] = clusters.in_slot[source, slot]
    for j in range(clusters.filled.shape[1]):
        clusters.filled[target, j] = clusters.filled[source, j]
    for j in range(clusters.counted.shape[1]):
        clusters.counted[target, j] = clusters.counted[source, j]
        clusters.sum_counts[target, j] = clusters.sum_counts[source, j]


@inlined_summing_kernel
def score_clusters(i, active, n_active, table, hyper, clusters, work, scores):
    """Fill ``scores[t]`` with the log predictive density of item ``i`` in cluster ``active[t]``."""
    if hyper.family == COLUMNS and hyper.uniform:
        score_complete(i, active, n_active, table, hyper, clusters, scores)
    elif hyper.family == COLUMNS:
        score_incomplete(i, active, n_active, table, hyper, clusters, scores)
    elif hyper.family == FULL:
        score_full(i, active, n_active, table, hyper, clusters, work, scores)
    else:
        score_spherical(i, active, n_active, table, hyper, clusters, scores)
    if table.slots.shape[1] + table.counts.shape[1] > 0:
        score_discrete(i, active, n_active, table, hyper, clusters, scores)


@inlined_summing_kernel
def score_complete(i, active, n_active, table, hyper, clusters, scores):
    """Score items with nothing missing, columns sharing strength and shape: one logarithm per cluster."""
    d = table.numbers.shape[1]
    strength, shape = (hyper.strength[0], hyper.shape[0]) if d > 0 else (1.0, 0.0)
    for t in range(n_active):
        k = active[t]
        m, score = clusters.sizes[k], clusters.level[k]
        factor, exponent, product = 0.5 * (strength + m) / (strength + m + 1.0), shape + 0.5 * (m + 1), 1.0
        for j in range(d):
            apart = table.numbers[i, j] - clusters.center[k, j]
            product *= 1.0 + factor * apart * apart * clusters.inverse[k, j]
            if product > 1e200:
                score -= exponent * math.log(product)
                product = 1.0
        scores[t] = score - exponent * math.log(product)


@inlined_kernel
def hyper_exponent(hyper, m):
    """Exponent of the predictive density of a column in a cluster of m items."""
    return (hyper.shape[0] if hyper.shape.size > 0 else 0.0) + 0.5 * (m + 1)


@plain_kernel
def score_full(i, active, n_active, table, hyper, clusters, work, scores):
    """Score items with a covariance matrix, by forward substitution."""
    for t in range(n_active):
        k = active[t]
        strength, distance = hyper.strength[0] + clusters.sizes[k], 0.0
        for j in range(table.numbers.shape[1]):
            apart = table.numbers[i, j] - clusters.center[k, j]
            for h in range(j):
                apart -= clusters.root[k, j, h] * work[h]
            work[j] = apart / clusters.root[k, j, j]
            distance += work[j] * work[j]
        tail = math.log1p(strength / (strength + 1.0) * distance)
        scores[t] = clusters.level[k] - hyper_exponent(hyper, clusters.sizes[k]) * tail


@plain_kernel
def score_spherical(i, active, n_active, table, hyper, clusters, scores):
    """Score items whose columns share a variance."""
    d = table.numbers.shape[1]
    for t in range(n_active):
        k = active[t]
        strength, distance = hyper.strength[0] + clusters.sizes[k], 0.0
        for j in range(d):
            apart = table.numbers[i, j] - clusters.center[k, j]
            distance += apart * apart
        ratio = 0.5 * strength / (strength + 1.0) * distance / clusters.spread[k, 0]
        scores[t] = clusters.level[k] - (hyper.shape[0] + 0.5 * d * (clusters.sizes[k] + 1)) * math.log1p(ratio)


@plain_kernel
def score_incomplete(i, active, n_active, table, hyper, clusters, scores):
    """Score items column by column: some entries are missing, or columns differ in their hyperparameters."""
    for t in range(n_active):
        k = active[t]
        scores[t] = 0.0
        for j in range(table.numbers.shape[1]):
            x, seen = table.numbers[i, j], clusters.seen[k, j]
            if not math.isnan(x):
                strength, apart = hyper.strength[j] + seen, x - clusters.center[k, j]
                ratio = 0.5 * strength / (strength + 1.0) * apart * apart / clusters.spread[k, j]
                scores[t] += hyper.student[j, seen] - 0.5 * math.log(clusters.spread[k, j])
                scores[t] -= (hyper.shape[j] + 0.5 * (seen + 1)) * math.log1p(ratio)


@plain_kernel
def score_discrete(i, active, n_active, table, hyper, clusters, scores):
    """Add to ``scores[t]`` what the categories and counts of item ``i`` say."""
    for t in range(n_active):
        k = active[t]
        for j in range(table.slots.shape[1]):
            slot = table.slots[i, j]
            if slot >= 0:
                inside = clusters.in_slot[k, slot] + hyper.slot_weight[slot]
                scores[t] += math.log(inside / (clusters.filled[k, j] + hyper.column_weight[j]))
        for j in range(table.counts.shape[1]):
            x = table.counts[i, j]
            if not math.isnan(x):
                shape = hyper.count_shape[j] + clusters.sum_counts[k, j]
                rate = hyper.count_rate[j] + clusters.counted[k, j]
                scores[t] += math.lgamma(shape + x) - math.lgamma(shape) - math.lgamma(x + 1.0)
                scores[t] += shape * math.log(rate / (rate + 1.0)) - x * math.log(rate + 1.0)


@plain_kernel
def log_marginal(k, hyper, clusters):
    """Log marginal likelihood of cluster ``k``'s items, but for factors of single items."""
    m, d = clusters.sizes[k], clusters.total.shape[1]
    if hyper.family == FULL:
        log_root = 0.0
        for j in range(d):
            log_root += math.log(clusters.root[k, j, j])
        return hyper.marginal[0, m] - (2.0 * hyper.shape[0] + m) * log_root
    if hyper.family == SPHERICAL:
        return hyper.marginal[0, m] - (hyper.shape[0] + 0.5 * d * m) * math.log(clusters.spread[k, 0])
    total = 0.0
    for j in range(d):
        seen = clusters.seen[k, j]
        total += hyper.marginal[0 if hyper.uniform else j, seen]
        total += hyper.shape[j] * math.log(hyper.scale[j])
        total -= (hyper.shape[j] + 0.5 * seen) * math.log(clusters.spread[k, j])
    for slot in range(clusters.in_slot.shape[1]):
        if clusters.in_slot[k, slot] > 0:
            weight = hyper.slot_weight[slot]
            total += math.lgamma(weight + clusters.in_slot[k, slot]) - math.lgamma(weight)
    for j in range(clusters.filled.shape[1]):
        total += math.lgamma(hyper.column_weight[j]) - math.lgamma(hyper.column_weight[j] + clusters.filled[k, j])
    for j in range(clusters.counted.shape[1]):
        shape, rate = hyper.count_shape[j], hyper.count_rate[j]
        total += math.lgamma(shape + clusters.sum_counts[k, j]) - math.lgamma(shape) + shape * math.log(rate)
        total -= (shape + clusters.sum_counts[k, j]) * math.log(rate + clusters.counted[k, j])
    return total
