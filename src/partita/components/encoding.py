"""Entries of a table and hyperparameters per column, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import BoolArray, FloatArray
from .._validation import as_table, check_positive, check_squares, is_number, shorten


def check_numbers(X: Any, allow_missing: bool, whole_columns: bool = True) -> FloatArray:
    """A table of finite numbers; NaN, where allowed, is missing."""
    values = as_table(X)
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError):
        wrong = next(v for v in values.flat if not is_number(v))
        message = f"X must hold numbers: got {str(wrong)[:40]!r}. For mixed tables use component='product'."
        if not isinstance(wrong, str):
            raise TypeError(f"{message} Every argument must be a string or a number.") from None
        raise ValueError(message) from None
    if np.isinf(numbers).any():
        row, column = np.argwhere(np.isinf(numbers))[0]
        raise ValueError(f"X must be finite: got infinity in row {row}, column {column}.")
    check_squares(numbers)
    if np.isnan(numbers).any():
        if not allow_missing:
            row, column = np.argwhere(np.isnan(numbers))[0]
            help_ = "Use component='gaussian-diagonal' or 'product', which integrate over missing entries, or impute."
            raise ValueError(f"X must not contain NaN: got NaN in row {row}, column {column}. {help_}")
        if whole_columns:
            refuse_all_missing(np.isnan(numbers))
    return numbers


def refuse_all_missing(missing: BoolArray) -> None:
    """Raise where a whole column is missing; an empty row says nothing and belongs anywhere."""
    if missing.all(axis=0).any():
        raise ValueError(f"X must have an entry in every column: got nothing in column {missing.all(axis=0).argmax()}.")


def is_missing(value: Any) -> bool:
    """Whether an entry of a table says nothing."""
    return value is None or str(value) in ("nan", "<NA>", "NaT", "")


def center_and_variance(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of each column; a constant column gets variance one, for it says nothing about scale."""
    variance = np.nanvar(numbers, axis=0)
    floor = 1e-14 * np.maximum(1.0, np.nanmax(np.abs(numbers), axis=0)) ** 2
    return np.nanmean(numbers, axis=0), np.where(variance > floor, variance, 1.0)


def per_column(name: str, value: Any, n_columns: int) -> FloatArray:
    """One finite number per column."""
    try:
        values = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be one number, or one per column: got {shorten(value)}.") from None
    if values.ndim > 1 or values.size not in (1, n_columns) or not np.isfinite(values).all():
        raise ValueError(f"{name} must be one finite number, or one per column ({n_columns}): got {value!r}.")
    return np.broadcast_to(values, n_columns).copy()


def positive_columns(name: str, value: Any, n_columns: int) -> FloatArray:
    """One positive number per column."""
    values = per_column(name, value, n_columns)
    check_positive(name, float(values.min()))
    return values
