"""A lock that one process holds beside a file, with its name in it; a process that ends, however it ends, lets go."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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
