"""Least expected misclassification: coordinate descent between label matching and voting.

Matching every draw's clusters to the candidate's, and moving each item to the cluster that most draws vote for, both
lower the expected share of misplaced items, so they alternate until nothing changes. Moves of single items, with every
draw matched anew, improve the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ..._kernels.partitions.assignment import count_votes
from ..._typing import FloatArray, IntArray
from ..._validation import check_memory
from ...losses import Loss, VariationOfInformation
from ...partitions import canonical, match_labels
from ...posterior import PartitionPosterior
from .multistart import multistart
from .options import Options
from .reallocation import Reallocation

N_POLISHED = 100  # single moves tried at a time, those that lose the fewest votes first
FEW = 42  # items times clusters up to which two items are moved at a time as well


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """Labels with least expected misclassification among local optima from many starts."""
    most = min(options.max_clusters, posterior.n_labels)
    check_memory(8 * posterior.n_items * most, "Counting votes for each cluster", "Set max_clusters.")
    polished: dict[bytes, IntArray] = {}

    def climb(
        seen: PartitionPosterior, start: IntArray | None, rng: np.random.Generator, final: bool, _: IntArray | None
    ) -> IntArray:
        start = _crossed(seen, rng) if start is None else start
        if final and (start < 0).any():
            allocated = Reallocation(seen, VariationOfInformation(), most, options.budget)
            allocated.place(start)
            allocated.build(rng.permutation(np.flatnonzero(start < 0)))
            start = allocated.labels
        labels = canonical(_alternate(canonical(start % most), seen, most, options))
        if seen is not posterior:
            return labels
        if labels.tobytes() not in polished:  # climbs often meet
            polished[labels.tobytes()] = _polish(labels, seen, loss, most, options)
        return polished[labels.tobytes()]

    labels, how = multistart(posterior, loss, options, climb)
    return labels, f"matching and voting in turn from {how}"


def _crossed(posterior: PartitionPosterior, rng: np.random.Generator) -> IntArray:
    """A crossover of two draws: each item as in one or the other."""
    one, other = (posterior[int(m)] for m in rng.integers(posterior.n_draws, size=2))
    if posterior.partial:  # where a draw leaves an item out, any cluster is as good
        one, other = (np.where(row < 0, rng.integers(row.max() + 1, size=row.size), row) for row in (one, other))
    return np.where(rng.random(one.size) < 0.5, one, match_labels(other, one))


def _votes(labels: IntArray, posterior: PartitionPosterior, most: int) -> FloatArray:
    votes = np.zeros((labels.size, most))
    share = posterior.probabilities() * posterior.n_items / posterior.n_held()  # of one item, in the loss of its draw
    count_votes(posterior.draws, share, labels, most, posterior.n_labels, votes)
    return votes


def _alternate(labels: IntArray, posterior: PartitionPosterior, most: int, options: Options) -> IntArray:
    """Match and vote until no item changes its cluster; an item moves only for strictly more votes."""
    items = np.arange(labels.size)
    while not options.budget.exhausted:
        votes = _votes(labels, posterior, most)
        better = votes.max(axis=1) > votes[items, labels] + 1e-12
        if not better.any():
            break
        labels = np.where(better, votes.argmax(axis=1), labels)
    return labels


def _polish(labels: IntArray, posterior: PartitionPosterior, loss: Loss, most: int, options: Options) -> IntArray:
    """First-improvement local search over single moves."""
    least, tried_all = loss.expected(labels, posterior), False
    while not (tried_all or options.budget.exhausted):
        tried_all = True
        for moved in _near_moves(labels, posterior, most):
            if _is_over(options):
                break
            if loss.expected(moved, posterior) < least - 1e-12:
                labels = canonical(_alternate(moved, posterior, most, options))
                least, tried_all = loss.expected(labels, posterior), False
                break
    return labels


def _is_over(options: Options) -> bool:
    return options.budget.exhausted


def _near_moves(labels: IntArray, posterior: PartitionPosterior, most: int) -> Iterator[IntArray]:
    """Partitions with one item moved, those that lose the fewest votes first; two items, where items are few."""
    items, votes = np.arange(labels.size), _votes(labels, posterior, most)
    lost = votes[items, labels][:, None] - votes
    lost[items, labels] = np.inf
    moves = [divmod(int(move), most) for move in np.argsort(lost, axis=None, kind="stable")[:N_POLISHED]]
    pairs = combinations(moves, 2) if labels.size * most <= FEW else ()
    for chosen in (*combinations(moves, 1), *pairs):
        moved = labels.copy()
        for item, cluster in chosen:
            moved[item] = cluster
        yield moved
