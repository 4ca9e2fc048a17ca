"""The door: what a user passed becomes what a kernel wants, or a clear error.

Messages read ``<argument> must <rule>: got <value>.``, with a sentence that helps where we can guess.
"""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import psutil
from numpy.typing import ArrayLike

from ._kernels.partitions.labels import canonical_rows
from ._typing import AnyArray, BoolArray, FloatArray, IntArray, LabelRows, RandomState

LARGEST_LABEL = 2**31 - 1
LARGEST_NUMBER = 1e150  # whose square can be written
MOST = 2**31 - 1  # of anything that is counted
BLOCK = 2**13  # labels that are numbered at a time, while they are in cache
MOST_JOBS = 10_000  # threads
MOST_DRAWS = 10**8  # of one chain
MOST_RUNS = 10**5  # chains, baselines, restarts: each has a generator of its own
LARGEST_SEED = 2**128 - 1
REAL = (int, float, np.integer, np.floating)
LITTLE = 2**24  # bytes, for which it is not worth the time to ask whether they are free
RESERVED = re.compile(r"\.(chain|draw|iteration|weight|\d+)")
"""Columns of a table of draws that are not named after an item: metadata of each draw, and unnamed items."""


def check_draws(draws: ArrayLike, name: str = "draws", missing: Any = None) -> LabelRows:
    """Rows of canonical labels in the smallest unsigned type that holds them.

    Where an item of a draw is ``missing``, rows are of a signed type, and that item's label is -1.
    """
    rows = as_array(draws, name)
    if rows.ndim != 2:
        alone = " One clustering alone says nothing of certainty: give several, one per row." * (rows.ndim == 1)
        raise ValueError(f"{name} must be a (n_draws, n_items) array: got {rows.ndim} dimension(s).{alone}")
    if rows.size == 0:
        raise ValueError(f"{name} must hold at least one draw of at least one item: got shape {rows.shape}.")
    if missing is None or not (left_out := _left_out(rows, missing)).any():
        return _canonical(_as_labels(rows, name))
    if (none := left_out.all(axis=1)).any():
        raise ValueError(f"{name} must each hold at least one item: got draw {none.argmax()}, which leaves out all.")
    if (never := left_out.all(axis=0)).any():
        rule = f"{name} must hold each item at least once"
        raise ValueError(f"{rule}: got none that holds item {never.argmax()}. Drop items that no draw holds.")
    return _canonical(_as_labels(np.where(left_out, rows[~left_out][0], rows), name), left_out)


def _left_out(rows: AnyArray, missing: Any) -> BoolArray:
    """Which labels say that the item is left out of the draw."""
    if isinstance(missing, float) and math.isnan(missing):
        return np.not_equal(rows, rows)
    return np.asarray(rows == missing)


def check_labels(labels: ArrayLike, name: str = "labels", n_items: int | None = None) -> IntArray:
    """Canonical labels of one partition, int64."""
    row = as_array(labels, name)
    if row.ndim != 1:
        raise ValueError(f"{name} must be a vector with one label per item: got {row.ndim} dimension(s).")
    if row.size == 0:
        raise ValueError(f"{name} must label at least one item: got none.")
    if n_items is not None and row.size != n_items:
        raise ValueError(f"{name} must label the same {n_items} items: got {row.size} labels.")
    return _canonical(_as_labels(row[np.newaxis], name))[0].astype(np.int64)


def check_same_items(**pair: ArrayLike) -> list[IntArray]:
    """Canonical labels of two partitions of the same items; the keywords name them in errors."""
    checked = [check_labels(labels, name) for name, labels in pair.items()]
    sizes = [labels.size for labels in checked]
    if len(set(sizes)) > 1:
        raise ValueError(f"{' and '.join(pair)} must label the same items: got {' and '.join(map(str, sizes))} labels.")
    return checked


def check_numbers(name: str, values: ArrayLike, *, own: bool = True) -> FloatArray:
    """Real numbers, in an array of their own or, where they are only read, in that of the user."""
    array = as_array(values, name)
    try:
        if array.dtype.kind in "biufO":
            return array.astype(float, copy=own)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name} must be numbers: got {shorten(values)}.")


