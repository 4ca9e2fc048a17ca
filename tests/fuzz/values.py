"""Arguments as nobody means them: what a value is turned into."""

import importlib

import numpy as np
import pandas as pd
from scipy import sparse

WHOLE = [0, -1, 1.5, float("nan"), float("inf"), 10**30, 2**31, "3", None, True, [1], np.int64(2), object(), 3, b"2"]
REAL = [0.0, -1.0, float("nan"), float("inf"), -float("inf"), 1e308, 1e-308, 10**400, "0.5", None, True, [0.5]]
REAL += [0.5j, np.float32(0.5), object(), 1, np.array(0.5)]
TEXT = ["", "x", None, 5, "\0", b"vi", "vi " * 1000, object(), ["vi"], "VI", float("nan")]
OTHER = [None, 5, -1.5, "x", {}, [], (), object(), float("nan"), {"a": 1}, True, b"x", [[]], [None]]


def as_polars(values):
    try:
        polars = importlib.import_module("polars")
    except ImportError:
        return pd.DataFrame(values)
    return polars.DataFrame(np.atleast_2d(values))


def with_entry(values, entry):
    changed = np.array(values, dtype=object)
    changed.flat[changed.size // 2] = entry
    return changed


def with_number(values, number):
    changed = np.array(values, dtype=float)
    changed.flat[changed.size // 2] = number
    return changed


def read_only(values):
    changed = np.array(values)
    changed.flags.writeable = False
    return changed


def nullable(values):
    frame = pd.DataFrame(np.atleast_2d(values)).convert_dtypes()
    frame.iloc[0, 0] = pd.NA
    return frame


ARRAYS = {
    "nan": lambda v: with_number(v, np.nan),
    "inf": lambda v: with_number(v, np.inf),
    "huge": lambda v: with_number(v, 1e308),
    "all huge": lambda v: np.full(np.shape(v), 1.7e308),
    "tiny": lambda v: np.asarray(v, float) * 1e-308,
    "negative": lambda v: -np.asarray(v, float) - 1,
    "constant": lambda v: np.ones(np.shape(v)),
    "empty": lambda v: np.asarray(v)[:0],
    "no columns": lambda v: np.asarray(v)[..., :0],
    "text": lambda v: np.asarray(v).astype(str),
    "bytes": lambda v: np.asarray(v).astype("S8"),
    "object": lambda v: np.asarray(v).astype(object),
    "none": lambda v: with_entry(v, None),
    "word": lambda v: with_entry(v, "x"),
    "large whole": lambda v: with_entry(v, 10**40),
    "label 2**62": lambda v: np.asarray(v).astype(np.int64) + 2**62,
    "masked": lambda v: np.ma.masked_greater(np.asarray(v), np.min(v)),
    "sparse": lambda v: sparse.csr_array(np.atleast_2d(np.asarray(v, float))),
    "read-only": read_only,
    "fortran": np.asfortranarray,
    "strided": lambda v: np.repeat(np.asarray(v), 2, axis=0)[::2],
    "nullable": nullable,
    "categorical": lambda v: pd.Categorical(np.ravel(v)),
    "datetime": lambda v: np.asarray(v, float).astype("datetime64[s]"),
    "series": lambda v: pd.Series(np.ravel(v)),
    "frame": lambda v: pd.DataFrame(np.atleast_2d(v)),
    "polars": as_polars,
    "ragged": lambda v: [[1, 2], [3]],
    "complex": lambda v: np.asarray(v) + 1j,
    "0-d": lambda v: np.array(1),
    "3-d": lambda v: np.asarray(v)[..., np.newaxis],
    "flat": np.ravel,
    "transposed": np.transpose,
    "one row": lambda v: np.asarray(v)[:1],
    "big-endian": lambda v: np.asarray(v).astype(np.asarray(v).dtype.newbyteorder(">")),
    "float16": lambda v: np.asarray(v, np.float16),
    "bool": lambda v: np.asarray(v) > 0,
    "list": lambda v: np.asarray(v).tolist(),
    "longer": lambda v: np.concatenate([v, v]),
    "matrix": lambda v: np.atleast_2d(np.asarray(v)).view(np.matrix),
    "structured": lambda v: np.zeros(len(v), [("a", float), ("b", int)]),
    "generator": lambda v: (row for row in v),
}


def mutations(value):
    """Names of the ways to change a value, with functions that do."""
    if isinstance(value, bool) or value is None or callable(value):
        return {repr(other)[:20]: lambda _, other=other: other for other in OTHER}
    if isinstance(value, int):
        return {repr(other)[:20]: lambda _, other=other: other for other in WHOLE}
    if isinstance(value, float):
        return {repr(other)[:20]: lambda _, other=other: other for other in REAL}
    if isinstance(value, str):
        return {repr(other)[:20]: lambda _, other=other: other for other in TEXT}
    if isinstance(value, (np.ndarray, list)):
        return ARRAYS | {repr(other)[:20]: lambda _, other=other: other for other in OTHER}
    return {repr(other)[:20]: lambda _, other=other: other for other in OTHER}


BYTES = {
    "truncated": lambda content, rng: content[: rng.integers(len(content))],
    "flipped": lambda content, rng: flip(content, rng, 1),
    "flipped often": lambda content, rng: flip(content, rng, 20),
    "zeros": lambda content, rng: content[: len(content) // 2] + bytes(50) + content[len(content) // 2 :],
    "noise": lambda content, rng: rng.bytes(200),
    "empty": lambda content, rng: b"",
    "twice": lambda content, rng: content + content,
    "tail": lambda content, rng: content[rng.integers(len(content)) :],
    "utf-16": lambda content, rng: content.decode("latin-1").encode("utf-16"),
    "latin-1": lambda content, rng: content.replace(b"a", b"\xe9"),
    "quotes": lambda content, rng: content.replace(b",", b'",'),
    "text": lambda content, rng: b"dear diary, " * 20,
}


def flip(content, rng, n_bits):
    changed = bytearray(content)
    for at in rng.integers(8 * len(content), size=n_bits):
        changed[at // 8] ^= 1 << (at % 8)
    return bytes(changed)
