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

CACHED = 2**16  # numbers in a chunk's features
CHUNKS = 8  # in a job


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
        """The function of each chunk, in order; threads take a few chunks at a time."""
        if self.n_threads == 1 or len(chunks) <= CHUNKS:
            return map(function, chunks)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.n_threads)
        jobs = [chunks[start : start + CHUNKS] for start in range(0, len(chunks), CHUNKS)]
        done = self._pool.map(lambda job: [function(chunk) for chunk in job], jobs)
        return (result for results in done for result in results)

    def choose(
        self, features: Any, natural: Any, log_weights: Any, *, weights: Any | None, at: Any, given: Any | None
    ) -> tuple[Any, float, float]:
        """Labels drawn or given, their log probability and the entropy of their distributions."""
        logits = features @ natural.T + log_weights
        labels = np.empty(len(logits), np.int64) if given is None else given
        powers = np.ones(len(logits)) if weights is None else weights
        return labels, *choose_labels(logits, powers, at, given is None, labels)

    def add_up(self, features: Any, weights: Any | None, labels: Any, n_clusters: int) -> tuple[Any, Any, Any]:
        """Sums of features by cluster, sizes and counts."""
        sums, sizes, counts = np.zeros((n_clusters, self.width)), np.zeros(n_clusters), np.zeros(n_clusters)
        add_by_label(features, np.ones(len(labels)) if weights is None else weights, labels, sums, sizes, counts)
        return sums, sizes, counts

    def __getstate__(self) -> dict[str, Any]:
        """All but the threads."""
        return {**self.__dict__, "_pool": None}
