"""Collapsed Gibbs updates of single items (Neal 2000, algorithm 3) from sums: clusters of one item open and close."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import FloatArray
from .configuration import Configuration, merged
from .engines.base import Item


def move_items(config: Configuration, numbers: list[int]) -> None:
    """Draw the labels of items one after the other, each given all others."""
    waiting = list(numbers)
    while waiting:
        for item in config.allocation.items(waiting):
            waiting.pop(0)
            if move_item(config, item):
                break  # labels of those that wait may be others now


def move_item(config: Configuration, item: Item) -> bool:
    """Draw the label of an item given all others; whether any label changed."""
    allocation, statistics, sums, n = config.allocation, config.statistics, config.sums, config.n_clusters
    number, home, weight, features = item
    if weight == 0.0:
        return False
    alone = sums.counts[home] == 1
    features = weight * features
    rest_features, rest_sizes = sums.features.copy(), sums.sizes.copy()
    rest_features[home] -= features
    rest_sizes[home] -= weight
    open_ = np.delete(np.arange(n), home) if alone else np.arange(n)
    marginals = statistics.log_marginals(
        np.vstack([rest_features[open_], rest_features[open_] + features, features[np.newaxis]])
    )
    n_open = open_.size
    logs = np.empty(n_open + 1)
    logs[:n_open] = marginals[n_open : 2 * n_open] - marginals[:n_open]
    logs[:n_open] += [config.log_cluster(m + weight) - config.log_cluster(m) for m in rest_sizes[open_]]
    logs[n_open] = config.log_new(n_open) + config.log_cluster(weight) + marginals[-1]
    chosen = int((logs - np.log(config.rng.standard_exponential(n_open + 1))).argmax())
    if chosen == (n_open if alone else home):
        return False
    if alone:
        target = int(open_[chosen])
        allocation.merge(target, home, n - 1)
        config.sums = merged(sums, target, home)
    else:
        _move(config, number, home, chosen, (features, weight, 1))
    return True


def _move(config: Configuration, item: int, home: int, target: int, own: tuple[FloatArray, float, int]) -> None:
    """Move an item, with what it adds to sums, from a cluster that stays to another or to a new one."""
    config.allocation.move(item, target)
    rows: list[Any] = []
    for part, value in zip(config.sums[:3], own, strict=True):
        moved = np.concatenate([part, np.zeros_like(part[:1])]) if target == len(part) else part.copy()
        moved[home] -= value
        moved[target] += value
        rows.append(moved)
    features, sizes, counts = rows
    config.sums = config.sums._replace(features=features, sizes=sizes, counts=counts)
