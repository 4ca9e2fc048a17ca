"""Independent jobs side by side through joblib, results in the order of the jobs; and when to stop early.

A job is a function's argument and its result what the function returns, so the same code runs on threads (the default:
kernels release the interpreter's lock), on processes or on a Dask cluster, as a ``joblib.parallel_config`` around the
call says.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ._progress import Progress

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_parallel(
    function: Callable[[Job], Result],
    jobs: Sequence[Job],
    n_jobs: int,
    description: str = "",
    note: Callable[[Result], str] = lambda _: "",
) -> list[Result]:
    """``[function(job) for job in jobs]``, ``n_jobs`` at a time, with a progress bar where a description is given.

    The function and its results must be picklable. Starting threads costs tens of milliseconds: callers with less work
    than that pass ``n_jobs=1``.
    """
    results: list[Result] = []
    with Progress(description, len(jobs)) as progress:
        for result in iterate_parallel(function, jobs, n_jobs):
            results.append(result)
            progress.advance(1, note(result))
    return results


def iterate_parallel(function: Callable[[Job], Result], jobs: Sequence[Job], n_jobs: int) -> Iterator[Result]:
    """The results one by one, so that those already there are kept when an interrupt ends the rest."""
    if n_jobs == 1:
        return (function(job) for job in jobs)
    from joblib import Parallel, delayed

    # Large arrays are copied to other processes, not mapped: kernels are compiled for arrays they may write to.
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator", max_nbytes=None)
    return parallel(delayed(function)(job) for job in jobs)


def run_threads(function: Callable[[Job], Result], jobs: Sequence[Job], n_jobs: int) -> list[Result]:
    """``[function(job) for job in jobs]`` on threads, whatever the configuration: for jobs that share what they use."""
    if n_jobs == 1 or len(jobs) == 1:
        return [function(job) for job in jobs]
    from joblib import Parallel, delayed

    return list(Parallel(n_jobs=n_jobs, backend="threading")(delayed(function)(job) for job in jobs))


def uses_threads() -> bool:
    """Whether :func:`run_parallel` runs on threads here: True unless ``joblib.parallel_config`` says otherwise."""
    from joblib.parallel import get_active_backend

    return bool(getattr(get_active_backend(prefer="threads")[0], "supports_sharedmem", False))


class Budget:
    """Whether to go on: until a time limit, or until someone says stop, which a Ctrl-C does where it is stoppable."""

    def __init__(self, time_limit: float | None = None, *, stoppable: bool = False) -> None:
        self._stoppable = stoppable
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._stopped = threading.Event()

    @contextmanager
    def catching_interrupts(self) -> Iterator[None]:
        """Turn the first Ctrl-C inside the block into a request to stop, where stoppable; a second one raises.

        No exception is raised at the first, so that none passes through work that is half done.
        """
        before = signal.getsignal(signal.SIGINT)
        ours = threading.current_thread() is threading.main_thread() and before is signal.default_int_handler

        def stop(*_: Any) -> None:
            self.stop()
            signal.signal(signal.SIGINT, before)

        if ours and self._stoppable:
            signal.signal(signal.SIGINT, stop)
        try:
            yield
        except KeyboardInterrupt:
            self.stop()  # other threads
            raise
        finally:
            if ours and self._stoppable:
                signal.signal(signal.SIGINT, before)

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

    def __getstate__(self) -> dict[str, Any]:
        """The time that is left: clocks differ between machines, and no process hears another's stop."""
        return {"left": None if self._deadline is None else self._deadline - time.monotonic()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Budget.__init__(self, state["left"])
