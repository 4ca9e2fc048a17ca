"""Point estimate of a partition under hard constraints."""

from __future__ import annotations

import numpy as np

from ..constraints import Constraints
from ..constraints.chunklets import repair
from ..decide import PartitionEstimate
from ..decide.estimate import find_estimate
from ..decide.result import evaluate_labels, sort_by_size
from ..losses import Loss
from ..partitions import canonical
from ..posterior import PartitionPosterior


def estimate_within(posterior: PartitionPosterior, loss: str | Loss, known: Constraints) -> PartitionEstimate:
    """Partition with least expected loss among those that satisfy the hard constraints.

    Every draw satisfies them, but the unconstrained minimizer may not. Then it is repaired, unless some draw is better.
    """
    free = find_estimate(posterior, loss)
    repaired = repair(canonical(free.labels), known)
    if np.array_equal(repaired, canonical(free.labels)):
        return free
    drawn = find_estimate(posterior, loss, search="draws")
    if repaired.max() >= posterior.n_clusters().max():  # more clusters than the prior may allow
        return drawn
    search = f"{free.search}, repaired so that no pair is broken"
    found = evaluate_labels(sort_by_size(repaired), posterior, free.loss, search)
    return found if found.expected_loss < drawn.expected_loss else drawn
