"""Change in log probability of a label function when one point flips: a quadratic form in the point.

For each label the posterior of its cluster is kept as a center, the inverse of its scale matrix and that matrix's log
determinant. A point's gain then costs the same whatever the size of the cluster.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import inner, inner_allocating, kernel
from .gaussian import (
    SINGULAR,
    cholesky,
    fill_moments,
    fill_scale,
    log_cluster,
    log_count_prior,
    move_point,
    update_moments,
)
from .partition_likelihood import make_moments


class Posteriors(NamedTuple):
    """Moments of the cluster with each label, and the posterior of its parameters."""

    moments: Any
    centers: Any  # (n_labels, d)
    inverses: Any  # (n_labels, d, d)
    log_dets: Any  # (n_labels,)
    work: Any  # (d, d) scratch
    identity: Any  # (n_labels,) label i in slot i


@inner
def invert(matrix, out):
    """Inverse of a symmetric matrix, which is overwritten; returns the log determinant, -inf if it has no inverse."""
    d = matrix.shape[0]
    log_det = cholesky(matrix)
    if log_det == -np.inf:
        for a in range(d):
            for b in range(d):
                out[a, b] = 0.0
        return log_det
    for j in range(d):  # the inverse of the factor, in place
        matrix[j, j] = 1.0 / matrix[j, j]
        for i in range(j + 1, d):
            value = 0.0
            for m in range(j, i):
                value -= matrix[i, m] * matrix[m, j]
            matrix[i, j] = value / matrix[i, i]
    for a in range(d):
        for b in range(a + 1):
            value = 0.0
            for m in range(a, d):
                value += matrix[m, a] * matrix[m, b]
            out[a, b] = value
            out[b, a] = value
    return log_det


@inner
def fill_posterior(i, posteriors, tables):
    """Posterior center, inverse scale and log determinant of the cluster with label i, from its moments."""
    n, nu = posteriors.moments.counts[i], tables.nu[i]
    toward = n / (n + nu) if n > 0 else 0.0
    for a in range(tables.centers.shape[1]):
        shift = posteriors.moments.means[i, a] - tables.centers[i, a]
        posteriors.centers[i, a] = tables.centers[i, a] + toward * shift
    if not tables.fixed:
        fill_scale(i, i, posteriors.moments, tables, posteriors.work)
        posteriors.log_dets[i] = invert(posteriors.work, posteriors.inverses[i])


@inner
def fill_posteriors(X, labels, posteriors, tables):
    """Moments and posteriors of all clusters of a label function, from scratch."""
    fill_moments(X, labels, posteriors.moments)
    for i in range(tables.nu.size):
        fill_posterior(i, posteriors, tables)


@inner_allocating
def make_posteriors(X, labels, tables):
    """Posteriors of the clusters of a label function."""
    n_labels, d = tables.centers.shape
    posteriors = Posteriors(
        make_moments(n_labels, d),
        np.zeros((n_labels, d)),
        tables.inverse.copy(),
        np.zeros(n_labels),
        np.zeros((d, d)),
        np.arange(n_labels),
    )
    fill_posteriors(X, labels, posteriors, tables)
    return posteriors


@inner
def squared_distance(X, p, i, posteriors):
    """Squared Mahalanobis distance of point p to the posterior center of label i, in its inverse scale matrix."""
    total = 0.0
    for a in range(X.shape[1]):
        row = 0.0
        for b in range(X.shape[1]):
            row += posteriors.inverses[i, a, b] * (X[p, b] - posteriors.centers[i, b])
        total += row * (X[p, a] - posteriors.centers[i, a])
    return total


@inner
def join_gain(X, p, i, posteriors, tables):
    """Change in log likelihood when point p joins the cluster with label i: its log predictive density."""
    n = posteriors.moments.counts[i]
    change = tables.base[i, n + 1] - tables.base[i, n]
    if not change > -np.inf:
        return -np.inf
    spread = (1.0 - 1.0 / (tables.nu[i] + n + 1.0)) * squared_distance(X, p, i, posteriors)
    if tables.fixed:
        return change - spread / 2
    return change - posteriors.log_dets[i] / 2 - (tables.kappa[i] + n + 1) / 2 * np.log1p(spread)


@inner
def leave_gain(X, p, i, posteriors, tables):
    """Change in log likelihood when point p leaves the cluster with label i; -inf if it must not."""
    n = posteriors.moments.counts[i]
    if tables.base[i, n - 1] == -np.inf:
        return -np.inf
    change = tables.base[i, n - 1] - tables.base[i, n]
    spread = (1.0 + 1.0 / (tables.nu[i] + n - 1.0)) * squared_distance(X, p, i, posteriors)
    if tables.fixed:
        return change + spread / 2
    if not 1.0 - spread > SINGULAR:
        return -np.inf
    return change + posteriors.log_dets[i] / 2 - (tables.kappa[i] + n - 1) / 2 * np.log1p(-spread)


@inner
def prior_gain(a, b, posteriors, tables):
    """Change in the log prior of all counts together when a point goes from label a to label b."""
    counts = posteriors.moments.counts
    if tables.joint.size == 0:
        return 0.0
    before = log_count_prior(counts, posteriors.identity, tables)
    counts[a] -= 1
    counts[b] += 1
    after = log_count_prior(counts, posteriors.identity, tables)
    counts[a] += 1
    counts[b] -= 1
    return after - before


@inner
def fill_gains(X, p, own, posteriors, tables, gains):
    """Change in log probability when point p, labeled ``own``, takes each label; 0 for its own."""
    leaving = leave_gain(X, p, own, posteriors, tables)
    for i in range(gains.size):
        gains[i] = 0.0
        if i != own:
            gains[i] = leaving + prior_gain(own, i, posteriors, tables)
            gains[i] += join_gain(X, p, i, posteriors, tables)


@inner
def flip_point(X, p, label, labels, posteriors, tables):
    """Give point p another label."""
    old = labels[p]
    move_point(X, p, label, labels, posteriors.moments)
    fill_posterior(old, posteriors, tables)
    fill_posterior(label, posteriors, tables)


@inner
def swap_gain(X, p, q, labels, posteriors, tables):
    """Exchange the labels of two points, and return the change in log likelihood.

    It is taken from the clusters as a whole: on the way, one of them may be too small for an improper prior.
    """
    a, b, moments = labels[p], labels[q], posteriors.moments
    gain = -log_cluster(a, a, moments, tables, posteriors.work)
    gain -= log_cluster(b, b, moments, tables, posteriors.work)
    update_moments(X, p, a, -1, moments)
    update_moments(X, q, b, -1, moments)
    update_moments(X, p, b, 1, moments)
    update_moments(X, q, a, 1, moments)
    labels[p], labels[q] = b, a
    fill_posterior(a, posteriors, tables)
    fill_posterior(b, posteriors, tables)
    gain += log_cluster(a, a, moments, tables, posteriors.work)
    gain += log_cluster(b, b, moments, tables, posteriors.work)
    return gain


@kernel
def log_predictives(X, labels, n_known, tables):
    """Log predictive density of every point under each label, given the labels of the first ``n_known``."""
    posteriors = make_posteriors(X, labels[:n_known], tables)
    out = np.empty((X.shape[0], tables.nu.size))
    for p in range(X.shape[0]):
        for i in range(tables.nu.size):
            out[p, i] = join_gain(X, p, i, posteriors, tables)
    return out


@kernel
def flip_gains(X, labels, tables):
    """Change in log likelihood when each point, alone, takes each label; 0 for the label it has."""
    posteriors = make_posteriors(X, labels, tables)
    out = np.zeros((X.shape[0], tables.nu.size))
    for p in range(X.shape[0]):
        leaving = leave_gain(X, p, labels[p], posteriors, tables)
        for i in range(tables.nu.size):
            if i != labels[p]:
                out[p, i] = leaving + join_gain(X, p, i, posteriors, tables)
    return out
