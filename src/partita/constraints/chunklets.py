"""Chunklets as samplers move them, and partitions repaired so that they satisfy hard constraints."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import coo_array

from .._kernels.constraints.chunklets import Chunklets
from .._typing import FloatArray, IntArray
from ..partitions import canonical
from .constraints import Constraints


def make_chunklets(constraints: Constraints, weights: FloatArray | None = None) -> Chunklets:
    """Chunklets as samplers move them; a hard cannot-link has log odds of minus infinity.

    ``weights`` say how often each item counts; those of weight 0, which no constraint names, are left out.
    """
    chunklets = constraints.chunklets
    n_chunklets, counts = constraints.n_chunklets, np.ones(chunklets.size) if weights is None else weights
    bounds, others = constraints.cannot_link_graph
    first, second, log_odds = constraints.soft_pairs
    rows = np.concatenate([np.repeat(np.arange(n_chunklets), np.diff(bounds)), first, second])
    columns = np.concatenate([others, second, first])
    values = np.concatenate([np.full(others.size, -np.inf), log_odds, log_odds])
    pairs = coo_array((values, (rows, columns)), shape=(n_chunklets, n_chunklets)).tocsr()
    sizes, members = np.bincount(chunklets, counts), np.argsort(chunklets, kind="stable")
    kept = np.flatnonzero(sizes > 0)
    if kept.size < n_chunklets:
        members, pairs = members[sizes[chunklets[members]] > 0], pairs[kept][:, kept]
    return Chunklets(
        np.concatenate([[0], np.cumsum(np.bincount(chunklets)[kept])]),
        members,
        sizes[kept],
        pairs.indptr.astype(np.int64),
        pairs.indices.astype(np.int64),
        pairs.data,
        counts,
        bool((counts[members] == 1).all()),
    )


def weighted_chunklets(constraints: Constraints, weights: FloatArray | None) -> tuple[Chunklets, IntArray]:
    """Chunklets of the items that count, and the items that do not."""
    if weights is None or (weights > 0).all():
        return make_chunklets(constraints, weights), np.empty(0, np.int64)
    uncounted = np.flatnonzero(weights == 0)
    named = np.intersect1d(uncounted, np.concatenate([constraints.must_link, constraints.cannot_link]))
    if named.size:
        raise ValueError(f"sample_weight must be positive for items under constraints: got 0 for item {named[0]}.")
    return make_chunklets(constraints, weights), uncounted


def repair(labels: IntArray, constraints: Constraints, most_clusters: int | None = None) -> IntArray:
    """A partition that satisfies the hard constraints: chunklets follow their first item where cannot-links allow.

    With an upper bound on the number of clusters, a graph coloring that needs few stands in where that fails.
    """
    bounds, others = constraints.cannot_link_graph
    firsts = np.unique(constraints.chunklets, return_index=True)[1]
    placed, n_labels = labels[firsts].copy(), int(labels.max()) + 1
    for u in np.flatnonzero(np.diff(bounds)):
        near = others[bounds[u] : bounds[u + 1]]
        taken = set(placed[near[near < u]].tolist())
        if placed[u] in taken:
            placed[u] = next(k for k in range(n_labels + 1) if k not in taken)
            n_labels = max(n_labels, placed[u] + 1)
    if most_clusters is not None and len(np.unique(placed)) > most_clusters:
        placed = constraints.feasible_coloring
    return canonical(placed[constraints.chunklets])


def repair_to(labels: IntArray, constraints: Constraints, n_clusters: int) -> IntArray:
    """The same with exactly ``n_clusters`` clusters: chunklets leave the largest clusters until there are enough."""
    constraints.check_n_clusters(n_clusters)
    firsts = np.unique(constraints.chunklets, return_index=True)[1]
    placed = repair(labels, constraints, n_clusters)[firsts]
    if placed.max() + 1 > n_clusters:
        raise ValueError(
            f"n_clusters must be at least {constraints.n_clusters_bounds[1]}, which is known to suffice for the "
            f"cannot-links: got {n_clusters}."
        )
    while (n := int(placed.max()) + 1) < n_clusters:
        placed[np.flatnonzero(placed == np.bincount(placed).argmax())[-1]] = n
    return canonical(placed[constraints.chunklets])


def check_feasible(constraints: Constraints, most_clusters: int) -> None:
    """Raise where no partition into so few clusters is known to be feasible; warn where chains may get stuck."""
    needed, enough = constraints.n_clusters_bounds
    if most_clusters < enough:
        known = "are needed" if most_clusters < needed else "are known to suffice"
        raise ValueError(
            f"n_components must leave room for the cannot-links: got {most_clusters}, where "
            f"{needed if most_clusters < needed else enough} {known}."
        )
    most_neighbors = int(np.diff(constraints.cannot_link_graph[0]).max())
    if most_clusters < most_neighbors + 2:
        warnings.warn(
            f"With at most {most_clusters} clusters and a chunklet with {most_neighbors} cannot-links, moves of one "
            "chunklet at a time may not reach every partition that the constraints allow. Compare chains, or use a "
            "prior without an upper bound.",
            stacklevel=3,
        )
