"""Randomized reallocation: items move to their best cluster until none wants to.

The idea of SALSO (Dahl, Johnson and Müller, 2022): build a partition up item by item in random order, or begin with a
draw; sweep items to their best cluster; then break clusters up and rebuild them. Clusters are merged where that helps,
which no move of a single item can do. Memory grows with items times draws,
never with items squared.
"""

from __future__ import annotations

import numpy as np

from ..._typing import IntArray
from ...losses import Loss
from ...partitions import canonical
from ...posterior import PartitionPosterior
from .multistart import multistart
from .options import Options
from .reallocation import Reallocation


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """Labels with least expected loss among the ends of many walks, and what was done."""

    def climb(seen: PartitionPosterior, start: IntArray | None, rng: np.random.Generator, final: bool) -> IntArray:
        walk = Reallocation(seen, loss, options.max_clusters, options.budget)
        if start is not None:
            walk.place(start)
        order = rng.permutation(seen.n_items)
        walk.build(order[walk.candidate.labels[order] < 0])
        walk.settle(order)
        if not final:
            while walk.merge_clusters():
                walk.settle(order)
            walk.rebuild_clusters(rng)
        return canonical(walk.candidate.labels)

    labels, how = multistart(posterior, loss, options, climb)
    return labels, f"reallocation sweeps from {how}"
