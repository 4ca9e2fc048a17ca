"""Normal columns with a variance of their own per cluster and missing entries, which are integrated out.

The family of `gaussian_diagonal` with the number of entries present counted column by column.

A row of statistics, column by column, = (weight of the entries present, sum, sum of squares, posterior mean, posterior
scale, its logarithm).
"""

import math
from typing import NamedTuple

import numpy as np

from .._kernels._jit import inner
from .._kernels.components.family import register
from .gaussian_diagonal import (
    COUNT_RATE,
    COUNT_SHAPE,
    LOG_TAU,
    WITHIN,
    fill_predictive_constants,
    pick_shape,
    predictive_constant,
)

WIDTH = 6  # entries of a row for each column


class IncompleteGaussian(NamedTuple):
    """Data, hyperparameters and statistics of independent columns in which NaN is missing."""

    x: np.ndarray  # (n_items, d)
    hyper: np.ndarray  # (3 + d,) as in `gaussian_diagonal`
    rows: np.ndarray  # (n_rows, 6 d)
    log_pred_const: np.ndarray  # (n_items + 1,) by number of entries; none where items have weights
    variance: np.ndarray  # (d,)
    shape_grid: np.ndarray
    work: np.ndarray  # (d,)


@inner
def renew_entry(part, k, j):
    """Posterior mean and scale of column j in row k from its sums and the present hyperparameters."""
    row, at, power = part.rows[k], WIDTH * j, part.hyper[0]
    row[at + 3] = power * row[at + 1] / (part.hyper[1] + power * row[at])
    row[at + 4] = part.hyper[2] * part.hyper[WITHIN + j] + 0.5 * power * (row[at + 2] - row[at + 1] * row[at + 3])
    row[at + 5] = math.log(row[at + 4])


def set_prior(part):
    """Fill the empty row, and by number of entries the constants of the predictive density."""
    empty = part.rows.shape[0] - 1
    for j in range(part.x.shape[1]):
        for t in range(3):
            part.rows[empty, WIDTH * j + t] = 0.0
        renew_entry(part, empty, j)
    fill_predictive_constants(part.log_pred_const, part.hyper, 1.0)


def update_stats(part, source, target, i, weight):
    """Sums, posterior means and scales as an item comes or goes."""
    rows = part.rows
    for j in range(part.x.shape[1]):
        x, at = part.x[i, j], WIDTH * j
        if source != target:
            for t in range(WIDTH):
                rows[target, at + t] = rows[source, at + t]
        if not math.isnan(x):
            rows[target, at] += weight
            rows[target, at + 1] += weight * x
            rows[target, at + 2] += weight * x * x
            renew_entry(part, target, j)


def log_predictive(part, i, rows, n_rows, out):
    """Products of t densities over the entries that are present."""
    stats, power, shape, tabled = part.rows, part.hyper[0], part.hyper[2], part.log_pred_const.size > 0
    for t in range(n_rows):
        k = rows[t]
        for j in range(part.x.shape[1]):
            x, at = part.x[i, j], WIDTH * j
            if not math.isnan(x):
                n, apart = power * stats[k, at], x - stats[k, at + 3]
                count = part.hyper[1] + n
                tail = math.log1p(0.5 * power * count / (count + power) * apart * apart / stats[k, at + 4])
                const = part.log_pred_const[int(stats[k, at])] if tabled else predictive_constant(part.hyper, 1.0, n)
                out[t] += const - 0.5 * power * stats[k, at + 5]
                out[t] -= (shape + 0.5 * (n + power)) * tail


def log_marginal(part, k):
    """Ratio of the normalizing constants of posterior and prior."""
    empty, count, shape, total = part.rows.shape[0] - 1, part.hyper[1], part.hyper[2], 0.0
    for j in range(part.x.shape[1]):
        n, at = part.hyper[0] * part.rows[k, WIDTH * j], WIDTH * j + 5
        total += math.lgamma(shape + 0.5 * n) - math.lgamma(shape)
        total += 0.5 * (math.log(count / (count + n)) - n * LOG_TAU)
        total += shape * part.rows[empty, at] - (shape + 0.5 * n) * part.rows[k, at]
    return total


def sample_hyper(part, active, n_clusters, rng):
    """Hyperparameters given the clusters; the parameters drawn on the way are forgotten."""
    d, hyper, sums = part.x.shape[1], part.hyper, part.work
    if part.shape_grid.size == 0:
        return 0.0
    squares = logs = 0.0
    for j in range(d):
        sums[j] = 0.0
        for t in range(n_clusters):
            row, at = part.rows[active[t]], WIDTH * j
            n = hyper[0] * row[at]
            precision = rng.standard_gamma(hyper[2] + 0.5 * n) / row[at + 4]
            scaled = math.sqrt(precision) * row[at + 3] + rng.standard_normal() / math.sqrt(hyper[1] + n)
            sums[j] += precision
            logs += math.log(precision)
            squares += scaled * scaled
    count = max(rng.standard_gamma(COUNT_SHAPE + 0.5 * n_clusters * d) / (COUNT_RATE + 0.5 * squares), 1e-8)
    shape = pick_shape(part.shape_grid, sums, logs, part.variance, n_clusters, rng)
    log_density = COUNT_SHAPE * math.log(count) - COUNT_RATE * count
    hyper[1], hyper[2] = count, shape
    for j in range(d):
        rate = 1.0 / part.variance[j] + shape * sums[j]
        hyper[WITHIN + j] = max(rng.standard_gamma(1.0 + n_clusters * shape) / rate, 1e-300)
        log_density += math.log(hyper[WITHIN + j]) - hyper[WITHIN + j] / part.variance[j]
        for t in range(n_clusters):
            renew_entry(part, active[t], j)
    return log_density


register(IncompleteGaussian, set_prior, update_stats, log_predictive, log_marginal, sample_hyper)
