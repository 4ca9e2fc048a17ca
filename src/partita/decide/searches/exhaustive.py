"""Exhaustive search over all partitions: the oracle for the other searches."""

from __future__ import annotations

from ..._progress import Progress
from ..._typing import IntArray
from ...losses import Loss
from ...partitions import all_partitions
from ...posterior import PartitionPosterior
from .options import Options

MOST_ITEMS = 12  # 4 213 597 partitions; one more item is 27 644 437


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """Labels with least expected loss of all, fewest clusters first among equals."""
    n_items = posterior.n_items
    if n_items > MOST_ITEMS:
        rule = f"search must not be 'exhaustive' for more than {MOST_ITEMS} items"
        raise ValueError(f"{rule}: got {n_items} items. Use 'sweep'.")
    few = posterior.collapse()
    candidates = all_partitions(n_items, max_clusters=options.max_clusters)
    best, least = candidates[0], float("inf")
    with Progress("Trying every partition", len(candidates)) as progress:
        for labels in candidates:
            expected = loss.expected(labels, few)
            if expected < least - 1e-12 or (expected < least + 1e-12 and labels.max() < best.max()):
                best, least = labels, min(expected, least)
            progress.advance(1)
            if options.budget.exhausted:
                return best.astype("int64"), f"some of {len(candidates)} partitions"
    return best.astype("int64"), f"all {len(candidates)} partitions"
