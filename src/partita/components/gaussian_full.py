"""Normal columns with a covariance matrix per cluster: the normal–inverse-Wishart family.

Given its covariance, a cluster's mean is normal around the prior mean, with the covariance divided by ``mean_count``;
the covariance is inverse-Wishart with ``dof`` degrees of freedom and the scale matrix ``dof * within``, so that
``within`` is a typical covariance whatever the degrees of freedom. Columns are measured from their prior mean.

``hyper`` = (power, mean_count, dof, within row by row).
A row of statistics = (weight of its items; log diagonal of the Cholesky factor; precision of its items, which is their
weight unless each has a precision of its own; posterior mean; Cholesky factor of the posterior scale matrix by rows of
its lower triangle).

Hyperparameters are drawn given the clusters, an exact Gibbs step. Hyperpriors: ``within`` ~ Wishart with d + 1 degrees
of freedom, ``dof`` uniform on a grid, ``mean_count`` ~ Gamma(1/2, 1/2). First each is moved by Metropolis steps with
all parameters integrated out; then each cluster's parameters are drawn, and given those the three, ``dof`` with
``within`` integrated out. The parameters are forgotten.
"""

import math
from typing import NamedTuple

import numpy as np

from .._kernels._jit import inner, inner_options
from .._kernels._pieces import overload_as_piece
from .._kernels.components.family import register
from .._kernels.linalg import bartlett, cholesky, solve_transposed

LOG_PI = math.log(math.pi)
MEAN = 3  # where the mean begins in a row of statistics
WITHIN = 3  # where the typical covariance begins in the hyperparameters
COUNT_SHAPE = COUNT_RATE = 0.5


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


@overload_as_piece(item_precision, **inner_options)
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


@inner
def pack(a, row, d):
    """Write a lower triangle to the end of ``row``."""
    at = MEAN + d
    for j in range(d):
        for h in range(j + 1):
            row[at] = a[j, h]
            at += 1


@inner
def posterior_scale(part, k, count, dof, factor, out):
    """Posterior scale matrix of row ``k`` under other hyperparameters; return the precision of its items.

    ``within`` is multiplied by ``factor``. The scatter of the items around their mean is what is left of the row's own
    matrix without its prior.
    """
    d, row, hyper = part.x.shape[1], part.rows[k], part.hyper
    n = hyper[0] * row[2]
    means = (hyper[1] + n) / n  # from the posterior mean to the mean of the items
    spread = (count * n / (count + n) - hyper[1] * n / (hyper[1] + n)) * means * means
    first = MEAN + d
    for j in range(d):
        second = MEAN + d
        for h in range(j + 1):
            total = spread * row[MEAN + j] * row[MEAN + h] + (dof * factor - hyper[2]) * hyper[WITHIN + j * d + h]
            for t in range(h + 1):
                total += row[first + t] * row[second + t]
            out[j, h] = total
            second += h + 1
        first += j + 1
    return n


@inner
def log_evidence(part, active, n_clusters, count, dof, factor):
    """Log marginal likelihood of all clusters under other hyperparameters."""
    d, total, at_prior = part.x.shape[1], 0.0, 0.0
    for j in range(d):
        at_prior += math.lgamma(0.5 * (dof - j))
    log_within = 2.0 * part.rows[part.rows.shape[0] - 1, 1] - d * math.log(part.hyper[2])
    at_prior -= 0.5 * dof * (log_within + d * math.log(factor * dof))
    for t in range(n_clusters):
        n = part.hyper[0] * part.rows[active[t], 0]
        precision = posterior_scale(part, active[t], count, dof, factor, part.work[0])
        total += 0.5 * d * math.log(count / (count + precision)) - (dof + n) * cholesky(part.work[0], d) - at_prior
        for j in range(d):
            total += math.lgamma(0.5 * (dof + n - j))
    return total


@inner
def metropolis(part, active, n_clusters, rng):
    """Count, degrees of freedom and a factor of ``within``, each moved once with all parameters integrated out."""
    d, hyper, grid = part.x.shape[1], part.hyper, part.dof_grid
    count, dof, factor = hyper[1], hyper[2], 1.0
    here = log_evidence(part, active, n_clusters, count, dof, factor)
    moved = count * math.exp(rng.standard_normal())
    there = log_evidence(part, active, n_clusters, moved, dof, factor)
    if math.log(rng.random()) < there - here + COUNT_SHAPE * math.log(moved / count) - COUNT_RATE * (moved - count):
        count, here = moved, there
    moved, trace = math.exp(2.0 / d * rng.standard_normal()), 0.0
    for j in range(d):
        for h in range(d):
            trace += part.base[j, h] * hyper[WITHIN + j * d + h]
    there = log_evidence(part, active, n_clusters, count, dof, moved)
    if math.log(rng.random()) < there - here + 0.5 * d * (d + 1) * math.log(moved) - 0.5 * trace * (moved - 1.0):
        factor, here = moved, there
    step = 1 + int(3.0 * rng.random())
    at = (step if rng.random() < 0.5 else -step) - 1
    for v in range(grid.size):
        at += grid[v] <= dof
    if 0 <= at < grid.size:
        there = log_evidence(part, active, n_clusters, count, grid[at], factor)
        if math.log(rng.random()) < there - here:
            dof = grid[at]
    return count, dof, factor


