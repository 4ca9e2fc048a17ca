"""Posterior similarity matrices: the share of draws in which two items are together, from plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._kernels.posterior.similarity import bit_planes, shared_among_held, shared_counts, shared_weights
from .._parallel import run_threads
from .._typing import Float32Array, FloatArray, IntArray, LabelRows
from .._validation import check_memory
from .draws import is_partial

# Items squared times draws that take one thread about 30 ms, so little that starting others gains nothing. A weighted
# draw costs about five times as much: its weights are added one by one, where 64 equal draws are counted at once.
SMALL = 2_000_000_000
WEIGHTED = 5
FillRows = Callable[[int, int, IntArray, IntArray, Float32Array], None]


def dense_similarity(draws: LabelRows, weights: FloatArray | None, n_jobs: int) -> Float32Array:
    """All pairs as a square matrix."""
    n = draws.shape[1]
    instead = "Ask for a subset (items=...), or go through similarity_blocks()."
    if n * (n - 1) // 2 > 2**31:
        raise MemoryError(f"A dense similarity matrix must have at most 2**31 pairs: got {n} items. {instead}")
    check_memory(4 * n * n, f"The similarity matrix of {n} items", instead)
    out = np.empty((n, n), np.float32)
    np.fill_diagonal(out, 1.0)
    _fill_upper(draws, weights, n * np.arange(n), out.reshape(-1), n_jobs)
    for i in range(n):
        out[i + 1 :, i] = out[i, i + 1 :]
    return out


def condensed_similarity(draws: LabelRows, weights: FloatArray | None, n_jobs: int) -> Float32Array:
    """Each pair i < j once, row after row."""
    n = draws.shape[1]
    n_pairs = n * (n - 1) // 2
    check_memory(4 * n_pairs, f"The similarities of {n_pairs} pairs", "Ask for a subset (items=...).")
    out = np.empty(n_pairs, np.float32)
    i = np.arange(n)
    _fill_upper(draws, weights, i * n - i * (i + 1) // 2 - i - 1, out, n_jobs)
    return out


def similarity_blocks(
    draws: LabelRows, weights: FloatArray | None, block_size: int
) -> Iterator[tuple[slice, Float32Array]]:
    """Some rows at a time: (which rows, their similarities to all items)."""
    n, fill = draws.shape[1], _row_filler(draws, weights)
    starts = np.zeros(n, np.int64)
    for first in range(0, n, block_size):
        last = min(first + block_size, n)
        block = np.empty((last - first, n), np.float32)
        fill(first, last, starts, n * (np.arange(n) - first), block.reshape(-1))
        yield slice(first, last), block


def _fill_upper(
    draws: LabelRows, weights: FloatArray | None, offsets: IntArray, out: Float32Array, n_jobs: int
) -> None:
    """Pairs i < j into ``out[offsets[i] + j]``, in jobs of about equally many pairs."""
    n, fill = draws.shape[1], _row_filler(draws, weights)
    starts = np.arange(1, n + 1)
    equal = weights is None and not is_partial(draws)
    if n * n * draws.shape[0] * (1 if equal else WEIGHTED) < SMALL:
        n_jobs = 1
    n_pieces = 1 if n_jobs == 1 else 16
    edges = np.unique((n * (1 - np.sqrt(1 - np.arange(n_pieces + 1) / n_pieces))).astype(np.int64))

    def fill_rows(piece: tuple[int, int]) -> None:
        fill(*piece, starts, offsets, out)

    run_threads(fill_rows, list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)), n_jobs)


def _row_filler(draws: LabelRows, weights: FloatArray | None) -> FillRows:
    """The kernel that fills rows, over labels laid out as it reads them."""
    n_draws, n_items = draws.shape
    if is_partial(draws):
        shares = np.full(draws.shape[0], 1 / draws.shape[0]) if weights is None else weights
        signed = np.ascontiguousarray(draws.T)
        return lambda *rows_to_fill: shared_among_held(signed, shares, *rows_to_fill)
    if weights is None:
        n_words = -(-n_draws // 64)
        planes = np.empty((n_items, max(1, int(draws.max()).bit_length()), n_words), np.uint64)
        bit_planes(np.ascontiguousarray(draws), np.empty(n_items, np.uint64), planes)
        return lambda *rows_to_fill: shared_counts(planes, n_draws, np.empty(n_words, np.uint64), *rows_to_fill)
    by_item = np.ascontiguousarray(draws.T)
    return lambda *rows_to_fill: shared_weights(by_item, weights, *rows_to_fill)
