"""What each column of a table is taken for, by rules that are written down.

A declared type wins: text, categories and truth values are categories, dates are left out. Of numbers, a column with
two values is a category; small whole numbers that begin at zero are counts; all others are numbers. Left out, with a
sentence, is what says nothing about clusters, by the rules that hold for files too (``tables.roles``): columns with one
value or none, dates, and identifiers (text that differs in nearly every row, whole numbers that count the rows). Where
a table has two columns of numbers or more, they decide, and categories are left to describe what is found: among
numbers a category such as sex splits every cluster in two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..tables.roles import ENOUGH_NUMBERS, reads_as_number, shorten_value, why_left_out
from .encoding import is_missing

if TYPE_CHECKING:
    import pandas as pd

FEW_VALUES = 5  # text that reads as numbers and has no more values than this may be codes
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
    import pandas as pd

    names = list(getattr(X, "columns", range(values.shape[1])))
    columns = []
    for j, name in enumerate(names):
        own = X.iloc[:, j] if hasattr(X, "iloc") else pd.Series(values[:, j], name=name).infer_objects()
        columns.append(Column(name, "declared") if name in declared else _describe(own, values[:, j]))
    if sum(column.kind == "number" for column in columns) >= ENOUGH_NUMBERS:
        reason = "a category beside numbers: it may describe clusters, and does not make them"
        columns = [Column(c.name, "left out", reason) if c.kind == "category" else c for c in columns]
    return tuple(columns)


def _describe(own: pd.Series, entries: NDArray[Any]) -> Column:
    """A column as it was given, and its entries with gaps in one form."""
    name, dtype = own.name, str(own.dtype).lower()
    if entries.dtype.kind in "biuf" and own.dtype.kind in "biuf":  # of which there may be very many
        return _describe_numbers(own, entries[entries == entries].astype(float))
    present = [v for v in entries.tolist() if not is_missing(v)]
    odd = next((v for v in present if not isinstance(v, ENTRIES)), None)
    if odd is not None and not dtype.startswith(("categor", "period")):
        got = f"{shorten_value(odd)} in column {name!r}"
        raise TypeError(f"X must hold numbers or text: got {got}. Every argument must be a string or a number.")
    n_distinct, is_text = len({str(v) for v in present}), not all(_is_number(v) for v in present)
    if is_text and n_distinct > FEW_VALUES and not dtype.startswith("categor"):
        _check_text(name, present)
    if not (is_text or dtype.startswith("categor")):
        return _describe_numbers(own, np.array(present, float))
    reason = why_left_out(own)
    return Column(name, "left out", f"it {reason}") if reason else Column(name, "category", f"{n_distinct} values")


def _check_text(name: Any, present: list[Any]) -> None:
    others = [v for v in present if not reads_as_number(v)]
    if len(others) < 0.5 * len(present):
        got = f"numbers and {shorten_value(others[0])}" if others else "numbers as text"
        raise ValueError(
            f"X must hold numbers or categories in each column: got {got} in column {name!r}. Convert the column to "
            "numbers, with gaps for what is none, or to categories."
        )


def _describe_numbers(own: pd.Series, present: NDArray[np.float64]) -> Column:
    if reason := why_left_out(own):
        return Column(own.name, "left out", f"it {reason}")
    if len(np.unique(present)) == 2 or own.dtype.kind == "b":
        return Column(own.name, "category", "two values")
    whole = np.isfinite(present).all() and bool((present == np.floor(present)).all())
    is_count = whole and present.min() == 0 and present.max() <= LARGEST_COUNT
    return Column(own.name, "count" if is_count else "number")


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.number, np.bool_))
