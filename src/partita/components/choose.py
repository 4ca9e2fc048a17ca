"""Components by name, and the one for any table: numbers jointly with heavy tails, or categories and counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._typing import FloatArray
from .._validation import as_table, check_choice
from .base import Component, Encoded
from .categorical import Bernoulli, Categorical
from .encoding import check_numbers
from .exponential import Exponential
from .gaussian import Gaussian
from .kinds import Column, describe_columns
from .multinomial import Multinomial
from .poisson import Poisson
from .product import Product
from .student import Student
from .von_mises import VonMises

ROWS_PER_COLUMN = 2  # a covariance matrix is learned where a table has more rows than that for each number column
MOST_COLUMNS = 60  # and at most so many number columns


@dataclass(frozen=True)
class Auto:
    """What each column is, is found out; numbers form one block with a covariance matrix where the data can carry it.

    Numbers are recorded to some digit: a 3 may stand for anything from 2.5 to 3.5. Each is moved at random within its
    digit, always in the same way, lest a cluster shrink onto one recorded value.

    Parameters
    ----------
    columns : mapping from column to component, optional
        Columns, by name or number, whose component is given; they are used, whatever else the table holds.
    independent : bool
        Whether numbers are independent within a cluster, whatever the data can carry.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"length": [1.5, 2.5, 9.0, 4.0], "sort": list("abba"), "year": [2020] * 4})
    >>> for column in Auto().describe(table):
    ...     print(column)
    length: number
    sort: category (2 values)
    year: left out (it holds nothing but 2020)
    """

    columns: Mapping[Any, Component] | None = None
    independent: bool = False

    def describe(self, X: Any) -> tuple[Column, ...]:
        """What each column is taken for."""
        values, given = as_table(X), self.columns or {}
        if len(values) == 1:
            raise ValueError("X must have at least two rows: got n_samples=1.")
        if values.dtype.kind == "f" and np.isinf(values).any():
            row, column = np.argwhere(np.isinf(values))[0]
            raise ValueError(f"X must be finite: got infinity in row {row}, column {column}.")
        names = list(getattr(X, "columns", range(values.shape[1])))
        unknown = [name for name in given if name not in names]
        if unknown:
            raise ValueError(f"columns must name columns of X: got {unknown[0]!r}.")
        return describe_columns(X, values, declared=list(given))

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        values, columns = as_table(X), self.describe(X)
        places = {
            kind: [j for j, column in enumerate(columns) if column.kind == kind]
            for kind in ("number", "category", "count")
        }
        if not any(places.values()) and not self.columns:
            said = "; ".join(map(str, columns))
            raise ValueError(f"X must have a column that differs between rows: got {said}.")
        blocks = []
        for kind, positions in places.items():
            if positions:
                entries = dequantize(values[:, positions]) if kind == "number" else values[:, positions]
                part = self._component(kind, len(values), len(positions)).encode(entries)
                blocks += [replace(block, columns=tuple(positions[j] for j in block.columns)) for block in part.blocks]
        for j, column in enumerate(columns):
            if column.kind == "declared":
                part = (self.columns or {})[column.name].encode(values[:, [j]])
                blocks += [replace(block, columns=(j,)) for block in part.blocks]
        return Encoded(tuple(blocks), values.shape[1])

    def _component(self, kind: str, n_rows: int, n_columns: int) -> Component:
        if kind == "category":
            return Categorical()
        if kind == "count":
            return Poisson()
        if not self.independent and n_columns <= MOST_COLUMNS and n_rows > ROWS_PER_COLUMN * n_columns:
            return Student()
        return Gaussian("diagonal")


def dequantize(values: NDArray[Any], gaps: FloatArray | None = None, first: int = 0) -> FloatArray:
    """Numbers moved at random, by the same random numbers every time, within the digit they were recorded to.

    The digit of a column is the smallest gap between two of its values, unless it is given. ``first`` is the number of
    the first row: rows move alike whether a table comes whole or by blocks.

    Examples
    --------
    >>> (dequantize(np.array([[1.0], [2.0], [2.0], [4.0]]))[:, 0]).round(2)
    array([1.14, 1.77, 1.54, 3.52])
    >>> (dequantize(np.array([[4.0]]), np.ones(1), first=3)[:, 0]).round(2)
    array([3.52])
    """
    numbers = check_numbers(values, allow_missing=True, whole_columns=gaps is None)
    generator = np.random.Generator(np.random.PCG64(0).advance(first * numbers.shape[1]))
    noise = generator.uniform(-0.5, 0.5, size=numbers.shape)
    return numbers + noise * (recorded_digits(numbers) if gaps is None else gaps)


def recorded_digits(numbers: FloatArray) -> FloatArray:
    """The digit that each column was recorded to: the smallest gap between two of its values, or 0."""
    found = np.zeros(numbers.shape[1])
    for j, column in enumerate(numbers.T):
        gaps = np.diff(np.unique(column[~np.isnan(column)]))
        gaps = gaps[gaps > 1e-9 * np.nansum(gaps)]
        found[j] = gaps.min() if gaps.size else 0.0
    return found


COMPONENTS: dict[str, Component] = {
    "auto": Auto(),
    "gaussian-diagonal": Gaussian("diagonal"),
    "gaussian-full": Gaussian("full"),
    "gaussian-spherical": Gaussian("spherical"),
    "bernoulli": Bernoulli(),
    "categorical": Categorical(),
    "poisson": Poisson(),
    "multinomial": Multinomial(),
    "exponential": Exponential(),
    "von-mises": VonMises(),
    "product": Product(),
    "student": Student(),
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
