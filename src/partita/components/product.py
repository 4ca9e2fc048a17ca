"""Columns of different kinds, independent within a cluster, some of them jointly normal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._typing import AnyArray
from .._validation import as_table, check_kind
from .base import Component, Encoded
from .categorical import Bernoulli, Categorical
from .encoding import is_missing
from .gaussian import Gaussian
from .poisson import Poisson


@dataclass(frozen=True)
class Product:
    """Columns of different kinds, independent within a cluster.

    Parameters
    ----------
    columns : mapping from column, or tuple of columns, to component, optional
        Component of each column, by name or number; a tuple of columns is described jointly, for example by one
        covariance matrix: ``{("length", "width"): Gaussian("full")}``. A column left out is chosen by its type: numbers
        with a fractional part are normal, zeros and ones Bernoulli, other whole numbers that are not negative Poisson,
        text categorical.

    See Also
    --------
    Gaussian, Categorical, Bernoulli, Poisson : columns of one kind.
    BayesianMixture : uses it.

    Notes
    -----
    The marginal likelihood of a cluster is the product of those of its columns; a missing entry contributes a factor
    of one.

    References
    ----------
    Gelman, Carlin, Stern, Dunson, Vehtari and Rubin (2013). Bayesian Data Analysis, third edition.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"length": [1.5, 2.5, 9.0], "sort": ["a", "b", "b"], "eggs": [3, 0, 5]})
    >>> [block.kind for block in Product().encode(table).blocks]
    ['number', 'category', 'count']
    """

    columns: Mapping[Any, Component] | None = None

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        values = as_table(X)
        names = list(getattr(X, "columns", range(values.shape[1])))
        blocks = []
        for positions, component in group_columns(self._choices(values, names)):
            part = component.encode(values[:, list(positions)])
            blocks += [replace(block, columns=tuple(positions[j] for j in block.columns)) for block in part.blocks]
        return Encoded(tuple(blocks), values.shape[1])

    def _choices(self, values: AnyArray, names: list[Any]) -> list[tuple[tuple[int, ...], Component]]:
        """Positions of columns that belong together, and their component; in the order of the table."""
        given: list[tuple[tuple[int, ...], Component]] = []
        for key, component in check_kind("columns", self.columns or {}, Mapping).items():
            keys = key if isinstance(key, tuple) and key not in names else (key,)
            unknown = [name for name in keys if name not in names]
            if unknown:
                raise ValueError(f"columns must name columns of X: got {unknown[0]!r}.")
            given.append((tuple(names.index(name) for name in keys), component))
        taken = [j for positions, _ in given for j in positions]
        if len(set(taken)) < len(taken):
            twice = next(j for j in taken if taken.count(j) > 1)
            raise ValueError(f"columns must name each column once: got {names[twice]!r} twice.")
        rest = [((j,), component_for(values[:, j])) for j in range(len(names)) if j not in taken]
        return sorted([*given, *rest], key=lambda choice: choice[0])


def group_columns(choices: list[tuple[tuple[int, ...], Component]]) -> list[tuple[tuple[int, ...], Component]]:
    """Single columns under equal components as one group: independent all the same, and faster together."""
    groups: list[tuple[tuple[int, ...], Component]] = []
    for positions, component in choices:
        alike = next((g for g, (_, other) in enumerate(groups) if len(positions) == 1 and other == component), None)
        if alike is None or not is_independent(component):
            groups.append((positions, component))
        else:
            groups[alike] = (groups[alike][0] + positions, component)
    return groups


def is_independent(component: Component) -> bool:
    """Whether columns under this component are independent within a cluster."""
    if isinstance(component, Gaussian):
        return component.covariance == "diagonal"
    return isinstance(component, (Categorical, Poisson))


def component_for(column: AnyArray) -> Component:
    """The component that a column's values suggest."""
    present = [v for v in column if not is_missing(v)]
    if not present or not all(isinstance(v, (bool, int, float, np.number, np.bool_)) for v in present):
        return Categorical()
    numbers = np.array(present, dtype=float)
    if np.isin(numbers, [0, 1]).all():
        return Bernoulli()
    whole = np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all() and (numbers >= 0).all()
    return Poisson() if whole else Gaussian("diagonal")
