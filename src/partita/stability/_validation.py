"""Validation of distances, of labels that index columns, of theta and of data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray
from .._validation import as_array, check_numbers, shorten

SMALLEST_THETA, LARGEST_THETA = 1e-100, 1e100


def check_distances(distances: ArrayLike) -> FloatArray:
    """Distances of items to clusters: a matrix of finite numbers, none negative."""
    return _check_matrix(distances, "distances", "(n_items, n_clusters)", negative=False)


def check_shares(phi: ArrayLike) -> FloatArray:
    """An averaged assignment matrix: of each item, the share that each cluster has."""
    shares = _check_matrix(phi, "phi", "(n_items, n_clusters)", negative=False)
    if shares.max() > 1 + 1e-6:
        raise ValueError(f"phi must hold shares, at most 1: got {shares.max():g}.")
    return shares


def check_data(X: ArrayLike) -> FloatArray:
    """Data: a matrix of finite numbers."""
    return _check_matrix(X, "X", "(n_items, n_features)", negative=True)


def _check_matrix(values: Any, name: str, shape: str, *, negative: bool) -> FloatArray:
    # A copy only where kernels would be compiled anew: for rows that are not end to end, or an array that is read-only.
    matrix = np.require(check_numbers(name, values, own=False), requirements=["C", "W"])
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(f"{name} must be a matrix {shape} with something in it: got shape {matrix.shape}.")
    low = matrix.min()
    if np.isfinite(low) and (negative or low >= 0) and np.isfinite(matrix.max()):
        return matrix
    wrong = ~np.isfinite(matrix) | (~np.bool_(negative) & (matrix < 0))
    i, j = np.argwhere(wrong)[0]
    rule = "be finite" if negative else "be finite and not negative"
    raise ValueError(f"{name} must {rule}: got {matrix[i, j]:g} in row {i}, column {j}.")


def check_columns(labels: ArrayLike, n_items: int, n_clusters: int) -> IntArray:
    """Labels that name columns of a matrix: one whole number from 0 to ``n_clusters - 1`` per item."""
    columns = as_array(labels, "labels")
    if columns.shape != (n_items,):
        raise ValueError(f"labels must hold one label per item, {n_items} in all: got shape {columns.shape}.")
    if columns.dtype.kind not in "iuf" or (columns != np.floor(columns)).any():
        raise ValueError(f"labels must be whole numbers: got values of type {columns.dtype}.")
    if columns.min() < 0 or columns.max() >= n_clusters:
        wrong = columns.min() if columns.min() < 0 else columns.max()
        raise ValueError(f"labels must number the columns from 0 to {n_clusters - 1}: got {wrong:g}.")
    return columns.astype(np.int64)


def check_theta(theta: Any, n_clusters: int) -> FloatArray:
    """One positive number for all clusters, or one for each."""
    values = check_numbers("theta", theta)
    if values.shape not in ((), (n_clusters,)):
        raise ValueError(
            f"theta must be one number, or one per cluster, {n_clusters} in all: got shape {values.shape}."
        )
    if not ((values >= SMALLEST_THETA) & (values <= LARGEST_THETA)).all():
        raise ValueError(f"theta must lie between {SMALLEST_THETA:g} and {LARGEST_THETA:g}: got {shorten(theta)}.")
    return np.full(n_clusters, values) if values.ndim == 0 else values


def check_one_theta(theta: Any) -> float:
    """One positive number that all clusters share."""
    return float(check_theta(theta, 1)[0])
