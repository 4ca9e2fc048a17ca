"""Normal columns with a variance of their own per cluster: the normal–inverse-gamma family, column by column.

Given its variance, a cluster's mean is normal around the prior mean, with the variance divided by ``mean_count``; the
variance of column j is inverse-gamma with shape ``shape`` and scale ``shape * within[j]``, so that ``within`` is a
typical variance whatever the shape. Columns are measured from their prior mean.

``hyper`` = (power, mean_count, shape, within column by column).
A row of statistics = (weight of its items, log of the product of the scales; column by column: sum, sum of squares,
posterior mean, inverse of the posterior scale).
"""

import math
from typing import NamedTuple

import numpy as np

from .._kernels._jit import inlined, inner
from .._kernels.components.family import register

WITHIN = 3  # where the typical variances begin in the hyperparameters
SUM, SQUARE, MEAN, INVERSE = 2, 3, 4, 5  # where the first column's statistics are in a row
WIDTH = 4  # from a column to the next
LOG_TAU = math.log(2.0 * math.pi)
COUNT_SHAPE = COUNT_RATE = 0.5  # hyperpriors: mean_count ~ Gamma(1/2, 1/2); within ~ exponential, mean the variance


class DiagonalGaussian(NamedTuple):
    """Data, hyperparameters and statistics of columns that are independent within a cluster."""

    x: np.ndarray  # (n_items, d)
    hyper: np.ndarray  # (3 + d,)
    rows: np.ndarray  # (n_rows, 2 + 4 d)
    log_pred_const: np.ndarray  # (n_items + 1,) by number of items; none where items have weights
    variance: np.ndarray  # (d,) of the columns, the prior mean of ``within``
    shape_grid: np.ndarray  # shapes to learn from; none: all hyperparameters are given
    work: np.ndarray  # (d,) scratch space


