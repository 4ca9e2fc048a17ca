"""Costs of clusters in generalized Bayes: Bregman divergences from the mean, and average pairwise dissimilarities.

A cost is a choice; its ``encode`` turns data into the arrays that samplers and searches read. The posterior of a
partition is proportional to ``exp(-rate * cost)``, the cost being summed over its clusters.

Modules import only from layers with a smaller number:

    0  _validation, items
    1  bregman, pairwise, squared
    2  choose
"""

from .bregman import Bregman, ItakuraSaito, KullbackLeibler, Logistic, PoissonDeviance
from .choose import Cost as Cost, check_cost as check_cost, total
from .pairwise import Dissimilarity, Minkowski, Precomputed
from .squared import Mahalanobis, SquaredEuclidean

__all__ = [
    "Bregman",
    "Dissimilarity",
    "ItakuraSaito",
    "KullbackLeibler",
    "Logistic",
    "Mahalanobis",
    "Minkowski",
    "PoissonDeviance",
    "Precomputed",
    "SquaredEuclidean",
    "total",
]
