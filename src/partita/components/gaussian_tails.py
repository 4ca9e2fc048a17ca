"""Columns with a covariance matrix per cluster, heavy tails and missing entries: a scale mixture of normals.

The family of `gaussian_full` in which each item has a precision of its own: given that, it is normal with its cluster's
covariance divided by the precision. Precisions come from a grid, with the probabilities that a gamma distribution of
mean 1 and ``tails`` degrees of freedom gives to the cells of the grid, so that clusters have tails like those of a
Student distribution; infinitely many degrees of freedom make them normal. Cluster and precision of an item are drawn
jointly. Once per draw each cluster's mean and covariance are drawn, and given those the missing entries, the degrees of
freedom and all precisions; the parameters are then forgotten.

``hyper`` = (power, mean_count, dof, within row by row, tails); rows of statistics as in `gaussian_full`.
"""

import math
from typing import NamedTuple

import numpy as np

from .._kernels._jit import inner
from .._kernels.components.family import register, update_stats
from .._kernels.linalg import bartlett, solve_transposed
from . import gaussian_full
from .gaussian_full import (
    MEAN,
    distance_to,
    fill_empty_row,
    fill_gamma_constants,
    gamma_constant,
    sample_hyper,
)

NEGLIGIBLE = 40.0  # exp(-40) of a sum is lost to rounding


class StudentGaussian(NamedTuple):
    """Data, hyperparameters and statistics as in `FullGaussian`, and what is drawn for each item."""

    x: np.ndarray
    hyper: np.ndarray  # (4 + d * d,)
    rows: np.ndarray
    log_pred_const: np.ndarray
    base: np.ndarray
    dof_grid: np.ndarray
    work: np.ndarray
    missing: np.ndarray  # (n_missing, 2) item and column, item by item
    imputed: np.ndarray  # (n_missing,) what stands in their place
    precision: np.ndarray  # (n_items,)
    distance: np.ndarray  # (n_items,) scratch space
    grid: np.ndarray  # (n_grid,) precisions
    tails: np.ndarray  # (n_tails,) degrees of freedom
    log_share: np.ndarray  # (n_tails, n_grid) log probability of each precision
    log_grid: np.ndarray  # (n_grid,) log precisions
    share: np.ndarray  # (n_tails, n_grid) probability of each precision
    shrinkage: np.ndarray  # (n_rows, 1 + n_grid) a count of a row, and `log_shrinkage` at that count
    score: np.ndarray  # (n_tails + n_grid,) scratch space


def set_prior(part):
    """Fill the empty row, and by number of items the gamma functions of the predictive density."""
    fill_empty_row(part)
    fill_gamma_constants(part)


@inner
def tail_number(part):
    """Which degrees of freedom the tails have."""
    found = part.tails.size - 1
    for v in range(part.tails.size):
        if part.tails[v] == part.hyper[part.hyper.size - 1]:
            found = v
    return found


@inner
def log_shrinkage(part, w, count):
    """Log of the factor by which the mean's uncertainty lowers the density of an item of weight ``w``."""
    return -0.5 * part.x.shape[1] * math.log(1.0 + w / count)


@inner
def log_density_at(part, k, w, count, distance):
    """Log density of an item of weight ``w`` at a squared distance from row ``k``, but for what no distance changes."""
    exponent = 0.5 * (part.hyper[2] + part.hyper[0] * (part.rows[k, 0] + 1.0))
    return -exponent * math.log(1.0 + w * count / (count + w) * distance)


@inner
def row_constant(part, k):
    """The part of the predictive density in row ``k`` that no item changes."""
    n, power = part.rows[k, 0], part.hyper[0]
    if part.log_pred_const.size > 0:
        return part.log_pred_const[int(n)] - power * part.rows[k, 1]
    return gamma_constant(part.hyper, part.x.shape[1], power * n) - power * part.rows[k, 1]


