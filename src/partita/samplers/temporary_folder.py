"""A folder for temporary files that no run leaves behind: the next one removes what a process that was killed left."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path

from .checkpoint import lock_file

PREFIX, OWNER = "partita-blocks-", ".held-by-partita"  # names that no folder of a user has
LEAST_AGE = 60.0  # seconds; a younger folder may not yet be locked by the process that made it


def make_folder(owner: object) -> Path:
    """A new folder, which goes with its owner, or else with the next folder that is made after the process ended."""
    remove_left_behind()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    held = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT, 0o600)
    lock_file(held)
    weakref.finalize(owner, _remove, folder, held)
    return folder


def remove_left_behind() -> None:
    """Remove folders whose process has ended without doing so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # of another user, or gone by now
            if time.time() - folder.stat().st_mtime > LEAST_AGE:
                held = os.open(folder / OWNER, os.O_RDWR)
                if lock_file(held):
                    _remove(folder, held)
                else:
                    os.close(held)


def _remove(folder: Path, held: int) -> None:
    os.close(held)
    shutil.rmtree(folder, ignore_errors=True)
