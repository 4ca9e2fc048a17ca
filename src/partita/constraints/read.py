"""Pairs of items from arrays of indices or names, tables and files."""

from __future__ import annotations

import difflib
import os
from typing import Any

import numpy as np

from .._files import check_file, read_at_most
from .._typing import AnyArray, FloatArray, IntArray
from .._validation import as_array, check_numbers, shorten
from ..tables.text import decode, split_text

ItemIndex = dict[str, int]
LARGEST = 200_000_000  # bytes of a file of pairs


def read_pairs(
    name: str, pairs: Any, weights: Any, n_items: int, index: ItemIndex | None
) -> tuple[IntArray, FloatArray]:
    """Item indices, shape (n_pairs, 2), and the weight of each pair; ``index`` looks up names where items have them."""
    table = pairs
    if isinstance(pairs, (str, os.PathLike)) or hasattr(pairs, "columns"):
        table = as_frame(pairs) if hasattr(pairs, "columns") else read_table(name, pairs, index)
        weights = table["weight"] if weights is None and "weight" in table else weights
        table = table.drop(columns="weight", errors="ignore").iloc[:, :2].to_numpy()
    if not hasattr(table, "__len__") or getattr(table, "ndim", 1) == 0 or hasattr(table, "tocsr"):
        raise TypeError(f"{name} must hold pairs of items, or name a file of them: got {shorten(table)}.")
    array = np.empty((0, 2), np.int64) if len(table) == 0 else as_array(table, name)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"{name} must hold pairs of items, two to a row: got shape {array.shape}.")
    found = _indices(name, array, n_items) if index is None else _look_up(name, array, index)
    if (same := found[:, 0] == found[:, 1]).any():
        first = array[same.argmax(), 0]
        raise ValueError(f"{name} must pair different items: got ({first}, {first}) in row {same.argmax()}.")
    return found, _check_weights(f"{name}_weights", weights, len(found))


def as_frame(table: Any) -> Any:
    """A pandas table, of any library's."""
    import pandas as pd

    if isinstance(table, pd.DataFrame):
        return table
    return pd.DataFrame({str(name): list(table[name]) for name in table.columns})


def read_table(name: str, path: str | os.PathLike[str], index: ItemIndex | None) -> Any:
    """Table of a CSV file as it is written; an empty weight is that of a certain pair.

    A first row of items is a pair; any other names the columns.
    """
    with check_file(name, path).open("rb") as file:
        content = read_at_most(name, file, LARGEST)
    try:
        table, _, notes = split_text(decode(content), has_header=False)
        first = [str(cell).strip() for cell in table.iloc[0]]
        is_pair = all(cell.isdecimal() if index is None else cell in index for cell in first[:2]) and len(first) > 1
        if not is_pair:
            table, _, notes = split_text(decode(content), has_header=True)
    except ValueError as error:
        raise ValueError(str(error).replace("data must", f"{name} must", 1)) from None
    if is_pair and len(first) > 2:
        rule = f"{name} must name its columns in a first row where it has more than two"
        raise ValueError(f"{rule}: got {', '.join(first[:4])} in the first.")
    short = [note for note in notes if note.startswith("Row ")]
    if short and "weight" not in table:
        raise ValueError(f"{name} must have two items in each row: {short[0]}")
    table = table.apply(lambda column: column.str.strip())
    return table.assign(weight=table["weight"].replace("", "inf")) if "weight" in table else table


def _indices(name: str, array: AnyArray, n_items: int) -> IntArray:
    try:
        numbers = array.astype(float)
        whole = (numbers == np.floor(numbers)).all()
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise ValueError(f"{name} must hold item indices: got {shorten(array[0].tolist())}. For names, give items=.")
    if (wrong := (numbers < 0) | (numbers >= n_items)).any():
        row, value = np.argwhere(wrong)[0][0], numbers[wrong][0]
        raise ValueError(f"{name} must hold indices from 0 to {n_items - 1}: got {value:g} in row {row}.")
    return numbers.astype(np.int64)


def _look_up(name: str, array: AnyArray, index: ItemIndex) -> IntArray:
    names = [str(v) for v in array.flat]
    unknown = next((n for n in names if n not in index), None)
    if unknown is not None:
        near = difflib.get_close_matches(unknown, index, n=1)
        guess = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"{name} must name items: got {unknown!r}.{guess}")
    return np.array([index[n] for n in names], np.int64).reshape(-1, 2)


def _check_weights(name: str, weights: Any, n_pairs: int) -> FloatArray:
    values = np.full(n_pairs, np.inf) if weights is None else check_numbers(name, weights)
    if values.ndim and values.shape != (n_pairs,):
        raise ValueError(f"{name} must be one number, or one per pair, {n_pairs} in all: got shape {values.shape}.")
    if not (values > 0).all():
        wrong = values[~(values > 0)].flat[0]
        raise ValueError(f"{name} must be positive log odds, infinite for a pair that is certain: got {wrong:g}.")
    return np.broadcast_to(values, (n_pairs,)).copy()
