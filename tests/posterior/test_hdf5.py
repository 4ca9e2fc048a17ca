import contextlib
import sys

import pytest

import partita as pt
from partita.posterior import hdf5

pytest.importorskip("h5netcdf")
DRAWS = [[0, 0, 1, 2], [0, 1, 1, 1], [0, 0, 0, 1]]
LOOPS = "import time; time.sleep(60)"
CRASHES = "import os; print('a complaint', flush=True); os.abort()"


@pytest.fixture
def path(tmp_path):
    pt.PartitionPosterior(DRAWS).save(tmp_path / "draws.nc")
    return tmp_path / "draws.nc"


def test_a_whole_file_passes(path):
    hdf5.check_hdf5(path)
    hdf5.visit(str(path))


@pytest.mark.parametrize(
    ("script", "said"), [(LOOPS, "whole .nc file: looking at its parts did not end"), (CRASHES, "crashed on it")]
)
def test_what_the_library_never_comes_back_from_is_refused(path, monkeypatch, capfd, script, said):
    instead = path.with_name("instead.py")
    instead.write_text(script)
    monkeypatch.setattr(hdf5, "__file__", str(instead))
    monkeypatch.setattr(hdf5, "LONGEST", 3.0)
    with pytest.raises(ValueError, match=said):
        pt.PartitionPosterior.from_any(path)
    assert capfd.readouterr() == ("", "")


def test_a_flipped_byte_ends_in_an_answer_or_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(hdf5, "LONGEST", 5.0)
    path = tmp_path / "flipped.nc"
    pt.PartitionPosterior([[0, 1, 2] * 4] * 20).save(path)
    content = bytearray(path.read_bytes())
    content[662] ^= 64  # HDF5 1.14 never ends on this one
    path.write_bytes(bytes(content))
    refused = pytest.raises(ValueError, match=r"must be a whole \.nc file")
    with contextlib.suppress(pytest.fail.Exception), refused:  # another version's file may be laid out otherwise
        assert pt.PartitionPosterior.from_any(path).n_items == 12


def test_python_inside_another_program_reads_without_looking(path, monkeypatch):
    monkeypatch.setattr(sys, "executable", "")
    monkeypatch.setattr(hdf5, "__file__", "no such file")
    assert pt.PartitionPosterior.from_any(path).n_items == 4
