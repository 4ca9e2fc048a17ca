"""The medoid: the draw with least expected loss."""

from __future__ import annotations

import numpy as np

from ..._typing import IntArray
from ...losses import Loss, VariationOfInformation, declared_search
from ...partitions import canonical
from ...posterior import PartitionPosterior
from .expected import expected_losses
from .options import Options
from .reallocation import Reallocation

MOST_COMPLETED = 64  # draws that leave items out, tried as estimates
FIRST_ROUND = 200  # draws that evaluate all candidates; each round halves the candidates and doubles the draws


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """The draw with least expected loss.

    By successive halving: distinct draws are evaluated on a random part of the posterior, the better half on twice as
    much, and the last few on all of it. With few draws all are evaluated on all.
    """
    few = posterior.collapse()
    candidates = np.flatnonzero(few.n_clusters() <= options.max_clusters)
    if candidates.size == 0:
        least = few.n_clusters().min()
        raise ValueError(
            f"max_clusters must allow at least one draw: got {options.max_clusters}, draws have {least} up."
        )
    if few.partial:
        return _best_completed(few, loss, candidates, options)
    if declared_search(loss) == "mode":  # the heaviest draw is the mode
        return few.draws[candidates[0]].astype(np.int64), f"the most frequent of {few.n_draws} distinct draws"
    shuffled = options.rng.permutation(few.n_draws)
    n_used = FIRST_ROUND
    while candidates.size > 1 and n_used < few.n_draws and not options.budget.exhausted:
        losses = _evaluate(few, loss, candidates, shuffled[:n_used], options)
        candidates = candidates[np.argsort(losses, kind="stable")[: (candidates.size + 1) // 2]]
        n_used *= 2
    losses = _evaluate(few, loss, candidates, shuffled, options)
    return few.draws[candidates[losses.argmin()]].astype(np.int64), f"the best of {few.n_draws} distinct draws"


def _evaluate(
    posterior: PartitionPosterior, loss: Loss, candidates: IntArray, used: IntArray, options: Options
) -> np.ndarray:
    """Expected loss of each candidate over some of the draws."""
    part = posterior[used]
    rows = [posterior.draws[candidate] for candidate in candidates]
    return np.array(expected_losses(loss, part, rows, options, "Evaluating draws"))


def _best_completed(
    posterior: PartitionPosterior, loss: Loss, candidates: IntArray, options: Options
) -> tuple[IntArray, str]:
    """The best of some draws, the items that each leaves out allocated by least expected variation of information."""
    allocated = Reallocation(posterior, VariationOfInformation(), options.max_clusters, options.budget)
    rows = []
    for candidate in options.rng.permutation(candidates)[:MOST_COMPLETED]:
        allocated.place(posterior[int(candidate)])
        allocated.build(np.flatnonzero(allocated.labels < 0))
        rows.append(allocated.labels.copy())
    losses = expected_losses(loss, posterior, rows, options, "Evaluating draws")
    return canonical(rows[int(np.argmin(losses))]), f"the best of {len(rows)} draws, completed"
