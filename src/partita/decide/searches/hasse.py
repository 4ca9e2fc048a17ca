"""Greedy search over the Hasse diagram of partitions (Wade and Ghahramani, 2018; ``greedy`` in mcclust.ext).

From a partition the walk looks at the closest partitions that merge two of its clusters and the closest that split one,
and goes to the best while that lowers the expected loss. How close they are depends on cluster sizes alone, so many
are equally close; of those at the largest distance that is looked at, a random part is taken.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from ..._progress import Progress
from ..._typing import FloatArray, IntArray
from ...losses import Loss, VariationOfInformation
from ...partitions import canonical
from ...posterior import PartitionPosterior
from . import draws
from .expected import expected_losses
from .options import Options


def search(posterior: PartitionPosterior, loss: Loss, options: Options) -> tuple[IntArray, str]:
    """Local optimum of the greedy search, from the best draw and from the starts given."""
    best_draw, _ = draws.search(posterior, loss, options)
    few = posterior.collapse()
    most = 2 * posterior.n_items if options.n_neighbors is None else options.n_neighbors
    ends = [_walk(few, loss, start, most, options) for start in (best_draw, *options.starts)]
    best = min(ends, key=lambda labels: loss.expected(labels, few))
    return best, f"greedy walk over the lattice, {most} closest merges and splits at each step"


def _walk(posterior: PartitionPosterior, loss: Loss, labels: IntArray, most: int, options: Options) -> IntArray:
    least = loss.expected(labels, posterior)
    phi = getattr(loss, "phi", VariationOfInformation().phi)(posterior.n_items)
    with Progress("Walking the lattice", posterior.n_items) as progress:
        while not options.budget.exhausted:
            near = _merges(labels, phi, most, options.rng)
            if labels.max() + 1 < options.max_clusters:
                near += _splits(labels, phi, most, options.rng)
            losses = expected_losses(loss, posterior, near, options)
            if not losses or min(losses) >= least - 1e-12:
                break
            labels, least = near[int(np.argmin(losses))], min(losses)
            progress.advance(1, f"expected loss {least:.4f}")
    return labels


def _merges(labels: IntArray, phi: FloatArray, most: int, rng: np.random.Generator) -> list[IntArray]:
    """The closest partitions that merge two clusters: at distance phi(a + b) - phi(a) - phi(b)."""
    sizes = np.bincount(labels)
    a, b = np.triu_indices(sizes.size, 1)
    distances = phi[sizes[a] + sizes[b]] - phi[sizes[a]] - phi[sizes[b]]
    closest = np.lexsort((rng.random(a.size), distances))[:most]
    return [canonical(np.where(labels == b[i], a[i], labels)) for i in closest]


def _splits(labels: IntArray, phi: FloatArray, most: int, rng: np.random.Generator) -> list[IntArray]:
    """The closest partitions that split one cluster of m items into t and m - t: phi(m) - phi(t) - phi(m - t)."""
    groups = [
        (phi[m] - phi[t] - phi[m - t], rng.random(), k, t)
        for k, m in enumerate(np.bincount(labels))
        for t in range(1, m // 2 + 1)
    ]
    found: list[IntArray] = []
    for _, _, k, t in sorted(groups):
        if len(found) >= most:
            break
        for part in _parts(np.flatnonzero(labels == k), t, most - len(found), rng):
            changed = labels.copy()
            changed[part] = labels.max() + 1
            found.append(canonical(changed))
    return found


def _parts(members: IntArray, size: int, most: int, rng: np.random.Generator) -> list[IntArray]:
    """All parts of a size, or distinct random ones where there is no room for all."""
    if comb(members.size, size) <= most:
        return [np.array(part) for part in combinations(members, size)]
    chosen = {tuple(sorted(rng.choice(members, size, replace=False))) for _ in range(most)}
    return [np.array(part) for part in sorted(chosen)]
