"""Scalar summaries of each draw's cluster sizes."""

from __future__ import annotations

import numpy as np

from .._kernels.partitions.labels import row_sizes_sum
from .._typing import FloatArray, IntArray, LabelRows


def largest_sizes(draws: LabelRows, n_labels: int) -> IntArray:
    """Size of the largest cluster of each draw."""
    largest, step = [], max(1, 2**20 // max(draws.shape[1], n_labels))  # draws whose counts fit in a few MB
    for first in range(0, len(draws), step):
        block = draws[first : first + step]
        cells = np.arange(len(block))[:, np.newaxis] * n_labels + block
        counts = np.bincount(cells[block >= 0], minlength=len(block) * n_labels)
        largest.append(counts.reshape(len(block), -1).max(axis=1))
    return np.concatenate(largest)


def size_entropies(draws: LabelRows, n_labels: int) -> FloatArray:
    """Entropy in bits of each draw's cluster sizes."""
    sizes = np.arange(draws.shape[1] + 1)
    held = held_items(draws)
    table = sizes * np.log2(draws.shape[1] / np.maximum(sizes, 1))
    return row_sizes_sum(draws, n_labels, table) / held - np.log2(draws.shape[1] / held)


def is_partial(draws: LabelRows) -> bool:
    """Whether some draw leaves an item out: labels are then of a signed type, and -1 for such items."""
    return draws.dtype.kind == "i"


def held_items(draws: LabelRows) -> IntArray:
    """Number of items that each draw holds."""
    if not is_partial(draws):
        return np.full(draws.shape[0], draws.shape[1])
    return np.asarray((draws >= 0).sum(axis=1))
