"""Partitions near a partition: Algorithm 2 of Dalton et al. (2015)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb

import numpy as np

from .._typing import IntArray, LabelRows
from .._validation import check_draws, check_memory


def ball(labels: IntArray, radius: int, n_labels: int, sizes: IntArray | None = None) -> LabelRows:
    """Every partition that differs from ``labels`` in at most ``radius`` points, itself first.

    Parameters
    ----------
    labels : ndarray of int64, shape (n_points,)
        The center, with labels below ``n_labels``.
    radius : int
        Most points in another cluster, under the best matching of clusters.
    n_labels : int
        Most clusters.
    sizes : ndarray of int64, optional
        Keep partitions with these cluster sizes alone; the center stays first if it has them.

    Returns
    -------
    partitions : ndarray of unsigned int, shape (n_partitions, n_points)
        Canonical rows, none twice.

    Examples
    --------
    >>> ball(np.array([0, 0, 1, 1]), 1, 2)
    array([[0, 0, 1, 1],
           [0, 1, 0, 0],
           [0, 1, 1, 1],
           [0, 0, 0, 1],
           [0, 0, 1, 0]], dtype=uint8)
    """
    n_rows = ball_size(labels.size, radius, n_labels)
    most = n_rows if sizes is None else n_rows // 4
    check_memory(3 * most * labels.size, f"The {n_rows:.1e} partitions in the ball", "Take a smaller radius.")
    blocks = [_of_sizes(block, sizes, n_labels) for block in _flipped(labels.astype(np.uint8), radius, n_labels)]
    rows = check_draws(np.concatenate(blocks)) if any(map(len, blocks)) else np.empty((0, labels.size), np.uint8)
    if n_labels == 2 and 2 * radius < labels.size:  # each flips the smaller side: none comes twice
        return rows
    first = np.sort(np.unique(rows, axis=0, return_index=True)[1])
    return rows[first]


def ball_size(n_points: int, radius: int, n_labels: int) -> int:
    """Number of ways to flip at most ``radius`` points; some give the same partition."""
    return sum(comb(n_points, j) * (n_labels - 1) ** j for j in range(min(radius, n_points) + 1))


def _flipped(labels: LabelRows, radius: int, n_labels: int) -> Iterator[LabelRows]:
    """Label functions with 0, 1, ... points flipped, in blocks."""
    for n_flips in range(min(radius, labels.size) + 1):
        shifts = np.array(list(product(range(1, n_labels), repeat=n_flips)), np.uint8).reshape(
            (n_labels - 1) ** n_flips, n_flips
        )
        chosen = combinations(range(labels.size), n_flips)
        while len(points := _take(chosen, 100_000 // len(shifts) + 1, n_flips)):
            rows = np.tile(labels, (len(points) * len(shifts), 1))
            where = np.repeat(points, len(shifts), axis=0)
            flipped = (labels[where] + np.tile(shifts, (len(points), 1))) % n_labels
            np.put_along_axis(rows, where, flipped, axis=1)
            yield rows
            if n_flips == 0:
                break


def _take(chosen: Iterator[tuple[int, ...]], n_rows: int, n_flips: int) -> IntArray:
    if n_flips == 0:
        return np.empty((1, 0), np.int64)
    rows = [next_ for _, next_ in zip(range(n_rows), chosen, strict=False)]
    return np.array(rows, np.int64).reshape(-1, n_flips)


def _of_sizes(rows: LabelRows, sizes: IntArray | None, n_labels: int) -> LabelRows:
    if sizes is None:
        return rows
    counts = np.stack([(rows == k).sum(axis=1) for k in range(n_labels)], axis=1)
    return rows[(np.sort(counts, axis=1) == np.sort(sizes)).all(axis=1)]
