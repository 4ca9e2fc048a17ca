"""What one cluster contributes to a likelihood: conjugate families.

A component is a choice; :meth:`encode` meets it with a table and gives what kernels read. Hyperparameters left out are
set from the data, column by column, so that rescaling a column changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, multigammaln

from .._kernels.components.clusters import COLUMNS, FULL, SPHERICAL, Hyper, Table
from .._typing import FloatArray
from .._validation import as_table, check_choice, check_positive
from .encoding import (
    NO_NUMBERS,
    center_and_variance,
    check_numbers,
    is_missing,
    join_hypers,
    make_hyper,
    make_table,
    per_column,
    positive_columns,
    refuse_all_missing,
)

LOG_TAU = float(np.log(2 * np.pi))


class Encoded(NamedTuple):
    """A table and a component as kernels read them."""

    table: Table
    hyper: Hyper
    center: FloatArray  # (n_numbers,) subtracted from the numbers
    columns: tuple[Any, ...]  # what each column is: ("number" | "category" | "count", further facts)


class Component(Protocol):
    """What a mixture needs of a component."""

    def encode(self, X: Any) -> Encoded:
        """The table and the hyperparameters as kernels read them."""
        ...


@dataclass(frozen=True)
class Gaussian:
    """Normally distributed columns.

    Parameters
    ----------
    covariance : {"diagonal", "full", "spherical"}
        A variance of its own for each column (normal–inverse-gamma), a full covariance matrix (normal–inverse-Wishart),
        or one variance for all columns.
    mean : float or array-like, shape (n_columns,), optional
        Prior mean of a cluster's mean; by default the column mean.
    strength : float
        Prior items behind the mean: the cluster means vary with the within-cluster variance divided by it.
    shape : float, optional
        Shape of the inverse gamma, by default 2; for a full covariance half the degrees of freedom, by default
        (n_columns + 2) / 2.
    scale : float or array-like, optional
        Scale of the inverse gamma, one number per column; by default the column's variance, which leans towards few
        clusters. For a full covariance the scale matrix, by default diagonal with these entries.

    Examples
    --------
    >>> Gaussian()
    Gaussian(covariance='diagonal', mean=None, strength=0.5, shape=None, scale=None)
    """

    covariance: str = "diagonal"
    mean: Any = None
    strength: float = 0.5
    shape: float | None = None
    scale: Any = None

    def __post_init__(self) -> None:
        check_choice("covariance", self.covariance, ["diagonal", "full", "spherical"])
        check_positive("strength", self.strength)
        if self.shape is not None:
            check_positive("shape", self.shape)

    def encode(self, X: Any) -> Encoded:
        """The table and the hyperparameters as kernels read them."""
        numbers = check_numbers(X, allow_missing=self.covariance == "diagonal")
        center, variance = center_and_variance(numbers)
        if self.mean is not None:
            center = per_column("mean", self.mean, numbers.shape[1])
        moved = np.ascontiguousarray(numbers - center)
        build = {"diagonal": _diagonal, "full": _full, "spherical": _spherical}[self.covariance]
        facts = tuple(("number", j) for j in range(numbers.shape[1]))
        return Encoded(make_table(numbers=moved), build(self, moved, variance), center, facts)


def _diagonal(component: Gaussian, numbers: FloatArray, variance: FloatArray) -> Hyper:
    n, d = numbers.shape
    shape = np.full(d, 2.0 if component.shape is None else component.shape)
    scale = variance if component.scale is None else positive_columns("scale", component.scale, d)
    strength = np.full(d, float(component.strength))
    uniform = not np.isnan(numbers).any()
    m = np.arange(n + 1.0)
    student, marginal = _normal_constants(strength[:1, None], shape[:1, None], m[None], 1)
    if not uniform:
        student, marginal = np.repeat(student, d, axis=0), np.repeat(marginal, d, axis=0)
    return make_hyper(
        COLUMNS, uniform=uniform, strength=strength, shape=shape, scale=scale, student=student, marginal=marginal
    )


def _spherical(component: Gaussian, numbers: FloatArray, variance: FloatArray) -> Hyper:
    n, d = numbers.shape
    shape = np.full(d, 2.0 if component.shape is None else component.shape)
    given = variance.mean() if component.scale is None else component.scale
    check_positive("scale", given)
    strength, m = np.full(d, float(component.strength)), np.arange(n + 1.0)
    student, marginal = _normal_constants(strength[:1, None], shape[:1, None], m[None], d)
    marginal = marginal + shape[0] * np.log(given)
    scale = np.full(d, float(given))
    return make_hyper(SPHERICAL, strength=strength, shape=shape, scale=scale, student=student, marginal=marginal)


def _normal_constants(strength: Any, shape: Any, m: FloatArray, d: int) -> tuple[FloatArray, FloatArray]:
    """By number of items m: constants of the predictive density and of the marginal likelihood of d shared columns."""
    behind, a, b = strength + m, shape + d * m / 2, shape + d * (m + 1) / 2
    student = gammaln(b) - gammaln(a) + d / 2 * (np.log(behind / (behind + 1)) - LOG_TAU)
    marginal = gammaln(a) - gammaln(shape) + d / 2 * (np.log(strength / behind) - m * LOG_TAU)
    return student, marginal


def _full(component: Gaussian, numbers: FloatArray, variance: FloatArray) -> Hyper:
    n, d = numbers.shape
    freedom = d + 2.0 if component.shape is None else 2.0 * component.shape
    if freedom <= d - 1:
        raise ValueError(f"shape must exceed (n_columns - 1) / 2 = {(d - 1) / 2:g}: got {component.shape!r}.")
    scale = np.diag(variance) if component.scale is None else np.asarray(component.scale, float)
    if scale.ndim < 2:
        scale = np.diag(positive_columns("scale", component.scale, d))
    try:
        root = np.linalg.cholesky(scale)
    except np.linalg.LinAlgError:
        raise ValueError("scale must be a positive definite matrix: got one that is not.") from None
    m = np.arange(n + 1.0)
    behind, dof = component.strength + m, freedom + m
    student = gammaln((dof + 1) / 2) - gammaln((dof - d + 1) / 2)
    student = student + d / 2 * (np.log(behind / (behind + 1)) - np.log(np.pi))
    marginal = np.array([multigammaln(v / 2, d) for v in dof]) - multigammaln(freedom / 2, d)
    marginal = marginal + freedom * np.log(np.diag(root)).sum()
    marginal = marginal + d / 2 * (np.log(component.strength / behind) - m * np.log(np.pi))
    return make_hyper(
        FULL,
        strength=np.full(d, float(component.strength)),
        shape=np.full(d, freedom / 2),
        scale=np.ones(d),
        root=root,
        student=student[None],
        marginal=marginal[None],
    )


@dataclass(frozen=True)
class Categorical:
    """Columns of categories with a symmetric Dirichlet prior.

    Parameters
    ----------
    concentration : float
        Prior items behind each category of a column.

    Examples
    --------
    >>> Categorical().encode([["red"], ["blue"], ["red"]]).columns
    (('category', ('blue', 'red')),)
    """

    concentration: float = 1.0

    def __post_init__(self) -> None:
        check_positive("concentration", self.concentration)

    def encode(self, X: Any) -> Encoded:
        """The table and the hyperparameters as kernels read them."""
        values = as_table(X)
        gone = np.array([[is_missing(v) for v in row] for row in values])
        refuse_all_missing(gone)
        slots, facts, first = [], [], 0
        for column, missing in zip(values.T, gone.T, strict=True):
            levels = sorted({_level(v) for v in column[~missing]})
            number = {level: first + i for i, level in enumerate(levels)}
            slots.append([-1 if m else number[_level(v)] for v, m in zip(column, missing, strict=True)])
            facts.append(("category", tuple(levels)))
            first += len(levels)
        n_levels = np.array([len(levels) for _, levels in facts])
        hyper = make_hyper(
            COLUMNS,
            slot_weight=np.full(first, float(self.concentration)),
            column_weight=self.concentration * n_levels,
        )
        return Encoded(make_table(slots=np.array(slots, np.int64).T), hyper, NO_NUMBERS, tuple(facts))


@dataclass(frozen=True)
class Bernoulli(Categorical):
    """Columns of zeros and ones (or false and true) with a symmetric beta prior.

    Parameters
    ----------
    concentration : float
        Prior items behind each of the two outcomes.

    Examples
    --------
    >>> Bernoulli().encode([[0, 1], [1, 1]]).columns
    (('category', ('0', '1')), ('category', ('0', '1')))
    """

    def encode(self, X: Any) -> Encoded:
        """The table and the hyperparameters as kernels read them."""
        values = check_numbers(X, allow_missing=True)
        if not np.isin(values[~np.isnan(values)], [0, 1]).all():
            wrong = values[~np.isnan(values) & ~np.isin(values, [0, 1])][0]
            raise ValueError(f"X must hold zeros and ones for Bernoulli columns: got {wrong:g}.")
        d = values.shape[1]
        slots = np.where(np.isnan(values), -1, 2 * np.arange(d) + np.nan_to_num(values)).astype(np.int64)
        hyper = make_hyper(
            COLUMNS,
            slot_weight=np.full(2 * d, float(self.concentration)),
            column_weight=np.full(d, 2.0 * self.concentration),
        )
        return Encoded(make_table(slots=slots), hyper, NO_NUMBERS, (("category", ("0", "1")),) * d)


@dataclass(frozen=True)
class Poisson:
    """Columns of counts with a gamma prior on their rate.

    Parameters
    ----------
    shape : float
        Shape of the gamma prior.
    rate : float or array-like, shape (n_columns,), optional
        Its rate; by default such that the prior mean is the column mean.

    Examples
    --------
    >>> Poisson().encode([[0], [4]]).hyper.count_rate
    array([0.5])
    """

    shape: float = 1.0
    rate: Any = None

    def __post_init__(self) -> None:
        check_positive("shape", self.shape)

    def encode(self, X: Any) -> Encoded:
        """The table and the hyperparameters as kernels read them."""
        counts = check_numbers(X, allow_missing=True)
        present = counts[~np.isnan(counts)]
        if (present < 0).any() or (present != np.floor(present)).any():
            wrong = present[(present < 0) | (present != np.floor(present))][0]
            raise ValueError(f"X must hold whole numbers that are not negative for Poisson columns: got {wrong:g}.")
        d = counts.shape[1]
        mean = np.nanmean(counts, axis=0)
        rate = (
            self.shape / np.where(mean > 0, mean, 1.0) if self.rate is None else positive_columns("rate", self.rate, d)
        )
        hyper = make_hyper(COLUMNS, count_shape=np.full(d, float(self.shape)), count_rate=np.asarray(rate, float))
        return Encoded(make_table(counts=counts), hyper, NO_NUMBERS, tuple(("count", j) for j in range(d)))


@dataclass(frozen=True)
class Product:
    """Columns of different kinds, independent within a cluster.

    Parameters
    ----------
    columns : mapping from column name or number to component, optional
        Component of each column; a column left out is chosen by its type: numbers with a fractional part are Gaussian,
        booleans and zeros and ones Bernoulli, other whole numbers that are not negative Poisson, text categorical.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"length": [1.5, 2.5, 9.0], "sort": ["a", "b", "b"], "eggs": [3, 0, 5]})
    >>> [kind for kind, _ in Product().encode(table).columns]
    ['number', 'category', 'count']
    """

    columns: Mapping[Any, Component] | None = None

    def encode(self, X: Any) -> Encoded:
        """The table and the hyperparameters as kernels read them."""
        values = as_table(X)
        names = list(getattr(X, "columns", range(values.shape[1])))
        unknown = [name for name in self.columns or {} if name not in names]
        if unknown:
            raise ValueError(f"columns must name columns of X: got {unknown[0]!r}.")
        parts = [
            ((self.columns or {}).get(name) or _component_for(values[:, j])).encode(values[:, [j]])
            for j, name in enumerate(names)
        ]
        if any(part.hyper.family != COLUMNS for part in parts):
            raise ValueError("columns must be independent within a cluster: got a covariance that is not diagonal.")
        firsts = np.cumsum([0, *(part.hyper.slot_weight.size for part in parts)])
        slots = [np.where(p.table.slots >= 0, p.table.slots + f, -1) for p, f in zip(parts, firsts, strict=False)]
        table = make_table(
            np.hstack([part.table.numbers for part in parts]),
            np.hstack(slots),
            np.hstack([part.table.counts for part in parts]),
        )
        hyper = join_hypers([part.hyper for part in parts])
        center = np.concatenate([part.center for part in parts])
        return Encoded(table, hyper, center, tuple(fact for part in parts for fact in part.columns))


def _component_for(column: NDArray[Any]) -> Component:
    """The component that a column's values suggest."""
    present = [v for v in column if not is_missing(v)]
    if not present or not all(isinstance(v, (bool, int, float, np.number, np.bool_)) for v in present):
        return Categorical()
    numbers = np.array(present, dtype=float)
    if np.isin(numbers, [0, 1]).all():
        return Bernoulli()
    whole = np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all() and (numbers >= 0).all()
    return Poisson() if whole else Gaussian()


