"""The engine on threads: numpy's arrays, chunks that fit a processor's cache, labels and sums by a compiled kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ..._kernels.samplers.choose_labels import add_by_label, choose_labels
from ..._typing import FloatArray
from ...components.natural import NaturalForm
from .array import ArrayEngine

CACHED = 2**17  # numbers in a chunk's features: fewer, and threads wait for Python between them
ALL_ALIKE = np.empty(0)  # weights of one
JOBS = 4  # for each thread, so that all end at about the same time


class ThreadsEngine(ArrayEngine):
    """Items in memory, labels drawn by several threads."""

    def __init__(self, forms: Sequence[NaturalForm], weights: FloatArray | None, n_threads: int = 1) -> None:
        super().__init__(forms, weights)
        self.n_threads = n_threads
        self._pool: ThreadPoolExecutor | None = None

    def chunks(self, n_items: int, n_labels: int) -> list[slice]:  # noqa: ARG002
        """Items that are looked at together."""
        size = max(64, min(4096, CACHED // self.width))
        return [slice(start, min(n_items, start + size)) for start in range(0, n_items, size)]

    def map(self, function: Callable[[slice], Any], chunks: list[slice]) -> Iterator[Any]:
        """The function of each chunk, in order; threads take some chunks at a time."""
        if self.n_threads == 1 or len(chunks) == 1:
            return map(function, chunks)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.n_threads)
        size = max(1, len(chunks) // (JOBS * self.n_threads))
        jobs = [chunks[start : start + size] for start in range(0, len(chunks), size)]
        done = self._pool.map(lambda job: [function(chunk) for chunk in job], jobs)
        return (result for results in done for result in results)

    def choose(
        self, features: Any, natural: Any, log_weights: Any, *, weights: Any | None, at: tuple[int, Any], given: Any
    ) -> tuple[Any, float, float]:
        """Labels drawn or given, their log probability and the entropy of their distributions."""
        logits = natural @ features.T
        labels = np.empty(len(features), np.int64) if given is None else given
        powers = ALL_ALIKE if weights is None else weights
        return labels, *choose_labels(logits, log_weights, powers, *at, given is None, labels)

    def add_up(self, features: Any, weights: Any | None, labels: Any, n_clusters: int) -> tuple[Any, Any, Any]:
        """Sums of features by cluster, sizes and counts."""
        sums, sizes, counts = np.zeros((n_clusters, self.width)), np.zeros(n_clusters), np.zeros(n_clusters)
        add_by_label(features, ALL_ALIKE if weights is None else weights, labels, sums, sizes, counts)
        return sums, sizes, counts

    @classmethod
    def without_rows(cls, forms: Sequence[NaturalForm]) -> ThreadsEngine:
        """An engine for passes over items of another."""
        return cls([type(form)(form.statistics_block()) for form in forms], None)

    def __getstate__(self) -> dict[str, Any]:
        """All but the threads."""
        return {**self.__dict__, "_pool": None}