@inner
def draw_precisions(part, active, n_clusters, count, dof, factor, rng):
    """Draw each cluster's parameters; sum of the precisions into ``work[1]``, their log determinants, squared means."""
    d, root, b, precision = part.x.shape[1], part.work[0], part.work[2], part.work[1]
    log_det = squares = 0.0
    for j in range(d):
        for h in range(d):
            precision[j, h] = 0.0
    for t in range(n_clusters):
        row = part.rows[active[t]]
        n = posterior_scale(part, active[t], count, dof, factor, root)
        log_det -= 2.0 * cholesky(root, d)
        log_det += 2.0 * bartlett(b, dof + part.hyper[0] * row[0], d, rng)
        solve_transposed(root, b, d)  # b b' is the precision
        to_mean = (part.hyper[1] + n) / (count + n)
        for h in range(d):
            total = rng.standard_normal() / math.sqrt(count + n)
            for j in range(d):
                total += b[j, h] * to_mean * row[MEAN + j]
            squares += total * total
        for j in range(d):
            for h in range(d):
                for i in range(d):
                    precision[j, h] += b[j, i] * b[h, i]
    return log_det, squares


@inner
def log_precision_density(part, n_clusters, dof, log_det):
    """Log density of precisions with this log determinant and the sum in ``work[1]``, ``within`` integrated out.

    The Cholesky factor of the inverse scale matrix of the posterior of ``within`` is left in ``work[0]``.
    """
    d, a = part.x.shape[1], part.work[0]
    shape = 0.5 * (d + 1 + n_clusters * dof)
    total = 0.5 * n_clusters * dof * d * math.log(dof) + 0.5 * dof * log_det
    for j in range(d):
        total += math.lgamma(shape - 0.5 * j) - n_clusters * math.lgamma(0.5 * (dof - j))
        for h in range(j + 1):
            a[j, h] = part.base[j, h] + dof * part.work[1, j, h]
    return total - 2.0 * shape * cholesky(a, d)


@inner
def pick_dof(part, n_clusters, log_det, rng):
    """Degrees of freedom drawn from the grid given the precisions, by the Gumbel-max trick."""
    best, chosen = -np.inf, part.dof_grid[0]
    for v in range(part.dof_grid.size):
        dof = part.dof_grid[v]
        score = log_precision_density(part, n_clusters, dof, log_det) - math.log(rng.standard_exponential())
        if score > best:
            best, chosen = score, dof
    return chosen


def sample_hyper(part, active, n_clusters, rng):
    """Hyperparameters given the clusters; the parameters drawn on the way are forgotten."""
    d, hyper, within = part.x.shape[1], part.hyper, part.work[3]
    if part.dof_grid.size == 0:
        return 0.0
    count, dof, factor = metropolis(part, active, n_clusters, rng)
    log_det, squares = draw_precisions(part, active, n_clusters, count, dof, factor, rng)
    count = rng.standard_gamma(COUNT_SHAPE + 0.5 * n_clusters * d) / (COUNT_RATE + 0.5 * squares)
    count = max(count, 1e-8)
    dof = pick_dof(part, n_clusters, log_det, rng)
    log_precision_density(part, n_clusters, dof, log_det)
    log_within = 2.0 * bartlett(part.work[2], d + 1.0 + n_clusters * dof, d, rng)
    for j in range(d):
        log_within -= 2.0 * math.log(part.work[0, j, j])
    solve_transposed(part.work[0], part.work[2], d)
    trace = 0.0
    for j in range(d):
        for h in range(d):
            total = 0.0
            for i in range(d):
                total += part.work[2, j, i] * part.work[2, h, i]
            within[j, h] = total * (1.0 + 1e-9 * (j == h))
            trace += part.base[j, h] * within[j, h]
    for t in range(n_clusters):
        row, a = part.rows[active[t]], part.work[0]
        n = posterior_scale(part, active[t], count, 0.0, 0.0, a)
        for j in range(d):
            row[MEAN + j] *= (hyper[1] + n) / (count + n)
            for h in range(j + 1):
                a[j, h] += dof * within[j, h]
        row[1] = cholesky(a, d)
        pack(a, row, d)
    hyper[1], hyper[2] = count, dof
    for j in range(d):
        for h in range(d):
            hyper[WITHIN + j * d + h] = within[j, h]
    log_density = 0.5 * (d + 1) * log_within - 0.5 * trace  # of log within and log mean_count, up to a constant
    return log_density + COUNT_SHAPE * math.log(count) - COUNT_RATE * count


register(FullGaussian, set_prior, update_stats, log_predictive, log_marginal, sample_hyper)
