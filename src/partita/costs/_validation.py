"""Validation of the tables that costs are computed from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._typing import FloatArray
from .._validation import as_table, check_memory, shorten


def read_rows(X: Any, n_columns: int | None = None) -> FloatArray:
    """A table of finite numbers, with ``n_columns`` columns where given."""
    values = as_table(X)
    try:
        rows = np.array(values, np.float64, order="C")  # our own: what a user does to X later is not our business
    except (TypeError, ValueError):
        raise ValueError(f"X must hold numbers: got {shorten(values.ravel().tolist()[0])}.") from None
    if n_columns is not None and rows.shape[1] != n_columns:
        raise ValueError(f"X must have {n_columns} columns, as in fit: got {rows.shape[1]}.")
    refuse(rows, np.isnan, "not contain NaN", "Drop or impute missing entries.")
    return refuse(rows, np.isinf, "be finite")


def refuse(rows: FloatArray, find: Callable[[Any], Any], rule: str, help_: str = "", name: str = "X") -> FloatArray:
    """The rows; raise if an entry is wrong."""
    wrong = find(rows)
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise ValueError(f"{name} must {rule}: got {rows[i, j]:g} in row {i}, column {j}. {help_}".rstrip())
    return rows


def refuse_large(n_items: int) -> None:
    """Raise where the matrix of dissimilarities would not fit in memory."""
    instead = "Cluster a part of the items, or use SquaredEuclidean or a Minkowski cost without a function."
    check_memory(24 * n_items**2, f"Dissimilarities of {n_items} items", instead)
