import io
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
