"""Columns of angles: von Mises distributions of given concentration, with the conjugate prior on their mean direction.

Given its mean direction, an angle has density proportional to the exponential of ``concentration`` times the cosine of
their difference. The prior of the mean direction is of the same form, so the posterior is one too: its vector (cosine,
sine) is the sum of the prior's and the data's.

``hyper`` = (power; concentrations column by column; logs of their normalizing constants; prior cosines; prior sines).
A row of statistics, column by column, = (weight of the entries present, sum of cosines, sum of sines, log I0 of the
length of the posterior vector).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._kernels._jit import inner
from .._kernels.components.family import register
from .._typing import AnyArray, FloatArray, IntArray
from .._validation import check_number
from .base import ColumnBlock, Encoded
from .encoding import check_numbers, per_column, positive_columns

SERIES = 20.0  # up to here the power series of I0, beyond it the asymptotic one; each then reaches machine precision


class AngleSums(NamedTuple):
    """Data, hyperparameters and statistics of columns of angles."""

    x: np.ndarray  # (n_items, 2 d) cosines column by column, then sines; NaN is missing
    hyper: np.ndarray  # (1 + 4 d,)
    rows: np.ndarray  # (n_rows, 4 d)


@inner
def log_bessel(x):
    """Logarithm of the modified Bessel function of the first kind and order 0, of a number that is not negative."""
    total = term = k = 1.0
    if x < SERIES:
        while term > 1e-17 * total:
            term *= x * x / (4.0 * k * k)
            total += term
            k += 1.0
        return math.log(total)
    while term > 1e-17 * total and k < 30.0:
        term *= (2.0 * k - 1.0) * (2.0 * k - 1.0) / (8.0 * x * k)
        total += term
        k += 1.0
    return x - 0.5 * math.log(2.0 * math.pi * x) + math.log(total)


@inner
def log_bessel_of_sum(part, j, cosines, sines):
    """The same of the length of column j's posterior vector, given the sums of the data."""
    d, hyper = part.x.shape[1] // 2, part.hyper
    factor = hyper[0] * hyper[1 + j]
    along, across = hyper[1 + 2 * d + j] + factor * cosines, hyper[1 + 3 * d + j] + factor * sines
    return log_bessel(math.sqrt(along * along + across * across))


