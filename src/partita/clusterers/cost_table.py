"""Least cost, elbow and silhouette for several numbers of clusters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import silhouette_score

from .._typing import FloatArray, IntArray, RandomState
from .._validation import check_count, check_jobs, check_rng
from ..costs import Cost, check_cost
from ..samplers.fixed_k import check_n_clusters
from .least_cost import search_least_cost

if TYPE_CHECKING:
    import pandas as pd

MOST_ITEMS = 2000  # whose silhouettes are taken, at random where there are more


def cost_table(
    X: Any,
    n_clusters: Iterable[int] = range(1, 11),
    cost: str | Cost = "squared-euclidean",
    *,
    n_init: int = 10,
    n_jobs: int = -1,
    random_state: RandomState = 0,
) -> pd.DataFrame:
    """Least cost and silhouette for each number of clusters.

    Parameters
    ----------
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data, or a matrix of dissimilarities with ``cost="precomputed"``.
    n_clusters : iterable of int
        Numbers to try.
    cost : str or Cost
        See :class:`GeneralizedBayesClustering`.
    n_init : int
        Searches for each number.
    n_jobs : int
        Threads; -1 for all cores. The table does not depend on it.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    table : DataFrame, one row per number of clusters in ascending order
        ``cost``; ``saved``, the share of the cost of the row before that is saved; ``elbow``, how far the cost lies
        below the straight line from the first to the last row, as a share of their difference: greatest where the curve
        bends; ``silhouette``, the mean over items (of at most 2000), which needs 2 clusters or more.

    See Also
    --------
    select_n_clusters : choose the number by stability, gap statistic or subsampling.

    Notes
    -----
    Silhouettes are scikit-learn's: of the dissimilarities, or of the root of what two items cost as a cluster, which
    under the squared Euclidean cost is the Euclidean distance but for a factor.

    References
    ----------
    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> import partita as pt
    >>> X, _ = pt.datasets.make_quadrants(n_items=80)
    >>> pt.cost_table(X, range(2, 7))[["elbow", "silhouette"]].idxmax().tolist()
    [4, 4]
    """
    import pandas as pd

    items, rng = check_cost(cost).encode(X), check_rng(random_state)
    if not np.iterable(n_clusters):
        raise ValueError(f"n_clusters must be a list or range of numbers of clusters: got {n_clusters!r}.")
    check_jobs(n_jobs)
    numbers = sorted({check_n_clusters(number, items.n_items) for number in n_clusters})
    if not numbers:
        raise ValueError("n_clusters must hold at least one number: got none.")
    effort = (check_count("n_init", n_init), 300)
    found = [search_least_cost(items, number, effort, n_jobs, rng) for number in numbers]
    costs = np.array([partition.cost for partition in found])
    chosen = np.sort(rng.permutation(items.n_items)[:MOST_ITEMS])
    apart = items.between(chosen)
    return pd.DataFrame(
        {
            "cost": costs,
            "saved": np.concatenate([[np.nan], 1 - costs[1:] / np.maximum(costs[:-1], 1e-300)]),
            "elbow": _elbow(np.array(numbers, float), costs),
            "silhouette": [_silhouette(apart, partition.labels[chosen]) for partition in found],
        },
        index=pd.Index(numbers, name="n_clusters"),
    )


def _elbow(numbers: FloatArray, costs: FloatArray) -> FloatArray:
    """How far each cost lies below the line from the first to the last, as a share of their difference."""
    if costs.size < 3 or costs[0] <= costs[-1]:
        return np.full(costs.size, np.nan)
    along, down = (numbers - numbers[0]) / np.ptp(numbers), (costs[0] - costs) / (costs[0] - costs[-1])
    return down - along


def _silhouette(apart: FloatArray, labels: IntArray) -> float:
    if not 1 < np.unique(labels).size < labels.size:
        return np.nan
    return float(silhouette_score(apart, labels, metric="precomputed"))
