"""A file of text as rows and columns of text: which character separates entries, and whether names come first."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from .numbers import MARKS, is_number

if TYPE_CHECKING:
    import pandas as pd

SEPARATORS = {"\t": "\t", ";": ";", "|": "|", ",": ",", " ": r"\s+"}
N_LINES = 200  # that tell the separator


def split_text(text: str, has_header: bool | None = None) -> tuple[pd.DataFrame, str, list[str]]:
    r"""Entries of a text as they are written, the character between them, and notes.

    Examples
    --------
    >>> table, separator, notes = split_text("length;mass\n3,5;1.200\n4;900\n")
    >>> list(table.columns), separator
    (['length', 'mass'], ';')
    """
    text, separator = _take_separator(text.lstrip("\ufeff"))
    if not text.strip():
        raise ValueError("data must not be empty: got a file without a table.")
    if "\0" in text:
        raise ValueError("data must be text: got a zero byte. Is it a file of another kind?")
    separator = separator or _find_separator(text)
    rows = _sample(text, separator)
    cells = _drop_trailing(_parse(text, separator, max(map(len, rows))))
    first = [cell.strip() for cell in cells.iloc[0]]
    if has_header is None:
        has_header = len(cells) == 1 or _find_header(first, cells.iloc[1:])
    notes = list[str]()
    if has_header:
        _check_width(rows, cells, separator)
        columns, body = _distinct(first, notes), cells.iloc[1:].reset_index(drop=True)
    else:
        columns, body = [f"column {j + 1}" for j in range(cells.shape[1])], cells
        shown = ", ".join(first[:4]) + ", ..." * (len(first) > 4)
        notes.append(f"The first row, {shown}, is data: columns have no names.")
    if (body.iloc[:, -1] == "").any():
        notes += _say_short(text, separator, cells.shape[1], has_header)
    return body.set_axis(columns, axis=1), separator, notes


def decode(content: bytes) -> str:
    """Text in UTF-16 where the file says so, else in UTF-8, else as Western European computers write it."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeError:
            continue
    return content.decode("latin-1")


def _take_separator(text: str) -> tuple[str, str | None]:
    """Spreadsheets may say in the first line what separates entries."""
    said = re.match(r"sep=(.)\r?\n", text)
    return (text, None) if said is None else (text[said.end() :], said[1])


def _find_separator(text: str) -> str:
    """The character that splits lines into equally many entries, most of them numbers."""

    def score(separator: str) -> tuple[float, float]:
        rows = _sample(text, separator)
        widths = [len(row) for row in rows]
        body = widths[1:] or widths
        usual = max(set(body), key=body.count)
        if usual < 2 or (len(body) > 1 and widths[0] < 2):
            return (0.0, 0.0)
        entries = [entry.strip() for row in rows for entry in row]
        alike = body.count(usual) / len(body) - 0.1 * (widths[0] != usual)
        return (round(alike, 1), sum(map(is_number, entries)) / len(entries))

    found = max(SEPARATORS, key=score)
    return found if score(found) > (0.0, 0.0) else ","


def _sample(text: str, separator: str) -> list[list[str]]:
    lines = text[:100_000].splitlines(keepends=True)
    lines = lines[:-1] if len(text) > 100_000 and len(lines) > 1 else lines
    return list(_rows(lines[:N_LINES], separator)) or [[""]]


def _rows(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
    """Entries of each line that has any."""
    if separator == " ":
        lines = (re.sub(r"[ \t]+", " ", line.strip()) for line in lines)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    try:
        yield from filter(None, reader)
    except csv.Error as error:
        raise ValueError(f"data must be a table: got {error} in line {reader.line_num}.") from None


def _parse(text: str, separator: str, width: int) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_csv(
            io.StringIO(text),
            sep=SEPARATORS.get(separator, separator),
            header=None,
            names=list(range(width)),
            dtype=object,
            keep_default_na=False,
            skipinitialspace=True,
        )
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        uneven = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", str(error))
        if uneven:
            raise ValueError(
                f"data must have equally many entries in each row: got {uneven[3]} in line {uneven[2]} after "
                f"{uneven[1]} in those before."
            ) from None
        raise ValueError(f"data must be a table: {str(error).strip()}.") from None


def _drop_trailing(cells: pd.DataFrame) -> pd.DataFrame:
    """Without the empty columns and rows that spreadsheets leave at the end."""
    empty = (cells == "").to_numpy()
    width, length = cells.shape[1], cells.shape[0]
    while width > 1 and empty[:, width - 1].all():
        width -= 1
    while length > 1 and width > 1 and empty[length - 1].all():
        length -= 1
    return cells.iloc[:length, :width]


def _find_header(first: list[str], body: pd.DataFrame) -> bool:
    """Whether the first row names columns, by what stands below; refuses to guess where it may be either."""
    columns = [body[j].head(N_LINES).str.strip() for j in body]
    columns = [values[~values.str.lower().isin(MARKS)] for values in columns]
    numeric = [bool(len(values)) and values.map(is_number).mean() > 0.5 for values in columns]
    words = [j for j, cell in enumerate(first) if not is_number(cell) and cell.lower() not in MARKS]
    if any(numeric[j] for j in words):
        return True
    recurs = bool(words) and all((columns[j] == first[j]).any() for j in words)
    numbers = [j for j, cell in enumerate(first) if is_number(cell) and numeric[j]]
    if not numbers:
        return not recurs
    counts = len(numbers) > 1 and all(re.fullmatch(r"\d+", first[j]) for j in numbers)
    counts = counts and all(int(first[b]) - int(first[a]) == 1 for a, b in pairwise(numbers))
    if not counts or recurs:
        return False
    if any(not columns[j].str.fullmatch(r"[+-]?\d+").all() for j in numbers):
        return True  # whole numbers that count columns, over fractions
    raise ValueError(
        f"data must begin with names or with data: got {', '.join(first[:6])}, which may be either. "
        "Say which with header=True or header=False (in the shell --header or --no-header)."
    )


def _check_width(rows: list[list[str]], cells: pd.DataFrame, separator: str) -> None:
    """Refuse rows with more entries than there are names."""
    n_names, width = len(rows[0]), cells.shape[1]
    if width <= n_names:
        return
    row = next((r for r, entries in enumerate(rows) if len(entries) > n_names), 1)
    message = f"data must have a name for each column: got {n_names} names and {len(rows[row])} entries in row {row}."
    if width == n_names + 1:
        message += " If the first column names the items, give it a name too."
    elif separator == "," and width == 2 * n_names:
        message += " Decimal commas need another separator between entries, such as ;."
    raise ValueError(message)


def _say_short(text: str, separator: str, n_names: int, has_header: bool) -> list[str]:
    """Which rows have fewer entries than there are columns: those are read as missing at their ends."""
    widths = [len(row) for row in _rows(io.StringIO(text), separator)][has_header:]
    short = [r for r, width in enumerate(widths) if width < n_names]
    if not short:
        return []
    rows = "there" if len(short) == 1 else f"there, and in {len(short) - 1} more,"
    return [f"Row {short[0] + 1} has {widths[short[0]]} entries of {n_names}: {rows} the rest is read as missing."]


def _distinct(names: list[str], notes: list[str]) -> list[str]:
    """A name for each column: unnamed ones by their number, later ones of the same name by how often it came."""
    found = list[str]()
    for name in (name or f"column {j + 1}" for j, name in enumerate(names)):
        called, times = name, 1
        while called in found:
            times += 1
            called = f"{name} ({times})"
        if times > 1:
            notes.append(f"Two columns are named {name!r}: the later is called {called!r}.")
        found.append(called)
    return found