def check_between(name: str, value: Any, low: float, high: float) -> float:
    """A finite number from ``low`` to ``high``, ends included."""
    if not isinstance(value, REAL) or not low <= value <= high:
        raise ValueError(f"{name} must lie between {low:g} and {high:g}: got {shorten(value)}.")
    return float(value)


def check_level(level: Any) -> float:
    """A probability strictly between 0 and 1; a percentage is recognized."""
    number = isinstance(level, (int, float, np.number)) and not isinstance(level, bool)
    if number and 0 < level < 1:
        return float(level)
    hint = f" Did you mean {level / 100:g}?" if number and 1 < level < 100 else ""
    raise ValueError(f"level must lie strictly between 0 and 1: got {level!r}.{hint}")


def check_base(base: Any) -> float:
    """A base of logarithms."""
    if not is_finite(base) or not base > 1:
        raise ValueError(f"base must be a finite number greater than 1: got {shorten(base)}. Bits: 2. Nats: math.e.")
    return float(base)


def check_count(name: str, value: Any, least: int = 1, most: int = MOST) -> int:
    """A whole number of at least ``least``, and of a size that ends."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}: got {shorten(value)}.")
    if value > most:
        raise ValueError(f"{name} must be at most {most}: got {magnitude(int(value))}.")
    return int(value)


def check_jobs(n_jobs: Any) -> int:
    """A number of threads, or -1 for all there are."""
    return -1 if isinstance(n_jobs, int) and n_jobs == -1 else check_count("n_jobs", n_jobs, most=MOST_JOBS)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """One of the named choices; a near miss is suggested."""
    choices = sorted(choices)
    if value in choices:
        return str(value)
    near = difflib.get_close_matches(str(value).lower().replace("_", "-"), choices, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{name} must be one of {', '.join(choices)}: got {value!r}.{guess}")


def check_squares(X: FloatArray) -> None:
    """Refuse numbers whose squares are infinite; NaN and infinity are not looked at."""
    large = np.isfinite(X) & (np.abs(X) > LARGEST_NUMBER)
    if large.any():
        row, column = np.argwhere(large)[0]
        got = f"{X[row, column]:g} in row {row}, column {column}"
        raise ValueError(f"X must hold numbers whose squares can be written, at most {LARGEST_NUMBER:g}: got {got}.")


def check_memory(n_bytes: int, what: str, instead: str) -> None:
    """Refuse to allocate what the machine cannot hold, saying what to do instead."""
    if n_bytes <= LITTLE:
        return
    free = psutil.virtual_memory().available
    if n_bytes > free:
        needed = f"{n_bytes / 1e9:.1f}" if n_bytes < 10**15 else magnitude(n_bytes // 10**9)
        raise MemoryError(f"{what} would take {needed} GB and {free / 1e9:.1f} GB are free. {instead}")


def magnitude(count: int) -> str:
    """A count in digits, or by its power of ten where there would be too many."""
    return str(count) if count < 10**15 else f"more than 10^{int((count.bit_length() - 1) * math.log10(2))}"


def shorten(value: Any) -> str:
    """A value as an error shows it."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of too many digits
        text = f"a {type(value).__name__} too long to print"
    return text if len(text) <= 80 else f"{text[:77]}..."


def check_kind(name: str, value: Any, kind: type[Any]) -> Any:
    """A value of a type."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}: got {shorten(value)}.")
    return value


def check_rng(random_state: RandomState) -> np.random.Generator:
    """Turn what the user passed into a generator: the same seed, the same answer."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is not None:
        check_count("random_state", random_state, least=0, most=LARGEST_SEED)
    return np.random.default_rng(random_state)


def check_names(names: Iterable[Any], n_items: int) -> tuple[str, ...]:
    """Item names as strings, one per item, none twice, that every kind of file can hold."""
    if not isinstance(names, Iterable):
        raise ValueError(f"items must hold one name per item, {n_items} in all: got {names!r}.")
    checked = tuple(str(name) for name in names)
    if len(checked) != n_items:
        raise ValueError(f"items must hold one name per item, {n_items} in all: got {len(checked)}.")
    if len(set(checked)) < n_items:
        repeated = next(name for name, count in Counter(checked).items() if count > 1)
        raise ValueError(f"items must be distinct: got {repeated!r} twice.")
    if (odd := next((n for n in checked if not n or "\0" in n or RESERVED.fullmatch(n)), None)) is not None:
        raise ValueError(f"items must have names that are not empty and not set apart for files: got {odd!r}.")
    return checked


