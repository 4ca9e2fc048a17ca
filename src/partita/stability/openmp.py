"""One order of summation: scikit-learn's k-means adds up in as many parts as it has threads."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_openmp_thread() -> AbstractContextManager[Any]:
    """A context in which clusterers give the same answer to the last bit on any machine's number of threads.

    The limit holds for the calling thread: those of joblib each set their own.
    """
    return _controller().limit(limits=1, user_api="openmp")


@cache
def _controller() -> Any:
    import sklearn.cluster  # noqa: F401  so that its library is there to be limited
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
