import gc
import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from partita.samplers.temporary_folder import LEAST_AGE, make_folder, remove_left_behind

MAKE = """import sys, time
from partita.samplers.temporary_folder import make_folder
owner = type("Owner", (), {})()
print(make_folder(owner), flush=True)
time.sleep(600)"""


class Owner:
    """Whatever a folder belongs to."""


@pytest.fixture
def room(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def grow_old(folder):
    then = time.time() - 2 * LEAST_AGE
    os.utime(folder, (then, then))


def test_a_folder_goes_with_its_owner(room):
    owner = Owner()
    folder = make_folder(owner)
    assert folder.parent == room
    del owner
    gc.collect()
    assert not folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals")
def test_what_a_killed_process_left_goes_and_what_a_living_one_has_stays(room):
    killed, living = (
        subprocess.Popen([sys.executable, "-c", MAKE], stdout=subprocess.PIPE, text=True) for _ in range(2)
    )
    try:
        left, kept = (room / os.path.basename(process.stdout.readline().strip()) for process in (killed, living))
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert left.is_dir()
        remove_left_behind()
        assert left.is_dir()  # too young to be sure
        for folder in (left, kept):
            grow_old(folder)
        remove_left_behind()
        assert not left.exists()
        assert kept.is_dir()
    finally:
        for process in (killed, living):
            process.kill()
            process.wait()
            process.stdout.close()


def test_folders_of_other_programs_stay(room):
    names = {"partita-blocks-of-mine", "partita-1"}
    for name in names:
        (room / name).mkdir()
        (room / name / "owner").write_text("me")
        grow_old(room / name)
    remove_left_behind()
    assert {path.name for path in room.iterdir()} == names
