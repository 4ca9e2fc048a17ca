"""Parts of chains as bytes, and the way back, at which every field is checked before a kernel sees it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._typing import AnyArray
from .base import join_blocks


class DamagedError(ValueError):
    """A record does not hold what was written."""


class Format(NamedTuple):
    """What a sampler's records hold: draws of a type, and labels that it may have drawn."""

    chain: type
    valid_labels: Callable[[AnyArray], bool]


def digest(*things: Any) -> str:
    """A short name for arrays, numbers and tuples of them: the same for the same, and for nothing else."""
    seen = hashlib.sha256()

    def take(thing: Any) -> None:
        if isinstance(thing, tuple):
            for part in thing:
                take(part)
        elif isinstance(thing, np.ndarray):
            seen.update(f"{thing.dtype}{thing.shape}".encode())
            seen.update(np.ascontiguousarray(thing).reshape(-1).view(np.uint8).data)
        elif isinstance(thing, bytes):
            seen.update(f"{len(thing)}:".encode() + thing)
        else:
            seen.update(repr(thing).encode())

    take(things)
    return seen.hexdigest()[:16]


def pack(state: Any, blocks: list[Any]) -> bytes:
    """A state and the draws that led to it, as bytes."""
    fields = {f"state.{name}": _as_array(value) for name, value in state._asdict().items()}
    if blocks:
        fields |= {f"block.{name}": value for name, value in join_blocks(blocks)._asdict().items()}
    buffer = io.BytesIO()
    np.savez(buffer, **fields)
    return buffer.getvalue()


def _as_array(value: Any) -> Any:
    """A field of a state as an array, labels in the smallest type; a generator as text."""
    if isinstance(value, np.random.Generator):
        return np.array(json.dumps(value.bit_generator.state))
    if isinstance(value, np.ndarray) and value.dtype == np.int64 and value.size and value.min() >= 0:
        return value.astype(np.min_scalar_type(int(value.max())))
    return np.asarray(value)


def unpack(fields: bytes, start: Any, form: Format) -> tuple[Any, Any | None]:
    """A state like ``start``, with a generator of its own, and the draws that led to it, if any."""
    try:
        with np.load(io.BytesIO(fields), allow_pickle=False) as archive:
            arrays = dict(archive)
    except (EOFError, OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        raise DamagedError(str(error)) from None
    return _state(arrays, start, form), _block(arrays, start.labels.size, form)


def _state(arrays: dict[str, Any], start: Any, form: Format) -> Any:
    kept: dict[str, Any] = {}
    for name, value in start._asdict().items():
        array = arrays.get(f"state.{name}")
        if array is None:
            raise DamagedError(f"no {name}")
        kept[name] = _generator(array) if isinstance(value, np.random.Generator) else _value(name, array, value)
    if not form.valid_labels(kept["labels"][np.newaxis]):
        raise DamagedError("labels that no chain comes to")
    return type(start)(**kept)


def _generator(array: Any) -> np.random.Generator:
    generator = np.random.default_rng(0)
    try:
        generator.bit_generator.state = json.loads(str(array))
    except (TypeError, ValueError, KeyError, OverflowError, RecursionError) as error:
        raise DamagedError(f"state of the generator: {error}") from None
    return generator


def _value(name: str, array: Any, like: Any) -> Any:
    """An array, or a number, of the type and shape of ``like``; numbers are finite, arrays hold no NaN."""
    expected = np.asarray(like)
    if expected.dtype == np.int64 and array.ndim and array.dtype.kind == "u":
        array = array.astype(np.int64)
    if array.shape != expected.shape or array.dtype != expected.dtype:
        raise DamagedError(f"{name} of type {array.dtype} and shape {array.shape}")
    if array.dtype.kind == "f" and (np.isnan(array).any() or (array.ndim == 0 and not np.isfinite(array))):
        raise DamagedError(f"{name} is not finite")
    return array if isinstance(like, np.ndarray) else type(like)(array)


def _block(arrays: dict[str, Any], n_items: int, form: Format) -> Any | None:
    names: tuple[str, ...] = form.chain._fields  # type: ignore[attr-defined]
    found: list[AnyArray] = [arrays[key] for name in names if (key := f"block.{name}") in arrays]
    if not found:
        return None
    draws = found[0]
    if len(found) < len(names) or any(array.ndim == 0 or len(array) != len(draws) for array in found):
        raise DamagedError("draws and what was recorded beside them differ in number")
    if draws.ndim != 2 or draws.shape[1] != n_items or draws.dtype.kind != "u" or not form.valid_labels(draws):
        raise DamagedError(f"draws of shape {draws.shape} are no partitions of {n_items} items")
    if any(array.dtype != np.uint8 and (array.dtype.kind != "f" or np.isnan(array).any()) for array in found[1:]):
        raise DamagedError("what was recorded beside the draws is no number")
    return form.chain(*found)
