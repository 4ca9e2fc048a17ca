"""Columns of categories: the Dirichlet–categorical family.

``hyper`` = (power; Dirichlet weight of each category of each column; their sum column by column).
A row of statistics = (weight of the items in each category of each column; their sum column by column).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._kernels.components.family import register
from .._typing import AnyArray, FloatArray, IntArray
from .._validation import as_table, check_positive
from .base import ColumnBlock, Encoded
from .encoding import check_numbers, is_missing, refuse_all_missing


class CategoryCounts(NamedTuple):
    """Data, hyperparameters and statistics of columns of categories."""

    x: np.ndarray  # (n_items, n_columns) number of the category among those of all columns; -1 is missing
    hyper: np.ndarray  # (1 + n_categories + n_columns,)
    rows: np.ndarray  # (n_rows, n_categories + n_columns)


def set_prior(part):
    """Empty the empty row."""
    for t in range(part.rows.shape[1]):
        part.rows[part.rows.shape[0] - 1, t] = 0.0


def update_stats(part, source, target, i, weight):
    """Count an item's categories in or out."""
    rows, d = part.rows, part.x.shape[1]
    if source != target:
        for t in range(rows.shape[1]):
            rows[target, t] = rows[source, t]
    n_categories = rows.shape[1] - d
    for j in range(d):
        category = part.x[i, j]
        if category >= 0:
            rows[target, category] += weight
            rows[target, n_categories + j] += weight


def log_predictive(part, i, rows, n_rows, out):
    """Products of the posterior mean probabilities of an item's categories."""
    stats, hyper, d = part.rows, part.hyper, part.x.shape[1]
    n_categories, power = stats.shape[1] - d, hyper[0]
    for t in range(n_rows):
        k = rows[t]
        for j in range(d):
            category = part.x[i, j]
            if category >= 0:
                inside = power * stats[k, category] + hyper[1 + category]
                total = power * stats[k, n_categories + j] + hyper[1 + n_categories + j]
                if power == 1.0:
                    out[t] += math.log(inside / total)
                else:
                    out[t] += math.lgamma(inside + power) - math.lgamma(inside)
                    out[t] -= math.lgamma(total + power) - math.lgamma(total)


def log_marginal(part, k):
    """Ratios of Dirichlet normalizing constants."""
    stats, hyper, d, total = part.rows, part.hyper, part.x.shape[1], 0.0
    n_categories, power = stats.shape[1] - d, hyper[0]
    for t in range(stats.shape[1]):
        if stats[k, t] > 0.0:
            gain = math.lgamma(hyper[1 + t] + power * stats[k, t]) - math.lgamma(hyper[1 + t])
            total += gain if t < n_categories else -gain
    return total


register(CategoryCounts, set_prior, update_stats, log_predictive, log_marginal)


@dataclass(frozen=True)
class Categorical:
    """Columns of categories with a symmetric Dirichlet prior.

    Parameters
    ----------
    concentration : float
        Prior count of each category of a column.

    See Also
    --------
    Bernoulli : two categories.
    Product : with columns of other kinds.
    BayesianMixture : uses it.

    Notes
    -----
    Conjugate Dirichlet-multinomial: a category's predictive probability is its count plus the concentration, over
    their sum.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> [block.kind for block in Categorical().encode([["red"], ["blue"], ["red"]]).blocks]
    ['category']
    """

    concentration: float = 1.0

    def __post_init__(self) -> None:
        check_positive("concentration", self.concentration)

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        values = as_table(X)
        missing = np.array([[is_missing(v) for v in row] for row in values])
        refuse_all_missing(missing)
        levels = tuple(
            tuple(sorted({level_name(v) for v in column[~gone]}))
            for column, gone in zip(values.T, missing.T, strict=True)
        )
        return category_block(values, levels, self.concentration)


