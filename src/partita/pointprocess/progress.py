"""Progress on a terminal, for work that takes more than a few seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

Job = TypeVar("Job")


def watched(jobs: Sequence[Job], what: str, long: bool) -> Iterable[Job]:
    """The same jobs, with a progress bar on standard error if they are ``long`` and it is a terminal."""
    if not long or not sys.stderr.isatty():
        return jobs
    from rich.console import Console
    from rich.progress import track

    return track(jobs, what, console=Console(stderr=True), transient=True)
