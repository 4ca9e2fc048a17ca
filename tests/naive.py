"""Each quantity again, straight from its definition: slow and obvious."""

from itertools import combinations, permutations
from math import log2, prod

import numpy as np


def all_partitions(n):
    """Canonical labels of every partition of n items."""
    rows = [[0]]
    for _ in range(n - 1):
        rows = [[*row, label] for row in rows for label in range(max(row) + 2)]
    return [np.array(row) for row in rows]


def clusters(labels):
    """The clusters as sets of items."""
    return [frozenset(np.flatnonzero(labels == k).tolist()) for k in dict.fromkeys(labels.tolist())]


def from_clusters(groups, n):
    """Canonical labels from sets of items."""
    groups = sorted((set(g) for g in groups if g), key=min)
    return np.array([next(k for k, g in enumerate(groups) if i in g) for i in range(n)])


def meet(a, b):
    return from_clusters([x & y for x in clusters(a) for y in clusters(b)], len(a))


def join(a, b):
    groups = [set(x) for x in clusters(a)]
    for y in clusters(b):
        touched = [g for g in groups if g & y]
        groups = [g for g in groups if not g & y] + [set().union(*touched)]
    return from_clusters(groups, len(a))


def refines(a, b):
    return all(any(x <= y for y in clusters(b)) for x in clusters(a))


def entropy(labels):
    return -sum(len(c) / len(labels) * log2(len(c) / len(labels)) for c in clusters(labels))


def variation_of_information(truth, estimate, a=1.0):
    both = entropy(meet(truth, estimate))
    return a * (both - entropy(truth)) + (2 - a) * (both - entropy(estimate))


def binder(truth, estimate, a=1.0):
    total = 0.0
    for i, j in combinations(range(len(truth)), 2):
        in_truth, in_estimate = truth[i] == truth[j], estimate[i] == estimate[j]
        total += a * (in_truth and not in_estimate) + (2 - a) * (in_estimate and not in_truth)
    return 2 * total / len(truth) ** 2


def adjusted_rand(truth, estimate):
    pairs = list(combinations(range(len(truth)), 2))
    in_truth = [truth[i] == truth[j] for i, j in pairs]
    in_estimate = [estimate[i] == estimate[j] for i, j in pairs]
    both = sum(t and e for t, e in zip(in_truth, in_estimate, strict=True))
    by_chance = sum(in_truth) * sum(in_estimate) / max(1, len(pairs))
    most = (sum(in_truth) + sum(in_estimate)) / 2
    return 1 - (both - by_chance) / (most - by_chance) if most != by_chance else 0.0


def mutual_information(truth, estimate):
    return entropy(truth) + entropy(estimate) - entropy(meet(truth, estimate))


def misclassification(truth, estimate):
    """Fewest items off the diagonal over all ways to pair the clusters."""
    x, y = sorted((clusters(truth), clusters(estimate)), key=len)
    agree = max(sum(len(a & b) for a, b in zip(x, chosen, strict=True)) for chosen in permutations(y, len(x)))
    return 1 - agree / len(truth)


def similarity(draws, weights=None):
    weights = np.full(len(draws), 1 / len(draws)) if weights is None else np.asarray(weights) / np.sum(weights)
    n = draws.shape[1]
    return np.array([[(weights * (draws[:, i] == draws[:, j])).sum() for j in range(n)] for i in range(n)])


def expected_vi_bound(labels, draws):
    """Jensen's bound, item by item, from the similarity matrix."""
    n = len(labels)
    together, total = similarity(draws), 0.0
    for i in range(n):
        own = np.mean([log2((row == row[i]).sum()) for row in draws])
        total += log2((labels == labels[i]).sum()) + own - 2 * log2(together[i][labels == labels[i]].sum())
    return total / n


def random_draws(rng, n_draws, n_items, n_labels):
    return rng.integers(n_labels, size=(n_draws, n_items))


def rising(x, n):
    return prod(x + i for i in range(n))