def log_conditional(part, i, rows, n_rows, out):
    """Multivariate t densities given the item's precision."""
    w = part.hyper[0] * part.precision[i]
    scale = 0.5 * part.x.shape[1] * part.hyper[0] * math.log(part.precision[i])
    for t in range(n_rows):
        k = rows[t]
        count = part.hyper[1] + part.hyper[0] * part.rows[k, 2]
        out[t] += row_constant(part, k) + scale + log_shrinkage(part, w, count)
        out[t] += log_density_at(part, k, w, count, distance_to(part, i, k))


@inner
def renew_shrinkage(part, k):
    """Let row ``k`` of the shrinkage follow its count; return that count."""
    count = part.hyper[1] + part.hyper[0] * part.rows[k, 2]
    if part.shrinkage[k, 0] != count:
        part.shrinkage[k, 0] = count
        for g in range(part.grid.size):
            part.shrinkage[k, 1 + g] = log_shrinkage(part, part.hyper[0] * part.grid[g], count)
    return count


@inner
def fill_log_joint(part, i, k, v):
    """Log density of item ``i`` in row ``k`` jointly with each precision; return the largest."""
    distance, highest, count = distance_to(part, i, k), -np.inf, renew_shrinkage(part, k)
    power, half = part.hyper[0], 0.5 * part.x.shape[1] * part.hyper[0]
    for g in range(part.grid.size):
        value = part.log_share[v, g]
        if value > -np.inf:
            value += half * part.log_grid[g] + part.shrinkage[k, 1 + g]
            value += log_density_at(part, k, power * part.grid[g], count, distance)
        part.score[g] = value
        highest = max(highest, value)
    return highest


@inner
def log_total(part, highest):
    """Log of the sum over precisions of what ``score`` holds the logs of, the largest of which is ``highest``."""
    total = 0.0
    for g in range(part.grid.size):
        if part.score[g] > highest - NEGLIGIBLE:
            total += math.exp(part.score[g] - highest)
    return highest + math.log(total)


def log_predictive(part, i, rows, n_rows, out):
    """Densities with the item's precision summed out."""
    v = tail_number(part)
    for t in range(n_rows):
        out[t] += row_constant(part, rows[t]) + log_total(part, fill_log_joint(part, i, rows[t], v))


@inner
def pick_precision(part, i, highest, rng):
    """Draw the precision of item ``i`` from the log weights in ``score``; return whether it changed."""
    total = 0.0
    for g in range(part.grid.size):
        part.score[g] = math.exp(part.score[g] - highest)
        total += part.score[g]
    at, chosen = rng.random() * total, part.grid.size - 1
    for g in range(part.grid.size - 1, -1, -1):
        if part.score[g] > 0.0:
            at -= part.score[g]
            chosen = g
            if at < 0.0:
                break
    changed = part.precision[i] != part.grid[chosen]
    part.precision[i] = part.grid[chosen]
    return changed


def redraw_item(part, i, k, rng):
    """Draw the item's precision given that it joins the cluster in row ``k``."""
    return pick_precision(part, i, fill_log_joint(part, i, k, tail_number(part)), rng)


@inner
def draw_parameters(part, k, rng):
    """Draw the precision matrix of the cluster in row ``k`` into ``work[1]`` and its mean into ``work[3, 0]``."""
    d, root, b, precision, mean = part.x.shape[1], part.work[0], part.work[2], part.work[1], part.work[3, 0]
    row, at, z = part.rows[k], MEAN + d, part.work[4, 0]
    for j in range(d):
        for h in range(j + 1):
            root[j, h] = row[at]
            at += 1
    bartlett(b, part.hyper[2] + part.hyper[0] * row[0], d, rng)
    for j in range(d - 1, -1, -1):  # solve b' z = normal; the covariance is root (b b')^-1 root'
        total = rng.standard_normal()
        for i in range(j + 1, d):
            total -= b[i, j] * z[i]
        z[j] = total / b[j, j]
    for j in range(d):
        total = 0.0
        for h in range(j + 1):
            total += root[j, h] * z[h]
        mean[j] = row[MEAN + j] + total / math.sqrt(part.hyper[1] + part.hyper[0] * row[2])
    solve_transposed(root, b, d)  # b b' is the precision matrix
    for j in range(d):
        for h in range(d):
            precision[j, h] = 0.0
            for i in range(d):
                precision[j, h] += b[j, i] * b[h, i]


