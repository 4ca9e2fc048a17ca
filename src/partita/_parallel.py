"""The one way partita runs a loop on several threads: joblib, results in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