@dataclass(frozen=True)
class Bernoulli(Categorical):
    """Columns of zeros and ones (or false and true) with a symmetric beta prior.

    Parameters
    ----------
    concentration : float
        Prior count of each of the two outcomes.

    See Also
    --------
    Categorical : more than two categories.
    BayesianMixture : uses it.

    Notes
    -----
    Conjugate beta-Bernoulli: a ``Categorical`` whose categories are 0 and 1 in every column.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> Bernoulli().encode([[0, 1], [1, 1]]).blocks[0].x
    array([[0, 3],
           [1, 3]])
    """

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        values = check_numbers(X, allow_missing=True)
        if not np.isin(values[~np.isnan(values)], [0, 1]).all():
            wrong = values[~np.isnan(values) & ~np.isin(values, [0, 1])][0]
            raise ValueError(f"X must hold zeros and ones for Bernoulli columns: got {wrong:g}.")
        return category_block(values, (("0", "1"),) * values.shape[1], self.concentration)


@dataclass(frozen=True)
class CategoryBlock(ColumnBlock):
    """Columns of categories; a category never met says nothing."""

    levels: tuple[tuple[str, ...], ...]  # names of each column's categories

    @property
    def present(self) -> NDArray[np.bool_]:
        """Whether each item has an entry in any of the columns."""
        return np.asarray((self.x >= 0).any(axis=1))

    def as_entries(self, x: AnyArray) -> FloatArray:
        """Number of each entry's category among those of its column, NaN where missing."""
        return np.where(x >= 0, x - _first_levels(self.levels), np.nan)

    def hyper_index(self, kept: IntArray) -> IntArray:
        """Places in ``hyper`` that some of the columns read: the prior counts of their categories, and the sums."""
        start, n_levels = _first_levels(self.levels), sum(len(names) for names in self.levels)
        counts = [np.arange(start[j], start[j] + len(self.levels[j])) + 1 for j in kept]
        return np.concatenate([[0], *counts, 1 + n_levels + kept]).astype(np.int64)

    def _fields_of(self, kept: IntArray) -> dict[str, Any]:
        """The fields that differ for some of the columns, whose categories are numbered anew."""
        levels, x = tuple(self.levels[j] for j in kept), self.x[:, kept]
        shift = _first_levels(levels) - _first_levels(self.levels)[kept]
        return {"x": np.ascontiguousarray(np.where(x >= 0, x + shift, -1)), "levels": levels}

    def make_part(self, hyper: FloatArray, _: FloatArray, n_rows: int) -> CategoryCounts:
        """The part that kernels read."""
        return CategoryCounts(self.x, hyper, np.zeros((n_rows, hyper.size - 1)))

    def encode_rows(self, values: AnyArray) -> NDArray[np.int64]:
        """Entries of new rows as kernels read them."""
        return encode_categories(values, self.levels)

    def sample_row(self, part: CategoryCounts, k: int, rng: np.random.Generator) -> list[str]:
        """Categories from their posterior mean probabilities."""
        weights, drawn, start = part.hyper[0] * part.rows[k] + part.hyper[1:], [], 0
        for names in self.levels:
            here = weights[start : start + len(names)]
            drawn.append(names[int(rng.choice(len(names), p=here / here.sum()))])
            start += len(names)
        return drawn


def _first_levels(levels: tuple[tuple[str, ...], ...]) -> IntArray:
    """Number of each column's first category among those of all columns."""
    return np.cumsum([0, *(len(names) for names in levels)])[:-1]


def encode_categories(values: AnyArray, levels: tuple[tuple[str, ...], ...]) -> NDArray[np.int64]:
    """Number of each entry's category among those of all columns; -1 where it is missing or unknown."""
    columns, start = [], 0
    for column, names in zip(values.T, levels, strict=True):
        code = {name: start + t for t, name in enumerate(names)}
        columns.append([-1 if is_missing(v) else code.get(level_name(v), -1) for v in column])
        start += len(names)
    return np.ascontiguousarray(np.array(columns, np.int64).T)


def category_block(values: AnyArray, levels: tuple[tuple[str, ...], ...], concentration: float) -> Encoded:
    """Columns whose categories are known, under a symmetric prior."""
    counts = np.array([len(names) for names in levels])
    hyper = np.concatenate([[1.0], np.full(counts.sum(), float(concentration)), concentration * counts])
    x = encode_categories(values, levels)
    return Encoded((CategoryBlock(tuple(range(len(levels))), "category", x, hyper, False, levels),), len(levels))


def level_name(value: Any) -> str:
    """The name of a category; true and 1.0 are 1."""
    return f"{float(value):g}" if isinstance(value, (bool, np.bool_, float, np.floating)) else str(value)