def by_column(rows):
    """Sums, sums of squares, posterior means and inverse scales of rows of statistics: (4, n_rows, d)."""
    return np.moveaxis(rows[..., SUM:].reshape(*rows.shape[:-1], (rows.shape[-1] - SUM) // WIDTH, WIDTH), -1, 0)


@inner
def predictive_constant(hyper, d, n):
    """The part of the predictive density of d columns that share a variance that no item changes, at weight ``n``."""
    power, count, shape = hyper[0], hyper[1], hyper[2]
    total = math.lgamma(shape + 0.5 * d * (n + power)) - math.lgamma(shape + 0.5 * d * n)
    return total + 0.5 * d * (math.log((count + n) / (count + n + power)) - power * LOG_TAU)


@inner
def fill_predictive_constants(const, hyper, d):
    """The same by number of items."""
    power, count, shape = hyper[0], hyper[1], hyper[2]
    for m in range(const.size):
        if d * power == 1.0 and m >= 2:  # the gamma functions of m and m + 2 differ by a factor
            ratio = (shape + 0.5 * m - 0.5) / (shape + 0.5 * m - 1.0) * math.sqrt((count + m - 1.0) / (count + m - 2.0))
            const[m] = const[m - 2] + math.log(ratio * math.sqrt((count + m) / (count + m + 1.0)))
        else:
            const[m] = predictive_constant(hyper, d, power * m)


def set_prior(part):
    """Fill the empty row, and by number of items the constants of the predictive density."""
    d, row = part.x.shape[1], part.rows[part.rows.shape[0] - 1]
    row[0] = row[1] = 0.0
    for j in range(d):
        at = WIDTH * j
        row[at + SUM] = row[at + SQUARE] = row[at + MEAN] = 0.0
        scale = part.hyper[2] * part.hyper[WITHIN + j]
        row[at + INVERSE] = 1.0 / scale
        row[1] += math.log(scale)
    fill_predictive_constants(part.log_pred_const, part.hyper, 1.0)


def update_stats(part, source, target, i, weight):
    """Sums, posterior means and scales as an item comes or goes."""
    d, rows, hyper = part.x.shape[1], part.rows, part.hyper
    rows[target, 0] = rows[source, 0] + weight
    power = hyper[0]
    count, log_product, product = hyper[1] + power * rows[target, 0], 0.0, 1.0
    for j in range(d):
        x, at = part.x[i, j], WIDTH * j
        total = rows[source, at + SUM] + weight * x
        square = rows[source, at + SQUARE] + weight * x * x
        mean = power * total / count
        scale = hyper[2] * hyper[WITHIN + j] + 0.5 * power * (square - total * mean)
        rows[target, at + SUM], rows[target, at + SQUARE] = total, square
        rows[target, at + MEAN], rows[target, at + INVERSE] = mean, 1.0 / scale
        product *= scale
        if not 1e-150 < product < 1e150:
            log_product += math.log(product)
            product = 1.0
    rows[target, 1] = log_product + math.log(product)


@inlined
def tail(part, i, k, j, factor):
    """What column j of item ``i`` contributes to the base of a t density in row ``k``."""
    apart = part.x[i, j] - part.rows[k, WIDTH * j + MEAN]
    return 1.0 + factor * apart * apart * part.rows[k, WIDTH * j + INVERSE]


def log_predictive(part, i, rows, n_rows, out):
    """Products of t densities, with one logarithm per cluster."""
    d, stats, power, shape = part.x.shape[1], part.rows, part.hyper[0], part.hyper[2]
    tabled = part.log_pred_const.size > 0
    for t in range(n_rows):
        k = rows[t]
        n = power * stats[k, 0]
        count = part.hyper[1] + n
        factor, exponent, product = 0.5 * power * count / (count + power), shape + 0.5 * (n + power), 1.0
        const = part.log_pred_const[int(stats[k, 0])] if tabled else predictive_constant(part.hyper, 1.0, n)
        score = d * const - 0.5 * power * stats[k, 1]
        for p in range(d // 2):  # two at a time: the processor need not wait for each product
            product *= tail(part, i, k, 2 * p, factor) * tail(part, i, k, 2 * p + 1, factor)
            if product > 1e100:
                score -= exponent * math.log(product)
                product = 1.0
        if d % 2 == 1:
            product *= tail(part, i, k, d - 1, factor)
        out[t] += score - exponent * math.log(product)


def log_marginal(part, k):
    """Ratio of the normalizing constants of posterior and prior."""
    d, empty = part.x.shape[1], part.rows.shape[0] - 1
    n, count, shape = part.hyper[0] * part.rows[k, 0], part.hyper[1], part.hyper[2]
    total = math.lgamma(shape + 0.5 * n) - math.lgamma(shape) + 0.5 * (math.log(count / (count + n)) - n * LOG_TAU)
    return d * total + shape * part.rows[empty, 1] - (shape + 0.5 * n) * part.rows[k, 1]


@inner
def draw_precisions(part, j, active, n_clusters, rng):
    """Draw column j's parameters in each cluster; sums of precisions, log precisions and squared means times them."""
    at, hyper = WIDTH * j, part.hyper
    precisions = logs = squares = 0.0
    for t in range(n_clusters):
        row = part.rows[active[t]]
        n = hyper[0] * row[0]
        precision = rng.standard_gamma(hyper[2] + 0.5 * n) * row[at + INVERSE]
        root_times_mean = math.sqrt(precision) * row[at + MEAN]
        root_times_mean += rng.standard_normal() / math.sqrt(hyper[1] + n)
        precisions += precision
        logs += math.log(precision)
        squares += root_times_mean * root_times_mean
    return precisions, logs, squares


@inner
def pick_shape(grid, sums, logs, variance, n_clusters, rng):
    """Shape drawn from the grid given sums of precisions and of their logs, ``within`` integrated out (Gumbel-max)."""
    best, chosen = -np.inf, grid[0]
    for v in range(grid.size):
        shape = grid[v]
        score = logs * shape - math.log(rng.standard_exponential())
        total = n_clusters * shape
        for j in range(sums.size):
            score += total * math.log(shape) - n_clusters * math.lgamma(shape) + math.lgamma(1.0 + total)
            score -= (1.0 + total) * math.log(1.0 / variance[j] + shape * sums[j])
        if score > best:
            best, chosen = score, shape
    return chosen


def sample_hyper(part, active, n_clusters, rng):
    """Hyperparameters given the clusters; the parameters drawn on the way are forgotten."""
    d, hyper = part.x.shape[1], part.hyper
    if part.shape_grid.size == 0:
        return 0.0
    sums, squares, logs = part.work, 0.0, 0.0
    for j in range(d):
        precisions, log_precisions, squared_means = draw_precisions(part, j, active, n_clusters, rng)
        sums[j] = precisions
        logs += log_precisions
        squares += squared_means
    count = max(rng.standard_gamma(COUNT_SHAPE + 0.5 * n_clusters * d) / (COUNT_RATE + 0.5 * squares), 1e-8)
    shape = pick_shape(part.shape_grid, sums, logs, part.variance, n_clusters, rng)
    log_density = COUNT_SHAPE * math.log(count) - COUNT_RATE * count
    for j in range(d):
        rate = 1.0 / part.variance[j] + shape * sums[j]
        hyper[WITHIN + j] = max(rng.standard_gamma(1.0 + n_clusters * shape) / rate, 1e-300)
        log_density += math.log(hyper[WITHIN + j]) - hyper[WITHIN + j] / part.variance[j]
    hyper[1], hyper[2] = count, shape
    for t in range(n_clusters):
        renew_row(part, active[t])
    return log_density


@inner
def renew_row(part, k):
    """Posterior means and scales of row ``k`` from its sums and the present hyperparameters."""
    d, row, power = part.x.shape[1], part.rows[k], part.hyper[0]
    count = part.hyper[1] + power * row[0]
    row[1] = 0.0
    for j in range(d):
        at = WIDTH * j
        mean = power * row[at + SUM] / count
        scale = part.hyper[2] * part.hyper[WITHIN + j] + 0.5 * power * (row[at + SQUARE] - row[at + SUM] * mean)
        row[at + MEAN], row[at + INVERSE] = mean, 1.0 / scale
        row[1] += math.log(scale)


register(DiagonalGaussian, set_prior, update_stats, log_predictive, log_marginal, sample_hyper)
