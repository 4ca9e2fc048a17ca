"""The best among the draws themselves."""

from __future__ import annotations

import numpy as np

from ..._parallel import run_parallel
from ..._progress import Progress
from ..._typing import IntArray
from ...losses import Loss, ZeroOne
from ...posterior import PartitionPosterior
from .options import Options

FIRST_ROUND = 200  # draws that judge all candidates; each round halves the candidates and doubles the judges


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """The draw with least expected loss.

    Distinct draws compete in rounds: each is judged by a random part of the posterior, the better half goes on to be
    judged by twice as much, and the last few are judged by all of it. With few draws all are judged by all.
    """
    few = posterior.collapse()
    candidates = np.flatnonzero(few.n_clusters() <= options.max_clusters)
    if candidates.size == 0:
        least = few.n_clusters().min()
        raise ValueError(
            f"max_clusters must allow at least one draw: got {options.max_clusters}, draws have {least} up."
        )
    if isinstance(loss, ZeroOne):  # the heaviest draw is the mode
        return few.draws[candidates[0]].astype(np.int64), f"the most frequent of {few.n_draws} distinct draws"
    shuffled = options.rng.permutation(few.n_draws)
    n_judges = FIRST_ROUND
    while candidates.size > 1 and n_judges < few.n_draws and not options.budget.exhausted:
        losses = _judge(few, loss, candidates, shuffled[:n_judges], options)
        candidates = candidates[np.argsort(losses, kind="stable")[: (candidates.size + 1) // 2]]
        n_judges *= 2
    losses = _judge(few, loss, candidates, shuffled, options)
    return few.draws[candidates[losses.argmin()]].astype(np.int64), f"the best of {few.n_draws} distinct draws"


def _judge(
    posterior: PartitionPosterior, loss: Loss, candidates: IntArray, judges: IntArray, options: Options
) -> np.ndarray:
    """Expected loss of each candidate over some of the draws."""
    weights = posterior.probabilities()[judges]
    jury = PartitionPosterior(posterior.draws[judges], weights)
    with Progress("Judging draws", len(candidates)) as progress:

        def expected(candidate: int) -> float:
            progress.advance(1)
            return loss.expected(posterior.draws[candidate], jury)

        return np.array(run_parallel(expected, candidates, options.n_jobs))
