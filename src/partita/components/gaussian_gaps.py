"""New rows with missing entries, under a covariance matrix: densities of the entries that are present.

Missing entries of the table itself are drawn with the partition, so that only what scores new rows, or items as they
were observed, needs these families. Their statistics are those of `gaussian_full` and `gaussian_tails`.
"""

import math

import numpy as np

from .._kernels._jit import inner
from .._kernels.components.family import register
from .._kernels.linalg import cholesky
from . import gaussian_full, gaussian_tails
from .gaussian_full import LOG_PI, MEAN, FullGaussian
from .gaussian_tails import StudentGaussian, log_total, tail_number


class FullGaussianWithGaps(FullGaussian):
    """`FullGaussian` in whose rows entries may be missing."""


class StudentGaussianWithGaps(StudentGaussian):
    """`StudentGaussian` in whose rows entries may be missing."""


@inner
def observed_distance(part, i, k):
    """How many entries of item ``i`` are present, their squared distance from row ``k``, and its log diagonal.

    Both in the block of the posterior scale matrix that belongs to them.
    """
    d, stats, a, work = part.x.shape[1], part.rows, part.work[1], part.work[0, 0]
    m, distance, first = 0, 0.0, MEAN + d
    for j in range(d):
        if not math.isnan(part.x[i, j]):
            column, second = 0, MEAN + d
            for h in range(j + 1):
                if not math.isnan(part.x[i, h]):
                    a[m, column] = 0.0
                    for t in range(h + 1):
                        a[m, column] += stats[k, first + t] * stats[k, second + t]
                    column += 1
                second += h + 1
            work[m] = part.x[i, j] - stats[k, MEAN + j]
            m += 1
        first += j + 1
    log_det = cholesky(a, m)
    for j in range(m):
        for h in range(j):
            work[j] -= a[j, h] * work[h]
        work[j] /= a[j, j]
        distance += work[j] * work[j]
    return m, distance, log_det


@inner
def log_density_observed(part, i, k, precision):
    """Log density of the entries of item ``i`` that are present, given its precision: those of a smaller matrix."""
    m, distance, log_det = observed_distance(part, i, k)
    power, dof = part.hyper[0], part.hyper[2] - part.x.shape[1] + m
    n, count, w = power * part.rows[k, 0], part.hyper[1] + power * part.rows[k, 2], power * precision
    shrunk = count / (count + w)
    total = 0.5 * m * (power * (math.log(precision) - LOG_PI) + math.log(shrunk)) - power * log_det
    for j in range(m):
        total += math.lgamma(0.5 * (dof + n + power - j)) - math.lgamma(0.5 * (dof + n - j))
    return total - 0.5 * (dof + n + power) * math.log1p(w * shrunk * distance)


def log_predictive_normal(part, i, rows, n_rows, out):
    """Multivariate t densities."""
    for t in range(n_rows):
        out[t] += log_density_observed(part, i, rows[t], 1.0)


def log_predictive_student(part, i, rows, n_rows, out):
    """Densities with the item's precision summed out."""
    v = tail_number(part)
    for t in range(n_rows):
        highest = -np.inf
        for g in range(part.grid.size):
            part.score[g] = part.log_share[v, g] + log_density_observed(part, i, rows[t], part.grid[g])
            highest = max(highest, part.score[g])
        out[t] += log_total(part, highest)


register(
    FullGaussianWithGaps,
    gaussian_full.set_prior,
    gaussian_full.update_stats,
    log_predictive_normal,
    gaussian_full.log_marginal,
)
register(
    StudentGaussianWithGaps,
    gaussian_tails.set_prior,
    gaussian_full.update_stats,
    log_predictive_student,
    gaussian_full.log_marginal,
)
