"""A table of columns of any kind as numbers, for methods that know distances alone."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np

from .roles import ENOUGH_NUMBERS

if TYPE_CHECKING:
    import pandas as pd

N_NEIGHBORS = 5  # rows that fill a gap


def encode_numbers(
    table: pd.DataFrame, scale: bool = True, categories: bool | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """Numbers without gaps, columns of equal weight, and notes on what was made of which column.

    A category becomes a column of zeros and ones for each of its values, divided by the root of the sum of their
    variances, so that it weighs as much as a number of variance one. A gap is filled by the mean of the five nearest
    rows (Troyanskaya et al. 2001), nearest by the columns that both have. Rows without any entry are left out.

    Parameters
    ----------
    table : DataFrame
        Columns of numbers, truth values and text.
    scale : bool
        Bring columns of numbers to mean 0 and variance 1; otherwise they stay as they are.
    categories : bool, optional
        Use categories; by default where there are fewer than two columns of numbers, as ``BayesianMixture`` does:
        beside numbers a category splits every cluster that it divides evenly.

    Returns
    -------
    numbers : DataFrame
        As many rows as hold something.
    notes : list of str
        Sentences.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"mass": [1.0, 2.0, 9.0], "sort": ["a", "b", "b"]})
    >>> numbers, notes = encode_numbers(table)
    >>> print(numbers.round(2))
       mass  sort=a  sort=b
    0 -0.84     1.0    -1.0
    1 -0.56    -0.5     0.5
    2  1.40    -0.5     0.5
    >>> notes
    ['Numbers are scaled to variance 1.', "As zeros and ones for each value: 'sort'."]
    """
    numeric = [name for name in table if table[name].dtype.kind in "iuf"]
    others = [name for name in table if name not in numeric]
    notes = []
    if others and not (len(numeric) < ENOUGH_NUMBERS if categories is None else categories):
        notes = [f"Beside numbers, categories describe clusters and do not make them: {_quoted(others)} left out."]
        table, others = table[numeric], []
    empty = table.isna().all(axis=1).to_numpy()
    rows = "One row holds" if empty.sum() == 1 else f"{empty.sum()} rows hold"
    notes += [f"{rows} nothing and cannot be placed."] * bool(empty.any())
    table = table.loc[~empty]
    parts = [_scaled(table[name].astype(float)) if scale else table[name].astype(float) for name in numeric]
    parts += [column for name in others for column in _indicators(table[name])]
    numbers = _joined(parts, table)
    if numeric and scale:
        notes.append("Numbers are scaled to variance 1.")
    if others:
        notes.append(f"As zeros and ones for each value: {_quoted(others)}.")
    n_gaps = int(table.isna().to_numpy().sum())
    if n_gaps:
        gaps = "One missing entry is" if n_gaps == 1 else f"{n_gaps} missing entries are"
        notes.append(f"{gaps} filled from the {N_NEIGHBORS} nearest rows.")
        numbers = _filled(numbers)
    return numbers, notes


def _quoted(names: list[Hashable]) -> str:
    return ", ".join(map(repr, names))


def _joined(parts: list[pd.Series], table: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(parts, axis=1) if parts else pd.DataFrame(index=table.index)


def _scaled(values: pd.Series) -> pd.Series:
    spread = values.std(ddof=0)
    return (values - values.mean()) / (spread if spread > 0 else 1.0)


def _indicators(values: pd.Series) -> list[pd.Series]:
    words = values.astype(object)
    columns = [(words == value).astype(float).mask(words.isna()) for value in sorted(words.dropna().unique(), key=str)]
    spread = float(np.sqrt(sum(column.var(ddof=0) for column in columns)))
    return [
        ((column - column.mean()) / (spread if spread > 0 else 1.0)).rename(f"{values.name}={value}")
        for column, value in zip(columns, sorted(words.dropna().unique(), key=str), strict=True)
    ]


def _filled(numbers: pd.DataFrame) -> pd.DataFrame:
    from sklearn.impute import KNNImputer

    filled = KNNImputer(n_neighbors=N_NEIGHBORS).set_output(transform="default").fit_transform(numbers)
    return type(numbers)(filled, index=numbers.index, columns=numbers.columns)
