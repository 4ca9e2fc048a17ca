"""Normal families in natural form.

Full: features (precision x xᵀ, its upper triangle by rows; precision x; precision; 1). Diagonal: (squares, x, 1), or
(squares, x, presence) by column where entries are missing. Spherical: (sum of squares, x, 1).
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg.lapack import dtrtrs

from .._kernels.components.products import fill_products
from .._typing import FloatArray
from .base import Block
from .gaussian import DiagonalBlock, FullBlock, SphericalBlock
from .gaussian_diagonal import by_column
from .natural import NaturalForm

LOG_TAU = math.log(2 * math.pi)


@dataclass(frozen=True)
class FullForm(NaturalForm):
    """Columns with a covariance matrix: normal–inverse-Wishart."""

    block: FullBlock

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.block.x.shape[1]

    @property
    def width(self) -> int:
        """Number of features."""
        return self.n_columns * (self.n_columns + 3) // 2 + 2

    @property
    def has_precisions(self) -> bool:
        """Whether tails are heavy."""
        return not self.block.is_normal

    @cached_property
    def _upper(self) -> tuple[Any, Any]:
        return np.triu_indices(self.n_columns)

    @cached_property
    def _lower(self) -> tuple[Any, Any]:
        return np.tril_indices(self.n_columns)

    @cached_property
    def _below(self) -> tuple[Any, Any]:
        return np.tril_indices(self.n_columns, -1)

    def features(self, x: Any, precision: Any, out: Any) -> None:
        """Products of columns, the columns themselves and the weights of both."""
        if isinstance(out, np.ndarray):
            fill_products(x, np.ones(len(x)) if precision is None else precision, out)
        else:
            fill_by_columns(x, precision, out)

    def fill_rows(self, part: Any, sums: FloatArray) -> None:
        """Weight, log diagonal, precision, posterior mean and Cholesky factor of the posterior scale matrix."""
        d, rows, (means, scale) = self.n_columns, part.rows[: len(sums)], self._means_and_scales(part, sums)
        sizes = np.diagonal(scale, axis1=1, axis2=2) + (part.hyper[1] + part.hyper[0] * sums[:, -2:-1]) * means**2
        root = _cholesky(scale, sizes)
        rows[:, 0], rows[:, 2], rows[:, 3 : 3 + d] = sums[:, -1], sums[:, -2], means
        rows[:, 1] = np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        rows[:, 3 + d :] = root[:, *self._lower]

    def _means_and_scales(self, part: Any, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Posterior means and scale matrices."""
        d, (power, count, dof) = self.n_columns, part.hyper[:3]
        n_products, scale = d * (d + 1) // 2, np.zeros((len(sums), d, d))
        scale[:, *self._upper] = power * sums[:, :n_products]
        scale[:, *self._upper[::-1]] = power * sums[:, :n_products]
        counts = count + power * sums[:, -2]
        means = power * sums[:, n_products:-2] / counts[:, None]
        scale += dof * part.hyper[3 : 3 + d * d].reshape(d, d)
        scale -= counts[:, None, None] * means[:, :, None] * means[:, None, :]
        return means, scale

    def draw(self, part: Any, n_clusters: int, rng: np.random.Generator) -> FloatArray:
        """Precision matrices by Bartlett's decomposition, and means given them."""
        d, (power, count, dof), rows = self.n_columns, part.hyper[:3], part.rows[:n_clusters]
        root, factor = np.zeros((n_clusters, d, d)), np.zeros((n_clusters, d, d))
        root[:, *self._lower] = rows[:, 3 + d :]
        factor[:, *self._below] = rng.standard_normal((n_clusters, self._below[0].size))
        shapes = 0.5 * (dof + power * rows[:, :1] - np.arange(d))
        factor[:, range(d), range(d)] = np.sqrt(2 * rng.standard_gamma(shapes))
        b = _solve_transposed(root, factor)  # b bᵀ is the precision matrix
        noise = (root @ _solve_transposed(factor, rng.standard_normal((n_clusters, d, 1))))[:, :, 0]
        means = rows[:, 3 : 3 + d] + noise / np.sqrt(count + power * rows[:, 2:3])
        precisions = b @ b.transpose(0, 2, 1)
        log_det = 2 * (np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(axis=1) - rows[:, 1])
        linear = np.einsum("kij,kj->ki", precisions, means)
        products = -precisions[:, *self._upper] * np.where(self._upper[0] == self._upper[1], 0.5, 1.0)
        constant = -0.5 * np.einsum("ki,ki->k", linear, means)
        return power * np.column_stack([products, linear, constant, 0.5 * (log_det - d * LOG_TAU)])

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Covariance matrices and means, as products and columns."""
        d, n_products, natural = self.n_columns, self.n_columns * (self.n_columns + 1) // 2, natural / self._power
        precisions = np.zeros((len(natural), d, d))
        precisions[:, *self._upper] = -natural[:, :n_products]
        precisions += precisions.transpose(0, 2, 1)
        covariances = np.linalg.inv(precisions)
        means = np.einsum("kij,kj->ki", covariances, natural[:, n_products:-2])
        products = covariances + average[-2] * means[:, :, None] * means[:, None, :]
        rest = np.broadcast_to(average[-2:], (len(natural), 2))
        return np.column_stack([products[:, *self._upper], average[-2] * means, rest])

    def admit(self, part: Any, sums: FloatArray) -> FloatArray | None:
        """These sums where scale matrices are positive definite."""
        try:
            np.linalg.cholesky(self._means_and_scales(part, sums)[1])
        except np.linalg.LinAlgError:
            return None
        return sums

    @property
    def _power(self) -> float:
        return float(self.block.hyper[0])

    def statistics_block(self) -> Block:
        """The same family with one row, in which nothing is missing."""
        return replace(self.block, x=self.block.x[:1], missing=self.block.missing[:0])


def fill_by_columns(x: Any, precision: Any, out: Any) -> None:
    """The same in any array library whose products may be written where they belong."""
    d, at, multiply = x.shape[1], 0, sys.modules[type(out).__module__].multiply
    scaled = x if precision is None else x * precision[:, None]
    for j in range(d):
        multiply(x[:, j:], scaled[:, j : j + 1], out=out[:, at : at + d - j])
        at += d - j
    out[:, at : at + d] = scaled
    out[:, at + d] = 1.0 if precision is None else precision
    out[:, at + d + 1] = 1.0


def _solve_transposed(lower: FloatArray, right: FloatArray) -> FloatArray:
    """Solutions x of lᵀ x = r for each lower triangular matrix l."""
    return np.array([dtrtrs(a, r, lower=1, trans=1)[0] for a, r in zip(lower, right, strict=True)])


def _cholesky(matrices: FloatArray, sizes: FloatArray) -> FloatArray:
    """Cholesky factors; where rounding left a matrix not quite positive definite, of one a little larger.

    ``sizes`` are the diagonals of what the matrices are differences of, by which rounding is measured.
    """
    try:
        return np.asarray(np.linalg.cholesky(matrices), float)
    except np.linalg.LinAlgError:
        return np.array([_cholesky_of_one(matrix, size) for matrix, size in zip(matrices, sizes, strict=True)])


def _cholesky_of_one(matrix: FloatArray, size: FloatArray) -> FloatArray:
    for more in (0.0, 1e-13, 1e-11):
        try:
            return np.asarray(np.linalg.cholesky(matrix + more * np.diag(size)), float)
        except np.linalg.LinAlgError:
            continue
    return np.diag(np.sqrt(np.maximum(np.diagonal(matrix), 1e-9 * size)))


@dataclass(frozen=True)
class DiagonalForm(NaturalForm):
    """Columns with a variance each: normal–inverse-gamma; a missing entry has features of zero."""

    block: DiagonalBlock

    @property
    def width(self) -> int:
        """Number of features."""
        d = self.block.x.shape[1]
        return 2 * d + 1 if self._complete else 3 * d

    @cached_property
    def _complete(self) -> bool:
        return self.block.is_complete

    def features(self, x: Any, precision: Any, out: Any) -> None:
        """Squares, columns and presence."""
        d = x.shape[1]
        if self._complete:
            out[:, :d], out[:, d : 2 * d], out[:, 2 * d] = x * x, x, 1.0
            return
        missing = x != x
        filled = x + 0.0
        filled[missing] = 0.0
        out[:, :d], out[:, d : 2 * d], out[:, 2 * d :] = filled * filled, filled, 1.0
        out[:, 2 * d :][missing] = 0.0

    def fill_rows(self, part: Any, sums: FloatArray) -> None:
        """Sums, posterior means and scales."""
        d, power, rows = self.block.x.shape[1], part.hyper[0], part.rows[: len(sums)]
        squares, totals, present = sums[:, :d], sums[:, d : 2 * d], sums[:, 2 * d :]
        means = power * totals / (part.hyper[1] + power * present)
        scales = part.hyper[2] * part.hyper[3:] + 0.5 * power * np.maximum(squares - totals * means, 0.0)
        if self._complete:
            rows[:, :1], rows[:, 1] = present, np.log(scales).sum(axis=1)
            rows[:, 2:] = np.stack([totals, squares, means, 1 / scales], axis=2).reshape(len(sums), -1)
        else:
            rows[:] = np.stack([present, totals, squares, means, scales, np.log(scales)], axis=2).reshape(len(sums), -1)

    def draw(self, part: Any, n_clusters: int, rng: np.random.Generator) -> FloatArray:
        """Precisions, and means given them."""
        d, (power, count, shape), rows = self.block.x.shape[1], part.hyper[:3], part.rows[:n_clusters]
        if self._complete:
            _, _, means, inverses = by_column(rows)
            present, scales = rows[:, :1], 1 / inverses
        else:
            present, _, _, means, scales, _ = rows.reshape(n_clusters, d, 6).transpose(2, 0, 1)
        shapes = np.broadcast_to(shape + 0.5 * power * present, means.shape)
        precisions = rng.standard_gamma(shapes) / scales
        means = means + rng.standard_normal(means.shape) / np.sqrt((count + power * present) * precisions)
        constants = 0.5 * (np.log(precisions) - LOG_TAU - precisions * means**2)
        if self._complete:
            constants = constants.sum(axis=1, keepdims=True)
        return power * np.hstack([-0.5 * precisions, precisions * means, constants])

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Second moments and means of what is present."""
        d, present = self.block.x.shape[1], average[2 * self.block.x.shape[1] :]
        precisions = -2 * natural[:, :d]
        means = natural[:, d : 2 * d] / precisions
        moments = float(self.block.hyper[0]) / precisions + means**2
        return np.hstack([moments * present, means * present, np.broadcast_to(present, (len(natural), present.size))])

    def admit(self, part: Any, sums: FloatArray) -> FloatArray | None:
        """These sums with no variance below zero."""
        d = self.block.x.shape[1]
        squares, totals, present = sums[:, :d], sums[:, d : 2 * d], sums[:, 2 * d :]
        return np.hstack([np.maximum(squares, totals**2 / np.maximum(present, 1e-300)), totals, present])

    def statistics_block(self) -> Block:
        """The same family with one row, in which entries are missing if any are."""
        return replace(self.block, x=np.full((1, self.block.x.shape[1]), 0.0 if self._complete else np.nan))


