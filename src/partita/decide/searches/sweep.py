"""Reallocation sweeps from many starts.

The idea of SALSO (Dahl, Johnson and Müller, 2022): build a partition up item by item in random order, or start from a
draw; sweep over the items, each moving to its best cluster; then take clusters apart and rebuild them. Clusters are
merged where that helps, which no move of a single item can do. Memory grows with items times draws, never with items
squared.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..._typing import IntArray
from ...losses import Loss, VariationOfInformation, declared_search
from ...partitions import canonical
from ...posterior import PartitionPosterior
from .multistart import multistart
from .options import Options
from .reallocation import FORMULAS, Reallocation
from .table_reallocation import TableReallocation
from .units import Units, find_units

WORTHWHILE = 2000  # items from which units are looked for: among fewer, looking costs more than it saves


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """Labels with least expected loss among the local optima found, and what was done.

    A bound is searched by what it bounds.
    """
    criterion = VariationOfInformation() if declared_search(loss) == "similarity" else loss
    compiled = declared_search(criterion) in FORMULAS
    make = Reallocation if compiled else TableReallocation

    units = _units_that_help(posterior, criterion)
    refined: dict[PartitionPosterior, Reallocation] = {}

    def climb(
        seen: PartitionPosterior, start: IntArray | None, rng: np.random.Generator, final: bool, sizes: IntArray | None
    ) -> IntArray:
        if final and seen in refined:  # refinements follow one another, on the same draws
            candidate = refined[seen]
            candidate.clear()
        else:
            candidate = make(seen, criterion, options.max_clusters, options.budget, sizes)
        if final:
            refined.clear()
            refined[seen] = candidate
        if start is not None:
            candidate.place(start)
        order = rng.permutation(seen.n_items)
        left = order[candidate.labels[order] < 0]
        candidate.build(left)
        candidate.settle(order)
        if not final or left.size:
            while candidate.merge_clusters():
                candidate.settle(order)
        if not final:
            candidate.rebuild_clusters(rng)
        return canonical(candidate.labels)

    if units is None:
        labels, how = multistart(posterior, loss, options, climb)
    else:
        fewer = replace(options, starts=tuple(canonical(start[units.first]) for start in options.starts))
        of_units, how = multistart(posterior.subset(units.first), loss, fewer, climb, units.sizes)
        labels, how = (
            canonical(of_units[units.of_item]),
            f"{how}, over {units.sizes.size} units of items always together",
        )
    which = "" if compiled else " over contingency tables"
    which = which if criterion is loss else " for variation of information"
    return labels, f"reallocation sweeps{which} from {how}"


def _units_that_help(posterior: PartitionPosterior, loss: Loss) -> Units | None:
    """Units to search over in place of items, where that is exact and there are less than half as many."""
    if posterior.n_items < WORTHWHILE or declared_search(loss) != "linear":
        return None
    units = find_units(posterior)
    return units if 2 * units.sizes.size < posterior.n_items else None
