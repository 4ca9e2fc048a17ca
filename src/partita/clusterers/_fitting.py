"""Validation, restarts and prediction of the k-means-like clusterers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._kernels.clusterers.weighted_means import nearest_clusters
from .._kernels.constraints.chunklets import Chunklets, chunklet_of
from .._parallel import run_parallel
from .._typing import FloatArray, IntArray
from .._validation import check_count, check_rng, item_names
from ..constraints import Constraints, check_constraints
from ._alternation import State
from ._chunklets import constrained_chunklets
from ._points import read_points


class Task(NamedTuple):
    """Validated input of a fit."""

    X: FloatArray
    n_clusters: int
    constraints: Constraints
    chunklets: Chunklets  # of constrained points
    chunklet_of: IntArray  # (n_points,) -1 for free points
    max_iter: int


def check_task(clusterer: Any, X: Any, constraints: Any, allow_soft: bool = False) -> Task:
    """Points, number of clusters and constraints, checked against each other."""
    n_clusters = check_count("n_clusters", clusterer.n_clusters)
    points = read_points(clusterer, X, order="C", ensure_min_samples=n_clusters)
    checked = check_constraints(constraints, len(points), allow_soft, item_names(X))
    checked.check_n_clusters(n_clusters)
    chunklets, max_iter = constrained_chunklets(checked), check_count("max_iter", clusterer.max_iter)
    return Task(points, n_clusters, checked, chunklets, chunklet_of(chunklets, len(points)), max_iter)


def keep_best(clusterer: Any, task: Task, start: Callable[[np.random.Generator], State]) -> Any:
    """Run all starts, and set the fitted attributes from the best."""
    n_init, rng = check_count("n_init", clusterer.n_init), check_rng(clusterer.random_state)
    best = min(run_parallel(start, rng.spawn(n_init), 1, "Clustering"), key=lambda state: state.rank)
    labels, centers = best.moments.labels, best.moments.centers
    seen, first = np.unique(labels, return_index=True)
    order = np.append(seen[np.argsort(first)], np.setdiff1d(np.arange(len(centers)), seen))  # by first appearance
    clusterer.labels_ = np.argsort(order)[labels]
    clusterer.cluster_centers_, clusterer.weights_ = centers[order], best.weighting.weights[order]
    clusterer._offsets = best.weighting.offsets[order]
    clusterer.objective_, clusterer.n_iter_ = best.weighting.objective, best.n_iter
    clusterer.n_violations_ = task.constraints.count_violations(labels)
    return clusterer


def predict_nearest(clusterer: Any, X: Any) -> IntArray:
    """Nearest cluster of each point, in each cluster's own weighted distance."""
    check_is_fitted(clusterer)
    points = read_points(clusterer, X, order="C", reset=False)
    labels, free = np.empty(len(points), np.int64), np.full(len(points), -1)
    centers, weights, offsets = clusterer.cluster_centers_, clusterer.weights_, clusterer._offsets
    nearest_clusters(points, centers, weights, offsets, free, labels, np.empty((0, len(centers))))
    return labels


def column_variance(X: FloatArray) -> FloatArray:
    """Variance of each column, exactly zero where all entries are equal."""
    return np.where(np.ptp(X, axis=0) > 0, X.var(axis=0), 0.0)
