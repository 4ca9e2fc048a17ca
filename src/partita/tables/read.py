"""Data tables from csv, tsv, parquet, npz or standard input, with the column of item names detected."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

LARGEST = 200_000_000  # bytes of text that are read without asking
TOO_LARGE = (
    f"data must be at most {LARGEST // 1_000_000} MB of text: got more. Take a sample of the rows, keep fewer columns, "
    "or store the table as parquet."
)
SUFFIXES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".parquet", ".npz", ".npy")


def read_data(
    source: str | Path, index: str | None = None, columns: Sequence[str] | None = None, standardize: bool = False
) -> tuple[pd.DataFrame, list[str]]:
    r"""A table with one item per row, and notes on what was made of it.

    Parameters
    ----------
    source : path or "-"
        A csv, tsv, parquet, npz or npy file, compressed text included, or standard input.
    index : str, optional
        Column that names the items. Without it a column of text in which no two entries are equal does, and columns
        that count the rows are left out.
    columns : sequence of str, optional
        Columns to keep; all by default.
    standardize : bool
        Bring columns of numbers to mean 0 and variance 1.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "birds.csv"
    >>> _ = path.write_text("name,length\nwren,10\nswan,150\ncrow,47\n")
    >>> table, notes = read_data(path)
    >>> list(table.index), notes
    (['wren', 'swan', 'crow'], ["Column 'name' names the items."])
    """
    table, notes = _read(source), list[str]()
    if table.empty:
        raise ValueError(f"data must have at least one row and one column: got {table.shape[0]} x {table.shape[1]}.")
    if index is not None:
        _check_columns("index", [index], table)
    else:
        index, notes = _find_names(table, columns)
    counters = [] if columns else [name for name in table if name != index and _counts_rows(table[name])]
    notes += [f"Column {name!r} counts the rows and is left out." for name in counters]
    table = table.drop(columns=counters)
    if index is not None:
        table = table.set_index(index)
        _check_index(index, table)
    if columns:
        _check_columns("columns", columns, table)
        table = table[list(columns)]
    return (_standardized(table) if standardize else table), notes


def _read(source: str | Path) -> pd.DataFrame:
    import pandas as pd

    if str(source) == "-":
        return _read_text(sys.stdin.read(LARGEST + 1))
    path = Path(source)
    suffix = "".join(path.suffixes[-2:]).lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    if not path.is_file():
        raise FileNotFoundError(f"data must name a file: got {str(path)!r}.")
    if suffix not in SUFFIXES:
        raise ValueError(f"data must be a file ending in {', '.join(SUFFIXES)}: got {path.name!r}.")
    if suffix == ".parquet":
        return pd.read_parquet(path)
    if suffix in (".npz", ".npy"):
        return _read_arrays(path)
    if path.stat().st_size > LARGEST:
        raise ValueError(TOO_LARGE)
    opener = gzip.open if suffix.endswith(".gz") else open
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        try:
            with opener(path, "rt", encoding=encoding, newline="") as file:
                return _read_text(file.read(LARGEST + 1))
        except UnicodeError:
            continue
    raise AssertionError("Latin-1 reads everything")


def _read_text(text: str) -> pd.DataFrame:
    import pandas as pd

    if len(text) > LARGEST:
        raise ValueError(TOO_LARGE)
    if not text.strip():
        raise ValueError("data must not be empty: got a file without a table.")
    try:
        dialect = csv.Sniffer().sniff(text[:50_000].rsplit("\n", 1)[0], delimiters=",;\t|")
        separator = dialect.delimiter
    except csv.Error:
        separator = "," if "," in text[:50_000] else r"\s+"
    try:
        table = pd.read_csv(io.StringIO(text), sep=separator, skipinitialspace=True)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise ValueError(f"data must be a table: {str(error).strip()}.") from None
    unnamed = {name: f"column {j + 1}" for j, name in enumerate(table.columns) if str(name).startswith("Unnamed: ")}
    return table.rename(columns=unnamed)


def _read_arrays(path: Path) -> pd.DataFrame:
    import pandas as pd

    loaded = np.load(path, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        return pd.DataFrame(np.atleast_2d(loaded.T).T)
    name = "X" if "X" in loaded else next(iter(loaded.files), None)
    if name is None:
        raise ValueError(f"data must hold an array: got none in {path.name!r}.")
    return pd.DataFrame(np.atleast_2d(loaded[name].T).T)


def _find_names(table: pd.DataFrame, columns: Sequence[str] | None) -> tuple[str | None, list[str]]:
    """The first column of text in which no two entries are equal."""
    for name in table:
        values = table[name]
        if name not in (columns or []) and len(table) > 2 and _is_text(values) and values.is_unique:
            return str(name), [f"Column {name!r} names the items."]
    return None, []


def _is_text(values: pd.Series) -> bool:
    return bool(values.notna().all() and values.map(lambda v: isinstance(v, str)).all())


def _counts_rows(values: pd.Series) -> bool:
    return bool(
        len(values) > 2 and values.dtype.kind in "iu" and (np.diff(values) == 1).all() and values.iloc[0] in (0, 1)
    )


def _check_columns(argument: str, names: Sequence[str], table: pd.DataFrame) -> None:
    for name in names:
        if name not in table:
            there = ", ".join(map(str, table.columns))
            raise ValueError(f"{argument} must be among the columns {there}: got {name!r}.")


def _check_index(name: str, table: pd.DataFrame) -> None:
    if not table.index.is_unique:
        twice = table.index[table.index.duplicated()][0]
        raise ValueError(f"index must name each item once: got {twice!r} twice in column {name!r}.")
    if table.shape[1] == 0:
        raise ValueError(f"data must have a column besides the names in {name!r}: got none.")


def _standardized(table: pd.DataFrame) -> pd.DataFrame:
    numbers = table.select_dtypes("number")
    spread = numbers.std(ddof=0)
    return table.assign(**((numbers - numbers.mean()) / spread.where(spread > 0, 1.0)))
