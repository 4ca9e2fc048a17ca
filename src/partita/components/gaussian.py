"""Normal columns: a covariance matrix, a variance per column or one variance, with given or learned hyperparameters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

from .._typing import AnyArray, FloatArray, IntArray
from .._validation import check_choice, check_positive
from .base import Block, ColumnBlock, Encoded
from .encoding import center_and_variance, check_numbers, per_column, positive_columns
from .gaussian_diagonal import DiagonalGaussian, by_column
from .gaussian_full import FullGaussian
from .gaussian_gaps import FullGaussianWithGaps, StudentGaussianWithGaps
from .gaussian_incomplete import IncompleteGaussian
from .gaussian_spherical import SphericalGaussian
from .gaussian_tails import StudentGaussian

# Degrees of freedom of a covariance beyond its columns, from "each cluster its own" to "one for all clusters".
FREEDOM = np.geomspace(2, 600, 20)

PRECISIONS = 3.0 ** np.array([1, 0, -1, -2, -3, -4])
"""Precisions that an item of a cluster with heavy tails may have, relative to its cluster's."""


@dataclass(frozen=True)
class Gaussian:
    """Normally distributed columns.

    Parameters
    ----------
    covariance : {"full", "diagonal", "spherical"}
        A covariance matrix per cluster (normal–inverse-Wishart), a variance for each column (normal–inverse-gamma), or
        one variance for all columns.
    scale : "learn", "variance", float or array-like
        How large clusters are: the scale of the inverse gamma, one number per column, or for a full covariance the
        scale matrix of the inverse Wishart. ``"learn"`` draws it, the shape and the strength with the partition;
        ``"variance"`` takes the variance of the column.
    mean : float or array-like, shape (n_columns,), optional
        Prior mean of a cluster's mean; by default the column mean.
    strength : float, optional
        Prior items behind the mean: cluster means vary with the within-cluster variance divided by it. By default 0.5,
        or learned with the scale.
    shape : float, optional
        Shape of the inverse gamma, by default 2; for a full covariance half the degrees of freedom, by default
        (n_columns + 2) / 2; or learned with the scale.

    See Also
    --------
    Product : with columns of other kinds.
    BayesianMixture : uses it.

    Notes
    -----
    With ``scale="learn"`` the covariance of a cluster is inverse-Wishart with ``dof`` degrees of freedom and scale
    ``dof * within``; ``within`` is Wishart with n_columns + 1 degrees of freedom and the column variances for its mean,
    ``dof`` uniform on a grid from "each cluster its own covariance" to "one for all", the strength Gamma(1/2, 1/2). All
    three are drawn given the clusters once per draw (an exact Gibbs step). Missing entries are integrated out under a
    diagonal covariance and drawn with the partition under a full one.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> Gaussian()
    Gaussian(covariance='full', scale='learn', mean=None, strength=None, shape=None)
    """

    covariance: str = "full"
    scale: Any = "learn"
    mean: Any = None
    strength: float | None = None
    shape: float | None = None

    def __post_init__(self) -> None:
        check_choice("covariance", self.covariance, ["full", "diagonal", "spherical"])
        if isinstance(self.scale, str):
            check_choice("scale", self.scale, ["learn", "variance"])
        for name in ("strength", "shape"):
            value = getattr(self, name)
            if value is not None:
                check_positive(name, value)
                if self.learns:
                    raise ValueError(f"{name} must be left out with scale='learn', which learns it too: got {value!r}.")

    @property
    def learns(self) -> bool:
        """Whether the hyperparameters are drawn with the partition."""
        return isinstance(self.scale, str) and self.scale == "learn"

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        numbers = check_numbers(X, allow_missing=self.covariance != "spherical")
        center, variance = center_and_variance(numbers)
        if self.mean is not None:
            center = per_column("mean", self.mean, numbers.shape[1])
        x = np.ascontiguousarray(numbers - center)
        make: Any = {"full": full_block, "diagonal": _diagonal_block, "spherical": _spherical_block}[self.covariance]
        return Encoded((make(self, x, center, variance),), x.shape[1])


@dataclass(frozen=True)
class NumberBlock(Block):
    """Columns of numbers measured from a center."""

    center: FloatArray  # (n_columns,)
    variance: FloatArray  # of the columns, which the hyperpriors look to
    grid: FloatArray  # degrees of freedom or shapes to learn from; none: all hyperparameters are given

    def as_entries(self, x: AnyArray) -> FloatArray:
        """Encoded rows in the table's own units."""
        return np.asarray(x + self.center)

    def learned(self, hyper: FloatArray) -> dict[str, FloatArray]:
        """Strength, shape and typical variances, column by column, where they were drawn."""
        return {"strength": hyper[:, 1], "shape": hyper[:, 2], "within": hyper[:, 3:]} if self.learns else {}

    def encode_rows(self, values: AnyArray) -> FloatArray:
        """Entries of new rows as kernels read them."""
        allow_missing = not isinstance(self, SphericalBlock)
        return np.ascontiguousarray(check_numbers(values, allow_missing, whole_columns=False) - self.center)


