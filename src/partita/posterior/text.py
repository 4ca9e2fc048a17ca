"""Draws from text files: any separator, with or without names, comments and row numbers."""

from __future__ import annotations

import csv
import gzip
import re
import warnings
from io import BytesIO, TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from .._files import read_at_most

if TYPE_CHECKING:
    import pandas as pd

MISSING = {"", "na", "nan", "n/a", "<na>", "null", "none"}
LARGEST_UNPACKED = 500_000_000  # bytes of text


class UnusableError(ValueError):
    """The source was read, and what it holds is no set of draws."""


def read_text(path: Path) -> pd.DataFrame:
    """The numbers in a text file, one draw per row. A column of row names is called ``""``."""
    for encoding in ("utf-8-sig", "latin-1"):
        with _open_text(path, encoding) as file:
            try:
                table = _read_table(file)
            except UnicodeDecodeError:
                warnings.warn(f"{path.name} must be UTF-8: it is not, and was read as Latin-1.", stacklevel=5)
            else:
                return table if table.columns.dtype.kind != "i" else _drop_counters(table, path.name)
    raise AssertionError("Latin-1 reads everything")


def _open_text(path: Path, encoding: str) -> TextIO:
    """A file of text; what is packed is unpacked first, up to a bound."""
    if path.suffix.lower() != ".gz":
        return path.open(encoding=encoding, newline="")
    with gzip.open(path) as packed:
        return TextIOWrapper(BytesIO(read_at_most("draws", packed, LARGEST_UNPACKED)), encoding, newline="")


def _read_table(file: TextIO) -> pd.DataFrame:
    """Names, where there are any, are read here; pandas reads the numbers below them."""
    import pandas as pd

    start, line = _next_line(file)
    if not line:
        raise UnusableError("draws must hold at least one draw: the file is empty.")
    below = file.tell()
    _, second = _next_line(file)
    ours = re.match(r'"?\.\w+"?,', line) is not None  # as io writes them: commas, and every character of a name counts
    separator = "," if ours else _separator(second or line)
    file.seek(below)
    names = _header(line, second, separator, ours, file)
    if not names:
        file.seek(start)
    try:
        exactly = {i: float for i, name in enumerate(names) if name == ".weight"}
        table = pd.read_csv(
            file, sep=separator, header=None, comment="#", skipinitialspace=True, converters=exactly or None
        )
    except pd.errors.EmptyDataError:
        return pd.DataFrame(columns=pd.Index(names, dtype=object))
    return _name_columns(table, names)


def _next_line(file: TextIO) -> tuple[int, str]:
    """Where the next line with something to read begins, and that line."""
    while True:
        start, line = file.tell(), file.readline()
        if not line or (line.strip() and not line.lstrip().startswith("#")):
            return start, line


def _separator(line: str) -> str:
    bare = re.sub(r'"[^"]*"', "", line)
    best = max(",;\t", key=bare.count)
    return best if best in bare else r"\s+"


def _header(line: str, second: str, separator: str, ours: bool, file: TextIO) -> list[str]:
    """Names of the columns, and ``file`` stands below them; none where the first line holds labels."""
    lines = chain([line if ours else line.strip(" \r\n")], iter(file.readline, ""))
    cells = next(csv.reader(lines, delimiter=" " if separator == r"\s+" else separator, skipinitialspace=not ours))
    if ours:
        return cells
    cells = [cell.strip() for cell in cells]
    if any(not _is_number(cell) and cell.lower() not in MISSING for cell in cells):
        return cells
    as_pandas = ["", *(str(i) for i in range(len(cells) - 1))]  # default names of rows and columns
    return cells if cells == as_pandas and second.startswith("0" + separator) else []


def _name_columns(table: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    n_columns = table.shape[1]
    unnamed = not names or len(names) < n_columns or names[-1] == ""
    if n_columns > 1 and unnamed and table.iloc[:, -1].isna().all():  # every line ends in a separator
        table, names = table.iloc[:, :-1], names[: n_columns - 1]
        n_columns -= 1
    if not names:
        return table
    if len(names) == n_columns - 1 and _names_rows(table.iloc[:, 0]):  # R's write.table gives row names no name
        names = ["", *names]
    if len(names) != n_columns:
        raise UnusableError(f"header must name each of the {n_columns} columns: got {len(names)} names.")
    return table.set_axis(np.array(names, dtype=object), axis=1)


def _names_rows(column: pd.Series) -> bool:
    """Whether a column holds names or numbers of rows, and no labels."""
    return column.dtype.kind not in "biuf" or _counts_up(column, (0, 1))


def _drop_counters(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Without a first column or row of numbers that count, and that cannot well be labels."""
    if table.shape[0] > table.shape[1] > 1 and _counts_up(table.iloc[:, 0], (0, 1)):
        warnings.warn(f"{name}: the first column counts the rows and was left out.", stacklevel=6)
        table = table.iloc[:, 1:]
    first, others = table.iloc[0], table.iloc[1:]
    if len(others) > 1 and first.size > 2 and _counts_up(first, (0,)) and others.nunique(axis=1).max() < first.size:
        warnings.warn(f"{name}: the first row counts the columns and was read as a header.", stacklevel=6)
        table = others
    return table


def _counts_up(values: pd.Series, starts: tuple[int, ...]) -> bool:
    numbers = values.to_numpy()
    return numbers.dtype.kind in "iuf" and numbers[0] in starts and bool((np.diff(numbers) == 1).all())


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
