"""Files: written whole or not at all, and read only where they are plain and of a size one can hold."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import stat
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

import psutil

from ._validation import check_memory, shorten

if TYPE_CHECKING:
    import pandas as pd

Result = TypeVar("Result")

LONGEST_NAME = 200  # characters; that of a file written beside it is longer
LARGEST_PACKED = 1_000_000_000  # bytes
NO_ROOM = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
A_DAY = 86_400.0  # seconds after which a partial file of another machine was left behind
FORMATS = {".parquet": ("pyarrow", "parquet"), ".nc": ("h5netcdf", "netcdf")}  # library, and the extra that brings it
HOST = f"{zlib.crc32(platform.node().encode()):08x}"


class TooLargeError(ValueError):
    """A file unpacks to more than is read."""


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A temporary path beside ``path`` that replaces it when the block ends without an error.

    What an earlier process left there when it was killed is removed.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"path must lie in a folder that exists: got {str(path)!r}.")
    _remove_left(path)
    partial = path.with_name(f".{path.stem}-{HOST}-{os.getpid()}-{uuid4().hex[:8]}{path.suffix}")
    try:
        yield partial
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(path)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise OSError(no_room("path", path, error.strerror)) from None
        raise
    finally:
        partial.unlink(missing_ok=True)


def no_room(name: str, path: Path, reason: str | None) -> str:
    """What to say where a disk is full; files written before are as they were."""
    return f"{name} must lie on a disk with room: got {str(path)!r} ({reason}). What was there before is as it was."


def _remove_left(path: Path) -> None:
    """Remove partial files of processes that are no more."""
    ours = re.compile(rf"\.{re.escape(path.stem)}-([0-9a-f]{{8}})-(\d+)-[0-9a-f]{{8}}{re.escape(path.suffix)}")
    for found in path.parent.glob(f".{_literally(path.stem)}-*{_literally(path.suffix)}"):
        if (match := ours.fullmatch(found.name)) is None:
            continue
        with suppress(OSError):
            ended = match[1] == HOST and not psutil.pid_exists(int(match[2]))
            if ended or time.time() - found.stat().st_mtime > A_DAY:
                found.unlink()


def _literally(name: str) -> str:
    """A name in which a pattern's characters stand for themselves."""
    return re.sub(r"([*?\[])", r"[\1]", name)


def write_table(path: str | os.PathLike[str], table: pd.DataFrame | pd.Series) -> None:
    """Write a table as csv, atomically; an index without a name is one of items."""
    with atomic_write(Path(path)) as partial:
        table.to_csv(partial, index_label=str(table.index.name or "item"))


def check_path(name: str, path: Any) -> Path:
    """A path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"{name} must be a path: got {shorten(path)}.")
    if "\0" in str(path) or max((len(part) for part in Path(path).parts), default=0) > LONGEST_NAME:
        raise ValueError(f"{name} must be a path that a disk may hold: got {shorten(str(path))}.")
    return Path(path)


def check_file(name: str, path: str | os.PathLike[str]) -> Path:
    """The path of a plain file: devices and pipes may never end."""
    try:
        path = check_path(name, path)
    except ValueError:
        raise FileNotFoundError(f"{name} must name a file: got {shorten(str(path))}.") from None
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        if isinstance(error, PermissionError):
            raise
        raise FileNotFoundError(f"{name} must name a file: got {str(path)!r}.") from None
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise FileNotFoundError(f"{name} must name a file: got {str(path)!r}, which is {kind}.")
    check_format(name, path)
    return path


def check_format(name: str, path: Path) -> None:
    """Whether the library of this file's format is there: a plain installation leaves out the largest."""
    library, extra = FORMATS.get(path.suffix.lower(), ("", ""))
    if library and find_spec(library) is None:
        install = f'pip install "partita[{extra}]"'
        raise ImportError(f"{name} must be in a format whose library is installed: got {path.name!r}. Try {install}.")


def read_whole(name: str, path: Path, read: Callable[[], Result]) -> Result:
    """What ``read`` makes of a file; an error that says which file it cannot make anything of."""
    try:
        return read()
    except (MemoryError, PermissionError, TooLargeError):
        raise
    except Exception as error:  # whatever a library raises on bytes it was not made for
        got = f"{path.name!r} ({str(error).splitlines()[0] if str(error) else type(error).__name__})"
        raise ValueError(f"{name} must be a whole {path.suffix} file: got {got}. Is it truncated?") from error


def check_packed(name: str, path: Path) -> None:
    """Refuse an npz file that would unpack to what memory cannot hold, or to gigabytes of the same."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    check_memory(2 * unpacked, f"{name} in {path.name}", "Store fewer draws or items in a file.")
    if unpacked > LARGEST_PACKED and unpacked > 100 * path.stat().st_size:
        size = f"{unpacked / 1e9:.1f} GB packed into {path.stat().st_size / 1e6:.1f} MB"
        raise TooLargeError(f"{name} must not be packed a hundredfold beyond a gigabyte: got {size}.")


def file_digest(path: Path) -> str:
    """A short name for what a file holds."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def read_at_most(name: str, file: Any, largest: int) -> bytes:
    """All that a file holds, however small it was packed; refused where it is more than ``largest`` bytes."""
    content = file.read(largest + 1)
    if len(content) > largest:
        raise TooLargeError(f"{name} must be at most {largest // 1_000_000} MB: got more.")
    return content
