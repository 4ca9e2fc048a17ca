import errno
import gzip
import hashlib
import io
import os
import subprocess
import sys
import time
import zipfile
from contextlib import nullcontext
from functools import partial

import numpy as np
import pytest

import partita as pt
from partita import _files
from partita._files import (
    HOST,
    atomic_write,
    check_file,
    check_packed,
    check_path,
    file_digest,
    read_at_most,
    read_whole,
)

GONE = 2**22 + 1  # above the largest number of a process


def test_what_a_killed_process_left_is_removed(tmp_path, monkeypatch):
    ended = tmp_path / f".draws-{HOST}-{GONE}-0123abcd.npz"
    alive = tmp_path / f".draws-{HOST}-{os.getppid()}-0123abcd.npz"
    elsewhere = tmp_path / f".draws-{'0' * 8}-{GONE}-0123abcd.npz"
    old = tmp_path / f".draws-{'0' * 8}-{GONE}-0000abcd.npz"
    others = [tmp_path / name for name in (".draws-mine.npz", f".labels-{HOST}-{GONE}-0123abcd.npz", "draws-1.npz")]
    for path in (ended, alive, elsewhere, old, *others):
        path.write_text("half")
    now = time.time()
    monkeypatch.setattr(_files.time, "time", lambda: now)
    os.utime(old, (now, now - 86401))
    os.utime(elsewhere, (now, now - 86399))
    with atomic_write(tmp_path / "draws.npz") as partial:
        partial.write_text("whole")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {path.name for path in (alive, elsewhere, *others)} | {"draws.npz"}


@pytest.mark.parametrize("name", ["a[1]*?.csv", "no suffix", ".hidden"])
def test_names_with_any_characters_are_written(tmp_path, name):
    with atomic_write(tmp_path / name) as partial:
        partial.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_full_disk_is_named_and_nothing_changes(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("before")
    full = pytest.raises(
        OSError, match=r"path must lie on a disk with room: got .*table.csv' \(No space left on device\)"
    )
    with full, atomic_write(path) as partial:
        partial.write_text("half of it")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert path.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


def test_only_plain_files_are_read(tmp_path):
    (tmp_path / "plain").write_text("")
    os.symlink("/dev/zero", tmp_path / "endless.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    assert check_file("data", tmp_path / "plain") == tmp_path / "plain"
    for name, what in (
        ("endless.csv", "a device or a pipe"),
        ("pipe.csv", "a device or a pipe"),
        (".", "a folder"),
    ):
        with pytest.raises(FileNotFoundError, match=f"data must name a file: got .*, which is {what}"):
            check_file("data", tmp_path / name)
    for missing in ("missing.csv", "zero\0byte", "n" * 5000):
        with pytest.raises(FileNotFoundError, match="data must name a file: got"):
            check_file("data", tmp_path / missing)


def test_what_grows_beyond_a_bound_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"0" * 2_000_001)
    with (tmp_path / "file").open("rb") as file, pytest.raises(ValueError, match="data must be at most 2 MB: got more"):
        read_at_most("data", file, 2_000_000)
    with (tmp_path / "file").open("rb") as file:
        assert len(read_at_most("data", file, 3_000_000)) == 2_000_001


def test_all_of_a_file_is_read_up_to_the_bound_and_a_byte_more_at_most():
    class Endless:
        def read(self, size):
            asked.append(size)
            return bytes(size)

    asked = []
    assert read_at_most("data", io.BytesIO(b"four"), 4) == b"four"
    with pytest.raises(ValueError, match="at most 3 MB"):
        read_at_most("data", Endless(), 3_999_999)
    assert asked == [4_000_000]


def test_names_may_have_two_hundred_characters():
    assert check_path("path", "a/" + "n" * 200).name == "n" * 200
    assert check_path("path", "").name == ""
    for wrong in ("n" * 201, "n" * 201 + "/a", "zero\0byte"):
        with pytest.raises(ValueError, match="path must be a path that a disk may hold"):
            check_path("path", wrong)
    with pytest.raises(TypeError, match="path must be a path: got 5"):
        check_path("path", 5)


def test_the_first_line_of_an_error_says_what_is_wrong_with_a_file(tmp_path):
    def fail(error):
        raise error

    for error, said in ((KeyError(), "KeyError"), (TypeError("first\nsecond"), "first")):
        with pytest.raises(ValueError) as raised:
            read_whole("data", tmp_path / "draws.npz", partial(fail, error))
        assert str(raised.value) == f"data must be a whole .npz file: got 'draws.npz' ({said}). Is it truncated?"
    for kept in (MemoryError(), PermissionError()):
        with pytest.raises(type(kept)):
            read_whole("data", tmp_path / "draws.npz", partial(fail, kept))


@pytest.mark.parametrize(
    ("unpacked", "size", "refused"), [(600_001, 6000, True), (600_000, 6000, False), (500_000, 4000, False)]
)
def test_files_are_refused_that_are_large_and_packed_more_than_a_hundredfold(
    tmp_path, monkeypatch, unpacked, size, refused
):
    asked, packed = [], io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(unpacked - 1000))
        archive.writestr("more", bytes(1000))
    (tmp_path / "draws.npz").write_bytes(packed.getvalue().rjust(size, b"0"))  # what comes before is not looked at
    assert (tmp_path / "draws.npz").stat().st_size == size
    monkeypatch.setattr(_files, "check_memory", lambda n_bytes, *_: asked.append(n_bytes))
    monkeypatch.setattr(_files, "LARGEST_PACKED", 500_000)
    allowed = pytest.raises(ValueError, match=r"got 0\.0 GB packed into 0\.0 MB\.$") if refused else nullcontext()
    with allowed:
        check_packed("draws", tmp_path / "draws.npz")
    assert asked == [2 * unpacked]  # what is unpacked, and what is made of it


