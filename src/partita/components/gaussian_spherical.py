"""Normal columns that share one variance per cluster: a normal–inverse-gamma family.

``hyper`` = (power, mean_count, shape, within), as in `gaussian_diagonal` with one typical variance for all columns.
A row of statistics = (weight of its items, posterior scale, sum of all squares, sums column by column).
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

SUM = 3  # where the sums begin in a row


class SphericalGaussian(NamedTuple):
    """Data, hyperparameters and statistics of columns that share a variance."""

    x: np.ndarray  # (n_items, d)
    hyper: np.ndarray  # (4,)
    rows: np.ndarray  # (n_rows, 3 + d)
    log_pred_const: np.ndarray  # (n_items + 1,) by number of items; none where items have weights
    variance: np.ndarray  # (1,) mean variance of the columns, the prior mean of ``within``
    shape_grid: np.ndarray
    work: np.ndarray  # (1,)


@inner
def renew_scale(part, k):
    """Posterior scale of row ``k`` from its sums and the present hyperparameters."""
    row, power, explained = part.rows[k], part.hyper[0], 0.0
    for j in range(part.x.shape[1]):
        explained += row[SUM + j] * row[SUM + j]
    explained *= power / (part.hyper[1] + power * row[0])
    row[1] = part.hyper[2] * part.hyper[WITHIN] + 0.5 * power * (row[2] - explained)


def set_prior(part):
    """Fill the empty row, and by number of items the constants of the predictive density."""
    empty = part.rows.shape[0] - 1
    for t in range(part.rows.shape[1]):
        part.rows[empty, t] = 0.0
    renew_scale(part, empty)
    fill_predictive_constants(part.log_pred_const, part.hyper, 1.0 * part.x.shape[1])


def update_stats(part, source, target, i, weight):
    """Sums and posterior scale as an item comes or goes."""
    rows = part.rows
    rows[target, 0] = rows[source, 0] + weight
    square = 0.0
    for j in range(part.x.shape[1]):
        x = part.x[i, j]
        square += x * x
        rows[target, SUM + j] = rows[source, SUM + j] + weight * x
    rows[target, 2] = rows[source, 2] + weight * square
    renew_scale(part, target)


def log_predictive(part, i, rows, n_rows, out):
    """Multivariate t densities."""
    d, stats, power, tabled = part.x.shape[1], part.rows, part.hyper[0], part.log_pred_const.size > 0
    for t in range(n_rows):
        k = rows[t]
        n, distance = power * stats[k, 0], 0.0
        count = part.hyper[1] + n
        for j in range(d):
            apart = part.x[i, j] - power * stats[k, SUM + j] / count
            distance += apart * apart
        tail = math.log1p(0.5 * power * count / (count + power) * distance / stats[k, 1])
        const = part.log_pred_const[int(stats[k, 0])] if tabled else predictive_constant(part.hyper, 1.0 * d, n)
        out[t] += const - 0.5 * power * d * math.log(stats[k, 1])
        out[t] -= (part.hyper[2] + 0.5 * d * (n + power)) * tail


def log_marginal(part, k):
    """Ratio of the normalizing constants of posterior and prior."""
    d, scale = part.x.shape[1], part.rows[part.rows.shape[0] - 1, 1]
    n, count, shape = part.hyper[0] * part.rows[k, 0], part.hyper[1], part.hyper[2]
    total = math.lgamma(shape + 0.5 * d * n) - math.lgamma(shape)
    total += 0.5 * d * (math.log(count / (count + n)) - n * LOG_TAU)
    return total + shape * math.log(scale) - (shape + 0.5 * d * n) * math.log(part.rows[k, 1])


def sample_hyper(part, active, n_clusters, rng):
    """Hyperparameters given the clusters; the parameters drawn on the way are forgotten."""
    d, hyper, sums = part.x.shape[1], part.hyper, part.work
    if part.shape_grid.size == 0:
        return 0.0
    squares = logs = 0.0
    sums[0] = 0.0
    for t in range(n_clusters):
        row = part.rows[active[t]]
        n = hyper[0] * row[0]
        precision = rng.standard_gamma(hyper[2] + 0.5 * d * n) / row[1]
        sums[0] += precision
        logs += math.log(precision)
        for j in range(d):
            mean = hyper[0] * row[SUM + j] / (hyper[1] + n)
            scaled = math.sqrt(precision) * mean + rng.standard_normal() / math.sqrt(hyper[1] + n)
            squares += scaled * scaled
    count = max(rng.standard_gamma(COUNT_SHAPE + 0.5 * n_clusters * d) / (COUNT_RATE + 0.5 * squares), 1e-8)
    shape = pick_shape(part.shape_grid, sums, logs, part.variance, n_clusters, rng)
    rate = 1.0 / part.variance[0] + shape * sums[0]
    hyper[1], hyper[2] = count, shape
    hyper[WITHIN] = max(rng.standard_gamma(1.0 + n_clusters * shape) / rate, 1e-300)
    for t in range(n_clusters):
        renew_scale(part, active[t])
    log_density = COUNT_SHAPE * math.log(count) - COUNT_RATE * count
    return log_density + math.log(hyper[WITHIN]) - hyper[WITHIN] / part.variance[0]


register(SphericalGaussian, set_prior, update_stats, log_predictive, log_marginal, sample_hyper)
