"""What chains have drawn so far, in one file that one process at a time holds, and the way back from it.

The lock is a file beside it, with the name of its process; a process that ends, however it ends, lets go.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from .._files import check_file, no_room
from .records import DamagedError, Format, digest, pack, unpack

FAR = 1 << 30  # the byte that is locked on Windows, where a locked byte cannot be read


@contextmanager
def hold_lock(name: str, path: Path) -> Iterator[None]:
    """Hold ``path`` for the block, or say which process has it; ``name`` is the argument that an error names."""
    beside = path.with_name(f"{path.name}.lock")
    try:
        held = _open_locked(beside)
    except OSError as error:
        raise OSError(f"{name} must be a file that can be written: got {str(path)!r} ({error.strerror}).") from None
    if held is None:
        raise OSError(f"{name} must not be in use: got {str(path)!r}, which {_owner(beside)} writes to.")
    try:
        os.ftruncate(held, 0)
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        with suppress(OSError):  # on a full disk the lock holds without a name
            os.write(held, f"process {os.getpid()} on {platform.node() or 'this machine'} since {now}".encode())
        yield
    finally:
        if sys.platform == "win32":  # where an open file cannot be removed
            os.close(held)
            beside.unlink(missing_ok=True)
        else:
            beside.unlink(missing_ok=True)
            os.close(held)


def _open_locked(beside: Path) -> int | None:
    """The lock's file, open and locked; None where another process has it."""
    while True:
        file = os.open(beside, os.O_RDWR | os.O_CREAT, 0o644)
        if not lock_file(file):
            os.close(file)
            return None
        with suppress(FileNotFoundError):
            if beside.stat().st_ino == os.fstat(file).st_ino:
                return file
        os.close(file)  # its owner removed it in between


