"""A pytest plugin that writes which functions each passed test enters and its seconds, to the file ENTERED names."""

import json
import os
import sys
import threading
import time
from pathlib import Path

import pytest

SOURCE = str(Path(__file__).parents[2] / "src" / "partita") + os.sep
PROCESSES = ("subprocess.py", f"multiprocessing{os.sep}process.py")  # what another process enters is not seen
ANY = "any"

entered, found, by_fixture = set(), {}, {}


def enter(frame, _event, _argument):
    """Note a function; its lines are not followed."""
    code = frame.f_code
    if code.co_filename.startswith(SOURCE):
        entered.add(f"{Path(code.co_filename[len(SOURCE) :]).as_posix()}:{code.co_qualname}")
    elif code.co_filename.endswith(PROCESSES):
        entered.add(ANY)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    """Keep what a fixture enters, for all tests that use it."""
    before = set(entered)
    entered.clear()
    try:
        return (yield)
    finally:
        by_fixture[fixturedef] = set(entered)
        entered.update(before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Follow a test with its fixtures."""
    entered.clear()
    begin = time.process_time()
    threading.settrace(enter)
    sys.settrace(enter)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        threading.settrace(None)
        for fixtures in item._fixtureinfo.name2fixturedefs.values():
            entered.update(*(by_fixture.get(fixture, ()) for fixture in fixtures))
        if item.nodeid in found:
            found[item.nodeid] = (time.process_time() - begin, sorted(entered))


def pytest_runtest_logreport(report):
    """Only tests that pass can notice."""
    if report.when == "call" and report.passed:
        found[report.nodeid] = ()


def pytest_sessionfinish():
    """Write what was found."""
    Path(os.environ["ENTERED"]).write_text(json.dumps(found), encoding="utf-8")
