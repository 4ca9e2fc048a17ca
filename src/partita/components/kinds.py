"""What each column of a table is taken for, by rules that are written down.

A declared type wins: text, categories and truth values are categories, dates are left out. Of numbers, a column with
two values is a category; small whole numbers that begin at zero are counts; all others are numbers. Left out, with a
sentence, is what says nothing about clusters: columns with one value or none, dates, and identifiers (text that differs
in nearly every row, whole numbers that count the rows). Where a table has two columns of numbers or more, they decide,
and categories are left to describe what is found: among numbers a category such as sex splits every cluster in two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .encoding import is_missing

FEW_VALUES = 5  # text that reads as numbers and has no more values than this may be codes
ENOUGH_NUMBERS = 2  # columns of numbers from which on categories are left out
ENTRIES = (str, bytes, bool, int, float, np.generic, date, timedelta)  # what a column may hold
LARGEST_COUNT = 50  # whole numbers from zero up to this are counts


@dataclass(frozen=True)
class Column:
    """What a column was taken for: "number", "count", "category", "declared", or "left out" for a reason."""

    name: Any
    kind: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.kind}" + (f" ({self.reason})" if self.reason else "")


def describe_columns(X: Any, values: NDArray[Any], declared: Sequence[Any] = ()) -> tuple[Column, ...]:
    """The kind of each column of a table, ``values`` being its entries; those declared are left to the user."""
    names = list(getattr(X, "columns", range(values.shape[1])))
    types = [str(dtype) for dtype in X.dtypes] if hasattr(X, "dtypes") and hasattr(X, "columns") else [""] * len(names)
    columns = [
        Column(name, "declared") if name in declared else _describe(name, dtype.lower(), column)
        for name, dtype, column in zip(names, types, values.T, strict=True)
    ]
    if sum(column.kind == "number" for column in columns) >= ENOUGH_NUMBERS:
        reason = "a category beside numbers: it may describe clusters, and does not make them"
        columns = [Column(c.name, "left out", reason) if c.kind == "category" else c for c in columns]
    return tuple(columns)


def _describe(name: Any, dtype: str, column: NDArray[Any]) -> Column:
    if column.dtype.kind in "biuf" and not dtype.startswith(("categor", "datetime", "timedelta", "period")):
        return _describe_array(name, dtype, column)
    present = [v for v in column.tolist() if not is_missing(v)]
    odd = next(
        (v for v in present if not isinstance(v, (str, bytes, bool, int, float, np.generic, date, timedelta))), None
    )
    if odd is not None and not dtype.startswith(("categor", "period")):
        got = f"{shorten_value(odd)} in column {name!r}"
        raise TypeError(f"X must hold numbers or text: got {got}. Every argument must be a string or a number.")
    distinct = {str(v) for v in present}
    if len(distinct) == 0:
        return Column(name, "left out", "nothing in it")
    if len(distinct) == 1:
        return Column(name, "left out", f"always {shorten_value(present[0])}")
    if dtype.startswith(("datetime", "timedelta", "period")):
        return Column(name, "left out", "dates")
    if dtype.startswith("categor") or not all(_is_number(v) for v in present):
        return _describe_text(name, dtype, present, len(distinct))
    return _describe_numbers(name, dtype, np.array(present, float), len(column))


def _describe_array(name: Any, dtype: str, column: NDArray[Any]) -> Column:
    """The same for numbers in an array, of which there may be very many."""
    present = column[column == column]
    if present.size == 0:
        return Column(name, "left out", "nothing in it")
    if present.min() == present.max():
        return Column(name, "left out", f"always {shorten_value(present[0])}")
    return _describe_numbers(name, dtype, present.astype(float), len(column))


def _describe_text(name: Any, dtype: str, present: list[Any], n_distinct: int) -> Column:
    numbers = [v for v in present if _reads_as_number(v)]
    if len(numbers) > 0.5 * len(present) and n_distinct > FEW_VALUES and not dtype.startswith("categor"):
        odd = next((v for v in present if not _reads_as_number(v)), None)
        got = "numbers as text" if odd is None else f"numbers and {shorten_value(odd)}"
        raise ValueError(
            f"X must hold numbers or categories in each column: got {got} in column {name!r}. Convert the column to "
            "numbers, with gaps for what is none, or to categories."
        )
    if n_distinct > 0.5 * len(present) and n_distinct > 20:
        return Column(name, "left out", f"{n_distinct} different texts: names rather than categories")
    return Column(name, "category", f"{n_distinct} values")


def _describe_numbers(name: Any, dtype: str, numbers: NDArray[np.float64], n_rows: int) -> Column:
    n_distinct = len(np.unique(numbers))
    if n_distinct == 2 or dtype.startswith("bool"):
        return Column(name, "category", "two values")
    whole = np.isfinite(numbers).all() and bool((numbers == np.floor(numbers)).all())
    if whole and n_distinct == n_rows > 10 and np.ptp(numbers) == n_rows - 1:
        return Column(name, "left out", "it counts the rows")
    if whole and numbers.min() == 0 and numbers.max() <= LARGEST_COUNT:
        return Column(name, "count")
    return Column(name, "number")


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.number, np.bool_))


def _reads_as_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def shorten_value(value: Any) -> str:
    """A value for a sentence, not too long."""
    text = repr(value.item() if hasattr(value, "item") else value)
    return text if len(text) <= 30 else text[:27] + "..."
