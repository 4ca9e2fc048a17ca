"""Progress on standard error: a bar on a terminal; of a command whose output goes elsewhere, a line at times."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

PATIENCE = 1.0  # seconds before anything is shown
EVERY = 10.0  # seconds between lines
_shown = {"bars": True, "lines": False}


@contextmanager
def show_progress(*, bars: bool, lines: bool) -> Iterator[None]:
    """While it lasts: whether there are bars on a terminal, and lines elsewhere (where a library is silent)."""
    before = dict(_shown)
    _shown.update(bars=bars, lines=lines)
    try:
        yield
    finally:
        _shown.update(before)


class Progress:
    """``with Progress("Searching", total) as progress: progress.advance(1, "best 0.77")``.

    Without a description nothing is shown.
    """

    def __init__(self, description: str, total: int, unit: str = "") -> None:
        self._description, self._total, self._unit, self._done = description, total, unit, 0
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._closed = False
        self._bar: Any = None
        self._task: Any = None

    def advance(self, n: int, note: str = "") -> None:
        """Note that ``n`` more parts are done."""
        with self._lock:  # threads take turns
            self._done += n
            if self._bar is not None:
                self._bar.update(self._task, completed=self._done, note=f"{self._rate()}{note}")

    def _rate(self) -> str:
        per_second = self._done / max(time.monotonic() - self._began, 1e-9)
        return f"{per_second:,.0f} {self._unit}/s, " if self._unit else ""

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress as RichProgress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
        )
        with self._lock:
            if self._closed:
                return
            self._bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
            hint = "" if self._done else "a first run compiles first; partita warmup does so ahead"
            self._task = self._bar.add_task(self._description, total=self._total, completed=self._done, note=hint)
            self._bar.start()

    def _say(self) -> None:
        with self._lock:
            if self._closed:
                return
            spent = time.monotonic() - self._began
            left = f", about {spent / self._done * (self._total - self._done):.0f} s left" if self._done else ""
            share = f"{100 * self._done / max(self._total, 1):.0f} %"
            print(f"{self._description}: {share} after {spent:.0f} s{left}", file=sys.stderr, flush=True)
        self._wait(EVERY, self._say)

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._timer = threading.Timer(seconds, then)
        self._timer.daemon = True
        self._timer.start()

    def __enter__(self) -> Progress:
        if self._description and _shown["bars"] and sys.stderr.isatty():
            self._wait(PATIENCE, self._open)
        elif self._description and _shown["lines"] and not sys.stderr.isatty():
            self._wait(EVERY, self._say)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
            if self._bar is not None:
                self._bar.stop()