def pitman_yor(sizes, concentration, discount):
    opened = prod(concentration + discount * k for k in range(len(sizes)))
    return opened * prod(rising(1 - discount, m - 1) for m in sizes) / rising(concentration, sum(sizes))


def finite_dirichlet(sizes, n_components, concentration):
    """Sum over the ways to give the clusters components of their own: all equally likely."""
    ways = prod(n_components - k for k in range(len(sizes)))
    return ways * prod(rising(concentration, m) for m in sizes) / rising(n_components * concentration, sum(sizes))


def mixture_of_finite_mixtures(sizes, concentration, probabilities):
    return sum(p * finite_dirichlet(sizes, k, concentration) for k, p in enumerate(probabilities, 1))


def partitions_up_to(n, n_clusters):
    return np.array([row for row in all_partitions(n) if row.max() < n_clusters])


def cost_matrix(rows):
    return np.array([[misclassification(a, b) for b in rows] for a in rows])


def hadamard(values):
    """Walsh-Hadamard transform, entry by entry."""
    n = len(values)
    return np.array([sum(values[j] * (-1) ** bin(i & j).count("1") for j in range(n)) for i in range(n)])


def bregman_cost(phi, gradient, center=lambda rows: rows.mean(axis=0)):
    """Cost of the cluster of the marked rows: Bregman divergences from its center."""

    def cost(X, mask):
        c = center(X[mask])
        return sum(phi(x) - phi(c) - (x - c) @ gradient(c) for x in X[mask])

    return cost


def mahalanobis_cost(covariance):
    inverse = np.linalg.inv(covariance)
    return lambda X, mask: sum((x - X[mask].mean(axis=0)) @ inverse @ (x - X[mask].mean(axis=0)) for x in X[mask])


def relative_entropy_cost(shrinkage, factor):
    def cost(X, mask):
        rows = X[mask]
        c = (rows.sum(axis=0) + shrinkage * X.mean(axis=0)) / (len(rows) + shrinkage)
        return factor * sum(
            (a * np.log(a / b) if a > 0 else 0.0) - a + b for x in rows for a, b in zip(x, c, strict=True)
        )

    return cost


def logistic_cost(X, mask):
    rows = X[mask]
    c = (rows.sum(axis=0) + 0.5) / (len(rows) + 1)
    return -sum(np.log(b if a == 1 else 1 - b) for x in rows for a, b in zip(x, c, strict=True))


def pairwise_cost(dissimilarity):
    return lambda X, mask: sum(dissimilarity(x, y) for x in X[mask] for y in X[mask]) / (2 * mask.sum())


def matrix_cost(X, mask):
    return X[mask][:, mask].sum() / (2 * mask.sum())


def shared(draw, labels):
    """A draw and labels of the items that the draw holds; -1 marks those it leaves out."""
    held = np.asarray(draw) >= 0
    return np.asarray(draw)[held], np.asarray(labels)[held]


def partial_similarity(draws, weights):
    """Share of the draws that hold both in which two items are together; nan where no draw holds both."""
    n = draws.shape[1]
    out = np.full((n, n), np.nan)
    for i in range(n):
        for j in range(n):
            both = (draws[:, i] >= 0) & (draws[:, j] >= 0)
            if weights[both].sum() > 0:
                out[i, j] = weights[both & (draws[:, i] == draws[:, j])].sum() / weights[both].sum()
    return out


def partial_vi_bound(labels, draws, weights):
    """Jensen's bound item by item: the logarithm of a mean over the draws that hold the item."""
    rates, total = weights / (draws >= 0).sum(axis=1), 0.0
    for i in range(draws.shape[1]):
        meeting, weight = 0.0, 0.0
        for rate, draw in zip(rates, draws, strict=True):
            if draw[i] >= 0:
                own, drawn = (labels == labels[i]) & (draw >= 0), draw == draw[i]
                total += rate * (log2(own.sum()) + log2(drawn.sum()))
                meeting += rate * (own & drawn).sum()
                weight += rate
        total -= 2 * weight * log2(meeting / weight)
    return total
