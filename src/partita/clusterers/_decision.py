"""The partition to report when some pairs are known."""

from __future__ import annotations

import numpy as np

from ..constraints import Constraints
from ..constraints.chunklets import respect
from ..decide import PartitionEstimate, estimate_partition
from ..decide.result import evaluate_labels, sort_by_size
from ..losses import Loss
from ..partitions import canonical
from ..posterior import PartitionPosterior


def estimate_within(posterior: PartitionPosterior, loss: str | Loss, known: Constraints) -> PartitionEstimate:
    """The partition with least expected loss, which breaks no hard pair.

    No draw breaks one, but the partition nearest to all of them may. Then it is mended, unless some draw is better.
    """
    free = estimate_partition(posterior, loss)
    mended = respect(canonical(free.labels), known)
    if np.array_equal(mended, canonical(free.labels)):
        return free
    drawn = estimate_partition(posterior, loss, search="draws")
    if mended.max() >= posterior.n_clusters().max():  # more clusters than the prior may allow
        return drawn
    search = f"{free.search}, mended so that no pair is broken"
    found = evaluate_labels(sort_by_size(mended), posterior, free.loss, search)
    return found if found.expected_loss < drawn.expected_loss else drawn
