"""Numbers as people write them: decimal points and commas, grouped digits, marks of missing entries."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

MARKS = frozenset({"", "?", "na", "n/a", "#n/a", "<na>", "nan", "null", "-", "--", "."})
"""Entries that say nothing, in small letters; ``none`` does so among numbers, and is a category among words."""
N_LOOKED_AT = 1000  # entries of a column that tell how its numbers are written
MOST_TYPOS = 0.5  # share of other entries up to which a column is one of numbers with slips
SPACES = " \u00a0\u202f'\u2019"  # group digits under either convention
_FORMS = {
    decimal: re.compile(
        rf"[+-]?(?=\{decimal}?\d)(?:\d+|[1-9]\d{{0,2}}(?P<group>[{grouping}{SPACES}])\d{{3}}(?:(?P=group)\d{{3}})*)?"
        rf"(?:\{decimal}\d*)?(?:[eE][+-]?\d+)?"
    )
    for decimal, grouping in ((".", ","), (",", "."))
}


class Written(NamedTuple):
    """The decimal mark of a file, and what to say of it."""

    decimal: str
    notes: list[str]


def is_number(entry: str) -> bool:
    """Whether an entry is a number under some convention.

    Examples
    --------
    >>> [entry for entry in ("3,5", "1.234,5", "1 000", "-.5e3", "1,23,4", "5 kg", "?") if is_number(entry)]
    ['3,5', '1.234,5', '1 000', '-.5e3']
    """
    return any(form.fullmatch(entry) for form in _FORMS.values())


def find_decimal(table: pd.DataFrame, separator: str, decimal: str | None) -> Written:
    """How a table of text writes its numbers: as it was told to be, or as entries show that read in one way only."""
    if decimal is not None:
        return Written(decimal, [])
    shown: dict[str, tuple[str, str]] = {}  # by decimal mark, a column and an entry that only this mark reads
    open_: dict[str, tuple[str, str]] = {}  # by the mark they hold, entries that both read, as different numbers
    for name in table:
        entries = [v for v in table[name].head(N_LOOKED_AT).str.strip() if v.lower() not in MARKS]
        numbers = [v for v in entries if is_number(v)]
        if len(numbers) < MOST_TYPOS * len(entries):
            continue
        for entry in numbers:
            reads = [mark for mark, form in _FORMS.items() if form.fullmatch(entry)]
            if len(reads) == 1:
                shown.setdefault(reads[0], (str(name), entry))
            elif "." in entry or "," in entry:
                open_.setdefault("." if "." in entry else ",", (str(name), entry))
    if len(shown) == 2:
        (first, one), (second, other) = shown["."], shown[","]
        raise ValueError(
            f"data must write all numbers in one way: got {one!r} in column {first!r} and {other!r} in column "
            f"{second!r}."
        )
    if shown:
        return _settled(next(iter(shown)), shown, open_)
    if "," in open_ and separator != ",":
        raise ValueError(_ambiguous(*open_[","]))
    if "." in open_ and separator == ";":
        raise ValueError(_ambiguous(*open_["."]))
    return _settled(".", shown, open_)


def _ambiguous(name: str, entry: str) -> str:
    whole, part = re.sub(r"[.,]", "", entry), entry.replace(",", ".")
    return (
        f"data must show how numbers are written: got {entry!r} in column {name!r}, which may be {whole} or {part}. "
        "Say which with decimal='.' or decimal=',' (in the shell --decimal)."
    )


def _settled(decimal: str, shown: dict[str, tuple[str, str]], open_: dict[str, tuple[str, str]]) -> Written:
    notes, grouping = [], "," if decimal == "." else "."
    if decimal == ",":
        notes.append(f"Numbers have decimal commas, as {shown[decimal][1]!r} in column {shown[decimal][0]!r}.")
    if grouping in open_:
        name, entry = open_[grouping]
        mark = "commas" if grouping == "," else "points"
        notes.append(f"In numbers {mark} group digits, as {entry!r} in column {name!r}.")
    return Written(decimal, notes)


def read_column(values: pd.Series, decimal: str, as_text: bool) -> tuple[pd.Series, list[str]]:
    """A column of text as numbers, truth values or text, with missing entries; and what to say of it."""
    plain = None if as_text or decimal != "." else _as_plain_numbers(values)
    if plain is not None:
        return plain, []
    values = values.str.strip()
    name, small = values.name, values.str.lower()
    missing = small.isin(MARKS)
    numbers = None if as_text else _as_numbers(values.mask(missing | (small == "none")), decimal)
    if numbers is None:
        return _as_words(values.mask(missing), missing), _say_missing(name, values[missing])
    missing |= small == "none"
    notes = _say_missing(name, values[missing])
    if _are_codes(values[~missing]):
        code = values[values.str.fullmatch(r"0\d+")].iloc[0]
        return values.mask(missing), [*notes, f"Column {name!r} holds codes, such as {code!r}, and is read as text."]
    return numbers, notes


def _as_plain_numbers(values: pd.Series) -> pd.Series | None:
    """A column of numbers as computers write them, quickly; None where it is anything else."""
    import pandas as pd

    try:
        numbers = pd.to_numeric(values)
    except (ValueError, TypeError):
        return None
    missing = numbers.isna()
    if missing.all() or (values[missing] != "").any():
        return None
    whole = bool((numbers[~missing] % 1 == 0).all())
    return None if whole and _are_codes(values[~missing]) else numbers


def _as_numbers(values: pd.Series, decimal: str) -> pd.Series | None:
    """A column as numbers; None where it is not one of numbers, an error where it nearly is."""
    import pandas as pd

    present = values.dropna()
    if decimal == ".":
        numbers = pd.to_numeric(present, errors="coerce")
        others = present[numbers.isna()]
        if others.empty and len(present):
            return pd.to_numeric(values)
    else:
        numbers, others = pd.Series(np.nan, present.index), present
    read = {entry: _as_number(entry, decimal) for entry in others.unique()}
    numbers = numbers.fillna(others.map(read).astype(float))
    wrong = present[numbers.isna()]
    if len(wrong) >= MOST_TYPOS * max(len(present), 1):
        return None
    if len(wrong):
        entry, row = wrong.iloc[0], int(values.index.isin(wrong.index).argmax()) + 1
        entries = "one other entry" if len(wrong) == 1 else f"{len(wrong)} other entries, such as"
        raise ValueError(
            f"data must hold numbers throughout column {values.name!r}, which holds mostly numbers: got {entries} "
            f"{entry!r} (row {row}). Correct or empty what is wrong, leave the column out, or declare it categorical."
        )
    whole = len(present) == len(values) and (numbers == np.floor(numbers)).all() and (numbers.abs() < 2**53).all()
    return numbers.astype(np.int64) if whole else numbers.reindex(values.index)


def _as_number(entry: str, decimal: str) -> float:
    if not _FORMS[decimal].fullmatch(entry):
        return np.nan
    plain = re.sub(rf"[{'.' if decimal == ',' else ','}{SPACES}]", "", entry)
    return float(plain.replace(",", "."))


def _as_words(values: pd.Series, missing: pd.Series) -> pd.Series:
    small = values.str.lower()
    return small == "true" if not missing.any() and small.isin(("true", "false")).all() else values


def _are_codes(entries: pd.Series) -> bool:
    """Whether digits are names rather than numbers: leading zeros are part of them."""
    return bool(entries.str.fullmatch(r"0\d+").any() and entries.str.fullmatch(r"\d+").all())


def _say_missing(name: object, marks: Collection[str] | pd.Series) -> list[str]:
    import pandas as pd

    counts = pd.Series(marks, dtype=object)
    counts = counts[counts != ""].value_counts(sort=False)
    if counts.empty:
        return []
    n = int(counts.sum())
    shown = " or ".join(map(repr, counts.index[:3]))
    return [f"Column {name!r}: {'one entry' if n == 1 else f'{n} entries'} {shown} read as missing."]
