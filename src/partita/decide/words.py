"""Counts, distances and partitions in words, spelled once for summaries, figures and reports."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import FloatArray, IntArray
from ..losses import Loss
from ..posterior import PartitionPosterior

MOST_LISTED = 8  # clusters whose sizes are named
FULL_NAMES = {
    "vi": "variation of information",
    "vi-bound": "bound on the variation of information",
    "nvi": "normalized variation of information",
    "id": "information distance",
    "nid": "normalized information distance",
    "binder": "Binder loss",
    "adjusted-rand": "adjusted Rand loss",
    "misclassification": "share of misplaced items",
    "zero-one": "zero-one loss",
}
TINY = 0.02  # a cluster with a smaller share of the items, or of one item, is not called one
MOST_APART = 0.1  # unless so many items are in such clusters


def plural(count: int, noun: str) -> str:
    """``1 cluster``, ``3 clusters``."""
    return f"{count} {noun}{'s' * (count != 1)}"


def percentages(shares: FloatArray) -> list[int]:
    """Whole percentages of shares that add up to one, which add up to a hundred: the largest remainders go up."""
    exact = 100 * np.asarray(shares)
    down = np.floor(exact + 1e-9).astype(int)
    up = np.argsort(-(exact - down), kind="stable")[: 100 - int(down.sum())]
    down[up] += 1
    return [int(percent) for percent in down]


def loss_name(loss: Loss) -> str:
    """The short name of a loss, or that of its class."""
    return str(getattr(loss, "name", type(loss).__name__))


def loss_in_words(loss: Loss, value: str) -> str:
    """A loss by its full name, its value, and its unit where it has one."""
    name = loss_name(loss)
    return f"{FULL_NAMES.get(name, name)} is {value}{' bits' * _in_bits(loss)}"


def _in_bits(loss: Loss) -> bool:
    return loss_name(loss) in {"vi", "vi-bound", "id"} and getattr(loss, "base", 2) == 2


def distance(metric: Loss, value: float) -> str:
    """A distance with its unit."""
    name = loss_name(metric)
    return f"{value:.2f} bits" if name == "vi" and _in_bits(metric) else f"{name} {value:.3g}"


def size_range(labels: IntArray) -> str:
    """``3 clusters of 7 to 60 items``."""
    sizes = np.bincount(labels)
    few, many = int(sizes.min()), int(sizes.max())
    return f"{plural(sizes.size, 'cluster')} of {f'{few} to {many} items' if few < many else plural(few, 'item')}"


def partition_in_words(labels: IntArray) -> str:
    """``82 items form 3 clusters of 72, 7 and 3 items.``, as a sentence; tiny clusters are items apart."""
    sizes = np.sort(np.bincount(labels))[::-1]
    tiny = sizes < max(2, TINY * labels.size)
    apart, sizes = sizes[tiny], sizes[~tiny]
    if sizes.size == 0 or apart.sum() > MOST_APART * labels.size:
        apart, sizes = np.empty(0, int), np.sort(np.bincount(labels))[::-1]
    items, verb = plural(labels.size, "item"), "forms" if labels.size == 1 else "form"
    rest = f", and {plural(int(apart.sum()), 'item')} apart" if apart.size else ""
    if not 1 < sizes.size <= MOST_LISTED:
        return f"{items} {verb} {size_range(np.repeat(np.arange(sizes.size), sizes))}{rest}."
    *first, last = map(str, sizes)
    return f"{items} {verb} {sizes.size} clusters of {', '.join(first)} and {last} items{rest}."


def inclusion_in_words(inclusion: Any) -> str:
    """``2 of 9 columns are relevant with probability above one half: width, length``, from a series by column."""
    relevant = inclusion[inclusion > 0.5].sort_values(ascending=False, kind="stable")
    verb = "is" if len(relevant) == 1 else "are"
    said = f"{len(relevant)} of {plural(len(inclusion), 'column')} {verb} relevant with probability above one half"
    if relevant.empty:
        return said
    return f"{said}: {', '.join(map(str, relevant.index[:MOST_LISTED]))}{', ...' * (len(relevant) > MOST_LISTED)}"


def count_clusters(posterior: PartitionPosterior) -> tuple[IntArray, FloatArray]:
    """Numbers of clusters from the fewest drawn to the most, and the probability of each."""
    counts = posterior.n_clusters()
    probabilities = np.bincount(counts, weights=posterior.probabilities())
    numbers = np.arange(counts.min(), probabilities.size)
    return numbers, probabilities[numbers].astype(float)


def n_clusters_in_words(numbers: IntArray, probabilities: FloatArray) -> str:
    """The most probable number, and the shortest 95 % credible interval."""
    best, likely = probabilities.argmax(), _range(probabilities, 0.95)
    top = f"{plural(int(numbers[best]), 'cluster')} with probability {probabilities[best]:.2f}"
    first, last = numbers[likely[0]], numbers[likely[1]]
    return top if first == last else f"{top}; {first} to {last} with 0.95 or more"


def _range(probabilities: FloatArray, level: float) -> tuple[int, int]:
    """The narrowest range of positions that holds the level, the most probable of those."""
    held = np.concatenate([[0.0], np.cumsum(probabilities)])
    n = probabilities.size
    ranges = [(a, b) for a in range(n) for b in range(a, n) if held[b + 1] - held[a] >= level - 1e-12]
    return min(ranges, key=lambda ab: (ab[1] - ab[0], held[ab[0]] - held[ab[1] + 1]))
