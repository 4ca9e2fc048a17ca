"""Pairwise costs: the average dissimilarity inside a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

from .._typing import FloatArray
from .._validation import check_number
from ._validation import read_rows, refuse, refuse_large
from .items import NO_TABLE, PairwiseItems, Rate

MATRIX_ITEMS = 5000  # up to so many items all dissimilarities are kept; beyond, rows of them are made when needed


@dataclass(frozen=True)
class Minkowski:
    """Average Minkowski distance inside the cluster, or an increasing function of it.

    A cluster of m items costs the sum of the dissimilarities over its pairs, divided by m. Up to 5000 items all
    dissimilarities are kept; beyond, those of an item are worked out when it moves, unless ``transform`` is a function.

    Parameters
    ----------
    p : float
        Order of the norm, at least 1: 1 is Manhattan, less moved by outliers; 2 is Euclidean.
    transform : float or callable
        Dissimilarity as a function of the distance: a positive power, or an increasing function of an array that is 0
        at 0. ``Minkowski(2, 2)`` costs what :class:`SquaredEuclidean` does.

    See Also
    --------
    Precomputed : dissimilarities at hand.
    partita.GeneralizedBayesClustering : uses it.
    partita.KDissimilarities : minimizes it.

    Notes
    -----
    Σ_{i,i'} d(x_i, x_i') / (2 m) over a cluster of m items.

    References
    ----------
    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> costs.total([[0.0], [2.0], [10.0]], [0, 0, 1], Minkowski(p=1))
    1.0
    """

    p: float = 2.0
    transform: Any = 1.0

    def encode(self, X: Any) -> PairwiseItems:
        """Encode the items for samplers and searches."""
        p = check_number("p", self.p, "be a finite number of at least 1", lambda value: value >= 1)
        rows, grow = read_rows(X), self.transform
        to_items = partial(_minkowski, rows, p, grow)
        if callable(grow):
            refuse_large(len(rows))
            matrix = _check_growth(to_items(rows), _minkowski(rows, p, 1.0, rows))
            return PairwiseItems(matrix, rows, to_items, Rate(None, None))
        power = check_number(
            "transform", grow, "be a positive power or an increasing function", lambda value: value > 0
        )
        known = Rate(rows.shape[1] / power, None)
        if len(rows) > MATRIX_ITEMS:
            return PairwiseItems(NO_TABLE, rows, to_items, known, p, power)
        refuse_large(len(rows))
        return PairwiseItems(to_items(rows), rows, to_items, known, p, power)


def _minkowski(rows: FloatArray, p: float, transform: Any, X: Any) -> FloatArray:
    """Dissimilarities of new rows to all rows."""
    found = cdist(read_rows(X, rows.shape[1]), rows, "minkowski", p=p)
    if callable(transform):
        return np.asarray(transform(found), float)
    return found if transform == 1 else found**transform


def _check_growth(matrix: FloatArray, distances: FloatArray) -> FloatArray:
    if matrix.shape != distances.shape or not np.isfinite(matrix).all():
        raise ValueError("transform must give a finite number for each distance: got something else.")
    if matrix.diagonal().any():
        raise ValueError(f"transform must be 0 at 0: got {matrix.diagonal()[0]:g}.")
    order = np.argsort(distances, axis=None)
    if (np.diff(matrix.ravel()[order]) < -1e-12 * np.abs(matrix).max()).any():
        raise ValueError("transform must be an increasing function: got smaller values at larger distances.")
    return matrix


@dataclass(frozen=True)
class Precomputed:
    """Average inside the cluster of dissimilarities that one already has.

    Parameters
    ----------
    dimension : float, optional
        Of the space in which the dissimilarities are distances. With it the rate can be learned, as that of
        :class:`Minkowski` distances is.

    See Also
    --------
    Dissimilarity : computed by a function.
    partita.GeneralizedBayesClustering : uses it.
    partita.KDissimilarities : minimizes it.

    Notes
    -----
    Σ_{i,i'} D_ii' / (2 m) over a cluster of m items.

    References
    ----------
    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> costs.total([[0, 2, 9], [2, 0, 8], [9, 8, 0]], [0, 0, 1], Precomputed())
    1.0
    """

    dimension: float | None = None

    def encode(self, X: Any) -> PairwiseItems:
        """Encode the items for samplers and searches."""
        matrix = _check_matrix(read_rows(X))
        known = Rate(_check_dimension(self.dimension), None)
        return PairwiseItems(matrix, NO_TABLE, partial(_check_new, len(matrix)), known)


@dataclass(frozen=True)
class Dissimilarity:
    """Average inside the cluster of a dissimilarity of one's own.

    Parameters
    ----------
    function : callable
        Dissimilarity of two rows: symmetric, not negative, and 0 between a row and itself.
    dimension : float, optional
        See :class:`Precomputed`.

    See Also
    --------
    Precomputed : dissimilarities at hand.
    partita.GeneralizedBayesClustering : uses it.
    partita.KDissimilarities : minimizes it.

    Notes
    -----
    Σ_{i,i'} d(x_i, x_i') / (2 m) over a cluster of m items.

    References
    ----------
    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> costs.total([[0.0], [2.0], [10.0]], [0, 0, 1], Dissimilarity(lambda x, y: abs(x - y).max()))
    1.0
    """

    function: Callable[[FloatArray, FloatArray], float]
    dimension: float | None = None

    def encode(self, X: Any) -> PairwiseItems:
        """Encode the items for samplers and searches."""
        rows = read_rows(X)
        refuse_large(len(rows))
        matrix = squareform(pdist(rows, self.function)) if len(rows) > 1 else np.zeros((1, 1))
        np.fill_diagonal(matrix, [self.function(row, row) for row in rows])
        matrix[-1, :-1] = [self.function(rows[-1], row) for row in rows[:-1]]
        known = Rate(_check_dimension(self.dimension), None)
        return PairwiseItems(_check_matrix(matrix, "function"), rows, partial(self._to_items, rows), known)

    def _to_items(self, rows: FloatArray, X: Any) -> FloatArray:
        return cdist(read_rows(X, rows.shape[1]), rows, self.function)


def _check_dimension(dimension: float | None) -> float | None:
    if dimension is None:
        return None
    return check_number("dimension", dimension, "be a positive number", lambda value: value > 0)


def _check_matrix(matrix: FloatArray, name: str = "X") -> FloatArray:
    """Symmetric dissimilarities, none negative, none of an item to itself."""
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name} must be a square matrix of dissimilarities: got shape {matrix.shape}.")
    refuse(matrix, lambda matrix: matrix < 0, "hold no negative dissimilarity", name=name)
    refuse(matrix, lambda matrix: np.diag(matrix.diagonal() != 0), "have zeros on its diagonal", name=name)
    gap = np.abs(matrix - matrix.T)
    i, j = np.unravel_index(gap.argmax(), gap.shape)
    if gap[i, j] > 1e-8 * matrix.max():
        raise ValueError(
            f"{name} must be symmetric: got {matrix[i, j]:g} for ({i}, {j}) and {matrix[j, i]:g} for ({j}, {i})."
        )
    return (matrix + matrix.T) / 2


def _check_new(n_items: int, X: Any) -> FloatArray:
    return refuse(read_rows(X, n_items), lambda rows: rows < 0, "hold no negative dissimilarity")
