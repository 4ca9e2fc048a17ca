import io
import re
import sys
import time

import pytest

from partita import _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "patience", "shown"), [(Terminal(), 0.0, True), (Terminal(), 60.0, False), (io.StringIO(), 0.0, False)]
)
def test_progress_is_shown_on_a_terminal_after_a_while(monkeypatch, stream, patience, shown):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(_progress, "PATIENCE", patience)
    with _progress.Progress("Counting", 3) as progress:
        progress.advance(1, "two to go")
        if shown:
            deadline = time.monotonic() + 20
            while "Counting" not in stream.getvalue() and time.monotonic() < deadline:
                time.sleep(0.02)
        progress.advance(2)
    assert ("Counting" in stream.getvalue()) == shown


def test_a_command_says_in_lines_what_no_terminal_shows(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(_progress, "EVERY", 0.01)
    monkeypatch.setitem(_progress._shown, "lines", True)
    with _progress.Progress("Counting", 4) as progress:
        progress.advance(1)
        deadline = time.monotonic() + 20
        while stream.getvalue().count("\n") < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
    lines = stream.getvalue().splitlines()
    assert len(lines) >= 2
    assert re.fullmatch(r"Counting: 25 % after \d+ s, about \d+ s left", lines[0])
    time.sleep(0.05)
    assert stream.getvalue().splitlines() == lines  # and nothing after the end
    with _progress.Progress("Counting", 4) as progress:
        progress.advance(4)
        progress._say()
    assert stream.getvalue().splitlines()[-1].startswith("Counting: 100 % after")


def test_quiet_is_quiet_on_a_terminal_too(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    monkeypatch.setitem(_progress._shown, "bars", False)
    with _progress.Progress("Counting", 4) as progress:
        time.sleep(0.05)
        progress.advance(4)
    assert stream.getvalue() == ""


@pytest.mark.parametrize(("seconds", "said"), [(0.5, "2,000 draws/s, "), (1e-4, "10,000,000 draws/s, ")])
def test_the_rate_is_what_was_done_by_the_time_it_took(monkeypatch, seconds, said):
    progress = _progress.Progress("Sampling", 10_000, unit="draws")
    progress.advance(1000)
    began = progress._began
    monkeypatch.setattr(_progress.time, "monotonic", lambda: began + seconds)
    assert progress._rate() == said


def test_without_a_unit_there_is_no_rate():
    progress = _progress.Progress("Counting", 3)
    progress.advance(1)
    assert progress._rate() == ""
