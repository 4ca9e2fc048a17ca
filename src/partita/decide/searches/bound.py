"""Reallocation sweeps for the bound to the expected variation of information, which need only the similarity matrix."""

from __future__ import annotations

import numpy as np

from ..._kernels.decide.bound import bound_sweep, similarity_sums
from ..._typing import IntArray
from ...losses import Loss
from ...partitions import canonical
from ...posterior import PartitionPosterior
from .multistart import multistart
from .options import Options


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """Labels with the least bound among local optima from many starts."""
    n_items = posterior.n_items
    similarity = posterior.similarity(n_jobs=options.n_jobs)
    x = np.arange(n_items + 1.0)
    gain = np.diff(x * np.log2(np.maximum(x, 1.0)))
    capacity = min(n_items, options.max_clusters, 2 * posterior.n_labels + 8)

    def climb(
        seen: PartitionPosterior, start: IntArray | None, rng: np.random.Generator, _: bool, __: IntArray | None
    ) -> IntArray:
        coarse = rng.integers(1, seen.n_labels + 2)
        labels = canonical((rng.integers(coarse, size=n_items) if start is None else start) % capacity)
        sizes, within = np.bincount(labels, minlength=capacity), np.empty(n_items)
        moved, order = 1, rng.permutation(n_items)
        while moved and not options.budget.exhausted:
            similarity_sums(similarity, labels, within)
            moved = bound_sweep(similarity, order, labels, sizes, within, gain, options.max_clusters)
        return canonical(labels)

    labels, how = multistart(posterior, loss, options, climb)
    return labels, f"sweeps over the similarity matrix from {how}"
