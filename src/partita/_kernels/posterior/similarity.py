"""Posterior similarity from bit planes: 64 draws compared at a time.

Labels are cut into bit planes: word ``w`` of plane ``p`` of an item holds bit ``p`` of its label in 64
consecutive draws. Two items share a cluster where no plane differs, so 64 draws cost a few word operations.
Pair (i, j), for j >= starts[i], is written to ``out[offsets[i] + j]``: square, condensed and blockwise results
differ in these two arrays alone.
"""

import numpy as np

from .._jit import plain_kernel, popcount, summing_kernel
from .._lean import lean

TILE = 32  # rows that meet an item while its planes are in cache


@plain_kernel
def bit_planes(draws, word, planes):
    """Fill ``planes`` with the labels of each item as bits; ``word`` is working space."""
    draws, word, planes = lean((draws, word, planes))
    n_draws, n_items = draws.shape
    for p in range(planes.shape[1]):
        for w in range(planes.shape[2]):
            for i in range(n_items):
                word[i] = np.uint64(0)
            for bit in range(min(64, n_draws - 64 * w)):
                for i in range(n_items):
                    word[i] |= np.uint64((draws[64 * w + bit, i] >> p) & 1) << np.uint64(bit)
            for i in range(n_items):
                planes[i, p, w] = word[i]


@plain_kernel
def shared_counts(planes, n_draws, differ, first, last, starts, offsets, out):
    """Share of draws in which each of the items ``first`` to ``last - 1`` is with every other.

    ``differ`` is working space, a word for every 64 draws.
    """
    planes, differ, starts, offsets, out = lean((planes, differ, starts, offsets, out))
    n_items, n_planes, n_words = planes.shape
    for tile in range(first, last, TILE):
        end = min(tile + TILE, last)
        for j in range(starts[tile], n_items):
            for i in range(tile, end):
                if j < starts[i]:
                    break
                for w in range(n_words):
                    differ[w] = planes[i, 0, w] ^ planes[j, 0, w]
                for p in range(1, n_planes):
                    for w in range(n_words):
                        differ[w] |= planes[i, p, w] ^ planes[j, p, w]
                apart = 0
                for w in range(n_words):
                    apart += np.int64(popcount(differ[w]))
                out[offsets[i] + j] = np.float32((n_draws - apart) / n_draws)


@summing_kernel
def shared_weights(by_item, weights, first, last, starts, offsets, out):
    """Weight of the draws in which each of the items ``first`` to ``last - 1`` is with every other."""
    for i in range(first, last):
        for j in range(starts[i], by_item.shape[0]):
            together = 0.0
            for m in range(weights.size):
                together += weights[m] if by_item[i, m] == by_item[j, m] else 0.0
            out[offsets[i] + j] = together


@summing_kernel
def shared_among_held(by_item, weights, first, last, starts, offsets, out):
    """Share of the draws that hold both in which each of ``first`` to ``last - 1`` is with every other; nan for none.

    An item that a draw leaves out has a negative label there.
    """
    for i in range(first, last):
        for j in range(starts[i], by_item.shape[0]):
            together, held = 0.0, 0.0
            for m in range(weights.size):
                both = by_item[i, m] >= 0 and by_item[j, m] >= 0
                held += weights[m] if both else 0.0
                together += weights[m] if both and by_item[i, m] == by_item[j, m] else 0.0
            out[offsets[i] + j] = together / held if held > 0 else np.nan
