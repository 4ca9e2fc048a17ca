import io
import re
import sys
import time
from contextlib import nullcontext

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


def test_what_is_left_takes_as_long_as_what_was_done(monkeypatch, capsys):
    with _progress.Progress("Counting", 40) as progress:
        began = progress._began
        monkeypatch.setattr(_progress.time, "monotonic", lambda: began + 30)
        monkeypatch.setattr(_progress.Progress, "_wait", lambda *_: None)
        progress._say()
        progress.advance(8)
        progress.advance(2)
        progress._say()
    assert capsys.readouterr().err.splitlines() == [
        "Counting: 0 % after 30 s",
        "Counting: 25 % after 30 s, about 90 s left",
    ]
    progress._say()  # after the end
    with _progress.Progress("Counting", 0) as nothing:
        nothing._began = began + 29
        nothing._say()
    assert capsys.readouterr().err == "Counting: 0 % after 1 s\n"


@pytest.mark.parametrize(
    ("stream", "description", "shown", "waits"),
    [
        (Terminal(), "Counting", None, (1.0, "_open")),
        (Terminal(), "", None, None),
        (Terminal(), "Counting", {"bars": False, "lines": True}, None),
        (io.StringIO(), "Counting", None, None),
        (io.StringIO(), "Counting", {"bars": False, "lines": True}, (10.0, "_say")),
        (io.StringIO(), "", {"bars": True, "lines": True}, None),
    ],
)
def test_a_library_shows_bars_and_a_command_lines(monkeypatch, stream, description, shown, waits):
    asked = []
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(_progress.Progress, "_wait", lambda self, seconds, then: asked.append((seconds, then.__name__)))
    with _progress.show_progress(**shown) if shown else nullcontext(), _progress.Progress(description, 3):
        pass
    assert asked == ([waits] if waits else [])


def test_what_waits_to_be_shown_does_not_keep_a_program_from_ending():
    progress = _progress.Progress("Counting", 3)
    progress._wait(60.0, print)
    assert progress._timer.daemon
    progress._timer.cancel()


def test_a_bar_shows_how_much_is_done_and_goes_in_the_end(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    progress = _progress.Progress("Counting", 8, unit="draws")
    progress._open()
    assert progress._bar.tasks[0].fields["note"].startswith("a first run compiles")
    monkeypatch.setattr(_progress.time, "monotonic", lambda: progress._began + 2.0)
    progress.advance(6, "best 0.7")
    assert progress._bar.tasks[0].completed == 6
    assert progress._bar.tasks[0].fields["note"] == "3 draws/s, best 0.7"
    assert progress._bar.live.transient
    progress.__exit__(None, None, None)
    progress._bar = None
    progress._open()  # late
    assert progress._bar is None


def test_without_a_unit_there_is_no_rate():
    progress = _progress.Progress("Counting", 3)
    progress.advance(1)
    assert progress._rate() == ""


def test_one_part_of_one_is_all(monkeypatch, capsys):
    monkeypatch.setattr(_progress.Progress, "_wait", lambda *_: None)
    with _progress.Progress("Counting", 1) as progress:
        progress.advance(1)
        progress._say()
    assert capsys.readouterr().err.startswith("Counting: 100 % after")
