"""Normal columns with a covariance matrix per cluster: the normal–inverse-Wishart family.

Given its covariance, a cluster's mean is normal around the prior mean, with the covariance divided by ``mean_count``;
the covariance is inverse-Wishart with ``dof`` degrees of freedom and the scale matrix ``dof * within``, so that
``within`` is a typical covariance whatever the degrees of freedom. Columns are measured from their prior mean.

``hyper`` = (power, mean_count, dof, within row by row).
A row of statistics = (weight of its items; log diagonal of the Cholesky factor; precision of its items, which is their
weight unless each has a precision of its own; posterior mean; Cholesky factor of the posterior scale matrix by rows of
its lower triangle).
"""

import math
from typing import NamedTuple

import numpy as np
from numba.extending import overload

from .._kernels._jit import inner, inner_options
from .._kernels.components.family import register
from .._kernels.linalg import cholesky
from .gaussian_full_hyper import MEAN, WITHIN, pack, sample_hyper

LOG_PI = math.log(math.pi)


class FullGaussian(NamedTuple):
    """Data, hyperparameters and statistics of columns with a covariance matrix."""

    x: np.ndarray  # (n_items, d)
    hyper: np.ndarray  # (3 + d * d,)
    rows: np.ndarray  # (n_rows, 3 + d + d (d + 1) / 2)
    log_pred_const: np.ndarray  # (n_items + 1,) by number of items; none where items have weights
    base: np.ndarray  # (d, d) inverse scale matrix of the Wishart hyperprior on ``within``
    dof_grid: np.ndarray  # degrees of freedom to learn from; none: all hyperparameters are given
    work: np.ndarray  # (5, d, d) scratch space


def item_precision(part, i):
    """Precision of item ``i`` relative to its cluster's; 1 where the family has none."""
    return part.precision[i] if "precision" in part._fields else 1.0


@overload(item_precision, jit_options=inner_options, strict=False)
def _item_precision(part, i):
    if "precision" in part.instance_class._fields:
        return lambda part, i: part.precision[i]
    return lambda part, i: 1.0


@inner
def rank_one(row, v, d, sign):
    """Replace the packed factor L at the end of ``row`` by that of ``L L' + sign v v'``; return its log diagonal.

    ``v`` is used up.
    """
    log_det, product, diagonal = 0.0, 1.0, MEAN + d
    for j in range(d):
        old = row[diagonal]
        new = math.sqrt(max(old * old + sign * v[j] * v[j], 1e-14 * old * old))
        c, s = new / old, v[j] / old
        row[diagonal] = new
        product *= new
        if not 1e-150 < product < 1e150:
            log_det += math.log(product)
            product = 1.0
        at = diagonal + j + 1
        for i in range(j + 1, d):
            row[at] = (row[at] + sign * s * v[i]) / c
            v[i] = c * v[i] - s * row[at]
            at += i + 1
        diagonal += j + 2
    return log_det + math.log(product)


@inner
def fill_empty_row(part):
    """Let the empty row hold the prior."""
    d, row, a = part.x.shape[1], part.rows[part.rows.shape[0] - 1], part.work[0]
    for j in range(d):
        row[MEAN + j] = 0.0
        for h in range(j + 1):
            a[j, h] = part.hyper[2] * part.hyper[WITHIN + j * d + h]
    row[0] = row[2] = 0.0
    row[1] = cholesky(a, d)
    pack(a, row, d)


@inner
def gamma_constant(hyper, d, n):
    """Gamma functions of the predictive density in a cluster of weight ``n``."""
    power, dof, total = hyper[0], hyper[2], 0.0
    for j in range(d):
        total += math.lgamma(0.5 * (dof + n + power - j)) - math.lgamma(0.5 * (dof + n - j))
    return total - 0.5 * d * power * LOG_PI


