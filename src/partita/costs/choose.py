"""Costs by name, and the total cost of a partition."""

from __future__ import annotations

import math
from typing import Any, Protocol

from .._validation import check_choice, check_labels
from .bregman import ItakuraSaito, KullbackLeibler, Logistic, PoissonDeviance
from .items import Items, total_cost
from .pairwise import Minkowski, Precomputed
from .squared import Mahalanobis, SquaredEuclidean


class Cost(Protocol):
    """The interface of a cost in generalized Bayes."""

    def encode(self, X: Any) -> Items:
        """Encode the items for samplers and searches."""
        ...


COSTS: dict[str, Cost] = {
    "squared-euclidean": SquaredEuclidean(),
    "mahalanobis": Mahalanobis(),
    "kullback-leibler": KullbackLeibler(),
    "itakura-saito": ItakuraSaito(),
    "logistic": Logistic(),
    "poisson-deviance": PoissonDeviance(),
    "manhattan": Minkowski(1),
    "euclidean": Minkowski(2),
    "precomputed": Precomputed(),
}


def check_cost(cost: str | Cost) -> Cost:
    """A cost from its name, or the cost itself.

    Examples
    --------
    >>> check_cost("manhattan")
    Minkowski(p=1, transform=1.0)
    """
    if isinstance(cost, str):
        return COSTS[check_choice("cost", cost, COSTS)]
    if not hasattr(cost, "encode") or isinstance(cost, type):
        raise TypeError(f"cost must be a cost or the name of one ({', '.join(COSTS)}): got {cost!r}.")
    return cost


def total(X: Any, labels: Any, cost: str | Cost = "squared-euclidean") -> float:
    """Cost of a partition: the sum over its clusters.

    Parameters
    ----------
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data, or dissimilarities of all items with ``cost="precomputed"``.
    labels : array-like of int, shape (n_items,)
        The partition.
    cost : str or Cost
        See :class:`GeneralizedBayesClustering`.

    See Also
    --------
    partita.cost_table : by number of clusters.
    SquaredEuclidean : the default cost.

    Examples
    --------
    >>> from partita import costs
    >>> costs.total([[0.0], [2.0], [10.0]], [0, 0, 1], "manhattan")
    1.0
    """
    items = check_cost(cost).encode(X)
    found = total_cost(items, check_labels(labels, n_items=items.n_items))
    if not math.isfinite(found):
        raise ValueError(f"X must hold numbers whose costs add up to a number: got {found} in all.")
    return found