def test_files_that_are_not_packed_are_not_looked_into(tmp_path):
    (tmp_path / "draws.npz").write_text("draws")
    check_packed("draws", tmp_path / "draws.npz")
    assert _files.LARGEST_PACKED == 10**9


def test_files_are_named_after_what_they_hold(tmp_path):
    (tmp_path / "file").write_bytes(b"draws")
    assert file_digest(tmp_path / "file") == hashlib.sha256(b"draws").hexdigest()[:16]


FULL = """
import resource, sys, numpy as np, partita as pt
posterior = pt.PartitionPosterior(np.random.default_rng(0).integers(5, size=(400, 200)))
posterior.save(sys.argv[1])  # once without a limit, so that everything is imported
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    posterior.save(sys.argv[2])
except OSError as error:
    print(error)
"""


@pytest.mark.parametrize("suffix", ["csv", "npz", "npy", "parquet", "nc"])
def test_saving_where_a_file_cannot_grow_is_an_error_and_leaves_nothing(tmp_path, suffix):
    command = [sys.executable, "-c", FULL, str(tmp_path / f"before.{suffix}"), str(tmp_path / f"draws.{suffix}")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "path must lie on a disk with room: got" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == [f"before.{suffix}"]


def test_what_unpacks_to_gigabytes_is_refused(tmp_path):
    with gzip.open(tmp_path / "draws.csv.gz", "wb", 1) as file:
        for _ in range(51):
            file.write(b"0,0,1\n" * 1_700_000)
    with pytest.raises(ValueError, match=r"draws.csv.gz: draws must be at most 500 MB: got more"):
        pt.PartitionPosterior.from_any(tmp_path / "draws.csv.gz")
    header = {"descr": "|u1", "fortran_order": False, "shape": (1100, 1_000_000)}
    packed = zipfile.ZipFile(tmp_path / "draws.npz", "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with packed as archive, archive.open("draws.npy", "w", force_zip64=True) as file:
        np.lib.format.write_array_header_1_0(file, header)
        for _ in range(11):
            file.write(bytes(100_000_000))
    with pytest.raises(ValueError, match=r"draws must not be packed a hundredfold beyond a gigabyte: got 1.1 GB"):
        pt.PartitionPosterior.from_any(tmp_path / "draws.npz")


@pytest.mark.parametrize(("name", "extra"), [("draws.parquet", "parquet"), ("draws.nc", "netcdf")])
def test_a_format_whose_library_is_missing_names_the_extra(tmp_path, monkeypatch, name, extra):
    posterior = pt.PartitionPosterior([[0, 0, 1]] * 4)
    posterior.save(tmp_path / name)
    monkeypatch.setattr("partita._files.find_spec", lambda library: None)
    for use in (posterior.save, pt.PartitionPosterior.from_any):
        with pytest.raises(ImportError, match=rf"{name}.*partita\[{extra}\]"):
            use(tmp_path / name)
    posterior.save(tmp_path / "draws.npz")  # what needs no library does not ask for one
