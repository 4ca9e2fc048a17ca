"""Progress of long loops: on a terminal, on stderr, and only once they have lasted a few seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 3.0  # seconds


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call, from any thread, after each of ``total`` steps."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task, start, lock = bar.add_task(what, total=total), time.monotonic(), threading.Lock()

    def advance() -> None:
        with lock:
            bar.advance(task)
            if not bar.live.is_started and time.monotonic() - start > PATIENCE:
                bar.start()

    try:
        yield advance
    finally:
        bar.stop()
