"""What chains have drawn so far, in one file, and the way back from it."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .base import join_blocks

PAUSE = 1.0  # seconds between two writes of a chain

TABLES = """
BEGIN;
CREATE TABLE run (settings TEXT NOT NULL);
CREATE TABLE part (chain INTEGER NOT NULL, n_draws INTEGER NOT NULL, fields BLOB NOT NULL, checksum TEXT NOT NULL);
"""


def digest(*things: Any) -> str:
    """A short name for arrays, numbers and tuples of them: the same for the same, and for nothing else."""
    seen = hashlib.sha256()

    def take(thing: Any) -> None:
        if isinstance(thing, tuple):
            for part in thing:
                take(part)
        elif isinstance(thing, np.ndarray):
            seen.update(f"{thing.dtype}{thing.shape}".encode() + np.ascontiguousarray(thing).tobytes())
        else:
            seen.update(repr(thing).encode())

    take(things)
    return seen.hexdigest()[:16]


def _as_array(value: Any) -> Any:
    """A field of a state as an array; a generator as text."""
    if isinstance(value, np.random.Generator):
        return np.array(json.dumps(value.bit_generator.state))
    return np.asarray(value)


def _restore(start: Any, fields: dict[str, Any]) -> Any:
    """The state that was kept, of the type of ``start``, whose generator it takes over."""
    kept: dict[str, Any] = {}
    for name, value in start._asdict().items():
        array = fields[f"state.{name}"]
        if isinstance(value, np.random.Generator):
            value.bit_generator.state = json.loads(str(array))
            kept[name] = value
        else:
            kept[name] = array if isinstance(value, np.ndarray) else type(value)(array)
    return type(start)(**kept)


class Checkpoint:
    """Parts of chains in an SQLite file, each committed whole: a kill at any moment costs the last second at most.

    A chain goes on bit for bit from the end of its last part, because a part ends with a block.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any], resume: bool) -> None:
        self._path, self._lock = Path(path), threading.Lock()
        self._waiting: dict[int, list[tuple[int, Any]]] = {}
        self._states: dict[int, Any] = {}
        self._written: dict[int, float] = {}
        if self._path.exists() and not resume:
            raise ValueError(
                f"checkpoint must not exist yet: got {str(path)!r}, which does. Use resume=True to go on from it."
            )
        try:
            self._file = sqlite3.connect(self._path, check_same_thread=False, timeout=0)
            try:
                self._begin(settings)
            except BaseException:
                self._file.close()
                raise
        except sqlite3.OperationalError as error:
            raise OSError(f"checkpoint must be a file that can be written: got {str(path)!r} ({error}).") from None

    def _begin(self, settings: dict[str, Any]) -> None:
        """Write the settings into a new file; refuse the file of another run, and leave it as it is."""
        try:
            known = self._file.execute("SELECT name FROM sqlite_master").fetchall()
            kept = json.loads(self._file.execute("SELECT settings FROM run").fetchone()[0]) if known else None
        except (sqlite3.DatabaseError, TypeError, ValueError) as error:
            if "unable to open" in str(error):
                raise
            raise ValueError(f"checkpoint must be a file that a run wrote: got {str(self._path)!r}.") from None
        if kept is None:
            with self._file:
                self._file.executescript(TABLES)
                self._file.execute("INSERT INTO run VALUES (?)", [json.dumps(settings)])
            return
        differing = [name for name, value in settings.items() if kept.get(name) != value]
        if differing:
            raise ValueError(
                f"checkpoint must come from the same data and settings: got {str(self._path)!r}, which differs in "
                f"{', '.join(differing)}. It was left as it is."
            )

    def load(self, number: int, start: Any, chain: type) -> tuple[int, list[Any], Any]:
        """How many draws a chain has made, its blocks (of type ``chain``) after the warm-up, and where it stands.

        A chain not yet begun stands at ``start``.
        """
        with self._lock:
            rows = self._file.execute(
                "SELECT n_draws, fields, checksum FROM part WHERE chain = ? ORDER BY rowid", [number]
            ).fetchall()
        if not rows:
            self._write(number, start, [])
            return 0, [], start
        parts = [self._unpack(number, *row) for row in rows]
        blocks = [
            chain(*(part[f"block.{name}"] for name in chain._fields))  # type: ignore[attr-defined]
            for part in parts
            if "block.draws" in part
        ]
        return sum(row[0] for row in rows), blocks, _restore(start, parts[-1])

    def _unpack(self, number: int, n_draws: int, fields: bytes, checksum: str) -> dict[str, Any]:
        """The fields of a part, unless it was damaged."""
        if digest(number, n_draws, fields) != checksum:
            raise ValueError(
                f"checkpoint must hold what a run wrote: got {str(self._path)!r}, in which a part of chain {number} is "
                "damaged. Start anew with another file."
            )
        with np.load(io.BytesIO(fields), allow_pickle=False) as arrays:
            return dict(arrays)

    def add(self, number: int, state: Any, n_draws: int, block: Any) -> None:
        """Take note of a block, or of a warm-up, whose draws are not kept; now and then write what has gathered."""
        self._waiting.setdefault(number, []).append((n_draws, block))
        self._states[number] = state
        if time.monotonic() - self._written.get(number, 0.0) > PAUSE:
            self.flush(number)

    def flush(self, number: int) -> None:
        """Write what has gathered."""
        waiting = self._waiting.pop(number, [])
        if waiting:
            self._write(number, self._states[number], waiting)

    def _write(self, number: int, state: Any, waiting: list[tuple[int, Any]]) -> None:
        fields = {f"state.{name}": _as_array(value) for name, value in state._asdict().items()}
        blocks = [block for _, block in waiting if block is not None]
        if blocks:
            fields |= {f"block.{name}": value for name, value in join_blocks(blocks)._asdict().items()}
        buffer, n_draws = io.BytesIO(), sum(n for n, _ in waiting)
        np.savez(buffer, **fields)
        row = (number, n_draws, buffer.getvalue(), digest(number, n_draws, buffer.getvalue()))
        with self._lock, self._file:
            self._file.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
        self._written[number] = time.monotonic()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


@contextmanager
def open_checkpoint(
    path: str | Path | None, resume: bool, first: Any, random_state: Any, **settings: Any
) -> Iterator[Checkpoint | None]:
    """The file of a run with these settings, or None where none is wanted; the file of a run without a seed has one."""
    if path is None:
        if resume:
            raise ValueError("resume must be False without a checkpoint to go on from: got True.")
        yield None
        return
    if (kind := type(first.rng.bit_generator).__name__) != "PCG64":
        raise ValueError(f"random_state must be a seed or a PCG64 generator with a checkpoint: got a {kind} generator.")
    seed = None if random_state is None else digest(str(first.rng.bit_generator.state))
    checkpoint = Checkpoint(path, {**settings, "random_state": seed}, resume)
    try:
        yield checkpoint
    finally:
        checkpoint.close()
