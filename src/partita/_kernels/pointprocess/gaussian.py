"""What clusters of points contribute to the log probability of a label function under a Gaussian point process.

A cluster is its moments: how many points, their mean, and their scatter about it. A point that joins or leaves is a
rank-one change of the scatter, whatever the size of the cluster. Clusters sit in slots, as many as there are labels;
which label a slot carries is decided last, so that one set of moments serves all labelings of a partition.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import kernel

SINGULAR = 1e-12  # a pivot this small beside its diagonal entry is zero


class Tables(NamedTuple):
    """A Gaussian point process bound to a number of points.

    ``base[i, m]`` collects all that depends on the number m of points with label i alone, -inf where such a label
    function has no probability. ``sizes`` and ``joint`` hold what the label prior says about all counts together;
    they are empty where it says nothing. A partition's probability is the sum over ``orders``, the labels that slots
    take, times the number of ways ``log_ways[k]`` in which k clusters repeat them.
    """

    fixed: Any  # whether covariances are known
    base: Any  # (n_labels, n_points + 1)
    nu: Any  # (n_labels,), inf where means are known
    centers: Any  # (n_labels, d)
    scale: Any  # (n_labels, d, d): covariances, or inverse-Wishart scales
    inverse: Any  # (n_labels, d, d): of the covariances, where known
    kappa: Any  # (n_labels,)
    sizes: Any  # (n_labels,) or (0,)
    joint: Any  # ((n_points + 1) ** (n_labels - 1),) or (0,)
    orders: Any  # (n_orders, n_labels)
    log_ways: Any  # (n_labels + 1,)


@kernel
def join_cluster(X, p, k, counts, means, scatters):
    """Let point p join the cluster in slot k."""
    n = counts[k]
    counts[k] = n + 1
    share = n / (n + 1.0)
    d = X.shape[1]
    for a in range(d):
        for b in range(a + 1):
            scatters[k, a, b] += share * (X[p, a] - means[k, a]) * (X[p, b] - means[k, b])
            scatters[k, b, a] = scatters[k, a, b]
    for a in range(d):
        means[k, a] += (X[p, a] - means[k, a]) / (n + 1.0)


@kernel
def leave_cluster(X, p, k, counts, means, scatters):
    """Let point p leave the cluster in slot k; an empty cluster forgets its rounding errors."""
    n = counts[k]
    counts[k] = n - 1
    d = X.shape[1]
    if n == 1:
        for a in range(d):
            means[k, a] = 0.0
            for b in range(d):
                scatters[k, a, b] = 0.0
        return
    share = n / (n - 1.0)
    for a in range(d):
        for b in range(a + 1):
            scatters[k, a, b] -= share * (X[p, a] - means[k, a]) * (X[p, b] - means[k, b])
            scatters[k, b, a] = scatters[k, a, b]
    for a in range(d):
        means[k, a] -= (X[p, a] - means[k, a]) / (n - 1.0)


@kernel
def fill_moments(X, labels, counts, means, scatters):
    """Moments of all clusters from scratch."""
    counts[:] = 0
    means[:] = 0.0
    scatters[:] = 0.0
    for i in range(labels.size):
        join_cluster(X, i, labels[i], counts, means, scatters)


@kernel
def log_determinant(matrix):
    """Logarithm of the determinant of a symmetric matrix, which is overwritten; -inf unless positive definite."""
    d = matrix.shape[0]
    total, product = 0.0, 1.0
    for j in range(d):
        diagonal = matrix[j, j]
        for m in range(j):
            matrix[j, j] -= matrix[j, m] * matrix[j, m]
        if not matrix[j, j] > SINGULAR * diagonal:
            return -np.inf
        product *= matrix[j, j]
        if not 1e-150 < product < 1e150:  # a logarithm now and then, not one per pivot
            total += np.log(product)
            product = 1.0
        root = np.sqrt(matrix[j, j])
        for i in range(j + 1, d):
            for m in range(j):
                matrix[i, j] -= matrix[i, m] * matrix[j, m]
            matrix[i, j] /= root
    return total + np.log(product)


@kernel
def pull_to_center(count, nu):
    """Weight of the squared distance between a cluster's mean and its prior mean: count nu / (count + nu)."""
    if count == 0 or nu == 0.0:
        return 0.0
    return count / (1.0 + count / nu)


@kernel
def log_cluster(k, label, counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work):
    """Log likelihood of the cluster in slot k if it carries ``label``: equations (43), (47), (52), (55) and (58)."""
    n = counts[k]
    if base[label, n] == -np.inf:
        return -np.inf
    d = means.shape[1]
    pull = pull_to_center(n, nu[label])
    if fixed:
        total = 0.0
        for a in range(d):
            for b in range(d):
                shift = (means[k, a] - centers[label, a]) * (means[k, b] - centers[label, b])
                total += inverse[label, a, b] * (scatters[k, a, b] + pull * shift)
        return base[label, n] - total / 2
    for a in range(d):
        for b in range(a + 1):
            shift = (means[k, a] - centers[label, a]) * (means[k, b] - centers[label, b])
            work[a, b] = scale[label, a, b] + scatters[k, a, b] + pull * shift
    log_det = log_determinant(work)
    return log_det if log_det == -np.inf else base[label, n] - (kappa[label] + n) / 2 * log_det


@kernel
def log_count_prior(counts, order, sizes, joint, n_points):
    """What the label prior says about all counts together when slot k carries label ``order[k]``."""
    n_labels = counts.size
    for k in range(sizes.size):  # the counts are the sizes in some order
        balance = 0
        for j in range(n_labels):
            balance += (counts[j] == sizes[k]) - (sizes[j] == sizes[k])
        if balance != 0:
            return -np.inf
    if joint.size == 0:
        return 0.0
    code = 0
    for k in range(n_labels):
        if order[k] < n_labels - 1:
            code += counts[k] * (n_points + 1) ** order[k]
    return joint[code]


@kernel
def log_partition(counts, means, scatters, tables, terms, work):
    """Log probability of the partition with these moments: the sum over its labelings, equation (17).

    ``terms`` takes the log likelihood of the cluster in each slot under each label that it may carry.
    """
    fixed, base, nu, centers, scale, inverse, kappa, sizes, joint, orders, log_ways = tables
    n_labels, n_points = counts.size, base.shape[1] - 1
    if sizes.size > 0 and log_count_prior(counts, sizes, sizes, joint, n_points) == -np.inf:
        return -np.inf  # before the cost of determinants
    n_clusters = 0
    for k in range(n_labels):
        n_clusters += counts[k] > 0
        for label in range(n_labels):
            if orders.shape[0] > 1 or label == orders[0, k]:
                terms[k, label] = log_cluster(
                    k, label, counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work
                )
    highest, total = -np.inf, 0.0
    for o in range(orders.shape[0]):
        value = 0.0 if joint.size == 0 else log_count_prior(counts, orders[o], sizes, joint, n_points)
        for k in range(n_labels):
            value += terms[k, orders[o, k]]
        if value > highest:
            total = total * np.exp(highest - value) + 1.0
            highest = value
        elif value > -np.inf:
            total += np.exp(value - highest)
    return -np.inf if highest == -np.inf else highest + np.log(total) + log_ways[n_clusters]
