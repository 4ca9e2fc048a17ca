"""Reallocation sweeps from many starts.

The idea of SALSO (Dahl, Johnson and Müller, 2022): build a partition up item by item in random order, or start from a
draw; sweep over the items, each moving to its best cluster; then take clusters apart and rebuild them. Clusters are
merged where that helps, which no move of a single item can do. Memory grows with items times draws, never with items
squared.
"""

from __future__ import annotations

import numpy as np

from ..._typing import IntArray
from ...losses import Loss, VariationOfInformation, declared_search
from ...partitions import canonical
from ...posterior import PartitionPosterior
from .multistart import multistart
from .options import Options
from .reallocation import FORMULAS, Reallocation
from .table_reallocation import TableReallocation


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """Labels with least expected loss among the local optima found, and what was done.

    A bound is searched by what it bounds.
    """
    criterion = VariationOfInformation() if declared_search(loss) == "similarity" else loss
    compiled = declared_search(criterion) in FORMULAS
    make = Reallocation if compiled else TableReallocation

    def climb(seen: PartitionPosterior, start: IntArray | None, rng: np.random.Generator, final: bool) -> IntArray:
        candidate = make(seen, criterion, options.max_clusters, options.budget)
        if start is not None:
            candidate.place(start)
        order = rng.permutation(seen.n_items)
        candidate.build(order[candidate.labels[order] < 0])
        candidate.settle(order)
        if not final:
            while candidate.merge_clusters():
                candidate.settle(order)
            candidate.rebuild_clusters(rng)
        return canonical(candidate.labels)

    labels, how = multistart(posterior, loss, options, climb)
    which = "" if compiled else " over contingency tables"
    which = which if criterion is loss else " for variation of information"
    return labels, f"reallocation sweeps{which} from {how}"