def as_array(values: Any, name: str) -> AnyArray:
    """An array without gaps, or an error that says which row has another length."""
    rows = values if isinstance(values, Sequence) and values and all(map(_is_row, values)) else ()
    if np.ma.is_masked(values) or any(map(np.ma.is_masked, rows)):
        raise ValueError(f"{name} must not have missing values: got masked ones.")
    lengths = [len(row) for row in rows]
    odd = next((i for i, length in enumerate(lengths) if length != lengths[0]), None)
    if odd is not None:
        got = f"{lengths[0]} labels in draw 0 and {lengths[odd]} in draw {odd}"
        raise ValueError(f"{name} must all label the same items: got {got}.")
    try:
        return pandas_entries(values) if hasattr(values, "iloc") else np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be numbers in rows of equal length: got {shorten(values)}.") from None


def pandas_entries(table: Any) -> AnyArray:
    """The entries of a pandas table or column; those marked as missing in pandas' own way are NaN."""
    marked = bool(np.any(table.isna().to_numpy()))  # whole numbers have no NaN, and older pandas would try one
    return np.asarray(table.to_numpy(na_value=np.nan) if marked else table.to_numpy())


def _is_row(value: Any) -> bool:
    return not isinstance(value, (str, bytes)) and hasattr(value, "__len__")


def _as_labels(rows: AnyArray, name: str) -> AnyArray:
    """Whole numbers from 0 to LARGEST_LABEL, in an integer type."""
    if rows.dtype == object:
        try:
            rows = rows.astype(float)
        except OverflowError:
            raise ValueError(f"{name} must be at most {LARGEST_LABEL}: got a number too long to print.") from None
        except (TypeError, ValueError):
            raise _label_error(
                rows, np.array([not is_number(v) for v in rows.flat]), name, "be whole numbers"
            ) from None
    if rows.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be whole numbers: got values of type {rows.dtype}, such as {rows.flat[0]!r}.")
    if rows.dtype.kind == "f":
        if (missing := np.isnan(rows)).any():
            raise _label_error(rows, missing, name, "not have missing values")
        if (broken := rows != np.floor(rows)).any():
            raise _label_error(rows, broken, name, "be whole numbers")
    if rows.min() < 0:
        help_ = "Noise is not a cluster: give each such item a label of its own."
        help_ += " Is it left out? Pass missing=-1." * (name == "draws")
        raise _label_error(rows, rows < 0, name, "not be negative", help_)
    if float(rows.max()) > LARGEST_LABEL:
        raise _label_error(rows, rows == rows.max(), name, f"be at most {LARGEST_LABEL}", "Are these labels?")
    return rows.astype(rows.dtype.newbyteorder("=") if rows.dtype.kind in "iu" else np.int32, copy=False)


def _label_error(rows: AnyArray, wrong: BoolArray, name: str, rule: str, help_: str = "") -> ValueError:
    draw, item = np.argwhere(wrong.reshape(rows.shape))[0]
    where = f"item {item}" if len(rows) == 1 else f"draw {draw}, item {item}"
    return ValueError(f"{name} must {rule}: got {rows[draw, item]} for {where}. {help_}".rstrip())


def is_number(value: Any) -> bool:
    """Whether a value can be read as a number."""
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _canonical(rows: AnyArray, left_out: BoolArray | None = None) -> LabelRows:
    """Canonical rows in the smallest unsigned type; labels are non-negative integers already.

    With items left out, whose labels mean nothing: in the smallest signed type, with -1 for them.
    """
    n_labels = int(rows.max()) + 1
    if n_labels > 4 * rows.shape[1] + 1024:  # a table over such labels would be larger than the labels
        rows = np.unique(rows, return_inverse=True)[1].reshape(rows.shape)
        n_labels = int(rows.max()) + 1
    if left_out is not None:
        signed = rows.astype(np.min_scalar_type(-n_labels))
        signed[left_out] = -1
        most = number_clusters(signed, n_labels, signed)
        return signed.astype(np.min_scalar_type(-most), copy=False)
    out = np.empty(rows.shape, np.min_scalar_type(min(n_labels, rows.shape[1]) - 1))
    most = number_clusters(rows, n_labels, out)
    return out.astype(np.min_scalar_type(most - 1), copy=False)


