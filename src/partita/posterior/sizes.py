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
        counts = np.bincount(cells.ravel(), minlength=len(block) * n_labels)
        largest.append(counts.reshape(len(block), -1).max(axis=1))
    return np.concatenate(largest)


def size_entropies(draws: LabelRows, n_labels: int) -> FloatArray:
    """Entropy in bits of each draw's cluster sizes."""
    n = draws.shape[1]
    sizes = np.arange(n + 1)
    table = sizes * np.log2(n / np.maximum(sizes, 1))
    return row_sizes_sum(draws, n_labels, table) / n