def lock_file(file: int) -> bool:
    """Lock an open file until it is closed or the process ends; False where another process has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _owner(beside: Path) -> str:
    """Who has the lock, as its file says."""
    try:
        return beside.read_text(encoding="utf-8") or "another process"
    except OSError:
        return "another process"


PAUSE = 1.0  # seconds between two writes of a chain
SPARE = 20  # times as long for each second that the last one took, where that is more
PATIENCE = 30.0  # seconds to wait for who reads the file meanwhile
MAGIC = b"SQLite format 3\0"

TABLES = """
BEGIN;
CREATE TABLE run (settings TEXT NOT NULL, checksum TEXT NOT NULL);
CREATE TABLE part (chain INTEGER NOT NULL, n_draws INTEGER NOT NULL, fields BLOB NOT NULL, checksum TEXT NOT NULL);
"""

Row = tuple[int, int, bytes, str]


class Kept(NamedTuple):
    """What a file holds of a chain: draws made, warm-up included, blocks after it, and where the chain stands."""

    n_made: int
    blocks: list[Any]
    state: Any
    checksum: str  # of the last part, which the next one continues


class Checkpoint:
    """Parts of chains in an SQLite file, each committed whole: a kill at any moment costs the last second at most.

    A chain goes on bit for bit from the end of its last part, because a part ends with a block. The checksum of a part
    covers those before it, so that one that is changed, moved or missing is noticed.
    """

    def __init__(
        self, path: Path, settings: dict[str, Any], starts: Sequence[Any], form: Format, *, repair: bool = False
    ) -> None:
        self._path, self._settings = path, json.dumps(settings, default=str)
        self._lock = threading.Lock()
        self._waiting: dict[int, list[tuple[int, Any]]] = {}
        self._states: dict[int, Any] = {}
        self._next_write: dict[int, float] = {}
        self._kept = [Kept(0, [], start, digest(self._settings, number)) for number, start in enumerate(starts)]
        self._most_draws = settings.get("n_draws", math.inf) * (2 if settings.get("n_warmup") == "auto" else 1)
        is_new = not path.exists() or path.stat().st_size == 0
        try:
            self._file = self._connect(path)
            if is_new:
                self._begin(self._file, [])
            else:
                self._read(form, repair)
        except sqlite3.OperationalError as error:
            self._forget(is_new)
            raise OSError(self._cannot_write(error)) from None
        except BaseException:
            self._forget(False)
            raise

    def _connect(self, path: Path) -> sqlite3.Connection:
        return sqlite3.connect(path, check_same_thread=False, timeout=PATIENCE)

    def _forget(self, is_new: bool) -> None:
        """Close the file; one that could not be begun is not left behind."""
        with suppress(AttributeError):
            self._file.close()
        if is_new and self._path.is_file():
            self._path.unlink()

    def _begin(self, file: sqlite3.Connection, rows: Sequence[Row]) -> None:
        """Write the settings, and parts that were kept, into a new file."""
        with file:
            file.executescript(TABLES)
            file.execute("INSERT INTO run VALUES (?, ?)", [self._settings, digest(self._settings)])
            file.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", rows)

    def _read(self, form: Format, repair: bool) -> None:
        """Take over what the file holds; refuse the file of another run, and one that is damaged, as it is."""
        with check_file("checkpoint", self._path).open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise ValueError(f"checkpoint must be a file that a run wrote: got {str(self._path)!r}.")
        damage = self._compare()
        whole, more = self._read_parts(form)
        damage += more
        if damage and not repair:
            raise ValueError(self._describe(damage))
        if damage:
            self._rewrite(whole)

    def _compare(self) -> list[str]:
        """Refuse settings that differ; say where they cannot be read."""
        try:
            [(text, checksum)] = self._file.execute("SELECT settings, checksum FROM run").fetchall()
        except (sqlite3.DatabaseError, ValueError):
            return ["the settings are"]
        if checksum != digest(text):
            return ["the settings are"]
        kept, own = json.loads(text), json.loads(self._settings)
        differing = sorted(name for name in {**kept, **own} if kept.get(name) != own.get(name))
        if differing:
            raise ValueError(
                f"checkpoint must come from the same data and settings: got {str(self._path)!r}, which differs in "
                f"{', '.join(differing)}. It was left as it is."
            )
        return []

    def _read_parts(self, form: Format) -> tuple[list[Row], list[str]]:
        """The parts before any damage, taken over chain by chain, and what is damaged."""
        whole, damage, broken = list[Row](), list[str](), set[int]()
        n_parts = [0] * len(self._kept)
        try:
            for row in self._file.execute("SELECT chain, n_draws, fields, checksum FROM part ORDER BY rowid"):
                number = row[0]
                if not isinstance(number, int) or not 0 <= number < len(self._kept):
                    damage.append("a part of no chain is")
                elif number not in broken:
                    n_parts[number] += 1
                    try:
                        self._kept[number] = self._follow(self._kept[number], row, form)
                        whole.append(row)
                    except DamagedError as error:
                        broken.add(number)
                        damage.append(f"part {n_parts[number]} of chain {number} ({error}) is")
        except (sqlite3.DatabaseError, UnicodeError) as error:
            damage.append(f"the file itself ({error}) is")
        return whole, damage

    def _follow(self, kept: Kept, row: Row, form: Format) -> Kept:
        """What is kept of a chain with one part more."""
        number, n_draws, fields, checksum = row
        if checksum != digest(kept.checksum, number, n_draws, fields):
            raise DamagedError("its checksum differs")
        state, block = unpack(fields, kept.state, form)
        blocks = kept.blocks if block is None else [*kept.blocks, block]
        too_many = sum(len(b.draws) for b in blocks) > self._most_draws
        if n_draws < (0 if block is None else len(block.draws)) or too_many:
            raise DamagedError("it has more draws than were made")
        return Kept(kept.n_made + n_draws, blocks, state, checksum)

    def _describe(self, damage: list[str]) -> str:
        drawn = (sum(len(block.draws) for block in kept.blocks) for kept in self._kept)
        whole = ", ".join(f"{n} draws of chain {number}" for number, n in enumerate(drawn))
        return (
            f"checkpoint must hold what a run wrote: got {str(self._path)!r}, in which {damage[0]} damaged. Whole "
            f"before the damage: {whole}. Use resume='repair' (in the shell --repair) to keep those and draw the rest "
            "again, as it would have come."
        )

    def _rewrite(self, whole: Sequence[Row]) -> None:
        """A file of the whole parts in the place of a damaged one, which is kept beside it."""
        self._file.close()
        beside = self._path.with_name(f"{self._path.name}.repaired")
        beside.unlink(missing_ok=True)
        repaired = self._connect(beside)
        try:
            self._begin(repaired, whole)
        finally:
            repaired.close()
        self._path.replace(self._path.with_name(f"{self._path.name}.damaged"))
        beside.replace(self._path)
        self._file = self._connect(self._path)

    def load(self, number: int) -> tuple[int, list[Any], Any]:
        """How many draws a chain has made, its blocks after the warm-up, and where it stands."""
        kept = self._kept[number]
        if kept.n_made == 0 and not kept.blocks:
            self._write(number, kept.state, [])
        return self._kept[number].n_made, kept.blocks, kept.state

    def n_warmed_up(self, number: int) -> int:
        """Draws of a chain's warm-up, which are counted and not kept."""
        kept = self._kept[number]
        return kept.n_made - sum(len(block.draws) for block in kept.blocks)

    def keep_warmup(self, states: dict[int, Any], n_draws: int) -> None:
        """Where chains stand after so many draws of a warm-up: all of them, or if cut short none."""
        rows, kept = list[Row](), list(self._kept)
        for number, state in states.items():
            fields = pack(state, [])
            checksum = digest(kept[number].checksum, number, n_draws, fields)
            rows.append((number, n_draws, fields, checksum))
            kept[number] = Kept(n_draws, [], state, checksum)
        self._insert(rows)
        self._kept = kept

    def add(self, number: int, state: Any, n_draws: int, block: Any) -> None:
        """Take note of a block, or of a warm-up, whose draws are not kept; now and then write what has gathered."""
        self._waiting.setdefault(number, []).append((n_draws, block))
        self._states[number] = state
        if time.monotonic() > self._next_write.get(number, 0.0):
            self.flush(number)

    def flush(self, number: int) -> None:
        """Write what has gathered."""
        waiting = self._waiting.pop(number, [])
        if waiting:
            self._write(number, self._states[number], waiting)

    def finish(self, number: int, state: Any, chain: Any) -> None:
        """Write what has gathered of a chain that has all its draws, from which it may go on."""
        self.flush(number)
        self._kept[number] = self._kept[number]._replace(blocks=[chain], state=state)

    def change(self, number: int, state: Any) -> None:
        """Let a chain go on from another state."""
        self._write(number, state, [])
        self._kept[number] = self._kept[number]._replace(state=state)

    def _write(self, number: int, state: Any, waiting: list[tuple[int, Any]]) -> None:
        begun = time.monotonic()
        fields = pack(state, [block for _, block in waiting if block is not None])
        n_draws, kept = sum(n for n, _ in waiting), self._kept[number]
        checksum = digest(kept.checksum, number, n_draws, fields)
        self._insert([(number, n_draws, fields, checksum)])
        self._kept[number] = kept._replace(n_made=kept.n_made + n_draws, checksum=checksum)
        now = time.monotonic()
        self._next_write[number] = now + PAUSE * max(1.0, SPARE * (now - begun))

    def _insert(self, rows: Sequence[Row]) -> None:
        try:
            with self._lock, self._file:
                self._file.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", rows)
        except sqlite3.DatabaseError as error:
            raise OSError(f"{self._cannot_write(error)} Go on from it later with resume=True.") from None

    def _cannot_write(self, error: sqlite3.Error) -> str:
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_FULL", "SQLITE_IOERR")):
            return no_room("checkpoint", self._path, str(error))
        return f"checkpoint must be a file that can be written: got {str(self._path)!r} ({error})."

    def close(self) -> None:
        """Let go of the file."""
        with suppress(sqlite3.Error):
            self._file.close()


