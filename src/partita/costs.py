"""What one cluster costs in generalized Bayes: Bregman and pairwise costs.

A cost is a choice; :meth:`encode` meets it with data and gives what samplers and searches read. The posterior of a
partition is proportional to ``exp(-rate * cost)``, the cost being summed over its clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.special import logit, xlogy

from ._check import FloatArray, check_choice, check_labels, check_memory, shorten
from ._costed import NO_TABLE, BregmanItems, Items, PairwiseItems, Rate, total_cost
from ._encoding import as_table
from ._kernels.costs import FOREIGN, ITAKURA_SAITO, LOGISTIC, RELATIVE_ENTROPY, SQUARED
from ._kernels.foreign import row_address
from .hyperpriors import check_number

__all__ = [
    "Bregman",
    "Dissimilarity",
    "ItakuraSaito",
    "KullbackLeibler",
    "Logistic",
    "Mahalanobis",
    "Minkowski",
    "PoissonDeviance",
    "Precomputed",
    "SquaredEuclidean",
    "total",
]

MATRIX_ITEMS = 5000  # up to so many items all dissimilarities are kept; beyond, rows of them are made when needed
TINY = 1e-300


class Cost(Protocol):
    """What generalized Bayes needs of a cost."""

    def encode(self, X: Any) -> Items:
        """The items as samplers and searches read them."""
        ...


@dataclass(frozen=True)
class SquaredEuclidean:
    """Squared distances to the mean, the cost of k-means.

    Examples
    --------
    >>> total([[0.0], [2.0], [10.0]], [0, 0, 1], SquaredEuclidean())
    2.0
    """

    def encode(self, X: Any) -> BregmanItems:
        """The items as samplers and searches read them."""
        rows = read_rows(X)
        return _squared(rows, rows.mean(axis=0), None)


@dataclass(frozen=True)
class Mahalanobis:
    """Squared Mahalanobis distances to the mean.

    Parameters
    ----------
    covariance : array-like, shape (n_columns, n_columns), optional
        By default that of all items together. :meth:`pooled` gives that within clusters one already has.

    Examples
    --------
    >>> total([[0.0], [2.0], [10.0]], [0, 0, 1], Mahalanobis([[4.0]]))
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
        """The items as samplers and searches read them."""
        rows = read_rows(X)
        return _squared(rows, rows.mean(axis=0), self._root(rows))

    def _root(self, rows: FloatArray) -> FloatArray:
        """Lower triangular root of the covariance."""
        given, d = self.covariance, rows.shape[1]
        if given is None and len(rows) < 2:
            raise ValueError(f"covariance must be given where there is one item: got {given}.")
        matrix = np.cov(rows.T).reshape(d, d) if given is None else np.asarray(given, float)
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
        SQUARED,
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


def _same(rows: FloatArray) -> FloatArray:
    return rows


def _square(rows: FloatArray) -> FloatArray:
    return np.einsum("ij,ij->i", rows, rows)


def _double(rows: FloatArray) -> FloatArray:
    return 2 * rows


@dataclass(frozen=True)
class KullbackLeibler:
    """Generalized Kullback–Leibler divergence (I-divergence) from the mean, for rows of positive numbers.

    Parameters
    ----------
    shrinkage : float
        Where it is positive, zeros are welcome: each centre is pulled towards the column means as by so many items, so
        that no entry of it is zero and no divergence from it infinite.

    Examples
    --------
    >>> round(total([[1.0], [3.0], [9.0]], [0, 0, 1], KullbackLeibler()), 4)
    0.5232
    """

    shrinkage: float = 0.0

    def encode(self, X: Any) -> BregmanItems:
        """The items as samplers and searches read them."""
        return _relative_entropy(self, X, 1.0)


@dataclass(frozen=True)
class PoissonDeviance:
    """Poisson deviance from the mean, for counts: twice the Kullback–Leibler divergence.

    Parameters
    ----------
    shrinkage : float
        Each centre is pulled towards the column means as by so many items, so that no entry of it is zero. Without
        zeros among the counts it may be 0.

    Examples
    --------
    >>> round(total([[1], [3], [9]], [0, 0, 1], PoissonDeviance(shrinkage=0)), 4)
    1.0465
    """

    shrinkage: float = 1.0

    def encode(self, X: Any) -> BregmanItems:
        """The items as samplers and searches read them."""
        return _relative_entropy(self, X, 2.0)


def _relative_entropy(cost: KullbackLeibler | PoissonDeviance, X: Any, factor: float) -> BregmanItems:
    shrinkage = check_number("shrinkage", cost.shrinkage, "be a number of at least 0", lambda value: value >= 0)
    rows = _not_negative(cost, None, X)
    return BregmanItems(
        RELATIVE_ENTROPY,
        rows,
        phi=_negative_entropy,
        gradient=np.log,
        read=partial(_not_negative, cost, rows.shape[1]),
        restore=_same,
        rate=Rate(None, 1 / factor),
        target=np.maximum(rows.mean(axis=0), TINY),
        factor=factor,
        shrinkage=shrinkage,
    )


