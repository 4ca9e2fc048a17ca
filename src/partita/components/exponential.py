"""Columns of waiting times: the gamma–exponential family.

``hyper`` = (power; shapes column by column; rates).
A row of statistics, column by column, = (weight of the entries present, sum of the times).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._kernels.components.family import register
from .._typing import AnyArray, FloatArray
from .._validation import check_positive
from . import poisson
from .base import ColumnBlock, Encoded
from .encoding import check_numbers, positive_columns


class TimeSums(NamedTuple):
    """Data, hyperparameters and statistics of columns of waiting times."""

    x: np.ndarray  # (n_items, d), NaN is missing
    hyper: np.ndarray  # (1 + 2 d,)
    rows: np.ndarray  # (n_rows, 2 d)


def log_predictive(part, i, rows, n_rows, out):
    """Lomax densities."""
    d, stats, hyper = part.x.shape[1], part.rows, part.hyper
    power = hyper[0]
    for j in range(d):
        x = power * part.x[i, j]
        if not math.isnan(x):
            for t in range(n_rows):
                k = rows[t]
                shape = hyper[1 + j] + power * stats[k, 2 * j]
                rate = hyper[1 + d + j] + power * stats[k, 2 * j + 1]
                out[t] += math.log(shape) if power == 1.0 else math.lgamma(shape + power) - math.lgamma(shape)
                out[t] -= shape * math.log1p(x / rate) + power * math.log(rate + x)


def log_marginal(part, k):
    """Ratios of gamma normalizing constants."""
    d, stats, hyper, total = part.x.shape[1], part.rows, part.hyper, 0.0
    power = hyper[0]
    for j in range(d):
        shape = hyper[1 + j] + power * stats[k, 2 * j]
        total += math.lgamma(shape) - math.lgamma(hyper[1 + j]) + hyper[1 + j] * math.log(hyper[1 + d + j])
        total -= shape * math.log(hyper[1 + d + j] + power * stats[k, 2 * j + 1])
    return total


register(TimeSums, poisson.set_prior, poisson.update_stats, log_predictive, log_marginal)


@dataclass(frozen=True)
class Exponential:
    """Columns of waiting times, or other amounts that are not negative, with a gamma prior on their rate.

    Parameters
    ----------
    shape : float
        Shape of the gamma prior.
    rate : float or array-like, shape (n_columns,), optional
        Its rate; by default such that the prior mean is one over the column mean.

    See Also
    --------
    Poisson : counts instead of waiting times.
    Product : with columns of other kinds.
    BayesianMixture : uses it.

    Notes
    -----
    Conjugate gamma-exponential: the predictive density of an entry is Lomax (Pareto of the second kind).

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> Exponential().encode([[0.5], [2.5]]).blocks[0].hyper
    array([1. , 1. , 1.5])
    """

    shape: float = 1.0
    rate: Any = None

    def __post_init__(self) -> None:
        check_positive("shape", self.shape)

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        times = check_times(X)
        d, mean = times.shape[1], np.nanmean(times, axis=0)
        default = self.shape * np.where(mean > 0, mean, 1.0)
        rate = default if self.rate is None else positive_columns("rate", self.rate, d)
        hyper = np.concatenate([[1.0], np.full(d, float(self.shape)), rate])
        return Encoded((TimeBlock(tuple(range(d)), "time", times, hyper, False),), d)


@dataclass(frozen=True)
class TimeBlock(ColumnBlock):
    """Columns of waiting times."""

    def make_part(self, hyper: FloatArray, _: FloatArray, n_rows: int) -> TimeSums:
        """The part that kernels read."""
        return TimeSums(self.x, hyper, np.zeros((n_rows, hyper.size - 1)))

    def encode_rows(self, values: AnyArray) -> FloatArray:
        """Entries of new rows as kernels read them."""
        return check_times(values, whole_columns=False)

    def sample_row(self, part: TimeSums, k: int, rng: np.random.Generator) -> list[float]:
        """Times from their Lomax distributions."""
        power, shapes, rates = part.hyper[0], *np.split(part.hyper[1:], 2)
        present, sums = part.rows[k].reshape(-1, 2).T
        return list(rng.exponential(1 / rng.gamma(shapes + power * present, 1 / (rates + power * sums))))


def check_times(X: Any, whole_columns: bool = True) -> FloatArray:
    """A table of numbers that are not negative; NaN is missing."""
    times = check_numbers(X, allow_missing=True, whole_columns=whole_columns)
    if (times < 0).any():
        raise ValueError(f"X must not be negative for Exponential columns: got {times[times < 0][0]:g}.")
    return times
