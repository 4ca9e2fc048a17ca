"""How long work runs, and on how many threads: joblib, results in order, one place to stop from."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_parallel(function: Callable[[Job], Result], jobs: Iterable[Job], n_jobs: int) -> list[Result]:
    """``[function(job) for job in jobs]`` on ``n_jobs`` threads; kernels release the interpreter's lock.

    Starting threads costs tens of milliseconds: callers with less work than that pass ``n_jobs=1``.
    """
    if n_jobs == 1:
        return [function(job) for job in jobs]
    from joblib import Parallel, delayed

    return list(Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(function)(job) for job in jobs))


class Budget:
    """Whether to go on: until a time limit, or until someone says stop."""

    def __init__(self, time_limit: float | None = None) -> None:
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._stopped = threading.Event()

    @contextmanager
    def catching_interrupts(self) -> Iterator[None]:
        """Turn the first Ctrl-C inside the block into a request to stop."""
        try:
            yield
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """End the work at its next look."""
        self._stopped.set()

    @property
    def interrupted(self) -> bool:
        """Whether someone said stop."""
        return self._stopped.is_set()

    @property
    def exhausted(self) -> bool:
        """Whether it is time to end."""
        return self.interrupted or (self._deadline is not None and time.monotonic() > self._deadline)