@contextmanager
def open_checkpoint(
    path: str | Path | None,
    resume: bool | str,
    starts: Sequence[Any],
    form: Format,
    random_state: Any,
    **settings: Any,
) -> Iterator[Checkpoint | None]:
    """The file of a run with these settings, or None where none is wanted; the file of a run without a seed has one."""
    if not isinstance(resume, bool) and resume != "repair":
        raise ValueError(f"resume must be True, False or 'repair': got {resume!r}.")
    if path is None:
        if resume:
            raise ValueError(f"resume must be False without a checkpoint to go on from: got {resume!r}.")
        yield None
        return
    if (kind := type(starts[0].rng.bit_generator).__name__) != "PCG64":
        raise ValueError(f"random_state must be a seed or a PCG64 generator with a checkpoint: got a {kind} generator.")
    path = Path(path)
    seed = None if random_state is None else digest(str(starts[0].rng.bit_generator.state))
    with hold_lock("checkpoint", path):
        if path.exists() and not resume:
            raise ValueError(
                f"checkpoint must not exist yet: got {str(path)!r}, which does. Use resume=True to go on from it."
            )
        checkpoint = Checkpoint(path, {**settings, "random_state": seed}, starts, form, repair=resume == "repair")
        try:
            yield checkpoint
        finally:
            checkpoint.close()
