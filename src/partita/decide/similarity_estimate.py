"""Point estimation from a similarity matrix alone, for the losses that need no more."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import linkage

from .._kernels.decide.bound import bound_sweep, pair_sweep, similarity_sums
from .._typing import IntArray
from ..losses import Binder, Loss, VariationOfInformationBound
from ..partitions import canonical
from ..posterior import SimilarityMatrix
from .result import PartitionEstimate, sort_by_size
from .searches.linkage import cuts
from .searches.options import Options
from .words import loss_name

MOST_CUTS = 60  # clusters of the largest partition that a tree is cut into


def estimate_from_similarity(psm: SimilarityMatrix, loss: Loss, options: Options) -> PartitionEstimate:
    """The partition of least expected loss, as far as a similarity matrix tells it.

    Sweeps from the best cut of an average-linkage tree and from random partitions.
    """
    if not isinstance(loss, (Binder, VariationOfInformationBound)):
        rule = "loss must be 'binder' or 'vi-bound' for a similarity matrix, which is all that these two need"
        raise ValueError(f"{rule}: got {loss_name(loss)!r}, which needs draws.")
    most = min(options.max_clusters, psm.n_items)
    found = [_sweep(psm, loss, start, most, options.rng) for start in (_best_cut(psm, loss, most), *options.starts)]
    for _ in range(options.n_starts):
        if options.budget.exhausted:
            break
        start = options.rng.integers(options.rng.integers(1, min(most, MOST_CUTS) + 1), size=psm.n_items)
        found.append(_sweep(psm, loss, start, most, options.rng))
    best = min(found, key=lambda labels: (round(expected_loss(labels, psm, loss), 12), labels.max()))
    return PartitionEstimate(
        labels=sort_by_size(best),
        expected_loss=expected_loss(best, psm, loss),
        loss=loss,
        search=f"sweeps over the similarity matrix from {len(found)} starts",
        proven_optimal=False,
        items=psm.items,
    )


def expected_loss(labels: IntArray, psm: SimilarityMatrix, loss: Loss) -> float:
    """Expected Binder loss; or the VI bound, but for the entropy of the draws, in whose place stands a bound to it."""
    n_items, own, total = psm.n_items, np.empty(psm.n_items), psm.matrix.sum(axis=1, dtype=np.float64)
    similarity_sums(psm.matrix, labels, own)
    sizes = np.bincount(labels)[labels]
    if isinstance(loss, Binder):
        apart, together = (total - own).sum(), (sizes - own).sum()
        return float(loss.a * apart + (2 - loss.a) * together) / n_items**2
    base = np.log(loss.base) if isinstance(loss, VariationOfInformationBound) else 1.0
    return float((np.log(sizes) + np.log(total) - 2 * np.log(own)).mean() / base)


def _best_cut(psm: SimilarityMatrix, loss: Loss, most: int) -> IntArray:
    """The cut of an average-linkage tree of least expected loss."""
    if psm.n_items == 1:
        return np.zeros(1, np.int64)
    tree = linkage(1.0 - psm.matrix[np.triu_indices(psm.n_items, 1)].astype(float), "average")
    return min(map(canonical, cuts(tree, min(most, MOST_CUTS))), key=lambda labels: expected_loss(labels, psm, loss))


def _sweep(psm: SimilarityMatrix, loss: Loss, start: IntArray, most: int, rng: np.random.Generator) -> IntArray:
    """Items moved one by one until none moves."""
    n_items = psm.n_items
    labels = canonical(start % most)
    capacity = min(n_items, most, 2 * int(labels.max() + 1) + 8)
    sizes, order, moved = np.bincount(labels, minlength=capacity), rng.permutation(n_items), 1
    if isinstance(loss, Binder):
        cost = (2 - loss.a) - 2.0 * psm.matrix
        while moved:
            moved = pair_sweep(cost, order, labels, sizes, most)
        return canonical(labels)
    within, x = np.empty(n_items), np.arange(n_items + 1.0)
    gain = np.diff(x * np.log2(np.maximum(x, 1.0)))
    while moved:
        similarity_sums(psm.matrix, labels, within)
        moved = bound_sweep(psm.matrix, order, labels, sizes, within, gain, most)
    return canonical(labels)