@dataclass(frozen=True)
class FullBlock(NumberBlock):
    """Columns with a covariance matrix, and tails with one of several degrees of freedom."""

    missing: IntArray  # (n_missing, 2) item and column, item by item
    tails: FloatArray  # degrees of freedom

    @property
    def is_normal(self) -> bool:
        """Whether nothing is drawn for items beside their cluster."""
        return len(self.missing) == 0 and bool((self.tails == np.inf).all())

    @property
    def n_summed(self) -> int:
        """One where tails are normal, else one for each precision."""
        return 1 if self.is_normal else PRECISIONS.size

    @property
    def latent(self) -> FloatArray:
        """Missing entries at the prior mean, and precisions of one."""
        return np.empty(0) if self.is_normal else np.concatenate([np.zeros(len(self.missing)), np.ones(len(self.x))])

    def learned(self, hyper: FloatArray) -> dict[str, FloatArray]:
        """Strength, half the degrees of freedom, typical variances, inverse degrees of freedom of the tails."""
        if not self.learns:
            return {}
        d = self.x.shape[1]
        named = {"strength": hyper[:, 1], "shape": hyper[:, 2] / 2, "within": hyper[:, 3 : 3 + d * d : d + 1]}
        return named if self.tails.size == 1 else {**named, "inverse_tails": 1 / hyper[:, -1]}

    @property
    def observed(self) -> FloatArray:
        """Items as new rows are encoded, NaN where an entry is missing."""
        x = self.x.copy()
        x[tuple(self.missing.T)] = np.nan
        return x

    @property
    def present(self) -> NDArray[np.bool_]:
        """Whether each item has an entry in any of the columns."""
        return np.bincount(self.missing[:, 0], minlength=len(self.x)) < self.x.shape[1]

    def moments(self, part: Any, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Posterior means and covariance matrices of the clusters in these rows."""
        d = self.x.shape[1]
        root = np.zeros((len(rows), d, d))
        root[:, *np.tril_indices(d)] = part.rows[rows, 3 + d :]
        freedom = part.hyper[2] + part.hyper[0] * part.rows[rows, 0] - d - 1
        covariances = root @ root.transpose(0, 2, 1) / np.maximum(freedom, 1.0)[:, np.newaxis, np.newaxis]
        return part.rows[rows, 3 : 3 + d], covariances

    def make_part(self, hyper: FloatArray, latent: FloatArray, n_rows: int) -> Any:
        """The part that kernels read."""
        n, d = self.x.shape
        rows, base = np.zeros((n_rows, 3 + d + d * (d + 1) // 2)), np.diag((d + 1) / self.variance)
        fields = (hyper, rows, np.empty(n + 1), base, self.grid, np.empty((5, d, d)))
        if self.is_normal:
            return FullGaussian(self.x, *fields)
        x, (imputed, precision) = self.x.copy(), np.split(latent, [len(self.missing)])
        x[tuple(self.missing.T)] = imputed
        score, drawn = np.empty(PRECISIONS.size + self.tails.size), (self.missing, imputed, precision, np.empty(n))
        shares = (self._log_shares, np.log(PRECISIONS), np.exp(self._log_shares))
        shrinkage = np.zeros((n_rows, 1 + PRECISIONS.size))
        return StudentGaussian(x, *fields, *drawn, PRECISIONS, self.tails, *shares, shrinkage, score)

    def with_rows(self, part: Any, x: AnyArray) -> Any:
        """The same statistics with new rows, in which entries may be missing."""
        if not np.isnan(x).any():
            return part._replace(x=x)
        family = FullGaussianWithGaps if self.is_normal else StudentGaussianWithGaps
        return family(*part._replace(x=x))

    @cached_property
    def _log_shares(self) -> FloatArray:
        """Log probability of each precision, which is the same for every chain and draw."""
        return log_precision_shares(self.tails)

    def sample_row(self, part: Any, k: int, rng: np.random.Generator) -> list[float]:
        """A row from a multivariate t distribution, given a precision drawn for it."""
        d, (power, mean_count, dof) = self.x.shape[1], part.hyper[:3]
        n, total, precision = power * part.rows[k, 0], power * part.rows[k, 2], 1.0
        if not self.is_normal:
            shares = np.exp(part.log_share[self.tails == part.hyper[-1]][0])
            precision = float(rng.choice(PRECISIONS, p=shares / shares.sum()))
        root = np.zeros((d, d))
        root[np.tril_indices(d)] = part.rows[k, 3 + d :]
        spread = np.sqrt((1 / precision + 1 / (mean_count + total)) / rng.chisquare(dof + n - d + 1))
        return list(self.center + part.rows[k, 3 : 3 + d] + spread * (root @ rng.standard_normal(d)))


NORMAL = np.array([np.inf])


def full_block(
    component: Gaussian, x: FloatArray, center: FloatArray, variance: FloatArray, tails: FloatArray = NORMAL
) -> FullBlock:
    """Columns with a covariance matrix; ``tails`` are the degrees of freedom that its tails may have."""
    d = x.shape[1]
    grid = d + FREEDOM if component.learns else np.empty(0)
    dof = float(grid[6]) if component.learns else d + 2.0 if component.shape is None else 2.0 * component.shape
    if dof <= d - 1:
        raise ValueError(f"shape must exceed (n_columns - 1) / 2 = {(d - 1) / 2:g}: got {component.shape!r}.")
    scale = np.diag(dof * variance if component.learns else variance)
    if not isinstance(component.scale, str):
        scale = _check_scale_matrix(component.scale, d)
    missing = np.argwhere(np.isnan(x))
    hyper = [1.0, component.strength or 0.5, dof, *(scale / dof).ravel()]
    if len(missing) or (tails < np.inf).any():
        hyper.append(tails[-1])
    fixed = (tuple(range(d)), "number", np.nan_to_num(x), np.array(hyper), component.learns)
    return FullBlock(*fixed, center, variance, grid, missing, tails)


def _check_scale_matrix(given: Any, d: int) -> FloatArray:
    scale = np.asarray(given, float)
    if scale.ndim < 2:
        scale = np.diag(positive_columns("scale", given, d))
    if scale.shape != (d, d) or not np.allclose(scale, scale.T) or np.linalg.eigvalsh(scale).min() <= 0:
        raise ValueError(f"scale must be a positive definite matrix of {d} columns: got {given!r}.")
    return scale


def precision_numbers(precisions: FloatArray) -> NDArray[np.uint8]:
    """Numbers of precisions among `PRECISIONS`, in bytes."""
    return np.searchsorted(-PRECISIONS, -precisions).astype(np.uint8)


def log_precision_shares(tails: FloatArray) -> FloatArray:
    """Log probability of each precision: mass of Gamma(v/2, v/2) between geometric midpoints, all at 1 if v = inf."""
    midpoints = np.sqrt(PRECISIONS[:-1] * PRECISIONS[1:])
    with np.errstate(divide="ignore"):
        rows = [
            np.where(PRECISIONS == 1.0, 0.0, -np.inf)
            if v == np.inf
            else np.log(-np.diff(np.concatenate([[1.0], gammainc(v / 2, midpoints * v / 2), [0.0]])))
            for v in tails
        ]
    return np.array(rows)


@dataclass(frozen=True)
class DiagonalBlock(NumberBlock, ColumnBlock):
    """Columns that are independent within a cluster; missing entries are integrated out."""

    def hyper_index(self, kept: IntArray) -> IntArray:
        """Places in ``hyper`` that some of the columns read: what columns share, and their typical variances."""
        return np.concatenate([np.arange(3), 3 + kept])

    def _fields_of(self, kept: IntArray) -> dict[str, Any]:
        """The fields that differ for some of the columns."""
        return super()._fields_of(kept) | {"center": self.center[kept], "variance": self.variance[kept]}

    def redraw_hyper(self, hyper: FloatArray, place: int, rng: np.random.Generator) -> None:
        """Draw one column's typical variance, if it is learned, from its hyperprior."""
        if self.learns:
            hyper[3] = max(rng.exponential(self.variance[place]), 1e-300)

    def log_hyper_constant(self, place: int) -> float:
        """Logarithm of the rate of the exponential hyperprior of a typical variance, if it is learned."""
        return -float(np.log(self.variance[place])) if self.learns else 0.0

    @property
    def is_complete(self) -> bool:
        """Whether no entry is missing."""
        return not bool(np.isnan(self.x).any())

    def make_part(self, hyper: FloatArray, _: FloatArray, n_rows: int) -> Any:
        """The part that kernels read."""
        n, d = self.x.shape
        family, width = (DiagonalGaussian, 2 + 4 * d) if self.is_complete else (IncompleteGaussian, 6 * d)
        rows = np.zeros((n_rows, width))
        return family(self.x, hyper, rows, np.empty(n + 1), self.variance, self.grid, np.empty(d))

    def with_rows(self, part: Any, x: AnyArray) -> Any:
        """The same statistics with new rows; those of a table without gaps are written out by column for rows with."""
        if not self.is_complete or not np.isnan(x).any():
            return part._replace(x=x)
        d, stats = x.shape[1], part.rows
        total, square, mean, inverse = by_column(stats)
        with np.errstate(divide="ignore"):  # rows that no cluster has
            scale, log_scale = 1 / inverse, -np.log(inverse)
        present = np.broadcast_to(stats[:, :1], total.shape)
        stacked = np.stack([present, total, square, mean, scale, log_scale], axis=2).reshape(len(stats), 6 * d)
        return IncompleteGaussian(x, part.hyper, stacked, *part[3:])

    def moments(self, part: Any, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Posterior means and (diagonal) covariance matrices of the clusters in these rows."""
        d, (power, _, shape) = self.x.shape[1], part.hyper[:3]
        stats = part.rows[rows]
        if self.is_complete:
            _, _, means, inverses = by_column(stats)
            n, scales = power * stats[:, :1], 1 / inverses
        else:
            present, _, _, means, scales, _ = stats.reshape(len(rows), d, 6).transpose(2, 0, 1)
            n = power * present
        variances = scales / np.maximum(shape + n / 2 - 1, 0.5)
        return means, variances[:, :, np.newaxis] * np.eye(d)

    def sample_row(self, part: Any, k: int, rng: np.random.Generator) -> list[float]:
        """A row of t distributed entries."""
        d, row, (power, mean_count, shape) = self.x.shape[1], part.rows[k], part.hyper[:3]
        if self.is_complete:
            _, _, mean, inverse = by_column(row)
            n, scale = power * row[0], 1 / inverse
        else:
            present, _, _, mean, scale, _ = row.reshape(d, 6).T
            n = power * present
        shapes = shape + n / 2
        spread = np.sqrt(scale / shapes * (1 + 1 / (mean_count + n)))
        return list(self.center + mean + spread * rng.standard_t(2 * shapes, size=d))


@dataclass(frozen=True)
class SphericalBlock(NumberBlock):
    """Columns that share a variance."""

    def make_part(self, hyper: FloatArray, _: FloatArray, n_rows: int) -> SphericalGaussian:
        """The part that kernels read."""
        n, d = self.x.shape
        average = np.array([self.variance.mean()])
        rows = np.zeros((n_rows, 3 + d))
        return SphericalGaussian(self.x, hyper, rows, np.empty(n + 1), average, self.grid, np.empty(1))

    def sample_row(self, part: SphericalGaussian, k: int, rng: np.random.Generator) -> list[float]:
        """A row from a multivariate t distribution."""
        d, (power, mean_count, shape) = self.x.shape[1], part.hyper[:3]
        n, scale = power * part.rows[k, 0], part.rows[k, 1]
        spread = np.sqrt(2 * scale / rng.chisquare(2 * shape + d * n) * (1 + 1 / (mean_count + n)))
        mean = power * part.rows[k, 3:] / (mean_count + n)
        return list(self.center + mean + spread * rng.standard_normal(d))


def _diagonal_block(component: Gaussian, x: FloatArray, center: FloatArray, variance: FloatArray) -> DiagonalBlock:
    shape, grid = _shape_and_grid(component)
    scale = shape * variance if component.learns else variance
    if not isinstance(component.scale, str):
        scale = positive_columns("scale", component.scale, x.shape[1])
    hyper = np.array([1.0, component.strength or 0.5, shape, *(scale / shape)])
    fixed = (tuple(range(x.shape[1])), "number", x, hyper, component.learns)
    return DiagonalBlock(*fixed, center, variance, grid)


def _spherical_block(component: Gaussian, x: FloatArray, center: FloatArray, variance: FloatArray) -> SphericalBlock:
    shape, grid = _shape_and_grid(component)
    scale = shape * variance.mean() if component.learns else variance.mean()
    if not isinstance(component.scale, str):
        check_positive("scale", component.scale)
        scale = component.scale
    hyper = np.array([1.0, component.strength or 0.5, shape, scale / shape])
    fixed = (tuple(range(x.shape[1])), "number", x, hyper, component.learns)
    return SphericalBlock(*fixed, center, variance, grid)


def _shape_and_grid(component: Gaussian) -> tuple[float, FloatArray]:
    """Shape of the inverse gamma, where chains start, and the shapes to learn from."""
    if component.learns:
        return float((1 + FREEDOM[6]) / 2), (1 + FREEDOM) / 2
    return float(2.0 if component.shape is None else component.shape), np.empty(0)
