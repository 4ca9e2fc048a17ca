"""Log likelihood of a Gaussian cluster with known, Gaussian or normal–inverse-Wishart parameters, from its moments.

The sufficient statistics of a cluster are its count, mean and scatter about the mean. A point that joins or leaves is a
rank-one update of the scatter, whatever the size of the cluster. Clusters sit in slots, as many as there are labels;
which label a slot carries is decided last, so that one set of moments serves all labelings of a partition.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import inlined, inner
from .covariances import log_shape, prior_scale
from .label_prior import KnownSizes, are_possible, log_counts


class Tables(NamedTuple):
    """A Gaussian point process bound to a number of points.

    ``base[i, m]`` collects all that depends on the number m of points with label i alone, -inf where such a label
    function has no probability. The types of ``covariances`` and ``label_prior`` choose what kernels do.
    A partition's probability is the sum over ``orders``, the labels that slots take, times the number of ways
    ``log_ways[k]`` in which k clusters repeat them.
    """

    base: Any  # (n_labels, n_points + 1)
    nu: Any  # (n_labels,), inf where means are known
    centers: Any  # (n_labels, d)
    covariances: Any
    label_prior: Any
    orders: Any  # (n_orders, n_labels)
    log_ways: Any  # (n_labels + 1,)


def known_sizes(tables: Tables) -> Any:
    """The sizes of clusters; None where they are not known."""
    return tables.label_prior.sizes if isinstance(tables.label_prior, KnownSizes) else None


class Moments(NamedTuple):
    """Sufficient statistics of the cluster in each slot, and room to compute its likelihood in."""

    counts: Any  # (n_labels,)
    means: Any  # (n_labels, d)
    scatters: Any  # (n_labels, d, d), lower triangles
    terms: Any  # (n_labels, n_labels) scratch space
    work: Any  # (d, d) scratch space


def make_moments(tables: Tables) -> Moments:
    """Moments of empty clusters."""
    n_labels, d = tables.centers.shape
    counts, terms, work = np.zeros(n_labels, np.int64), np.zeros((n_labels, n_labels)), np.zeros((d, d))
    return Moments(counts, np.zeros((n_labels, d)), np.zeros((n_labels, d, d)), terms, work)


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
def prior_weight(count, nu):
    """Weight of the squared distance between a cluster's mean and its prior mean: count nu / (count + nu)."""
    if count == 0 or nu == 0.0:
        return 0.0
    return count / (1.0 + count / nu)


@inlined
def fill_scale(k, label, moments, tables):
    """Posterior inverse-Wishart scale of the cluster in slot k under ``label``, in the lower triangle of ``work``."""
    work = moments.work
    pull = prior_weight(moments.counts[k], tables.nu[label])
    for a in range(work.shape[0]):
        for b in range(a + 1):
            shift = (moments.means[k, a] - tables.centers[label, a]) * (moments.means[k, b] - tables.centers[label, b])
            work[a, b] = moments.scatters[k, a, b] + pull * shift + prior_scale(tables.covariances, label, a, b)


@inlined
def log_cluster(k, label, moments, tables):
    """Log likelihood of the cluster in slot k if it carries ``label``: equations (43), (47), (52), (55) and (58)."""
    n = moments.counts[k]
    if tables.base[label, n] == -np.inf:
        return -np.inf
    fill_scale(k, label, moments, tables)
    return tables.base[label, n] + log_shape(tables.covariances, label, n, moments.work)


@inlined
def log_partition(moments, tables):
    """Log probability of the partition with these moments: the sum over its labelings, equation (17).

    ``terms`` takes the log likelihood of the cluster in each slot under each label that it may carry.
    """
    terms = moments.terms
    n_labels, n_orders = moments.counts.size, tables.orders.shape[0]
    if not are_possible(tables.label_prior, moments.counts):
        return -np.inf  # before the cost of determinants
    n_clusters = 0
    for k in range(n_labels):
        n_clusters += moments.counts[k] > 0
        for label in range(n_labels):
            if n_orders > 1 or label == tables.orders[0, k]:
                terms[k, label] = log_cluster(k, label, moments, tables)
    highest, total = -np.inf, 0.0
    for o in range(n_orders):
        value = log_counts(tables.label_prior, moments.counts, tables.orders[o], tables.base.shape[1] - 1)
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