def set_prior(part):
    """Empty the empty row."""
    row = part.rows[part.rows.shape[0] - 1]
    for j in range(part.x.shape[1] // 2):
        row[4 * j] = row[4 * j + 1] = row[4 * j + 2] = 0.0
        row[4 * j + 3] = log_bessel_of_sum(part, j, 0.0, 0.0)


def update_stats(part, source, target, i, weight):
    """Sums and posterior lengths as an item comes or goes."""
    d, rows = part.x.shape[1] // 2, part.rows
    for j in range(d):
        for t in range(4 * j, 4 * j + 4):
            rows[target, t] = rows[source, t]
        if not math.isnan(part.x[i, j]):
            rows[target, 4 * j] += weight
            rows[target, 4 * j + 1] += weight * part.x[i, j]
            rows[target, 4 * j + 2] += weight * part.x[i, d + j]
            rows[target, 4 * j + 3] = log_bessel_of_sum(part, j, rows[target, 4 * j + 1], rows[target, 4 * j + 2])


def log_predictive(part, i, rows, n_rows, out):
    """Ratios of Bessel functions of the lengths with and without the item."""
    d, stats, hyper = part.x.shape[1] // 2, part.rows, part.hyper
    for j in range(d):
        cosine, sine = part.x[i, j], part.x[i, d + j]
        if not math.isnan(cosine):
            for t in range(n_rows):
                k = rows[t]
                joined = log_bessel_of_sum(part, j, stats[k, 4 * j + 1] + cosine, stats[k, 4 * j + 2] + sine)
                out[t] += joined - stats[k, 4 * j + 3] - hyper[0] * hyper[1 + d + j]


def log_marginal(part, k):
    """Ratios of the normalizing constants of posterior and prior."""
    d, stats, hyper, empty, total = part.x.shape[1] // 2, part.rows, part.hyper, part.rows.shape[0] - 1, 0.0
    for j in range(d):
        total += stats[k, 4 * j + 3] - stats[empty, 4 * j + 3] - hyper[0] * stats[k, 4 * j] * hyper[1 + d + j]
    return total


register(AngleSums, set_prior, update_stats, log_predictive, log_marginal)


@dataclass(frozen=True)
class VonMises:
    """Columns of angles in radians, of given concentration around a mean direction that is not known.

    Parameters
    ----------
    concentration : float or array-like, shape (n_columns,)
        How close the angles of a cluster are: their standard deviation is about one over its square root.
    mean : float or array-like, shape (n_columns,)
        Prior mean direction.
    strength : float
        Concentration of the prior around it; at 0 all directions are alike.

    See Also
    --------
    Gaussian : numbers on a line.
    Product : with columns of other kinds.
    BayesianMixture : uses it.

    Notes
    -----
    Conjugate for a given concentration: the mean direction has a von Mises prior, and its posterior is von Mises too.

    References
    ----------
    Mardia and Jupp (2000). Directional Statistics. Wiley.

    Examples
    --------
    >>> import numpy as np
    >>> hours = np.array([[23.0], [1.0], [12.0]])
    >>> VonMises(concentration=10.0).encode(2 * np.pi * hours / 24).blocks[0].kind
    'angle'
    """

    concentration: Any = 4.0
    mean: Any = 0.0
    strength: float = 0.0

    def __post_init__(self) -> None:
        check_number("strength", self.strength, "be a finite number that is not negative", lambda value: value >= 0)

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        x = to_vectors(X)
        d = x.shape[1] // 2
        concentration = positive_columns("concentration", self.concentration, d)
        mean = per_column("mean", self.mean, d)
        log_norm = [math.log(2 * math.pi) + log_bessel(float(c)) for c in concentration]
        prior = self.strength * np.concatenate([np.cos(mean), np.sin(mean)])
        hyper = np.concatenate([[1.0], concentration, log_norm, prior])
        return Encoded((AngleBlock(tuple(range(d)), "angle", x, hyper, False),), d)


@dataclass(frozen=True)
class AngleBlock(ColumnBlock):
    """Columns of angles."""

    def as_entries(self, x: AnyArray) -> FloatArray:
        """Angles between -pi and pi, NaN where missing."""
        cosines, sines = np.hsplit(x, 2)
        return np.arctan2(sines, cosines)

    def _fields_of(self, kept: IntArray) -> dict[str, Any]:
        """Cosines and sines of some of the columns."""
        return {"x": np.ascontiguousarray(self.x[:, np.concatenate([kept, len(self.columns) + kept])])}

    def make_part(self, hyper: FloatArray, _: FloatArray, n_rows: int) -> AngleSums:
        """The part that kernels read."""
        return AngleSums(self.x, hyper, np.zeros((n_rows, hyper.size - 1)))

    def encode_rows(self, values: AnyArray) -> FloatArray:
        """Entries of new rows as kernels read them."""
        return to_vectors(values, whole_columns=False)

    def sample_row(self, part: AngleSums, k: int, rng: np.random.Generator) -> list[float]:
        """Angles around a mean direction drawn from its posterior, between -pi and pi."""
        concentration, _, along, across = part.hyper[1:].reshape(4, -1)
        _, cosines, sines, _ = part.rows[k].reshape(-1, 4).T
        factor = part.hyper[0] * concentration
        along, across = along + factor * cosines, across + factor * sines
        return list(rng.vonmises(rng.vonmises(np.arctan2(across, along), np.hypot(along, across)), concentration))


def to_vectors(X: Any, whole_columns: bool = True) -> FloatArray:
    """Cosines and sines of a table of angles; NaN is missing."""
    angles = check_numbers(X, allow_missing=True, whole_columns=whole_columns)
    return np.ascontiguousarray(np.column_stack([np.cos(angles), np.sin(angles)]))