def _not_negative(cost: KullbackLeibler | PoissonDeviance, n_columns: int | None, X: Any) -> FloatArray:
    rows = refuse(read_rows(X, n_columns), lambda rows: rows < 0, f"not be negative under {cost}")
    if cost.shrinkage > 0:
        return rows
    help_ = f"Pull centres off zero with {type(cost).__name__}(shrinkage=1), or add a small number to X."
    return refuse(rows, lambda rows: rows == 0, f"be positive under {cost}", help_)


def _negative_entropy(rows: FloatArray) -> FloatArray:
    return (xlogy(rows, rows) - rows).sum(axis=1)


@dataclass(frozen=True)
class ItakuraSaito:
    """Itakura–Saito divergence from the mean, for rows of positive numbers such as spectra.

    Examples
    --------
    >>> round(total([[1.0], [3.0], [9.0]], [0, 0, 1], ItakuraSaito()), 4)
    0.2877
    """

    def encode(self, X: Any) -> BregmanItems:
        """The items as samplers and searches read them."""
        rows = _positive(None, X)
        return BregmanItems(
            ITAKURA_SAITO,
            rows,
            phi=_negative_log,
            gradient=_negative_inverse,
            read=partial(_positive, rows.shape[1]),
            restore=_same,
            rate=Rate(None, 1.0),
            target=np.zeros(rows.shape[1]),
        )


def _positive(n_columns: int | None, X: Any) -> FloatArray:
    help_ = "Add a small number to X, or use KullbackLeibler(shrinkage=1)."
    return refuse(read_rows(X, n_columns), lambda rows: rows <= 0, "be positive under ItakuraSaito()", help_)


def _negative_log(rows: FloatArray) -> FloatArray:
    return -np.log(rows).sum(axis=1)


def _negative_inverse(rows: FloatArray) -> FloatArray:
    return -1 / rows


@dataclass(frozen=True)
class Logistic:
    """Logistic divergence from the mean, for rows of zeros and ones.

    Parameters
    ----------
    shrinkage : float
        Each centre is pulled towards one half as by so many items: 1 makes it ``(n * mean + 1/2) / (n + 1)``.

    Examples
    --------
    >>> round(total([[0, 1], [0, 1], [1, 0]], [0, 0, 1], Logistic()), 4)
    1.3047
    """

    shrinkage: float = 1.0

    def encode(self, X: Any) -> BregmanItems:
        """The items as samplers and searches read them."""
        shrinkage = check_number("shrinkage", self.shrinkage, "be a positive number", lambda value: value > 0)
        rows = _binary(None, X)
        return BregmanItems(
            LOGISTIC,
            rows,
            phi=_negative_binary_entropy,
            gradient=logit,
            read=partial(_binary, rows.shape[1]),
            restore=_same,
            rate=Rate(None, 1.0),
            target=np.full(rows.shape[1], 0.5),
            shrinkage=shrinkage,
        )


def _binary(n_columns: int | None, X: Any) -> FloatArray:
    rule = "hold nothing but 0 and 1 under Logistic()"
    return refuse(read_rows(X, n_columns), lambda rows: (rows != 0) & (rows != 1), rule)


def _negative_binary_entropy(rows: FloatArray) -> FloatArray:
    return (xlogy(rows, rows) + xlogy(1 - rows, 1 - rows)).sum(axis=1)


