"""Columns of counts: the gamma–Poisson family.

``hyper`` = (power; shapes column by column; rates).
A row of statistics, column by column, = (weight of the entries present, sum of the counts).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._kernels.components.family import register
from .._typing import AnyArray, FloatArray
from .._validation import check_positive
from .base import ColumnBlock, Encoded
from .encoding import check_numbers, positive_columns


class CountSums(NamedTuple):
    """Data, hyperparameters and statistics of columns of counts."""

    x: np.ndarray  # (n_items, d), NaN is missing
    hyper: np.ndarray  # (1 + 2 d,)
    rows: np.ndarray  # (n_rows, 2 d)


def set_prior(part):
    """Empty the empty row."""
    for t in range(part.rows.shape[1]):
        part.rows[part.rows.shape[0] - 1, t] = 0.0


def update_stats(part, source, target, i, weight):
    """Sums as an item comes or goes."""
    rows = part.rows
    for j in range(part.x.shape[1]):
        x = part.x[i, j]
        present = 0.0 if math.isnan(x) else weight
        rows[target, 2 * j] = rows[source, 2 * j] + present
        rows[target, 2 * j + 1] = rows[source, 2 * j + 1] + (present * x if present != 0.0 else 0.0)


def log_predictive(part, i, rows, n_rows, out):
    """Negative binomial probabilities."""
    d, stats, hyper = part.x.shape[1], part.rows, part.hyper
    power = hyper[0]
    for j in range(d):
        x = power * part.x[i, j]
        if not math.isnan(x):
            log_factorial = power * math.lgamma(part.x[i, j] + 1.0)
            for t in range(n_rows):
                k = rows[t]
                shape = hyper[1 + j] + power * stats[k, 2 * j + 1]
                rate = hyper[1 + d + j] + power * stats[k, 2 * j]
                out[t] += math.lgamma(shape + x) - math.lgamma(shape) - log_factorial
                out[t] += shape * math.log(rate / (rate + power)) - x * math.log(rate + power)


def log_marginal(part, k):
    """Ratios of gamma normalizing constants, but for the factorials of the counts."""
    d, stats, hyper, total = part.x.shape[1], part.rows, part.hyper, 0.0
    power = hyper[0]
    for j in range(d):
        shape = hyper[1 + j] + power * stats[k, 2 * j + 1]
        total += math.lgamma(shape) - math.lgamma(hyper[1 + j]) + hyper[1 + j] * math.log(hyper[1 + d + j])
        total -= shape * math.log(hyper[1 + d + j] + power * stats[k, 2 * j])
    return total


register(CountSums, set_prior, update_stats, log_predictive, log_marginal)


@dataclass(frozen=True)
class Poisson:
    """Columns of counts with a gamma prior on their rate.

    Parameters
    ----------
    shape : float
        Shape of the gamma prior.
    rate : float or array-like, shape (n_columns,), optional
        Its rate; by default such that the prior mean is the column mean.

    See Also
    --------
    Product : with columns of other kinds.
    BayesianMixture : uses it.

    Notes
    -----
    Conjugate gamma-Poisson: the predictive distribution of a count is negative binomial.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> Poisson().encode([[0], [4]]).blocks[0].hyper
    array([1. , 1. , 0.5])
    """

    shape: float = 1.0
    rate: Any = None

    def __post_init__(self) -> None:
        check_positive("shape", self.shape)

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        counts = check_counts(X, "Poisson")
        d, mean = counts.shape[1], np.nanmean(counts, axis=0)
        default = self.shape / np.where(mean > 0, mean, 1.0)
        rate = default if self.rate is None else positive_columns("rate", self.rate, d)
        hyper = np.concatenate([[1.0], np.full(d, float(self.shape)), rate])
        return Encoded((CountBlock(tuple(range(d)), "count", counts, hyper, False),), d)


@dataclass(frozen=True)
class CountBlock(ColumnBlock):
    """Columns of counts."""

    def make_part(self, hyper: FloatArray, _: FloatArray, n_rows: int) -> CountSums:
        """The part that kernels read."""
        return CountSums(self.x, hyper, np.zeros((n_rows, hyper.size - 1)))

    def encode_rows(self, values: AnyArray) -> FloatArray:
        """Entries of new rows as kernels read them."""
        return check_counts(values, "Poisson", whole_columns=False)

    def sample_row(self, part: CountSums, k: int, rng: np.random.Generator) -> list[int]:
        """Counts from their negative binomial distributions."""
        power, shapes, rates = part.hyper[0], *np.split(part.hyper[1:], 2)
        present, sums = part.rows[k].reshape(-1, 2).T
        means = rng.gamma(shapes + power * sums, 1 / (rates + power * present))
        return [int(value) for value in rng.poisson(means)]


def check_counts(X: Any, family: str, whole_columns: bool = True) -> FloatArray:
    """A table of whole numbers that are not negative; NaN is missing."""
    counts = check_numbers(X, allow_missing=True, whole_columns=whole_columns)
    present = counts[~np.isnan(counts)]
    if (present < 0).any() or (present != np.floor(present)).any():
        wrong = present[(present < 0) | (present != np.floor(present))][0]
        raise ValueError(f"X must hold whole numbers that are not negative for {family} columns: got {wrong:g}.")
    return counts
