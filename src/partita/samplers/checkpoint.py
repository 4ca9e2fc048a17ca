"""What chains have drawn so far, in one file, and the way back from it."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .base import Chain, State

PAUSE = 1.0  # seconds between two writes of a chain

TABLES = """
BEGIN;
CREATE TABLE run (settings TEXT NOT NULL);
CREATE TABLE part (
    chain INTEGER, n_draws INTEGER, draws BLOB, log_posterior BLOB, parameters BLOB,
    labels BLOB, parameter REAL, rng TEXT
);
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


class Checkpoint:
    """Parts of chains in an SQLite file, each committed whole: a kill at any moment costs the last second at most.

    A chain goes on bit for bit from the end of its last part, because a part ends with a block.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any], resume: bool) -> None:
        self._path, self._lock = Path(path), threading.Lock()
        self._waiting: dict[int, list[Chain]] = {}
        self._states: dict[int, State] = {}
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

    def load(self, number: int, start: State) -> tuple[list[Chain], State]:
        """The blocks of a chain so far, and where it stands; a chain not yet begun stands at ``start``."""
        with self._lock:
            rows = self._file.execute("SELECT * FROM part WHERE chain = ? ORDER BY rowid", [number]).fetchall()
        if not rows:
            self._write(number, start, [])
            return [], start
        n_items = start.labels.size
        label = np.min_scalar_type(n_items - 1)
        blocks = [
            Chain(np.frombuffer(draws, label).reshape(n, n_items), np.frombuffer(log), np.frombuffer(parameters))
            for _, n, draws, log, parameters, *_ in rows
            if n > 0
        ]
        *_, labels, parameter, rng_state = rows[-1]
        start.rng.bit_generator.state = json.loads(rng_state)
        return blocks, State(np.frombuffer(labels, np.int64), parameter, start.rng)

    def add(self, number: int, state: State, block: Chain) -> None:
        """Take note of a block; now and then write what has gathered."""
        self._waiting.setdefault(number, []).append(block)
        self._states[number] = state
        if time.monotonic() - self._written.get(number, 0.0) > PAUSE:
            self.flush(number)

    def flush(self, number: int) -> None:
        """Write what has gathered."""
        blocks = self._waiting.pop(number, [])
        if blocks:
            self._write(number, self._states[number], blocks)

    def _write(self, number: int, state: State, blocks: list[Chain]) -> None:
        parts = zip(*blocks, strict=True) if blocks else ((np.empty(0),) for _ in range(3))
        draws, log_posterior, parameters = (np.concatenate(part) for part in parts)
        row = (
            number, len(draws), draws.tobytes(), log_posterior.tobytes(), parameters.tobytes(),
            state.labels.tobytes(), state.parameter, json.dumps(state.rng.bit_generator.state)
        )  # fmt: skip
        with self._lock, self._file:
            self._file.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        self._written[number] = time.monotonic()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


@contextmanager
def open_checkpoint(
    path: str | Path | None, resume: bool, first: State, random_state: Any, **settings: Any
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
