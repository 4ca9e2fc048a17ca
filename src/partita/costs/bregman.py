"""Bregman divergences of items from the mean of their cluster, but for squared distances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.special import logit, xlogy

from .._kernels.costs import bregman as kinds
from .._typing import FloatArray
from .._validation import check_number
from ._validation import read_rows, refuse
from .items import BregmanItems, Rate

TINY = 1e-300


@dataclass(frozen=True)
class KullbackLeibler:
    """Generalized Kullback–Leibler divergence (I-divergence) from the mean, for rows of positive numbers.

    Parameters
    ----------
    shrinkage : float
        Where it is positive, zeros are welcome: each center is pulled toward the column means as by so many items, so
        that no entry of it is zero and no divergence from it infinite.

    See Also
    --------
    PoissonDeviance : twice this, for counts.
    partita.GeneralizedBayesClustering : uses it.
    partita.BregmanKMeans : minimizes it.

    Notes
    -----
    Σ_i Σ_j {x_ij log(x_ij / x̄_j) - x_ij + x̄_j} over a cluster.

    References
    ----------
    Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. Journal of Machine Learning
    Research 6, 1705-1749.

    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> round(costs.total([[1.0], [3.0], [9.0]], [0, 0, 1], KullbackLeibler()), 4)
    0.5232
    """

    shrinkage: float = 0.0

    def encode(self, X: Any) -> BregmanItems:
        """Encode the items for samplers and searches."""
        return _relative_entropy(self, X, 1.0)


@dataclass(frozen=True)
class PoissonDeviance:
    """Poisson deviance from the mean, for counts: twice the Kullback–Leibler divergence.

    Parameters
    ----------
    shrinkage : float
        Each center is pulled toward the column means as by so many items, so that no entry of it is zero. Without
        zeros among the counts it may be 0.

    See Also
    --------
    KullbackLeibler : half of this.
    partita.GeneralizedBayesClustering : uses it.
    partita.BregmanKMeans : minimizes it.

    Notes
    -----
    2 Σ_i Σ_j {x_ij log(x_ij / x̄_j) - x_ij + x̄_j} over a cluster.

    References
    ----------
    Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. Journal of Machine Learning
    Research 6, 1705-1749.

    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> round(costs.total([[1], [3], [9]], [0, 0, 1], PoissonDeviance(shrinkage=0)), 4)
    1.0465
    """

    shrinkage: float = 1.0

    def encode(self, X: Any) -> BregmanItems:
        """Encode the items for samplers and searches."""
        return _relative_entropy(self, X, 2.0)


def _relative_entropy(cost: KullbackLeibler | PoissonDeviance, X: Any, factor: float) -> BregmanItems:
    shrinkage = check_number("shrinkage", cost.shrinkage, "be a number of at least 0", lambda value: value >= 0)
    rows = _not_negative(cost, None, X)
    return BregmanItems(
        kinds.RelativeEntropy,
        rows,
        phi=_negative_entropy,
        gradient=np.log,
        read=partial(_not_negative, cost, rows.shape[1]),
        rate=Rate(None, 1 / factor),
        target=np.maximum(rows.mean(axis=0), TINY),
        factor=factor,
        shrinkage=shrinkage,
    )


def _not_negative(cost: KullbackLeibler | PoissonDeviance, n_columns: int | None, X: Any) -> FloatArray:
    rows = refuse(read_rows(X, n_columns), lambda rows: rows < 0, f"not be negative under {cost}")
    if cost.shrinkage > 0:
        return rows
    help_ = f"Pull centers off zero with {type(cost).__name__}(shrinkage=1), or add a small number to X."
    return refuse(rows, lambda rows: rows == 0, f"be positive under {cost}", help_)


def _negative_entropy(rows: FloatArray) -> FloatArray:
    return (xlogy(rows, rows) - rows).sum(axis=1)


@dataclass(frozen=True)
class ItakuraSaito:
    """Itakura–Saito divergence from the mean, for rows of positive numbers such as spectra.

    See Also
    --------
    KullbackLeibler : where zeros are.
    partita.GeneralizedBayesClustering : uses it.
    partita.BregmanKMeans : minimizes it.

    Notes
    -----
    Σ_i Σ_j {x_ij / x̄_j - log(x_ij / x̄_j) - 1} over a cluster.

    References
    ----------
    Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. Journal of Machine Learning
    Research 6, 1705-1749.

    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> round(costs.total([[1.0], [3.0], [9.0]], [0, 0, 1], ItakuraSaito()), 4)
    0.2877
    """

    def encode(self, X: Any) -> BregmanItems:
        """Encode the items for samplers and searches."""
        rows = _positive(None, X)
        return BregmanItems(
            kinds.ItakuraSaito,
            rows,
            phi=_negative_log,
            gradient=_negative_inverse,
            read=partial(_positive, rows.shape[1]),
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
        Each center is pulled toward one half as by so many items: 1 makes it ``(n * mean + 1/2) / (n + 1)``.

    See Also
    --------
    PoissonDeviance : for counts.
    partita.GeneralizedBayesClustering : uses it.
    partita.BregmanKMeans : minimizes it.

    Notes
    -----
    Σ_i Σ_j {x_ij log(x_ij / x̄_j) + (1 - x_ij) log((1 - x_ij) / (1 - x̄_j))} over a cluster.

    References
    ----------
    Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. Journal of Machine Learning
    Research 6, 1705-1749.

    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> from partita import costs
    >>> round(costs.total([[0, 1], [0, 1], [1, 0]], [0, 0, 1], Logistic()), 4)
    1.3047
    """

    shrinkage: float = 1.0

    def encode(self, X: Any) -> BregmanItems:
        """Encode the items for samplers and searches."""
        shrinkage = check_number("shrinkage", self.shrinkage, "be a positive number", lambda value: value > 0)
        rows = _binary(None, X)
        return BregmanItems(
            kinds.Logistic,
            rows,
            phi=_negative_binary_entropy,
            gradient=logit,
            read=partial(_binary, rows.shape[1]),
            rate=Rate(None, 1.0),
            target=np.full(rows.shape[1], 0.5),
            shrinkage=shrinkage,
        )