@inner
def fill_gamma_constants(part):
    """The same by number of items."""
    d, const, dof = part.x.shape[1], part.log_pred_const, part.hyper[2]
    for m in range(const.size):
        if part.hyper[0] == 1.0 and m >= 2:  # the gamma functions of m and m + 2 differ by a factor
            const[m] = const[m - 2] + math.log((dof + m - 1.0) / (dof + m - 1.0 - d))
        else:
            const[m] = gamma_constant(part.hyper, d, part.hyper[0] * m)


@inner
def log_shrinkage(hyper, d, n):
    """Log of the factor by which the mean's uncertainty lowers the predictive density in a cluster of weight ``n``."""
    return 0.5 * d * math.log((hyper[1] + n) / (hyper[1] + n + hyper[0]))


def set_prior(part):
    """Fill the empty row, and by number of items the constants of the predictive density."""
    fill_empty_row(part)
    fill_gamma_constants(part)
    for m in range(part.log_pred_const.size):
        part.log_pred_const[m] += log_shrinkage(part.hyper, part.x.shape[1], part.hyper[0] * m)


def update_stats(part, source, target, i, weight):
    """Posterior mean and scale matrix as an item comes or goes."""
    d, rows, v = part.x.shape[1], part.rows, part.work[0, 0]
    own = weight * item_precision(part, i)
    w = part.hyper[0] * own
    before = part.hyper[1] + part.hyper[0] * rows[source, 2]
    after = before + w
    root = math.sqrt(abs(w) * before / after)
    rows[target, 0], rows[target, 2] = rows[source, 0] + weight, rows[source, 2] + own
    for j in range(d):
        apart = part.x[i, j] - rows[source, MEAN + j]
        rows[target, MEAN + j] = rows[source, MEAN + j] + w / after * apart
        v[j] = root * apart
    if source != target:
        for t in range(MEAN + d, rows.shape[1]):
            rows[target, t] = rows[source, t]
    rows[target, 1] = rank_one(rows[target], v, d, 1.0 if weight > 0 else -1.0)


@inner
def distance_to(part, i, k):
    """Squared distance of item ``i`` from the mean of row ``k`` in its posterior scale, by forward substitution."""
    d, stats, work = part.x.shape[1], part.rows, part.work[0, 0]
    distance, at = 0.0, MEAN + d
    for j in range(d):
        apart = part.x[i, j] - stats[k, MEAN + j]
        for h in range(j):
            apart -= stats[k, at] * work[h]
            at += 1
        work[j] = apart / stats[k, at]
        at += 1
        distance += work[j] * work[j]
    return distance


def log_predictive(part, i, rows, n_rows, out):
    """Multivariate t densities."""
    d, stats, w, tabled = part.x.shape[1], part.rows, part.hyper[0], part.log_pred_const.size > 0
    for t in range(n_rows):
        k = rows[t]
        n = w * stats[k, 0]
        count = part.hyper[1] + n
        tail = math.log(1.0 + w * count / (count + w) * distance_to(part, i, k))
        if tabled:
            const = part.log_pred_const[int(stats[k, 0])]
        else:
            const = gamma_constant(part.hyper, d, n) + log_shrinkage(part.hyper, d, n)
        out[t] += const - w * stats[k, 1] - 0.5 * (part.hyper[2] + n + w) * tail


def log_marginal(part, k):
    """Ratio of the normalizing constants of posterior and prior."""
    d, empty = part.x.shape[1], part.rows.shape[0] - 1
    n, count, dof = part.hyper[0] * part.rows[k, 0], part.hyper[1], part.hyper[2]
    total = 0.5 * d * (math.log(count / (count + part.hyper[0] * part.rows[k, 2])) - n * LOG_PI)
    for j in range(d):
        total += math.lgamma(0.5 * (dof + n - j)) - math.lgamma(0.5 * (dof - j))
    return total + dof * part.rows[empty, 1] - (dof + n) * part.rows[k, 1]


register(FullGaussian, set_prior, update_stats, log_predictive, log_marginal, sample_hyper)
