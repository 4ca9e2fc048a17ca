"""Columns that are not measurements: names of items, counters, other identifiers, dates, columns that say nothing."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

ENOUGH_NUMBERS = 2  # columns of numbers from which on categories are left out
LEAST_ROWS = 3  # fewer cannot be told apart
MOST_VALUES = 20  # of a category of which most rows have their own
LEAST_RUN = 10  # rows from which whole numbers in a row count them, from whatever number or in whatever order
_ID = re.compile(r"(?i:(.*[ _.-])?(id|identifier|index|nr|no|row|key))|.*[a-z]I[Dd]")
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_TIME = r"([ T]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*(am|pm|z|[+-]\d{2}:?\d{2})?)?"
_DATES = [
    re.compile(f"(?i)({day}){_TIME}")
    for day in (
        r"\d{4}[-/.](0?[1-9]|1[0-2])[-/.]([0-2]?\d|3[01])",
        r"([0-2]?\d|3[01])[-/.]([0-2]?\d|3[01])[-/.](\d{4}|\d{2})",
        rf"\d{{1,2}}\.?[ -]{_MONTH}[ -,]*\d{{2,4}}",
        rf"{_MONTH} \d{{1,2}},? \d{{4}}",
    )
]
_DIGITS = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")


def find_names(table: pd.DataFrame, but: Collection[str] = ()) -> str | None:
    """The first column of text in which no two entries are equal; None where there is none.

    Examples
    --------
    >>> import pandas as pd
    >>> find_names(pd.DataFrame({"mass": [3, 4, 5], "bird": ["wren", "swan", "crow"]}))
    'bird'
    """
    return next((str(name) for name in table if name not in but and is_identifying_text(table[name])), None)


def is_identifying_text(values: pd.Series) -> bool:
    """Whether a column of text, all of it present, has a different entry in each row."""
    if (
        values.dtype.kind in "biufc"
        or len(values) < LEAST_ROWS
        or values.isna().any()
        or not values.is_unique
        or is_date(values)
    ):
        return False
    return bool(values.map(lambda v: isinstance(v, str)).all())


def find_left_out(table: pd.DataFrame, chosen: Collection[str] = ()) -> dict[Any, str]:
    """Why columns are left out, by name; those that were chosen only where nothing can be made of them.

    Examples
    --------
    >>> import pandas as pd
    >>> find_left_out(pd.DataFrame({"id": [1, 2, 3], "x": [0.5, 0.1, 0.7], "unit": ["cm", "cm", "cm"]}))
    {'id': 'counts the rows', 'unit': "holds nothing but 'cm'"}
    """
    reasons = {name: why_left_out(table[name], name in chosen) for name in table}
    return {name: reason for name, reason in reasons.items() if reason}


def why_left_out(values: pd.Series, chosen: bool = False) -> str:
    """Why a column says nothing about clusters; empty where it may say something.

    A declared category, and a column that was chosen, is left out only where it has one value or none, or holds dates.

    Examples
    --------
    >>> import pandas as pd
    >>> why_left_out(pd.Series(["2024-05-01", "2024-05-02", "2024-06-01"]))
    'holds dates'
    >>> why_left_out(pd.Series(["a", "b", "a"]))
    ''
    """
    if isinstance(values.dtype, np.dtype) and not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    present = values.dropna()
    if present.empty:
        return "holds nothing"
    if len(values) > 1 and present.nunique() == 1:
        return f"holds nothing but {shorten_value(present.iloc[0])}"
    if is_date(values):
        return "holds dates"
    if chosen or len(values) < LEAST_ROWS or str(values.dtype).startswith("categor"):
        return ""
    return _identifying_number(values) if values.dtype.kind in "iuf" else _identifying_text(values)


def _identifying_text(values: pd.Series) -> str:
    if is_identifying_text(values):
        return "has a different entry in each row"
    present = values.dropna()
    n_distinct = present.nunique()
    if n_distinct > max(MOST_VALUES, 0.5 * len(present)) and present.map(lambda v: isinstance(v, str)).all():
        return f"has {n_distinct} different entries (names rather than categories)"
    return ""


def _identifying_number(values: pd.Series) -> str:
    numbers, many = values.to_numpy(), len(values) >= LEAST_RUN
    if values.dtype.kind == "f" and not (many and np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all()):
        return ""
    if not values.is_unique:
        return ""
    low, high = numbers.min(), numbers.max()
    one_by_one, from_start = (np.diff(numbers) == 1).all(), low in (0, 1)
    if (one_by_one and (from_start or many)) or (from_start and many and high - low == len(values) - 1):
        return "counts the rows"
    return "identifies the rows" if _ID.fullmatch(str(values.name)) and low >= 0 else ""


def is_date(values: pd.Series) -> bool:
    """Whether all that a column holds is dates, as such or as text in a usual form."""
    if values.dtype.kind in "Mm":
        return True
    present = values.dropna()
    if values.dtype.kind in "bfc" or present.empty or len(values) < LEAST_ROWS:
        return False
    if values.dtype.kind in "iu":
        return bool(
            values.between(19000101, 20991231).all()
            and values.is_unique
            and values.astype(str).str.fullmatch(_DIGITS).all()
        )
    if not present.map(lambda v: isinstance(v, str)).all():
        return False
    return any(present.map(form.fullmatch).notna().all() for form in _DATES)


def reads_as_number(value: Any) -> bool:
    """Whether a value is a number, or text that is one."""
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def shorten_value(value: Any) -> str:
    """A value for a sentence, not too long."""
    text = repr(value.item() if hasattr(value, "item") else value)
    return text if len(text) <= 30 else text[:27] + "..."