def _binary(n_columns: int | None, X: Any) -> FloatArray:
    rule = "hold nothing but 0 and 1 under Logistic()"
    return refuse(read_rows(X, n_columns), lambda rows: (rows != 0) & (rows != 1), rule)


def _negative_binary_entropy(rows: FloatArray) -> FloatArray:
    return (xlogy(rows, rows) + xlogy(1 - rows, 1 - rows)).sum(axis=1)


def _each_row(function: Callable[[FloatArray], Any], rows: FloatArray) -> FloatArray:
    return np.array([function(row) for row in np.ascontiguousarray(rows)], float)


@dataclass(frozen=True)
class Bregman:
    """Bregman divergence from the mean, of a convex function of one's own.

    Parameters
    ----------
    phi : callable
        Convex function of a row, an array of shape (n_columns,), in terms that numba can compile.
    gradient : callable
        Its gradient: an array of the same shape.

    See Also
    --------
    SquaredEuclidean : the best known case.
    partita.GeneralizedBayesClustering : uses it.
    partita.BregmanKMeans : minimizes it.

    Notes
    -----
    Σ_i {φ(x_i) - φ(x̄) - ∇φ(x̄)ᵀ (x_i - x̄)} over a cluster, which is Σ_i φ(x_i) - m φ(x̄) for m items.

    References
    ----------
    Banerjee, Merugu, Dhillon and Ghosh (2005). Clustering with Bregman divergences. Journal of Machine Learning
    Research 6, 1705-1749.

    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> cost = Bregman(lambda x: (x**4).sum(), lambda x: 4 * x**3)
    >>> from partita import costs
    >>> costs.total([[0.0], [2.0], [10.0]], [0, 0, 1], cost)
    14.0
    """

    phi: Callable[[FloatArray], float]
    gradient: Callable[[FloatArray], FloatArray]

    def encode(self, X: Any) -> BregmanItems:
        """Encode the items for samplers and searches."""
        rows = read_rows(X)
        compiled = self._compile(rows[0])
        phi, gradient = partial(_each_row, compiled), partial(_each_row, self.gradient)
        self._check(rows, phi, gradient)
        return BregmanItems(
            kinds.UserFunction,
            rows,
            phi,
            gradient,
            read=partial(read_rows, n_columns=rows.shape[1]),
            rate=Rate(None, None),
            target=np.zeros(rows.shape[1]),
            function=compiled,
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
        values, lowest, slope = phi(rows), phi(center)[0], gradient(center)
        if slope.shape != center.shape:
            raise ValueError(
                f"gradient must give {center.shape[1]} numbers, as many as columns: got {slope.shape[1:]}."
            )
        if not np.isfinite(values).all():
            raise ValueError(f"phi must be finite at every row: got {values[~np.isfinite(values)][0]}.")
        slack = values - lowest - (rows - center) @ slope[0]
        if slack.min() < -1e-9 * np.abs(values).max():
            raise ValueError(f"phi must be convex and gradient its gradient: got a divergence of {slack.min():g}.")
