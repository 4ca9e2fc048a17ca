"""Partition with least cost: k-means++ seeds, Lloyd's steps where the cost has centers, then Hartigan's transfers."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._kernels.clusterers.lloyd import assign_rows
from .._kernels.costs.groups import descend
from .._parallel import run_parallel
from .._typing import FloatArray, IntArray
from .._validation import check_count, check_jobs, check_rng
from ..costs import check_cost
from ..costs.items import BregmanItems, CostData, Items, PairwiseItems, init_groups, make_groups
from ..partitions import canonical
from ..samplers.fixed_k import check_n_clusters
from ..samplers.starts import seeded_labels
from ._points import read_points

KINDS = {BregmanItems: ("Bregman", "KDissimilarities"), PairwiseItems: ("pairwise", "BregmanKMeans")}
TOLERANCE = 1e-4  # share of the cost that a step of Lloyd's must save for another to be worth its while


class Found(NamedTuple):
    """A partition that no transfer of a single item improves."""

    cost: float
    labels: IntArray
    n_iter: int


def search_least_cost(
    items: Items, n_clusters: int, effort: tuple[int, int], n_jobs: int, rng: np.random.Generator
) -> Found:
    """Best of several searches, each from its own seeds; ``effort`` = (number of searches, most iterations each)."""
    n_init, max_iter = effort
    found = run_parallel(
        partial(_search_from_seeds, items, n_clusters, max_iter),
        rng.spawn(n_init),
        n_jobs if n_init > 1 else 1,
        "Searching",
        lambda found: f"cost {found.cost:.6g}",
    )
    return min(found, key=lambda found: found.cost)


def fit_least_cost(clusterer: Any, X: Any, kind: type) -> Any:
    """Set cost, labels and iterations of a clusterer with this kind of items, and return the items."""
    items = check_cost(clusterer.cost).encode(read_points(clusterer, X, ensure_all_finite=False))
    if not isinstance(items, kind):
        wanted, other = KINDS[kind]
        raise ValueError(f"cost must be a {wanted} cost: got {clusterer.cost!r}. For others there is {other}.")
    n_clusters = check_n_clusters(clusterer.n_clusters, items.n_items)
    effort = check_count("n_init", clusterer.n_init), check_count("max_iter", clusterer.max_iter)
    jobs, rng = check_jobs(clusterer.n_jobs), check_rng(clusterer.random_state)
    clusterer._items = items
    clusterer.cost_, clusterer.labels_, clusterer.n_iter_ = search_least_cost(items, n_clusters, effort, jobs, rng)
    return items


def predict_least_cost(clusterer: Any, X: Any) -> IntArray:
    """The cluster to whose cost each new row would add least."""
    check_is_fitted(clusterer)
    X = read_points(clusterer, X, ensure_all_finite=False, reset=False)
    return clusterer._items.to_clusters(X, clusterer.labels_).argmin(axis=1)


def _search_from_seeds(items: Items, n_clusters: int, max_iter: int, rng: np.random.Generator) -> Found:
    labels, n_steps = seeded_labels(items, n_clusters, rng), 0
    if isinstance(items, BregmanItems):
        labels, n_steps = lloyd(items, labels, n_clusters, max_iter)
    found = hartigan(items.data(), labels, n_clusters, max_iter)
    return found._replace(n_iter=n_steps + found.n_iter)


def hartigan(data: CostData, labels: IntArray, n_clusters: int, max_iter: int, rate: float = 1.0) -> Found:
    """Transfer single chunklets between clusters while that lowers the cost (Hartigan's method).

    ``labels`` are those of the chunklets, and ``rate`` multiplies the cost beside the penalties of pairs of them.
    """
    groups = make_groups(data, n_clusters)
    n_iter = descend(labels, n_clusters, rate, max_iter, data, groups)
    labels = canonical(groups.labels)
    init_groups(labels, data, groups)  # sums made anew, without the rounding of many moves
    return Found(max(float(groups.cost.sum()), 0.0), labels, n_iter)


def lloyd(items: BregmanItems, labels: IntArray, n_clusters: int, max_iter: int) -> tuple[IntArray, int]:
    """Labels after Lloyd's steps, taken while the cost falls, and the number of steps."""
    labels, before, own = labels.copy(), np.inf, items.factor * items.phi(items.rows).sum()
    sums, sizes = np.empty((n_clusters, items.rows.shape[1])), np.empty(n_clusters, np.int64)
    centers = items.centers(labels)
    for done in range(max_iter):
        slopes, offsets = items.tangents(centers)
        cost = own + assign_rows(items.rows, np.ascontiguousarray(slopes.T), offsets, labels, sums, sizes)
        if not sizes.all():
            _fill_empty(items, labels, (slopes, offsets), sums, sizes)
        centers = items.shrink(sums, sizes.astype(float))
        if before - cost <= TOLERANCE * cost:
            return labels, done + 1
        before = cost
    return labels, max_iter


def _fill_empty(
    items: BregmanItems, labels: IntArray, tangents: tuple[FloatArray, FloatArray], sums: FloatArray, sizes: IntArray
) -> None:
    """Give each empty cluster the item farthest from its center among those that are not alone."""
    slopes, offsets = tangents
    own = items.factor * items.phi(items.rows) + offsets[labels] - (items.rows * slopes[labels]).sum(axis=1)
    farthest = iter(np.argsort(-own, kind="stable"))
    for k in np.flatnonzero(sizes == 0):
        i = next(item for item in farthest if sizes[labels[item]] > 1)
        sums[labels[i]] -= items.rows[i]
        sizes[labels[i]] -= 1
        labels[i], sums[k], sizes[k] = k, items.rows[i], 1


def find_medoids(items: Items, labels: IntArray) -> IntArray:
    """Medoid of each cluster: the item nearest to its center, or with least dissimilarity to the other members."""
    own = items.to_own_cluster(labels)
    by_cluster = (np.flatnonzero(labels == k) for k in range(int(labels.max()) + 1))
    return np.array([members[own[members].argmin()] for members in by_cluster])
