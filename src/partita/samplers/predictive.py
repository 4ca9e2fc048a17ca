"""What a mixture's draws say about rows not seen yet: their density, the clusters they join, rows like them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from .._kernels.components.clusters import COLUMNS, FULL, Clusters, Hyper, Table
from .._kernels.samplers.chain import fill_prior
from .._kernels.samplers.gibbs import Prior, Seating, seat_all
from .._kernels.samplers.predictive import add_draw
from .._typing import FloatArray, IntArray
from ..components import Encoded
from .collapsed import Problem, density_alone, make_clusters, make_prior, make_seating, single_items


class Seated(NamedTuple):
    """A draw with its clusters' sums and, one item later, the prior's weights."""

    clusters: Clusters
    seating: Seating
    prior: Prior
    share: FloatArray  # (capacity, n_clusters) part of each drawn cluster that lies in each cluster of an estimate


def seat_draw(problem: Problem, labels: IntArray, concentration: float, estimate: IntArray) -> Seated:
    """Sums over the clusters of a draw."""
    n_items, capacity, hyper = problem.n_items, int(labels.max()) + 2, problem.encoded.hyper
    clusters, seating = make_clusters(capacity, hyper), make_seating(n_items, capacity)
    prior, work = make_prior(n_items, capacity), np.empty(hyper.strength.size + 1)
    fill_prior(problem.law, concentration, n_items + 1, prior)
    seat_all(labels, problem.encoded.table, hyper, clusters, seating, work)
    share = np.zeros((capacity, int(estimate.max()) + 1))
    np.add.at(share, (labels, estimate), 1.0)
    return Seated(clusters, seating, prior, share / np.maximum(share.sum(axis=1, keepdims=True), 1.0))


def score_rows(problem: Problem, table: Table, draws: Iterable[Seated]) -> tuple[FloatArray, FloatArray]:
    """Log density of new rows and the probabilities that they join each cluster of the estimate or none of them."""
    hyper, n_rows, n_draws = problem.encoded.hyper, len(table.numbers), 0
    alone, work = density_alone(single_items(n_rows), table, hyper), np.empty(hyper.strength.size + 1)
    log_density, joins = np.full(n_rows, -np.inf), np.zeros((n_rows, 0))
    for clusters, seating, prior, share in draws:
        joins = np.zeros((n_rows, share.shape[1] + 1)) if n_draws == 0 else joins
        scores = np.empty(len(share) + 1)
        add_draw(n_rows, alone, prior, share, table, hyper, clusters, seating, work, scores, log_density, joins)
        n_draws += 1
    return log_density - np.log(n_draws), joins / n_draws


def sample_row(encoded: Encoded, drawn: Seated, rng: np.random.Generator) -> tuple[list[Any], int]:
    """A row from the predictive distribution of a draw, and the cluster of the estimate it belongs to or -1."""
    n_clusters = int(drawn.seating.n_clusters[0])
    log_weights = np.append(drawn.prior.log_join[drawn.clusters.sizes[:n_clusters]], drawn.prior.log_new[n_clusters])
    k = int(rng.choice(n_clusters + 1, p=softmax(log_weights)))  # the last row is empty: a cluster of its own
    label = -1 if k == n_clusters else int(rng.choice(drawn.share.shape[1], p=drawn.share[k]))
    numbers = iter(_sample_numbers(k, encoded.hyper, drawn.clusters, rng) + encoded.center)
    categories = iter(_sample_categories(k, encoded, drawn.clusters, rng))
    counts = iter(_sample_counts(k, encoded.hyper, drawn.clusters, rng))
    sources = {"number": numbers, "category": categories, "count": counts}
    return [next(sources[kind]) for kind, _ in encoded.columns], label


def _sample_numbers(k: int, hyper: Hyper, clusters: Clusters, rng: np.random.Generator) -> FloatArray:
    """Student t draws: one per column, or one for all columns where they share a variance or a covariance."""
    d, m = hyper.strength.size, int(clusters.sizes[k])
    if d == 0:
        return np.empty(0)
    if hyper.family == COLUMNS:
        shape, strength = hyper.shape + clusters.seen[k] / 2, hyper.strength + clusters.seen[k]
        scale = np.sqrt(clusters.spread[k] / shape * (1 + 1 / strength))
        return np.asarray(clusters.center[k] + scale * rng.standard_t(2 * shape))
    noise, strength = rng.standard_normal(d), hyper.strength[0] + m
    if hyper.family == FULL:
        freedom = 2 * hyper.shape[0] + m - d + 1
        noise = clusters.root[k] @ noise / np.sqrt(freedom)
    else:
        freedom = 2 * hyper.shape[0] + d * m
        noise = np.sqrt(2 * clusters.spread[k, 0] / freedom) * noise
    noise *= np.sqrt((1 + 1 / strength) * freedom / rng.chisquare(freedom))
    return np.asarray(clusters.center[k] + noise)


def _sample_categories(k: int, encoded: Encoded, clusters: Clusters, rng: np.random.Generator) -> list[Any]:
    weights, first, drawn = clusters.in_slot[k] + encoded.hyper.slot_weight, 0, []
    for levels in (facts for kind, facts in encoded.columns if kind == "category"):
        here = weights[first : first + len(levels)]
        drawn.append(levels[int(rng.choice(len(levels), p=here / here.sum()))])
        first += len(levels)
    return drawn


def _sample_counts(k: int, hyper: Hyper, clusters: Clusters, rng: np.random.Generator) -> NDArray[np.int64]:
    means = rng.gamma(hyper.count_shape + clusters.sum_counts[k], 1 / (hyper.count_rate + clusters.counted[k]))
    return rng.poisson(means)
