"""A Gaussian point process bound to a number of points: the arrays that kernels read."""

from __future__ import annotations

from itertools import permutations
from math import factorial, lgamma, log, pi, prod
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from .._kernels.pointprocess.covariances import InverseWishart, KnownCovariances
from .._kernels.pointprocess.gaussian import Tables, make_moments
from .._kernels.pointprocess.label_gains import fill_all_gains, make_posteriors
from .._kernels.pointprocess.label_prior import IndependentLabels, KnownSizes, TabulatedCounts
from .._kernels.pointprocess.partition_likelihood import log_rows
from .._typing import FloatArray, IntArray, LabelRows

if TYPE_CHECKING:
    from .process import GaussianPointProcess

MOST_ORDERS = 5040
MOST_COUNTS = 10**6


def bind(process: GaussianPointProcess, origin: FloatArray, n_points: int) -> Tables:
    """Tables for ``n_points`` points from which ``origin`` was subtracted."""
    n_labels = process.n_labels
    _check_counts(process, n_points)
    known, kappa = process.kappa is None, process.kappa
    covariances = KnownCovariances(np.linalg.inv(process.scale)) if known else InverseWishart(process.scale, kappa)
    prior: IndependentLabels | KnownSizes | TabulatedCounts = IndependentLabels(n_labels)
    if process.sizes is not None:
        prior = KnownSizes(process.sizes)
    elif process.label_prior is not None:
        prior = TabulatedCounts(_joint(process, n_points))
    means = process.means - origin
    return Tables(_base(process, n_points), process.nu, means, covariances, prior, *_labelings(process))


def label_tables(tables: Tables) -> Tables:
    """Tables that give slot i label i alone: probabilities of label functions in place of partitions."""
    n_labels = tables.nu.size
    return tables._replace(orders=np.arange(n_labels)[np.newaxis], log_ways=np.zeros(n_labels + 1))


def log_probabilities(points: FloatArray, tables: Tables, rows: LabelRows) -> FloatArray:
    """Log probability of the partition, or label function, in each row, together with the points."""
    log_p = np.empty(len(rows))
    labels, moments = np.zeros(len(points), np.int64), make_moments(tables)
    log_rows(points, np.ascontiguousarray(rows, np.uint8), tables, labels, moments, log_p)
    return log_p


def flip_gains(points: FloatArray, labels: IntArray, tables: Tables) -> FloatArray:
    """Change in log likelihood when each point, alone, takes each label; 0 for the label it has."""
    gains = np.empty((len(points), tables.nu.size))
    fill_all_gains(points, labels, True, tables, make_posteriors(tables), gains)
    return gains


def log_predictives(points: FloatArray, labels: IntArray, tables: Tables) -> FloatArray:
    """Log predictive density of every point under each label, given the labels of the first."""
    scores = np.empty((len(points), tables.nu.size))
    fill_all_gains(points, labels, False, tables, make_posteriors(tables), scores)
    return scores


def least_counts(process: GaussianPointProcess) -> IntArray:
    """Fewest points with each label for which its likelihood exists; 0 where the prior is proper."""
    d = process.dimension
    least = np.where(process.nu == 0, 1, 0)
    if process.kappa is not None:
        flat = ~process.scale.any(axis=(1, 2))
        enough = np.maximum(d + (process.nu == 0), np.floor(d - 1 - process.kappa) + 1)
        least = np.where(flat, enough.astype(np.int64), least)
    return least


def _check_counts(process: GaussianPointProcess, n_points: int) -> None:
    if process.sizes is not None and process.sizes.sum() != n_points:
        raise ValueError(f"sizes must add up to the {n_points} points: got {process.sizes.tolist()}.")
    least = least_counts(process)
    if process.sizes is not None and process.sizes.min() < least.max():
        raise ValueError(
            f"sizes must be at least {least.max()}, what the improper prior needs: got {process.sizes.tolist()}."
        )
    if least.sum() > n_points:
        raise ValueError(
            f"X must hold at least {least.sum()} points for this improper prior, {least.max()} per label: "
            f"got {n_points}."
        )


