"""What is known about the covariances of clusters, and how that enters their likelihood.

The type says what is known; functions are chosen by it when a kernel is compiled.
"""

from typing import Any, NamedTuple

import numpy as np

from .._jit import by_type, inlined, inlined_options, inner, inner_options

SINGULAR = 1e-12  # a pivot this small beside its diagonal entry is zero


class KnownCovariances(NamedTuple):
    """Covariances that are given."""

    inverses: Any  # (n_labels, d, d)


class InverseWishart(NamedTuple):
    """Covariances with an inverse-Wishart prior."""

    scales: Any  # (n_labels, d, d)
    kappa: Any  # (n_labels,)


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


def _no_scale(covariances, label, a, b):
    return 0.0


def _scale(covariances, label, a, b):
    return covariances.scales[label, a, b]


@by_type({KnownCovariances: _no_scale, InverseWishart: _scale}.__getitem__, **inlined_options)
def prior_scale(covariances, label, a, b):
    """What the prior adds to the scatter of a cluster with this label."""


def _log_quadratic(covariances, label, n, scale):
    total = 0.0
    for a in range(scale.shape[0]):
        for b in range(a):
            total += 2.0 * covariances.inverses[label, a, b] * scale[a, b]
        total += covariances.inverses[label, a, a] * scale[a, a]
    return -total / 2


def _log_determinant(covariances, label, n, scale):
    log_det = cholesky(scale)
    return log_det if log_det == -np.inf else -(covariances.kappa[label] + n) / 2 * log_det


@by_type({KnownCovariances: _log_quadratic, InverseWishart: _log_determinant}.__getitem__, **inlined_options)
def log_shape(covariances, label, n, scale):
    """What the scale matrix of n points, which is written to, adds to the log likelihood of their cluster."""


def _linear_gain(covariances, i, n, sign, spread, log_det):
    return -sign * spread / 2


def _log_gain(covariances, i, n, sign, spread, log_det):
    if not 1.0 + sign * spread > SINGULAR:
        return -np.inf
    return -sign * log_det / 2 - (covariances.kappa[i] + n + sign) / 2 * np.log1p(sign * spread)


@by_type({KnownCovariances: _linear_gain, InverseWishart: _log_gain}.__getitem__, **inner_options)
def shape_gain(covariances, i, n, sign, spread, log_det):
    """Change in `log_shape` when a point at squared distance ``spread`` joins (``sign`` 1) or leaves (-1) n others."""
