"""Data tables from csv, tsv, parquet, npz or standard input, with the column of item names detected."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._files import check_file, check_packed, check_path, read_whole
from .._validation import check_choice
from .numbers import find_decimal, read_column
from .roles import find_left_out, find_names
from .text import decode, split_text

if TYPE_CHECKING:
    import pandas as pd

LARGEST = 200_000_000  # bytes of text that are read without asking
TOO_LARGE = (
    f"data must be at most {LARGEST // 1_000_000} MB of text: got more. Take a sample of the rows, keep fewer columns, "
    "or store the table as parquet."
)
SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".parquet", ".npz", ".npy")


def read_data(
    source: str | Path,
    index: str | None = None,
    columns: Sequence[str] | None = None,
    standardize: bool = False,
    *,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    text: Sequence[str] = (),
    decimal: str | None = None,
    header: bool | None = None,
) -> tuple[pd.DataFrame, list[str]]:
    r"""A table with one item per row, and notes on what was made of it.

    What can be read in one way only is read so: decimal commas, grouped digits, marks of missing entries, a first row
    without names. What may be read in two ways is refused. The notes say, in sentences, what was recognized and which
    columns are left out: dates, identifiers, columns with one value. Rows are numbered from 1, the names not counted.

    Parameters
    ----------
    source : path or "-"
        A csv, tsv, parquet, npz or npy file, compressed text included, or standard input.
    index : str, optional
        Column that names the items. Without it a column of text in which no two entries are equal does.
    columns : sequence of str, optional
        Columns to keep; all by default. One that identifies rows is kept where it is named here.
    standardize : bool
        Bring columns of numbers to mean 0 and variance 1.
    drop : sequence of str
        Columns to leave out.
    keep : sequence of str
        Columns to keep even if they identify rows, where they are in the table.
    text : sequence of str
        Columns to read as text even if they hold numbers, as categories may; where they are in the table.
    decimal : {".", ","}, optional
        Decimal mark of numbers; found by itself where entries show it.
    header : bool, optional
        Whether the first row of a text names the columns; found by itself where what stands below shows it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "birds.csv"
    >>> _ = path.write_text("name;length;ring\nwren;9,5;1\nswan;150;2\ncrow;?;3\n")
    >>> table, notes = read_data(path)
    >>> print("\n".join(notes))
    Numbers have decimal commas, as '9,5' in column 'length'.
    Column 'length': one entry '?' read as missing.
    Column 'name' names the items.
    Column 'ring' counts the rows and is left out.
    >>> table["length"].to_list()
    [9.5, 150.0, nan]
    """
    if decimal is not None:
        check_choice("decimal", decimal, (".", ","))
    table, notes = _read(source, set(text), decimal, header)
    if table.empty:
        raise ValueError(f"data must have at least one row and one column: got {table.shape[0]} x {table.shape[1]}.")
    for argument, names in (
        ("index", [] if index is None else [index]),
        ("drop", drop),
    ):
        _check_columns(argument, names, table)
    table, chosen = table.drop(columns=list(drop)), [*(columns or []), *keep, *text]
    if index is None:
        index = find_names(table, but=chosen)
        notes += [f"Column {index!r} names the items."] * (index is not None)
    if index is not None:
        _check_index(index, table)
        table = table.set_index(index)
    if columns:
        _check_columns("columns", columns, table)
        table = table[list(columns)]
    left_out = find_left_out(table, chosen)
    notes += [f"Column {name!r} {reason} and is left out." for name, reason in left_out.items()]
    if len(left_out) == table.shape[1]:
        raise ValueError(f"data must have a column to cluster by: got none. {' '.join(notes)}".strip())
    table = table.drop(columns=list(left_out))
    return (_standardized(table) if standardize else table), notes


def _read(
    source: str | Path, text: set[str], decimal: str | None, header: bool | None
) -> tuple[pd.DataFrame, list[str]]:
    import pandas as pd

    if str(source) == "-":
        return _read_text(sys.stdin.read(LARGEST + 1), text, decimal, header)
    path = check_path("data", source)
    suffix = "".join(path.suffixes[-2:]).lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    check_file("data", path)
    if suffix not in SUFFIXES:
        raise ValueError(f"data must be a file ending in {', '.join(SUFFIXES)}: got {path.name!r}.")
    if suffix == ".parquet":
        return read_whole("data", path, lambda: pd.read_parquet(path)), []
    if suffix in (".npz", ".npy"):
        return read_whole("data", path, lambda: _read_arrays(path)), []
    if path.stat().st_size > LARGEST:
        raise ValueError(TOO_LARGE)
    opener = gzip.open if suffix.endswith(".gz") else open
    try:
        with opener(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"data must be a whole {suffix} file: got {path.name!r} ({error}).") from None
    return _read_text(decode(content), text, decimal, header)


def _read_text(
    content: str, text: set[str], decimal: str | None, header: bool | None
) -> tuple[pd.DataFrame, list[str]]:
    if len(content) > LARGEST:
        raise ValueError(TOO_LARGE)
    table, separator, notes = split_text(content, header)
    written = find_decimal(table.drop(columns=[name for name in table if name in text]), separator, decimal)
    notes += written.notes
    for name in list(table):
        table[name], more = read_column(table[name], written.decimal, as_text=name in text)
        notes += more
    return table, notes


def _read_arrays(path: Path) -> pd.DataFrame:
    import pandas as pd

    check_packed("data", path)
    with path.open("rb") as file:
        loaded = np.load(file, allow_pickle=False)
        if not isinstance(loaded, np.ndarray):
            name = "X" if "X" in loaded else next(iter(loaded.files), None)
            if name is None:
                raise ValueError(f"data must hold an array: got none in {path.name!r}.")
            loaded = loaded[name]
    if loaded.ndim > 2:
        raise ValueError(f"data must be a table with rows and columns: got {loaded.ndim} dimensions.")
    return pd.DataFrame(np.atleast_2d(loaded.T).T)


def _check_columns(argument: str, names: Sequence[str], table: pd.DataFrame) -> None:
    for name in names:
        if name not in table:
            there = ", ".join(map(str, table.columns))
            raise ValueError(f"{argument} must be among the columns {there}: got {name!r}.")


def _check_index(name: str, table: pd.DataFrame) -> None:
    if not table[name].is_unique:
        twice = table[name][table[name].duplicated()].iloc[0]
        raise ValueError(f"index must name each item once: got {twice!r} twice in column {name!r}.")
    if table.shape[1] == 1:
        raise ValueError(f"data must have a column besides the names in {name!r}: got none.")


def _standardized(table: pd.DataFrame) -> pd.DataFrame:
    numbers = table.select_dtypes("number")
    spread = numbers.std(ddof=0)
    return table.assign(**((numbers - numbers.mean()) / spread.where(spread > 0, 1.0)))
