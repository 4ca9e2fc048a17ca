"""Rows of counts, as of words in a text: the Dirichlet–multinomial family, all columns together.

``hyper`` = (power; Dirichlet weight of each column; their sum).
A row of statistics = (sum of the counts column by column; their total).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._kernels._jit import inner
from .._kernels.components.family import register
from .._typing import AnyArray, FloatArray
from .base import Block, Encoded
from .encoding import positive_columns
from .poisson import check_counts


class RowCounts(NamedTuple):
    """Data, hyperparameters and statistics of rows of counts."""

    x: np.ndarray  # (n_items, d + 1) counts and their total
    hyper: np.ndarray  # (2 + d,)
    rows: np.ndarray  # (n_rows, d + 1)


def set_prior(part):
    """Empty the empty row."""
    for t in range(part.rows.shape[1]):
        part.rows[part.rows.shape[0] - 1, t] = 0.0


def update_stats(part, source, target, i, weight):
    """Sums as an item comes or goes."""
    for t in range(part.rows.shape[1]):
        part.rows[target, t] = part.rows[source, t] + weight * part.x[i, t]


@inner
def log_rise(start, count):
    """Logarithm of a ratio of gamma functions; of one count, all that most entries of a sparse row have, at once."""
    return math.log(start) if count == 1.0 else math.lgamma(start + count) - math.lgamma(start)


def log_predictive(part, i, rows, n_rows, out):
    """Dirichlet–multinomial probabilities; columns that an item does not have cost nothing."""
    stats, hyper, power, d = part.rows, part.hyper, part.hyper[0], part.x.shape[1] - 1
    for j in range(d + 1):
        x = part.x[i, j]
        if x > 0.0:
            sign = 1.0 if j < d else -1.0
            log_factorial = power * math.lgamma(x + 1.0)
            for t in range(n_rows):
                rise = log_rise(hyper[1 + j] + power * stats[rows[t], j], power * x)
                out[t] += sign * (rise - log_factorial)


def log_marginal(part, k):
    """Ratio of Dirichlet normalizing constants, but for the multinomial coefficients of the rows."""
    stats, hyper, power, d, total = part.rows, part.hyper, part.hyper[0], part.x.shape[1] - 1, 0.0
    for j in range(d + 1):
        if stats[k, j] > 0.0:
            rise = log_rise(hyper[1 + j], power * stats[k, j])
            total += rise if j < d else -rise
    return total


register(RowCounts, set_prior, update_stats, log_predictive, log_marginal)


@dataclass(frozen=True)
class Multinomial:
    """Rows of counts: words of a text, species in a sample, votes by party.

    A cluster is a set of shares, one per column, with a Dirichlet prior; how large the total of a row is says nothing.

    Parameters
    ----------
    concentration : float or array-like, shape (n_columns,)
        Prior count of each column.

    See Also
    --------
    Categorical : one category per entry.
    Poisson : counts whose totals matter.
    BayesianMixture : uses it.

    Notes
    -----
    All columns are described together. In a :class:`Product`, name them in one tuple, so that other columns may stand
    beside them: ``Product({("apples", "pears", "plums"): Multinomial()})``.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> Multinomial().encode([[3, 0, 1], [0, 2, 2]]).blocks[0].x
    array([[3., 0., 1., 4.],
           [0., 2., 2., 4.]])
    """

    concentration: Any = 1.0

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        x = with_totals(X)
        d = x.shape[1] - 1
        weights = positive_columns("concentration", self.concentration, d)
        hyper = np.array([1.0, *weights, weights.sum()])
        return Encoded((RowBlock(tuple(range(d)), "counts", x, hyper, False),), d)


@dataclass(frozen=True)
class RowBlock(Block):
    """Columns whose counts share a total."""

    def as_entries(self, x: AnyArray) -> FloatArray:
        """The counts, without their totals."""
        return np.asarray(x[:, :-1])

    def make_part(self, hyper: FloatArray, _: FloatArray, n_rows: int) -> RowCounts:
        """The part that kernels read."""
        return RowCounts(self.x, hyper, np.zeros((n_rows, hyper.size - 1)))

    def encode_rows(self, values: AnyArray) -> FloatArray:
        """Entries of new rows as kernels read them."""
        return with_totals(values)

    def sample_row(self, part: RowCounts, k: int, rng: np.random.Generator) -> list[int]:
        """Counts with the total of some row of the table, since the family says nothing about totals."""
        shares = rng.dirichlet(part.hyper[1:-1] + part.hyper[0] * part.rows[k, :-1])
        total = self.x[rng.integers(len(self.x)), -1]
        return [int(value) for value in rng.multinomial(int(total), shares)]


def with_totals(X: Any) -> FloatArray:
    """Whole numbers that are not negative, and their total, row by row; none may be missing."""
    counts = check_counts(X, "Multinomial", whole_columns=False)
    if np.isnan(counts).any():
        row, column = np.argwhere(np.isnan(counts))[0]
        raise ValueError(f"X must hold every count for Multinomial columns: got NaN in row {row}, column {column}.")
    return np.ascontiguousarray(np.column_stack([counts, counts.sum(axis=1)]))
