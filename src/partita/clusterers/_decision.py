"""Point estimate of a partition under hard constraints, and where some items hold nothing."""

from __future__ import annotations

import numpy as np

from .._typing import IntArray
from ..constraints import Constraints
from ..constraints.chunklets import repair
from ..decide import PartitionEstimate
from ..decide.estimate import find_estimate
from ..decide.result import evaluate_labels, sort_by_size
from ..losses import Loss
from ..partitions import canonical
from ..posterior import PartitionPosterior


def estimate_within(
    posterior: PartitionPosterior, loss: str | Loss, known: Constraints | None, empty: IntArray | None = None
) -> PartitionEstimate:
    """Partition with least expected loss among those that satisfy the hard constraints.

    Every draw satisfies them, but the unconstrained minimizer may not. Then it is repaired, unless some draw is better.
    Items that hold nothing, ``empty``, are no clusters: the others are estimated, and they join the largest cluster.
    """
    if empty is not None and empty.size > 0:
        return _estimate_of_others(posterior, loss, known, empty)
    free = find_estimate(posterior, loss)
    if known is None:
        return free
    repaired = repair(canonical(free.labels), known)
    if np.array_equal(repaired, canonical(free.labels)):
        return free
    drawn = find_estimate(posterior, loss, search="draws")
    if repaired.max() >= posterior.n_clusters().max():  # more clusters than the prior may allow
        return drawn
    search = f"{free.search}, repaired so that no pair is broken"
    found = evaluate_labels(sort_by_size(repaired), posterior, free.loss, search)
    return found if found.expected_loss < drawn.expected_loss else drawn


def _estimate_of_others(
    posterior: PartitionPosterior, loss: str | Loss, known: Constraints | None, empty: IntArray
) -> PartitionEstimate:
    others = np.delete(np.arange(posterior.n_items), empty)
    found = estimate_within(posterior.subset(others), loss, None if known is None else _constraints_of(others, known))
    labels = np.full(posterior.n_items, found.sizes.argmax())
    labels[others] = found.labels
    return evaluate_labels(sort_by_size(labels), posterior, found.loss, found.search)


def _constraints_of(others: IntArray, known: Constraints) -> Constraints:
    """The constraints, all of them on some of the items, with those numbered from 0."""
    place = np.full(known.n_items, -1)
    place[others] = np.arange(others.size)
    return Constraints(
        place[known.must_link],
        place[known.cannot_link],
        others.size,
        must_link_weights=known.must_link_weights,
        cannot_link_weights=known.cannot_link_weights,
    )