def number_clusters(rows: AnyArray, n_labels: int, out: AnyArray) -> int:
    """Write rows to ``out``, clusters numbered by first appearance; return the most clusters of a row."""
    most, step = 0, max(1, BLOCK // rows.shape[1])  # blocks of one type, so that one kernel serves all types
    room = np.empty((min(step, len(rows)), rows.shape[1]), np.int64)
    seen_in, name = np.full((2, n_labels), -1)
    for first in range(0, len(rows), step):
        block = room[: len(rows) - first]
        block[:] = rows[first : first + step]
        most = max(most, canonical_rows(block, first, seen_in, name))
        out[first : first + step] = block
    return most


def item_names(X: Any) -> list[str] | None:
    """Names of the items, where the table has an index that names them."""
    index = getattr(X, "index", None)
    if index is None or callable(index) or list(index) == list(range(len(index))) or not index.is_unique:
        return None
    return [str(name) for name in index]


def as_table(X: Any) -> AnyArray:
    """Rows and columns, whatever is in them."""
    if hasattr(X, "tocsr"):
        raise TypeError("X must be dense, for sparse tables are not supported: got one. Use X.toarray().")
    values = _entries(X)
    if values.dtype.kind == "c":
        raise ValueError(f"X must hold real numbers: got {values.dtype}. Complex data not supported.")
    if values.ndim != 2:
        raise ValueError(f"X must be a table with rows and columns: got {values.ndim} dimension(s). Reshape your data.")
    if 0 in values.shape:
        what = "sample(s)" if values.shape[0] == 0 else "feature(s)"
        got = f"0 {what} (shape={values.shape}) while a minimum of 1 is required"
        raise ValueError(f"X must have at least one row and one column: got {got}.")
    return np.asarray(values)


def _entries(X: Any) -> AnyArray:
    """The entries of a table; those that are masked, or marked as missing in pandas' own way, are NaN."""
    if np.ma.is_masked(X):
        return np.asarray(X.astype(float if X.dtype.kind in "biuf" else object).filled(np.nan))
    if hasattr(X, "iloc"):
        return pandas_entries(X)
    try:
        return np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
    except ValueError:
        raise ValueError(f"X must be a table with rows of equal length: got {shorten(X)}.") from None


def unmasked(X: Any) -> Any:
    """What scikit-learn may read, which forgets masks: NaN stands for masked entries."""
    X = _entries(X) if np.ma.is_masked(X) or isinstance(X, (list, tuple)) else X
    if isinstance(X, np.ndarray) and X.dtype.kind in "OSU":
        word = next((v for v in X.flat if isinstance(v, (str, bytes)) and not is_number(v)), None)
        if word is not None:
            raise ValueError(f"X must hold numbers: got {shorten(word)}.")
    return X


def check_positive(name: str, value: Any) -> None:
    """Raise unless the number is positive and finite."""
    if not is_finite(value) or not value > 0:
        raise ValueError(f"{name} must be a positive number: got {shorten(value)}.")


def check_number(name: str, value: Any, rule: str, holds: Callable[[float], bool]) -> float:
    """A finite number that keeps a rule; the rule in words completes the error."""
    if not is_finite(value) or not holds(value):
        raise ValueError(f"{name} must {rule}: got {shorten(value)}.")
    return float(value)


def is_finite(value: Any) -> bool:
    """Whether a value is a number that a computer's can be."""
    try:
        return isinstance(value, REAL) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


def check_item_weights(weights: Any, n_items: int) -> FloatArray | None:
    """How often each item counts, or None where each counts once."""
    if weights is None:
        return None
    values = as_array(weights, "sample_weight")
    if values.dtype.kind not in "biuf" or values.shape != (n_items,):
        raise ValueError(f"sample_weight must be {n_items} numbers, one per item: got {shorten(weights)}.")
    if not np.isfinite(values).all() or (values < 0).any() or not (values > 0).any():
        wrong = shorten(values[~(values > 0)][:3])
        raise ValueError(f"sample_weight must be finite weights, not negative and not all zero: got {wrong}.")
    return values.astype(float)
