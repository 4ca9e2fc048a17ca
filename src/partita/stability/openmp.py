"""Reproducible k-means: scikit-learn sums in as many parts as it has OpenMP threads, so they are limited to one."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_openmp_thread() -> AbstractContextManager[Any]:
    """A context in which clusterers give bitwise the same result whatever the number of cores.

    The limit holds for the calling thread: those of joblib each set their own.
    """
    return _controller().limit(limits=1, user_api="openmp")


@cache
def _controller() -> Any:
    import sklearn.cluster  # noqa: F401  so that its library is there to be limited
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
