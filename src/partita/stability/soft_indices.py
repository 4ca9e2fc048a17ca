"""Agreement between a hard partition and an averaged assignment matrix.

Row i of the matrix spreads item i over clusters. These are the adjusted Rand index and the variation of information
of Koepke (2008, equations 2.16 to 2.20), each with its gradient in every entry of the matrix.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from .._typing import FloatArray, IntArray
from .._validation import check_base, check_labels, check_numbers


class SoftIndex(NamedTuple):
    """An index and its gradient.

    See Also
    --------
    soft_adjusted_rand, soft_variation_of_information : make one.

    Examples
    --------
    >>> value, gradient = soft_adjusted_rand([0, 0, 1], [[1, 0], [1, 0], [0.5, 0.5]])
    >>> gradient.shape
    (3, 2)
    """

    value: float
    gradient: FloatArray
    """Shape (n_items, n_clusters): derivative in each entry of the matrix. For a parameter of the matrix, sum the
    gradient times the entries' derivatives."""


def soft_adjusted_rand(labels: ArrayLike, phi: ArrayLike) -> SoftIndex:
    """Adjusted Rand index between a hard partition and an averaged assignment matrix.

    Parameters
    ----------
    labels : array-like of int, shape (n_items,)
        The hard partition.
    phi : array-like of float, shape (n_items, n_clusters)
        Row i spreads item i over clusters and sums to one.

    Returns
    -------
    index : SoftIndex
        Value, 1 when the two agree, and gradient.

    See Also
    --------
    soft_variation_of_information : in bits.
    AdjustedRand : between hard partitions.

    Notes
    -----
    With p the share of mass in each cell of the crossed table, A = Σ p², B and Q the sums of its squared margins:
    (A - BQ) / ((B + Q)/2 - BQ). It is the limit of the adjusted Rand index as every item is repeated.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Hubert and Arabie (1985). Comparing partitions. Journal of Classification 2, 193-218.

    Examples
    --------
    >>> soft_adjusted_rand([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]]).value
    0.5625
    """
    labels, phi, rows, cells = _mass(labels, phi)
    columns = cells.sum(axis=0)
    joint, hard, soft = (cells**2).sum(), (rows**2).sum(), (columns**2).sum()
    whole = (hard + soft) / 2 - hard * soft
    if whole < 1e-15:  # both put everything in one cluster
        return SoftIndex(1.0, np.zeros_like(phi))
    value = (joint - hard * soft) / whole
    slope = 2 * (cells - (hard + (0.5 - hard) * value) * columns) / whole
    return SoftIndex(float(value), slope[labels] / labels.size)


def soft_variation_of_information(labels: ArrayLike, phi: ArrayLike, base: float = 2.0) -> SoftIndex:
    """Variation of information between a hard partition and an averaged assignment matrix, in bits by default.

    Parameters
    ----------
    labels : array-like of int, shape (n_items,)
        The hard partition.
    phi : array-like of float, shape (n_items, n_clusters)
        Row i spreads item i over clusters and sums to one.
    base : float
        Base of the logarithm: 2 for bits, ``math.e`` for nats.

    Returns
    -------
    index : SoftIndex
        Value, 0 when the two agree, and gradient. At an entry whose cell holds no mass the slope is infinite; there
        the gradient is that of the smallest mass a number can hold, large and finite.

    See Also
    --------
    soft_adjusted_rand : by pairs.
    VariationOfInformation : between hard partitions.

    Notes
    -----
    The variation of information of the table whose cells are the shares of mass, Σ phi[i, k] over the items of each
    cluster.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Meilă (2007). Comparing clusterings: an information based distance. Journal of Multivariate Analysis 98, 873-895.

    Examples
    --------
    >>> soft_variation_of_information([0, 0, 1, 1], [[1, 0], [0.5, 0.5], [0, 1], [0, 1]]).value
    0.8568...
    """
    labels, phi, rows, cells = _mass(labels, phi)
    columns, unit = cells.sum(axis=0), math.log(check_base(base))
    value = (xlogy(rows, rows).sum() + xlogy(columns, columns).sum() - 2 * xlogy(cells, cells).sum()) / unit
    log_columns, log_cells = (np.log(np.maximum(mass, np.finfo(float).tiny)) for mass in (columns, cells))
    slope = (log_columns - 2 * log_cells - 1) / unit
    return SoftIndex(float(value), slope[labels] / labels.size)


def _mass(labels: ArrayLike, phi: ArrayLike) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Checked labels and matrix, the share of items in each cluster, and of mass in each cell of the crossed table."""
    phi = check_numbers("phi", phi)
    if phi.ndim != 2 or not phi.size or not np.isfinite(phi).all() or (phi < 0).any():
        raise ValueError(f"phi must be a matrix of numbers that are finite and not negative: got shape {phi.shape}.")
    totals = phi.sum(axis=1)
    off = np.abs(totals - 1)
    if off.max() > 1e-6:
        raise ValueError(f"phi must have rows that sum to one: got {totals[off.argmax()]:g} in row {off.argmax()}.")
    phi /= totals[:, np.newaxis]
    labels = check_labels(labels, n_items=len(phi))
    cells = np.zeros((labels.max() + 1, phi.shape[1]))
    np.add.at(cells, labels, phi)
    return labels, phi, np.bincount(labels) / labels.size, cells / labels.size
