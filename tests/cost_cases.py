"""Costs, data that each can take, a rate, and the cost from its definition."""

import naive
import numpy as np

from partita.costs import (
    Bregman,
    Dissimilarity,
    ItakuraSaito,
    KullbackLeibler,
    Logistic,
    Mahalanobis,
    Minkowski,
    PoissonDeviance,
    Precomputed,
    SquaredEuclidean,
)

NUMBERS = np.array([[0.0, 1.0], [0.4, 0.7], [2.5, 0.0], [2.2, -0.5], [1.2, 2.0], [1.0, 0.9]])
POSITIVE = np.exp(NUMBERS)
COUNTS = np.array([[0, 3], [1, 4], [6, 0], [5, 1], [2, 2], [3, 0]])
BINARY = np.array([[0, 1, 1], [0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [0, 0, 1]])
MATRIX = np.abs(NUMBERS[:, None] - NUMBERS[None]).sum(axis=2) ** 0.7


def cosh(x):
    return np.cosh(x).sum()


COSTS = [
    (SquaredEuclidean(), NUMBERS, 0.5, naive.bregman_cost(lambda x: (x**2).sum(), lambda x: 2 * x)),
    (Mahalanobis([[2.0, 0.5], [0.5, 1.0]]), NUMBERS, 1.0, naive.mahalanobis_cost([[2.0, 0.5], [0.5, 1.0]])),
    (KullbackLeibler(), POSITIVE, 0.6, naive.relative_entropy_cost(0.0, 1.0)),
    (KullbackLeibler(0.5), COUNTS, 0.6, naive.relative_entropy_cost(0.5, 1.0)),
    (PoissonDeviance(), COUNTS, 0.5, naive.relative_entropy_cost(1.0, 2.0)),
    (ItakuraSaito(), POSITIVE, 2.0, naive.bregman_cost(lambda x: -np.log(x).sum(), lambda x: -1 / x)),
    (Logistic(), BINARY, 1.0, naive.logistic_cost),
    (Bregman(cosh, np.sinh), NUMBERS, 0.8, naive.bregman_cost(cosh, np.sinh)),
    (Minkowski(1), NUMBERS, 1.0, naive.pairwise_cost(lambda x, y: abs(x - y).sum())),
    (Minkowski(3, 1.5), NUMBERS, 1.0, naive.pairwise_cost(lambda x, y: (abs(x - y) ** 3).sum() ** 0.5)),
    (Minkowski(2, np.log1p), NUMBERS, 2.0, naive.pairwise_cost(lambda x, y: np.log1p(((x - y) ** 2).sum() ** 0.5))),
    (Precomputed(), MATRIX, 1.0, naive.matrix_cost),
    (Dissimilarity(lambda x, y: abs(x - y).max()), NUMBERS, 1.5, naive.pairwise_cost(lambda x, y: abs(x - y).max())),
]  # fmt: skip
NAMES = [f"{type(case[0]).__name__}-{i}" for i, case in enumerate(COSTS)]