def _base(process: GaussianPointProcess, n_points: int) -> FloatArray:
    """All that depends on the number of points with a label alone, with the label prior's share of it."""
    d, counts = process.dimension, np.arange(n_points + 1.0)
    base = np.empty((process.n_labels, n_points + 1))
    for i, (nu, scale) in enumerate(zip(process.nu, process.scale, strict=True)):
        about_mean = -d / 2 * (np.log1p(counts / nu) if nu > 0 else np.log(np.maximum(counts, 1)))
        if process.kappa is None:
            base[i] = about_mean - counts / 2 * (d * log(2 * pi) + np.linalg.slogdet(scale)[1])
        else:
            base[i] = about_mean - counts * d / 2 * log(pi) + _wishart(process.kappa[i], scale, counts)
    base += _log_label(process)[:, np.newaxis] * counts
    base[counts < least_counts(process)[:, np.newaxis]] = -np.inf
    return base + _log_constant(process, n_points)


def _wishart(kappa: float, scale: FloatArray, counts: FloatArray) -> FloatArray:
    """Ratio of inverse-Wishart constants, without the one that an improper prior lacks."""
    d = len(scale)
    with np.errstate(invalid="ignore"):
        after = _log_multigamma((kappa + counts) / 2, d)
    if not scale.any():
        return after
    return after - _log_multigamma(np.array([kappa / 2]), d) + kappa / 2 * np.linalg.slogdet(scale)[1]


def _log_multigamma(a: FloatArray, d: int) -> FloatArray:
    """Multivariate log gamma function where it exists; other entries mean nothing."""
    return d * (d - 1) / 4 * log(pi) + gammaln(a[:, np.newaxis] - np.arange(d) / 2).sum(axis=1)


def _log_label(process: GaussianPointProcess) -> FloatArray:
    """Log prior probability that a point carries each label, where points are labeled independently."""
    if process.weights is not None:
        return np.log(process.weights)
    uniform = process.sizes is None and process.label_prior is None
    return np.full(process.n_labels, -log(process.n_labels) if uniform else 0.0)


def _log_constant(process: GaussianPointProcess, n_points: int) -> float:
    """Each label's share of minus the logarithm of the number of label functions with the known sizes."""
    if process.sizes is None:
        return 0.0
    sizes = process.sizes.tolist()
    switches = factorial(len(sizes)) // prod(factorial(sizes.count(s)) for s in set(sizes))
    arrangements = lgamma(n_points + 1) - sum(lgamma(s + 1) for s in sizes)
    return -(arrangements + log(switches)) / len(sizes)


def _joint(process: GaussianPointProcess, n_points: int) -> FloatArray:
    """The callable label prior at every way to share the points among the labels."""
    assert process.label_prior is not None
    n_ways = (n_points + 1) ** (process.n_labels - 1)
    if n_ways > MOST_COUNTS:
        raise ValueError(
            f"label_prior must be asked for fewer than {MOST_COUNTS} counts: got {n_points} points with "
            f"{process.n_labels} labels, {n_ways:.1e} counts. Use sizes or weights."
        )
    joint = np.full(n_ways, -np.inf)
    for code in range(n_ways):
        counts = code // (n_points + 1) ** np.arange(process.n_labels - 1) % (n_points + 1)
        if counts.sum() <= n_points:
            joint[code] = process.label_prior(np.append(counts, n_points - counts.sum()))
    if np.isnan(joint).any() or (joint == np.inf).any():
        raise ValueError("label_prior must return a number or -inf: got nan or inf.")
    return joint


def _labelings(process: GaussianPointProcess) -> tuple[IntArray, FloatArray]:
    """Labels that slots take, and in how many ways a number of clusters repeats them (logarithm)."""
    n_labels = process.n_labels
    repeats = -np.array([lgamma(n_labels - k + 1) for k in range(n_labels + 1)])
    if _labels_are_alike(process):
        return np.arange(n_labels)[np.newaxis], repeats + lgamma(n_labels + 1)
    if factorial(n_labels) > MOST_ORDERS:
        raise ValueError(
            f"process must have at most 7 labels with hyperparameters of their own, as a partition's probability sums "
            f"over {factorial(n_labels)} labelings: got {n_labels}."
        )
    return np.array(list(permutations(range(n_labels)))), repeats


def _labels_are_alike(process: GaussianPointProcess) -> bool:
    per_label = [process.means, process.nu, process.scale, process.kappa, process.weights]
    if (process.nu == 0).all():  # a flat prior has no center
        per_label = per_label[1:]
    return process.label_prior is None and all(values is None or (values == values[0]).all() for values in per_label)
