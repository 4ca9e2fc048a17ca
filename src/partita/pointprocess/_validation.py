"""Validation of the hyperparameters of each label, of label priors and of points."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray
from .._validation import as_array, check_numbers

LabelPrior = tuple[IntArray | None, FloatArray | None, Callable[[IntArray], float] | None]
MOST_LABELS = 255  # labels are bytes


def check_centers(means: ArrayLike) -> FloatArray:
    """Finite means, shape (n_labels, d)."""
    centers = check_numbers("means", means)
    if centers.ndim != 2 or centers.size == 0 or len(centers) > MOST_LABELS:
        raise ValueError(f"means must be a (n_labels, d) array of 1 to 255 labels: got shape {centers.shape}.")
    if not np.isfinite(centers).all():
        raise ValueError(f"means must be finite: got {centers[~np.isfinite(centers)][0]}.")
    return centers


def check_per_label(name: str, values: ArrayLike, n_labels: int, least: float) -> FloatArray:
    """One finite number per label, none below ``least``."""
    numbers = check_numbers(name, values)
    if numbers.shape not in {(), (n_labels,)}:
        raise ValueError(f"{name} must be a number, or one per label, {n_labels} in all: got shape {numbers.shape}.")
    numbers = np.broadcast_to(numbers, n_labels).copy()
    wrong = ~np.isfinite(numbers) | (numbers < least)
    if wrong.any():
        rule = "be finite" if least == -np.inf else f"be finite and at least {least:g}"
        raise ValueError(f"{name} must {rule}: got {numbers[wrong][0]:g}.")
    return numbers


def check_matrices(name: str, values: ArrayLike, centers: FloatArray, *, zero_is_allowed: bool) -> FloatArray:
    """One symmetric positive definite (or zero) matrix per label."""
    n_labels, d = centers.shape
    given = check_numbers(name, values)
    if given.shape in {(), (n_labels,)}:
        given = given[..., np.newaxis, np.newaxis] * np.eye(d)
    if given.shape not in {(d, d), (n_labels, d, d)}:
        raise ValueError(
            f"{name} must be a number, a {d} by {d} matrix, or one of either per label, {n_labels} in all: "
            f"got shape {np.shape(values)}."
        )
    matrices = np.broadcast_to(given, (n_labels, d, d)).copy()
    for matrix in matrices:
        if zero_is_allowed and not matrix.any():
            continue
        symmetric = np.isfinite(matrix).all() and np.allclose(matrix, matrix.T, rtol=1e-10, atol=0)
        values_ = np.linalg.eigvalsh(matrix) if symmetric else np.array([-1.0])
        if not values_[0] > 1e-14 * values_[-1]:
            raise ValueError(f"{name} must be symmetric and positive definite: got {matrix.tolist()}.")
    return matrices


def check_label_prior(
    n_labels: int, sizes: ArrayLike | None, weights: ArrayLike | None, label_prior: Callable[[IntArray], float] | None
) -> LabelPrior:
    """At most one of known sizes, label probabilities and a callable."""
    given = {"sizes": sizes, "weights": weights, "label_prior": label_prior}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ValueError(f"{' and '.join(named)} must not be given together: each is a label prior.")
    if label_prior is not None and not callable(label_prior):
        raise TypeError(f"label_prior must be callable with the number of points per label: got {label_prior!r}.")
    known = None if sizes is None else _check_sizes(sizes, n_labels)
    shares = None if weights is None else check_per_label("weights", weights, n_labels, least=0.0)
    if shares is not None and not shares.min() > 0:
        raise ValueError(f"weights must be positive: got {shares.tolist()}.")
    return known, None if shares is None else shares / shares.sum(), label_prior


def check_points(X: ArrayLike, n_labels: int, d: int) -> FloatArray:
    """Finite points, at least as many as there are labels."""
    points = check_numbers("X", X)
    if points.ndim != 2 or points.shape[1] != d:
        raise ValueError(f"X must be a (n_points, {d}) array, as the process has {d} coordinates: got {points.shape}.")
    if len(points) < n_labels:
        raise ValueError(f"X must hold at least as many points as labels, {n_labels}: got {len(points)}.")
    wrong = ~np.isfinite(points).all(axis=1)
    if wrong.any():
        raise ValueError(f"X must be finite: got {points[wrong][0].tolist()} for point {wrong.argmax()}.")
    return points


def _check_sizes(sizes: ArrayLike, n_labels: int) -> IntArray:
    known = as_array(sizes, "sizes")
    if known.shape != (n_labels,) or known.dtype.kind not in "iu" or known.min() < 1:
        raise ValueError(f"sizes must hold one positive whole number per label, {n_labels} in all: got {sizes!r}.")
    return known.astype(np.int64)