@dataclass(frozen=True)
class SphericalForm(NaturalForm):
    """Columns that share a variance."""

    block: SphericalBlock

    @property
    def width(self) -> int:
        """Number of features."""
        return self.block.x.shape[1] + 2

    def features(self, x: Any, precision: Any, out: Any) -> None:
        """Sum of squares, columns and a one."""
        out[:, 0], out[:, 1:-1], out[:, -1] = (x * x).sum(axis=1), x, 1.0

    def fill_rows(self, part: Any, sums: FloatArray) -> None:
        """Weight, posterior scale, sum of squares and sums."""
        power, rows = part.hyper[0], part.rows[: len(sums)]
        explained = power * (sums[:, 1:-1] ** 2).sum(axis=1) / (part.hyper[1] + power * sums[:, -1])
        rows[:, 0], rows[:, 2], rows[:, 3:] = sums[:, -1], sums[:, 0], sums[:, 1:-1]
        rows[:, 1] = part.hyper[2] * part.hyper[3] + 0.5 * power * np.maximum(sums[:, 0] - explained, 0.0)

    def draw(self, part: Any, n_clusters: int, rng: np.random.Generator) -> FloatArray:
        """A precision, and means given it."""
        d, (power, count, shape), rows = self.block.x.shape[1], part.hyper[:3], part.rows[:n_clusters]
        n = power * rows[:, :1]
        precisions = rng.standard_gamma(shape + 0.5 * d * n) / rows[:, 1:2]
        means = power * rows[:, 3:] / (count + n)
        means = means + rng.standard_normal(means.shape) / np.sqrt((count + n) * precisions)
        constants = 0.5 * (d * (np.log(precisions) - LOG_TAU) - precisions * (means**2).sum(axis=1, keepdims=True))
        return power * np.hstack([-0.5 * precisions, precisions * means, constants])

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Second moments, summed, and means."""
        precisions = -2 * natural[:, :1]
        means = natural[:, 1:-1] / precisions
        variance = self.block.x.shape[1] * float(self.block.hyper[0]) / precisions
        ones = np.broadcast_to(average[-1:], (len(natural), 1))
        return np.hstack([variance + (means**2).sum(axis=1, keepdims=True), means, ones])

    def admit(self, part: Any, sums: FloatArray) -> FloatArray | None:
        """These sums with no variance below zero."""
        least = (sums[:, 1:-1] ** 2).sum(axis=1) / sums[:, -1]
        return np.column_stack([np.maximum(sums[:, 0], least), sums[:, 1:]])