@dataclass(frozen=True)
class Bregman:
    """Bregman divergence from the mean, of a convex function of one's own.

    Parameters
    ----------
    phi : callable
        Convex function of a row, an array of shape (n_columns,), in terms that numba can compile.
    gradient : callable
        Its gradient: an array of the same shape.

    Examples
    --------
    >>> cost = Bregman(lambda x: (x**4).sum(), lambda x: 4 * x**3)
    >>> total([[0.0], [2.0], [10.0]], [0, 0, 1], cost)
    14.0
    """

    phi: Callable[[FloatArray], float]
    gradient: Callable[[FloatArray], FloatArray]

    def encode(self, X: Any) -> BregmanItems:
        """The items as samplers and searches read them."""
        rows = read_rows(X)
        compiled = self._compile(rows[0])
        address, alive = row_address(compiled)

        def phi(values: FloatArray) -> FloatArray:
            return np.array([compiled(row) for row in np.ascontiguousarray(values)])

        def gradient(values: FloatArray) -> FloatArray:
            return np.array([self.gradient(row) for row in values], float)

        self._check(rows, phi, gradient)
        return BregmanItems(
            FOREIGN,
            rows,
            phi,
            gradient,
            read=partial(read_rows, n_columns=rows.shape[1]),
            restore=_same,
            rate=Rate(None, None),
            target=np.zeros(rows.shape[1]),
            address=address,
            alive=alive,
        )

    def _compile(self, row: FloatArray) -> Any:
        """The function in machine code."""
        import numba

        try:
            compiled: Any = self.phi if hasattr(self.phi, "py_func") else numba.njit(self.phi)
            float(compiled(row))
        except Exception as error:
            why = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise ValueError(f"phi must be a function of a row that numba can compile: got {why}") from error
        return compiled

    def _check(self, rows: FloatArray, phi: Any, gradient: Any) -> None:
        """Raise where it is plain that the function is not convex or the gradient not its own."""
        center = rows.mean(axis=0, keepdims=True)
        values, level, slope = phi(rows), phi(center)[0], gradient(center)
        if slope.shape != center.shape:
            raise ValueError(
                f"gradient must give {center.shape[1]} numbers, as many as columns: got {slope.shape[1:]}."
            )
        if not np.isfinite(values).all():
            raise ValueError(f"phi must be finite at every row: got {values[~np.isfinite(values)][0]}.")
        slack = values - level - (rows - center) @ slope[0]
        if slack.min() < -1e-9 * np.abs(values).max():
            raise ValueError(f"phi must be convex and gradient its gradient: got a divergence of {slack.min():g}.")


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

    Examples
    --------
    >>> total([[0.0], [2.0], [10.0]], [0, 0, 1], Minkowski(p=1))
    1.0
    """

    p: float = 2.0
    transform: Any = 1.0

    def encode(self, X: Any) -> PairwiseItems:
        """The items as samplers and searches read them."""
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
        Of the space in which the dissimilarities are distances. With it the rate can be learnt, as that of
        :class:`Minkowski` distances is.

    Examples
    --------
    >>> total([[0, 2, 9], [2, 0, 8], [9, 8, 0]], [0, 0, 1], Precomputed())
    1.0
    """

    dimension: float | None = None

    def encode(self, X: Any) -> PairwiseItems:
        """The items as samplers and searches read them."""
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

    Examples
    --------
    >>> total([[0.0], [2.0], [10.0]], [0, 0, 1], Dissimilarity(lambda x, y: abs(x - y).max()))
    1.0
    """

    function: Callable[[FloatArray, FloatArray], float]
    dimension: float | None = None

    def encode(self, X: Any) -> PairwiseItems:
        """The items as samplers and searches read them."""
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


def read_rows(X: Any, n_columns: int | None = None) -> FloatArray:
    """A table of finite numbers, as many columns as before where that is said."""
    values = as_table(X)
    try:
        rows = np.array(values, np.float64, order="C")  # our own: what a user does to X later is not our business
    except (TypeError, ValueError):
        raise ValueError(f"X must hold numbers: got {shorten(values.ravel().tolist()[0])}.") from None
    if n_columns is not None and rows.shape[1] != n_columns:
        raise ValueError(f"X must have {n_columns} columns, as in fit: got {rows.shape[1]}.")
    refuse(rows, np.isnan, "not contain NaN", "Drop or impute missing entries.")
    return refuse(rows, np.isinf, "be finite")


def refuse(rows: FloatArray, find: Callable[[Any], Any], rule: str, help_: str = "", name: str = "X") -> FloatArray:
    """The rows, unless an entry is found to be wrong."""
    wrong = find(rows)
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise ValueError(f"{name} must {rule}: got {rows[i, j]:g} in row {i}, column {j}. {help_}".rstrip())
    return rows


def refuse_large(n_items: int) -> None:
    """Raise where there is no room for all dissimilarities."""
    instead = "Cluster a part of the items, or use SquaredEuclidean or a Minkowski cost without a function."
    check_memory(24 * n_items**2, f"Dissimilarities of {n_items} items", instead)


COSTS: dict[str, Cost] = {
    "squared-euclidean": SquaredEuclidean(),
    "mahalanobis": Mahalanobis(),
    "kullback-leibler": KullbackLeibler(),
    "itakura-saito": ItakuraSaito(),
    "logistic": Logistic(),
    "poisson-deviance": PoissonDeviance(),
    "manhattan": Minkowski(1),
    "euclidean": Minkowski(2),
    "precomputed": Precomputed(),
}


def check_cost(cost: str | Cost) -> Cost:
    """A cost from its name, or the cost itself.

    Examples
    --------
    >>> check_cost("manhattan")
    Minkowski(p=1, transform=1.0)
    """
    if isinstance(cost, str):
        return COSTS[check_choice("cost", cost, COSTS)]
    if not hasattr(cost, "encode") or isinstance(cost, type):
        raise TypeError(f"cost must be a cost or the name of one ({', '.join(COSTS)}): got {cost!r}.")
    return cost


def total(X: Any, labels: Any, cost: str | Cost = "squared-euclidean") -> float:
    """What a partition costs: the sum over its clusters.

    Parameters
    ----------
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data, or dissimilarities of all items with ``cost="precomputed"``.
    labels : array-like of int, shape (n_items,)
        The partition.
    cost : str or Cost
        See :class:`GeneralizedBayesClustering`.

    Examples
    --------
    >>> total([[0.0], [2.0], [10.0]], [0, 0, 1], "manhattan")
    1.0
    """
    items = check_cost(cost).encode(X)
    return total_cost(items, check_labels(labels, n_items=items.n_items))