@inner
def impute(part, p, weight, rng):
    """Draw the missing entries of an item, the first of them number ``p``, given the rest of its row; how many."""
    d, x, precision, mean = part.x.shape[1], part.x, part.work[1], part.work[3, 0]
    i, first = part.missing[p, 0], p
    while p < len(part.missing) and part.missing[p, 0] == i:
        j, shift = part.missing[p, 1], 0.0
        for h in range(d):
            if h != j:
                shift += precision[j, h] * (x[i, h] - mean[h])
        spread = math.sqrt(part.hyper[0] * weight * part.precision[i] * precision[j, j])
        x[i, j] = mean[j] - shift / precision[j, j] + rng.standard_normal() / spread
        part.imputed[p] = x[i, j]
        p += 1
    return p - first


def draw_latent(part, labels, weights, active, n_clusters, empty, rng):
    """Missing entries, degrees of freedom of the tails and precisions given the clusters; rows are made anew."""
    d, n = part.x.shape[1], labels.size
    precision, mean = part.work[1], part.work[3, 0]
    for t in range(n_clusters):
        draw_parameters(part, active[t], rng)
        p = 0
        while p < len(part.missing):
            i = part.missing[p, 0]
            if labels[i] == active[t]:
                p += impute(part, p, weights[i] if weights[i] > 0.0 else 1.0, rng)
            else:
                p += 1
        for i in range(n):
            if labels[i] == active[t]:
                part.distance[i] = 0.0
                for j in range(d):
                    for h in range(d):
                        part.distance[i] += (part.x[i, j] - mean[j]) * precision[j, h] * (part.x[i, h] - mean[h])
    v = pick_tails(part, weights, rng)
    part.hyper[part.hyper.size - 1] = part.tails[v]
    for i in range(n):
        highest = -np.inf
        for g in range(part.grid.size):
            power = part.hyper[0] * weights[i]
            part.score[g] = part.log_share[v, g]
            part.score[g] += 0.5 * power * (d * part.log_grid[g] - part.grid[g] * part.distance[i])
            highest = max(highest, part.score[g])
        pick_precision(part, i, highest, rng)
    for t in range(n_clusters):
        for q in range(part.rows.shape[1]):
            part.rows[active[t], q] = part.rows[empty, q]
    for i in range(n):
        if weights[i] > 0.0:
            update_stats(part, labels[i], labels[i], i, weights[i])


@inner
def pick_tails(part, weights, rng):
    """Which degrees of freedom: drawn given the distances, with the precisions summed out, by the Gumbel-max trick."""
    d, n_grid, power = part.x.shape[1], part.grid.size, part.hyper[0]
    for v in range(part.tails.size):
        part.score[n_grid + v] = -math.log(rng.standard_exponential())
    for i in range(weights.size):
        if weights[i] == 0.0:
            continue
        for v in range(part.tails.size):
            total = 0.0
            for g in range(n_grid):
                if v == 0:
                    apart = (part.grid[g] - part.grid[n_grid - 1]) * part.distance[i]
                    part.score[g] = math.exp(0.5 * power * weights[i] * (d * part.log_grid[g] - apart))
                total += part.share[v, g] * part.score[g]
            part.score[n_grid + v] += math.log(max(total, 1e-300))
    best = 0
    for v in range(part.tails.size):
        if part.score[n_grid + v] > part.score[n_grid + best]:
            best = v
    return best


register(
    StudentGaussian,
    set_prior,
    gaussian_full.update_stats,
    log_predictive,
    gaussian_full.log_marginal,
    sample_hyper,
    log_conditional=log_conditional,
    redraw_item=redraw_item,
    draw_latent=draw_latent,
)
