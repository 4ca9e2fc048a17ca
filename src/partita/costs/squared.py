"""Squared distances from the mean of a cluster, Euclidean or in the metric of a covariance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from .._kernels.costs.bregman import Squared
from .._typing import FloatArray
from .._validation import check_labels, check_numbers, shorten
from ._validation import read_rows
from .items import BregmanItems, Rate


@dataclass(frozen=True)
class SquaredEuclidean:
    """Squared distances to the mean, the cost of k-means.

    See Also
    --------
    Mahalanobis : with a covariance.
    partita.GeneralizedBayesClustering : uses it.
    partita.BregmanKMeans : minimizes it.

    Notes
    -----
    Σ_i ‖x_i - x̄‖² over a cluster.

    References
    ----------
    Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. Journal of Machine Learning
    Research 6, 1705-1749.

    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> costs.total([[0.0], [2.0], [10.0]], [0, 0, 1], SquaredEuclidean())
    2.0
    """

    def encode(self, X: Any) -> BregmanItems:
        """Encode the items for samplers and searches."""
        rows = read_rows(X)
        return _squared(rows, rows.mean(axis=0), None)


@dataclass(frozen=True)
class Mahalanobis:
    """Squared Mahalanobis distances to the mean.

    Parameters
    ----------
    covariance : array-like, shape (n_columns, n_columns), optional
        By default that of all items together. :meth:`pooled` gives that within clusters one already has.

    See Also
    --------
    SquaredEuclidean : without a covariance.
    partita.GeneralizedBayesClustering : uses it.
    partita.BregmanKMeans : minimizes it.

    Notes
    -----
    Σ_i (x_i - x̄)ᵀ Σ⁻¹ (x_i - x̄) over a cluster.

    References
    ----------
    Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. Journal of Machine Learning
    Research 6, 1705-1749.

    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> costs.total([[0.0], [2.0], [10.0]], [0, 0, 1], Mahalanobis([[4.0]]))
    0.5
    """

    covariance: Any = None

    @classmethod
    def pooled(cls, X: Any, labels: Any) -> Mahalanobis:
        """With the covariance within given clusters, pooled over them.

        Examples
        --------
        >>> Mahalanobis.pooled([[0.0], [2.0], [9.0], [11.0]], [0, 0, 1, 1]).covariance
        array([[2.]])
        """
        rows = read_rows(X)
        labels = check_labels(labels, n_items=len(rows))
        n_clusters = int(labels.max()) + 1
        if n_clusters == len(rows):
            raise ValueError("labels must put some items together for a covariance within clusters: got none together.")
        means = np.zeros((n_clusters, rows.shape[1]))
        np.add.at(means, labels, rows)
        gaps = rows - (means / np.bincount(labels)[:, np.newaxis])[labels]
        return cls(gaps.T @ gaps / (len(rows) - n_clusters))

    def encode(self, X: Any) -> BregmanItems:
        """Encode the items for samplers and searches."""
        rows = read_rows(X)
        return _squared(rows, rows.mean(axis=0), self._root(rows))

    def _root(self, rows: FloatArray) -> FloatArray:
        """Lower triangular root of the covariance."""
        given, d = self.covariance, rows.shape[1]
        if given is None and len(rows) < 2:
            raise ValueError(f"covariance must be given where there is one item: got {given}.")
        matrix = np.cov(rows.T).reshape(d, d) if given is None else check_numbers("covariance", given)
        if matrix.shape == (d, d) and np.isfinite(matrix).all() and np.allclose(matrix, matrix.T):
            try:
                root = cholesky(matrix, lower=True)
            except np.linalg.LinAlgError:
                root = np.zeros((1, 1))
            if root.diagonal().min() > 1e-7 * root.diagonal().max():
                return root
        got = "that of the items, which is not" if given is None else shorten(given)
        raise ValueError(f"covariance must be a symmetric, positive definite {d} x {d} matrix: got {got}.")


def _squared(rows: FloatArray, center: FloatArray, root: FloatArray | None) -> BregmanItems:
    return BregmanItems(
        Squared,
        _standardize(center, root, rows),
        phi=_square,
        gradient=_double,
        read=partial(_standardize, center, root),
        restore=partial(_restore, center, root),
        rate=Rate(center.size / 2, None),
        target=np.zeros(center.size),
    )


def _standardize(center: FloatArray, root: FloatArray | None, X: Any) -> FloatArray:
    moved = read_rows(X, center.size) - center
    return moved if root is None else np.ascontiguousarray(solve_triangular(root, moved.T, lower=True).T)


def _restore(center: FloatArray, root: FloatArray | None, rows: FloatArray) -> FloatArray:
    return (rows if root is None else rows @ root.T) + center


def _square(rows: FloatArray) -> FloatArray:
    return np.einsum("ij,ij->i", rows, rows)


def _double(rows: FloatArray) -> FloatArray:
    return 2 * rows