COMPONENTS: dict[str, Component] = {
    "gaussian-diagonal": Gaussian(),
    "gaussian-full": Gaussian("full"),
    "gaussian-spherical": Gaussian("spherical"),
    "bernoulli": Bernoulli(),
    "categorical": Categorical(),
    "poisson": Poisson(),
    "product": Product(),
}


def check_component(component: str | Component) -> Component:
    """A component from its name, with its default hyperparameters, or the component itself.

    Examples
    --------
    >>> check_component("gaussian-full").covariance
    'full'
    """
    if isinstance(component, str):
        return COMPONENTS[check_choice("component", component, COMPONENTS)]
    if not hasattr(component, "encode") or isinstance(component, type):
        raise TypeError(
            f"component must be a component or the name of one ({', '.join(COMPONENTS)}): got {component!r}."
        )
    return component


def encode_new(encoded: Encoded, X: Any) -> Table:
    """New rows as the rows were encoded that a model was fitted to; a category never met says nothing."""
    values = as_table(X)
    if values.shape[1] != len(encoded.columns):
        raise ValueError(f"X must have {len(encoded.columns)} columns, as in fit: got {values.shape[1]}.")
    kinds = np.array([kind for kind, _ in encoded.columns])
    missing_allowed = encoded.hyper.family == COLUMNS
    numbers, counts = (
        check_numbers(values[:, kinds == kind], missing_allowed, whole_columns=False) if (kinds == kind).any() else None
        for kind in ("number", "count")
    )
    slots, first = [], 0
    for column, (kind, facts) in zip(values.T, encoded.columns, strict=True):
        if kind == "category":
            number = {level: first + i for i, level in enumerate(facts)}
            slots.append([-1 if is_missing(v) else number.get(_level(v), -1) for v in column])
            first += len(facts)
    categories = np.array(slots, np.int64).T if slots else np.empty((len(values), 0), np.int64)
    return make_table(None if numbers is None else numbers - encoded.center, categories, counts)


def _level(value: Any) -> str:
    """The name of a category; true and 1.0 are 1."""
    return f"{float(value):g}" if isinstance(value, (bool, np.bool_, float, np.floating)) else str(value)
