"""Change in log probability of a label function when one point flips, without touching the other points.

For each label the posterior of its cluster is kept as a center, the inverse of its scatter matrix and that matrix's
log determinant. A point's gain is then one quadratic form, whatever the size of the cluster.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import kernel
from .gaussian import SINGULAR, fill_moments, join_cluster, leave_cluster, log_count_prior, pull_to_center


class Clusters(NamedTuple):
    """Moments and posterior of the cluster with each label."""

    counts: Any  # (n_labels,)
    means: Any  # (n_labels, d)
    scatters: Any  # (n_labels, d, d)
    centers: Any  # (n_labels, d)
    inverses: Any  # (n_labels, d, d)
    log_dets: Any  # (n_labels,)


@kernel
def invert(matrix, out):
    """Inverse of a symmetric matrix, which is overwritten; returns the log determinant, -inf if it has no inverse."""
    d = matrix.shape[0]
    total = 0.0
    for j in range(d):
        diagonal = matrix[j, j]
        for m in range(j):
            matrix[j, j] -= matrix[j, m] * matrix[j, m]
        if not matrix[j, j] > SINGULAR * diagonal:
            return -np.inf
        total += np.log(matrix[j, j])
        matrix[j, j] = np.sqrt(matrix[j, j])
        for i in range(j + 1, d):
            for m in range(j):
                matrix[i, j] -= matrix[i, m] * matrix[j, m]
            matrix[i, j] /= matrix[j, j]
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
    return total


@kernel
def fill_posterior(i, clusters, tables, work):
    """Center, inverse scatter and log determinant of the cluster with label i, from its moments."""
    d = clusters.means.shape[1]
    n, nu = clusters.counts[i], tables.nu[i]
    pull = pull_to_center(n, nu)
    toward = n / (n + nu) if n > 0 else 0.0
    for a in range(d):
        clusters.centers[i, a] = tables.centers[i, a] + toward * (clusters.means[i, a] - tables.centers[i, a])
    for a in range(d):
        for b in range(d):
            clusters.inverses[i, a, b] = tables.inverse[i, a, b]
            shift = (clusters.means[i, a] - tables.centers[i, a]) * (clusters.means[i, b] - tables.centers[i, b])
            work[a, b] = tables.scale[i, a, b] + clusters.scatters[i, a, b] + pull * shift
    if not tables.fixed:
        clusters.log_dets[i] = invert(work, clusters.inverses[i])


@kernel
def fill_clusters(X, labels, tables, work):
    """Clusters of a label function from scratch."""
    n_labels, d = tables.centers.shape
    clusters = Clusters(
        np.zeros(n_labels, np.int64),
        np.zeros((n_labels, d)),
        np.zeros((n_labels, d, d)),
        np.zeros((n_labels, d)),
        np.zeros((n_labels, d, d)),
        np.zeros(n_labels),
    )
    fill_moments(X, labels, clusters.counts, clusters.means, clusters.scatters)
    for i in range(n_labels):
        fill_posterior(i, clusters, tables, work)
    return clusters


@kernel
def squared_distance(X, p, i, centers, inverses):
    """Quadratic form of point p's distance to the center of the cluster with label i."""
    total = 0.0
    for a in range(X.shape[1]):
        row = 0.0
        for b in range(X.shape[1]):
            row += inverses[i, a, b] * (X[p, b] - centers[i, b])
        total += row * (X[p, a] - centers[i, a])
    return total


@kernel
def join_gain(X, p, i, counts, centers, inverses, log_dets, fixed, base, nu, kappa):
    """Change in log likelihood when point p joins the cluster with label i: its log predictive density."""
    n = counts[i]
    change = base[i, n + 1] - base[i, n]
    if not change > -np.inf:
        return -np.inf
    spread = (1.0 - 1.0 / (nu[i] + n + 1.0)) * squared_distance(X, p, i, centers, inverses)
    if fixed:
        return change - spread / 2
    return change - log_dets[i] / 2 - (kappa[i] + n + 1) / 2 * np.log1p(spread)


@kernel
def leave_gain(X, p, i, counts, centers, inverses, log_dets, fixed, base, nu, kappa):
    """Change in log likelihood when point p leaves the cluster with label i; -inf if it must not."""
    n = counts[i]
    if base[i, n - 1] == -np.inf:
        return -np.inf
    change = base[i, n - 1] - base[i, n]
    spread = (1.0 + 1.0 / (nu[i] + n - 1.0)) * squared_distance(X, p, i, centers, inverses)
    if fixed:
        return change + spread / 2
    if not 1.0 - spread > SINGULAR:
        return -np.inf
    return change + log_dets[i] / 2 - (kappa[i] + n - 1) / 2 * np.log1p(-spread)


@kernel
def prior_change(a, b, counts, sizes, joint, n_points):
    """Change in the log prior of all counts together when a point goes from label a to label b."""
    if joint.size == 0:
        return 0.0
    identity = np.arange(counts.size)
    before = log_count_prior(counts, identity, sizes, joint, n_points)
    counts[a] -= 1
    counts[b] += 1
    after = log_count_prior(counts, identity, sizes, joint, n_points)
    counts[a] += 1
    counts[b] -= 1
    return after - before


@kernel
def flip_point(X, p, label, labels, clusters, tables, work):
    """Give point p another label."""
    old = labels[p]
    leave_cluster(X, p, old, clusters.counts, clusters.means, clusters.scatters)
    join_cluster(X, p, label, clusters.counts, clusters.means, clusters.scatters)
    labels[p] = label
    fill_posterior(old, clusters, tables, work)
    fill_posterior(label, clusters, tables, work)


@kernel
def log_scores(X, labels, n_known, tables):
    """Log predictive density of every point under each label, given the labels of the first ``n_known``."""
    work = np.empty((X.shape[1], X.shape[1]))
    counts, _, _, centers, inverses, log_dets = fill_clusters(X, labels[:n_known], tables, work)
    fixed, base, nu, _, _, _, kappa, _, _, _, _ = tables
    out = np.empty((X.shape[0], nu.size))
    for p in range(X.shape[0]):
        for i in range(nu.size):
            out[p, i] = join_gain(X, p, i, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
    return out


@kernel
def flip_gains(X, labels, tables):
    """Change in log likelihood when each point, alone, takes each label; 0 for the label it has."""
    work = np.empty((X.shape[1], X.shape[1]))
    counts, _, _, centers, inverses, log_dets = fill_clusters(X, labels, tables, work)
    fixed, base, nu, _, _, _, kappa, _, _, _, _ = tables
    out = np.zeros((X.shape[0], nu.size))
    for p in range(X.shape[0]):
        leaving = leave_gain(X, p, labels[p], counts, centers, inverses, log_dets, fixed, base, nu, kappa)
        for i in range(nu.size):
            if i != labels[p]:
                joining = join_gain(X, p, i, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
                out[p, i] = leaving + joining
    return out
