"""Local searches from many starts, the best local optimum of which is returned.

With many draws a search sees a random part of them, which is enough to find the region of the optimum; the best few
local optima are then refined on all draws. Every search has a generator of its own, so the answer does not depend on
the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..._parallel import iterate_parallel
from ..._progress import Progress
from ..._typing import IntArray
from ...losses import Loss, declared_search
from ...posterior import PartitionPosterior
from .options import Options

# From a start (or from nothing) to a local optimum; the last argument says whether this is the refinement on all draws.
Climb = Callable[[PartitionPosterior, IntArray | None, np.random.Generator, bool], IntArray]

N_REFINED = 3


def part_size(n_items: int) -> int:
    """Draws in a part: fewer where items are many, for then the draws tell more alike."""
    return max(100, min(300, 10_000_000 // n_items))


def default_starts(posterior: PartitionPosterior, loss: Loss) -> int:
    """Number of starts: 16, up to 64 where a search costs next to nothing, 4 where the loss is not compiled."""
    if declared_search(loss) in ("sums", "table"):
        return 4
    looks = posterior.n_items * min(posterior.n_draws, part_size(posterior.n_items))
    return max(16, min(64, 400_000 // looks))


def multistart(posterior: PartitionPosterior, loss: Loss, options: Options, climb: Climb) -> tuple[IntArray, str]:
    """Labels with least expected loss among local optima found from draws, from nothing and from the starts given."""
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
        return climb(seen, start, rng, False)

    with Progress("Searching", n_climbs) as progress:
        for end in iterate_parallel(climb_from, range(n_climbs), options.n_jobs):
            ends += [] if end is None else [end]
            progress.advance(1)
    expected = _Memo(loss, posterior)
    ranked = _rank(ends, expected)
    refined = [ranked[0]]
    for labels in ranked[:N_REFINED]:
        if options.budget.exhausted:
            break
        refined.append(climb(posterior, labels, options.rng, True))
    part = f", each on {size} of {posterior.n_draws} draws, the best {N_REFINED} refined on all" if partly else ""
    return _rank(refined, expected)[0], f"{len(ends)} starts{part}"


def _part(posterior: PartitionPosterior, size: int, rng: np.random.Generator) -> PartitionPosterior:
    return posterior.take(rng.choice(posterior.n_draws, size, p=posterior.weights), weighted=False)


class _Memo:
    """Expected losses, each computed once."""

    def __init__(self, loss: Loss, posterior: PartitionPosterior) -> None:
        self._loss, self._posterior, self._known = loss, posterior, dict[bytes, float]()

    def __call__(self, labels: IntArray) -> float:
        key = labels.tobytes()
        if key not in self._known:
            self._known[key] = self._loss.expected(labels, self._posterior)
        return self._known[key]


def _rank(partitions: list[IntArray], expected: _Memo) -> list[IntArray]:
    """Distinct partitions, least expected loss first, fewest clusters first among equals."""
    distinct = {labels.tobytes(): labels for labels in partitions}.values()
    return sorted(distinct, key=lambda labels: (round(expected(labels), 12), labels.max()))
