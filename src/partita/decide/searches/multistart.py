"""Local searches from many starts, the best local optimum of which is returned.

With many draws a search sees a random part of them, which is enough to find the region of the optimum; the best few
local optima are then refined on all draws. Every search has a generator of its own, so the answer does not depend on
the number of threads.

Among many items, a few drawn at random (landmarks) are searched like this; the others are then allocated one by one, as
the draws' votes say, and all items swept until none moves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from ..._parallel import Budget, iterate_parallel
from ..._progress import Progress
from ..._typing import IntArray
from ..._validation import check_labels
from ...losses import Loss, declared_search
from ...posterior import PartitionPosterior
from .options import Options
from .reallocation import FORMULAS, Reallocation


class Climb(Protocol):
    """From a start to a local optimum; from nothing, where there is none; -1 marks items to be allocated first.

    ``final`` says whether this is the refinement on all draws, ``sizes`` how many items each stands for.
    """

    def __call__(  # noqa: D102
        self,
        seen: PartitionPosterior,
        start: IntArray | None,
        rng: np.random.Generator,
        final: bool,
        sizes: IntArray | None,
        /,
    ) -> IntArray: ...


N_REFINED = 3
MANY_ITEMS = 4000  # from here on landmarks are searched
N_LANDMARKS = 1000
LANDMARK_DRAWS = 400


def part_size(n_items: int) -> int:
    """Draws in a part: fewer where items are many, for then the draws tell more alike."""
    return max(100, min(300, 10_000_000 // n_items))


def default_starts(posterior: PartitionPosterior, loss: Loss) -> int:
    """Number of starts: 16, up to 64 where a search costs next to nothing, 4 where the loss is not compiled."""
    if declared_search(loss) in ("sums", "table"):
        return 4
    looks = posterior.n_items * min(posterior.n_draws, part_size(posterior.n_items))
    return max(16, min(64, 400_000 // looks))


def multistart(
    posterior: PartitionPosterior, loss: Loss, options: Options, climb: Climb, sizes: IntArray | None = None
) -> tuple[IntArray, str]:
    """Labels with least expected loss among local optima found from draws, from nothing and from the starts given."""
    if posterior.n_items > MANY_ITEMS and declared_search(loss) in (*FORMULAS, "matching"):
        return _from_landmarks(posterior, loss, options, climb, sizes)
    size = part_size(posterior.n_items)
    partly = posterior.n_draws > 4 * size
    n_climbs = options.n_starts + len(options.starts)
    seed = int(options.rng.integers(2**62))
    ends: list[IntArray] = []

    def climb_from(number: int) -> IntArray | None:
        if number > 0 and options.budget.exhausted:
            return None
        rng = np.random.default_rng([seed, number])
        seen = _part(posterior, size, rng) if partly else posterior
        start: IntArray | None = None
        if number >= options.n_starts:
            start = options.starts[number - options.n_starts]
        elif number % 2 == 0:
            start = seen[int(rng.integers(seen.n_draws))]
        return climb(seen, start, rng, False, sizes)

    with Progress("Searching", n_climbs) as progress:
        for end in iterate_parallel(climb_from, range(n_climbs), options.n_jobs):
            ends += [] if end is None else [end]
            progress.advance(1)
    expected = _Memo(loss, posterior, sizes)
    ranked = _rank(ends, expected)
    refined = [ranked[0]]
    for labels in ranked[:N_REFINED]:
        if options.budget.exhausted:
            break
        refined.append(climb(posterior, labels, options.rng, True, sizes))
    part = f", each on {size} of {posterior.n_draws} draws, the best {N_REFINED} refined on all" if partly else ""
    return _rank(refined, expected)[0], f"{len(ends)} starts{part}"


def _part(posterior: PartitionPosterior, size: int, rng: np.random.Generator) -> PartitionPosterior:
    return posterior.take(rng.choice(posterior.n_draws, size, p=posterior.weights), weighted=False)


def _from_landmarks(
    posterior: PartitionPosterior, loss: Loss, options: Options, climb: Climb, sizes: IntArray | None
) -> tuple[IntArray, str]:
    """A search over landmarks, from which all items are allocated and swept; the starts given are swept too."""
    n_items = posterior.n_items
    chance = None if sizes is None else sizes / sizes.sum()
    n_landmarks = N_LANDMARKS if chance is None else min(N_LANDMARKS, int((chance > 0).sum()))
    landmarks = np.sort(options.rng.choice(n_items, n_landmarks, replace=False, p=chance))
    few = posterior.subset(landmarks)
    if few.n_draws > LANDMARK_DRAWS:  # the sweeps over all items see all draws
        few = _part(few, LANDMARK_DRAWS, options.rng)
    inner = replace(options, starts=tuple(check_labels(start[landmarks]) for start in options.starts))
    found, how = multistart(few, loss, inner, climb, None if sizes is None else sizes[landmarks])
    start = np.full(n_items, -1)
    start[landmarks] = found
    ends = [climb(posterior, begin, options.rng, True, sizes) for begin in (start, *options.starts)]
    best = ends[0] if len(ends) == 1 else _rank(ends, _Memo(loss, posterior, sizes))[0]
    return best, f"{n_landmarks} landmarks of {n_items} items, searched from {how}"


class _Memo:
    """Expected losses, each computed once; up to a constant where items stand for several."""

    def __init__(self, loss: Loss, posterior: PartitionPosterior, sizes: IntArray | None) -> None:
        self._loss, self._posterior, self._known = loss, posterior, dict[bytes, float]()
        self._units = None if sizes is None else Reallocation(posterior, loss, posterior.n_items, Budget(), sizes)

    def __call__(self, labels: IntArray) -> float:
        key = labels.tobytes()
        if key not in self._known:
            self._known[key] = self._expected(labels)
        return self._known[key]

    def _expected(self, labels: IntArray) -> float:
        if self._units is None:
            return self._loss.expected(labels, self._posterior)
        self._units.place(labels)
        return self._units.loss()


def _rank(partitions: list[IntArray], expected: _Memo) -> list[IntArray]:
    """Distinct partitions, least expected loss first, fewest clusters first among equals."""
    distinct = {labels.tobytes(): labels for labels in partitions}.values()
    return sorted(distinct, key=lambda labels: (round(expected(labels), 12), labels.max()))
