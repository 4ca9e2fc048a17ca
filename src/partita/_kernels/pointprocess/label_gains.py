"""Change in log probability of a label function when one point flips: a quadratic form in the point.

For each label the posterior of its cluster is kept as a center, the inverse of its scale matrix and that matrix's log
determinant. A point's gain then costs the same whatever the size of the cluster.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import apart_kernel, by_type, inner, inner_options
from .._lean import lean
from .covariances import InverseWishart, KnownCovariances, invert, shape_gain
from .gaussian import Moments, Tables, fill_moments, fill_scale, log_cluster, make_moments, move_point
from .label_prior import count_gain


class Posteriors(NamedTuple):
    """Moments of the cluster with each label, and the posterior of its parameters."""

    moments: Moments
    centers: Any  # (n_labels, d)
    inverses: Any  # (n_labels, d, d)
    log_dets: Any  # (n_labels,)
    identity: Any  # (n_labels,) label i in slot i


def make_posteriors(tables: Tables) -> Posteriors:
    """Room for the posteriors of clusters; inverses stay as they are where covariances are known."""
    n_labels, d = tables.centers.shape
    inverses = np.array(getattr(tables.covariances, "inverses", np.zeros((n_labels, d, d))), order="C")
    return Posteriors(make_moments(tables), np.zeros((n_labels, d)), inverses, np.zeros(n_labels), np.arange(n_labels))


@inner
def fill_posterior(i, posteriors, tables):
    """Posterior center, inverse scale and log determinant of the cluster with label i, from its moments."""
    n, nu = posteriors.moments.counts[i], tables.nu[i]
    toward = n / (n + nu) if n > 0 else 0.0
    for a in range(tables.centers.shape[1]):
        shift = posteriors.moments.means[i, a] - tables.centers[i, a]
        posteriors.centers[i, a] = tables.centers[i, a] + toward * shift
    fill_inverse(tables.covariances, i, posteriors, tables)


def _given_inverse(covariances, i, posteriors, tables):
    pass


def _posterior_inverse(covariances, i, posteriors, tables):
    fill_scale(i, i, posteriors.moments, tables)
    posteriors.log_dets[i] = invert(posteriors.moments.work, posteriors.inverses[i])


@by_type({KnownCovariances: _given_inverse, InverseWishart: _posterior_inverse}.__getitem__, **inner_options)
def fill_inverse(covariances, i, posteriors, tables):
    """Inverse scale matrix of the cluster with label i, and its log determinant."""


@inner
def fill_posteriors(X, labels, posteriors, tables):
    """Moments and posteriors of all clusters of a label function, from scratch."""
    fill_moments(X, labels, posteriors.moments)
    for i in range(tables.nu.size):
        fill_posterior(i, posteriors, tables)


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
    return change + shape_gain(tables.covariances, i, n, 1, spread, posteriors.log_dets[i])


@inner
def leave_gain(X, p, i, posteriors, tables):
    """Change in log likelihood when point p leaves the cluster with label i; -inf if it must not."""
    n = posteriors.moments.counts[i]
    if tables.base[i, n - 1] == -np.inf:
        return -np.inf
    change = tables.base[i, n - 1] - tables.base[i, n]
    spread = (1.0 + 1.0 / (tables.nu[i] + n - 1.0)) * squared_distance(X, p, i, posteriors)
    return change + shape_gain(tables.covariances, i, n, -1, spread, posteriors.log_dets[i])


@inner
def prior_gain(a, b, posteriors, tables):
    """Change in the log prior of all counts together when a point goes from label a to label b."""
    clusters, n_points = posteriors.moments.counts, tables.base.shape[1] - 1
    return count_gain(tables.label_prior, clusters, a, b, posteriors.identity, n_points)


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
def log_labeled(i, moments, tables):
    """Log likelihood of the cluster with label i, by a call, not by a copy of the code in its caller."""
    return log_cluster(i, i, moments, tables)


@inner
def relabel_point(X, p, label, labels, moments):
    """Move a point to the cluster with another label, by a call."""
    move_point(X, p, label, labels, moments)


@inner
def flip_point(X, p, label, labels, posteriors, tables):
    """Give point p another label."""
    old = labels[p]
    relabel_point(X, p, label, labels, posteriors.moments)
    fill_posterior(old, posteriors, tables)
    fill_posterior(label, posteriors, tables)


@inner
def swap_gain(X, p, q, labels, posteriors, tables):
    """Exchange the labels of two points, and return the change in log likelihood.

    It is taken from the clusters as a whole: on the way, one of them may be too small for an improper prior.
    """
    a, b, moments = labels[p], labels[q], posteriors.moments
    gain = -log_labeled(a, moments, tables) - log_labeled(b, moments, tables)
    relabel_point(X, p, b, labels, moments)
    relabel_point(X, q, a, labels, moments)
    fill_posterior(a, posteriors, tables)
    fill_posterior(b, posteriors, tables)
    return gain + log_labeled(a, moments, tables) + log_labeled(b, moments, tables)


@apart_kernel
def fill_all_gains(X, labels, flip, tables, posteriors, out):
    """Change in log likelihood when each point, alone, joins each label, given the labels of the first points.

    With ``flip`` it leaves the label that it has, and the change is 0 for that label.
    """
    X, labels, tables, posteriors, out = lean((X, labels, tables, posteriors, out))
    fill_posteriors(X, labels, posteriors, tables)
    for p in range(X.shape[0]):
        own = labels[p] if flip else -1
        leaving = leave_gain(X, p, own, posteriors, tables) if flip else 0.0
        for i in range(tables.nu.size):
            out[p, i] = leaving + join_gain(X, p, i, posteriors, tables) if i != own else 0.0
