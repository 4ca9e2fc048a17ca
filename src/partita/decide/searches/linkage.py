"""Cuts of average- and complete-linkage trees on 1 - similarity (as in ``minVI`` and ``minbinder``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from scipy.cluster.hierarchy import linkage

from ..._progress import Progress
from ..._typing import FloatArray, IntArray
from ...losses import Loss
from ...partitions import canonical
from ...posterior import PartitionPosterior
from .options import Options

METHODS: tuple[Literal["average", "complete"], ...] = ("average", "complete")


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """The cut, at any height of either tree, with least expected loss."""
    n_items = posterior.n_items
    if n_items == 1:
        return np.zeros(1, np.int64), "one item"
    together = posterior.condensed_similarity(n_jobs=options.n_jobs).astype(np.float64)
    apart = 1.0 - np.nan_to_num(together, copy=False)  # two items that no draw holds are not known to be together
    few, most = posterior.collapse(), min(options.max_clusters, n_items)
    best, least = np.zeros(n_items, np.int64), np.inf
    with Progress("Cutting trees", len(METHODS) * most) as progress:
        for method in METHODS:
            if options.budget.exhausted and np.isfinite(least):
                break
            for labels in cuts(linkage(apart, method), most):
                expected = loss.expected(labels, few)
                if expected < least:
                    best, least = canonical(labels), expected
                progress.advance(1)
                if options.budget.exhausted:
                    break
    return best, f"every cut of {' and '.join(METHODS)} linkage up to {most} clusters"


def cuts(tree: FloatArray, most: int) -> Iterator[IntArray]:
    """The partitions a tree passes through as it merges, from ``most`` clusters down to one."""
    n_items = len(tree) + 1
    labels = np.arange(n_items)
    if n_items <= most:
        yield labels
    for step, (a, b) in enumerate(tree[:, :2]):
        labels = np.where((labels == a) | (labels == b), n_items + step, labels)
        if n_items - step - 1 <= most:
            yield labels
