"""Log likelihood of a Gaussian cluster with known, Gaussian or normal–inverse-Wishart parameters, from its moments.

The sufficient statistics of a cluster are its count, mean and scatter about the mean. A point that joins or leaves is a
rank-one update of the scatter, whatever the size of the cluster. Clusters sit in slots, as many as there are labels;
which label a slot carries is decided last, so that one set of moments serves all labelings of a partition.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import inlined, inner

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


class Moments(NamedTuple):
    """Sufficient statistics of the cluster in each slot."""

    counts: Any  # (n_labels,)
    means: Any  # (n_labels, d)
    scatters: Any  # (n_labels, d, d), lower triangles


@inlined
def update_moments(X, p, k, sign, moments):
    """Let point p join (``sign`` 1) or leave (-1) the cluster in slot k; an empty one forgets its rounding errors."""
    n = moments.counts[k]
    after = n + sign
    moments.counts[k] = after
    share = 0.0 if after == 0 else sign * n / after
    pace = 0.0 if after == 0 else sign / after
    d = X.shape[1]
    for a in range(d):
        for b in range(a + 1):
            moments.scatters[k, a, b] += share * (X[p, a] - moments.means[k, a]) * (X[p, b] - moments.means[k, b])
            if after == 0:
                moments.scatters[k, a, b] = 0.0
    for a in range(d):
        moments.means[k, a] += pace * (X[p, a] - moments.means[k, a])
        if after == 0:
            moments.means[k, a] = 0.0


@inlined
def move_point(X, p, slot, labels, moments):
    """Move a point to the cluster in another slot."""
    update_moments(X, p, labels[p], -1, moments)
    labels[p] = slot
    update_moments(X, p, slot, 1, moments)


@inner
def fill_moments(X, labels, moments):
    """Moments of all clusters from scratch."""
    for k in range(moments.counts.size):
        moments.counts[k] = 0
        for a in range(X.shape[1]):
            moments.means[k, a] = 0.0
            for b in range(X.shape[1]):
                moments.scatters[k, a, b] = 0.0
    for i in range(labels.size):
        update_moments(X, i, labels[i], 1, moments)


@inlined
def cholesky(matrix):
    """Replace the lower triangle of a matrix by its Cholesky factor; return its log determinant, -inf if singular."""
    d = matrix.shape[0]
    total, product = 0.0, 1.0
    for j in range(d):
        diagonal = matrix[j, j]
        pivot = diagonal
        for m in range(j):
            pivot -= matrix[j, m] * matrix[j, m]
        if not pivot > SINGULAR * diagonal:
            return -np.inf
        product *= pivot
        if not 1e-150 < product < 1e150:  # a logarithm now and then, not one per pivot
            total += np.log(product)
            product = 1.0
        root = np.sqrt(pivot)
        matrix[j, j] = root
        for i in range(j + 1, d):
            value = matrix[i, j]
            for m in range(j):
                value -= matrix[i, m] * matrix[j, m]
            matrix[i, j] = value / root
    return total + np.log(product)


@inlined
def prior_weight(count, nu):
    """Weight of the squared distance between a cluster's mean and its prior mean: count nu / (count + nu)."""
    if count == 0 or nu == 0.0:
        return 0.0
    return count / (1.0 + count / nu)


@inlined
def fill_scale(k, label, moments, tables, work):
    """Posterior inverse-Wishart scale of the cluster in slot k under ``label``, in the lower triangle of work."""
    pull = prior_weight(moments.counts[k], tables.nu[label])
    for a in range(work.shape[0]):
        for b in range(a + 1):
            shift = (moments.means[k, a] - tables.centers[label, a]) * (moments.means[k, b] - tables.centers[label, b])
            work[a, b] = moments.scatters[k, a, b] + pull * shift
            if not tables.fixed:
                work[a, b] += tables.scale[label, a, b]


@inlined
def log_cluster(k, label, moments, tables, work):
    """Log likelihood of the cluster in slot k if it carries ``label``: equations (43), (47), (52), (55) and (58)."""
    n = moments.counts[k]
    if tables.base[label, n] == -np.inf:
        return -np.inf
    fill_scale(k, label, moments, tables, work)
    if tables.fixed:
        total = 0.0
        for a in range(work.shape[0]):
            for b in range(a):
                total += 2.0 * tables.inverse[label, a, b] * work[a, b]
            total += tables.inverse[label, a, a] * work[a, a]
        return tables.base[label, n] - total / 2
    log_det = cholesky(work)
    return log_det if log_det == -np.inf else tables.base[label, n] - (tables.kappa[label] + n) / 2 * log_det


@inner
def log_count_prior(counts, order, tables):
    """Log prior of all counts together, beyond independent labels, when slot k carries label ``order[k]``."""
    n_labels, n_points = counts.size, tables.base.shape[1] - 1
    for k in range(tables.sizes.size):  # the counts are the sizes in some order
        balance = 0
        for j in range(n_labels):
            balance += (counts[j] == tables.sizes[k]) - (tables.sizes[j] == tables.sizes[k])
        if balance != 0:
            return -np.inf
    if tables.joint.size == 0:
        return 0.0
    code = 0
    for k in range(n_labels):
        if order[k] < n_labels - 1:
            code += counts[k] * (n_points + 1) ** order[k]
    return tables.joint[code]


@inlined
def log_partition(moments, tables, terms, work):
    """Log probability of the partition with these moments: the sum over its labelings, equation (17).

    ``terms`` takes the log likelihood of the cluster in each slot under each label that it may carry.
    """
    n_labels, n_orders = moments.counts.size, tables.orders.shape[0]
    if tables.sizes.size > 0 and log_count_prior(moments.counts, tables.sizes, tables) == -np.inf:
        return -np.inf  # before the cost of determinants
    n_clusters = 0
    for k in range(n_labels):
        n_clusters += moments.counts[k] > 0
        for label in range(n_labels):
            if n_orders > 1 or label == tables.orders[0, k]:
                terms[k, label] = log_cluster(k, label, moments, tables, work)
    highest, total = -np.inf, 0.0
    for o in range(n_orders):
        value = 0.0 if tables.joint.size == 0 else log_count_prior(moments.counts, tables.orders[o], tables)
        for k in range(n_labels):
            value += terms[k, tables.orders[o, k]]
        if value > highest:
            total = total * np.exp(highest - value) + 1.0
            highest = value
        elif value > -np.inf:
            total += np.exp(value - highest)
    if highest == -np.inf:
        return -np.inf
    return highest + (np.log(total) if n_orders > 1 else 0.0) + tables.log_ways[n_clusters]
