"""What a mixture's draws say about rows: density of new ones and of each item given the others, rows like them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from .._kernels.components.family import parts
from .._kernels.samplers.predictive import add_draw, fit_draw, log_leave_one_out
from .._kernels.samplers.prior import fill_prior, log_cluster
from .._typing import FloatArray, IntArray
from ..components import observed_items, sample_entries, with_rows
from .collapsed import Problem, Room, make_room


class FittedDraw(NamedTuple):
    """A draw with its clusters' statistics and, one item later, the prior's weights."""

    room: Room
    rows: IntArray  # rows of statistics of its clusters, and of the empty one
    share: FloatArray  # (n_clusters, n_estimated) part of each drawn cluster that lies in each cluster of an estimate


def fit_one_draw(
    problem: Problem,
    labels: IntArray,
    *,
    concentration: float,
    hyper: FloatArray,
    latent: FloatArray,
    estimate: IntArray,
) -> FittedDraw:
    """Statistics of the clusters of a draw, made from its labels and what was drawn beside them."""
    n_clusters = int(labels.max()) + 1
    room = make_room(problem, hyper, latent, n_clusters + 1)
    fill_prior(problem.params, concentration, problem.chunklets.size.sum() + 1.0, room.weights)
    fit_draw(labels, problem.chunklets, room.model, room.assignment)
    share = np.zeros((n_clusters, int(estimate.max()) + 1))
    np.add.at(share, (labels, estimate), 1.0)
    rows = np.append(np.arange(n_clusters), room.assignment.sizes.size - 1)
    return FittedDraw(room, rows, share / share.sum(axis=1, keepdims=True))


def score_rows(problem: Problem, X: Any, draws: Iterable[FittedDraw]) -> tuple[FloatArray, FloatArray]:
    """Log density of new rows and the probabilities that they join each cluster of the estimate or none of them."""
    n_draws, log_density, joins = 0, np.empty(0), np.empty((0, 0))
    for room, rows, share in draws:
        model = with_rows(problem.encoded, room.model, X)
        if n_draws == 0:
            n_rows = len(parts(model)[0].x)
            log_density, joins = np.full(n_rows, -np.inf), np.zeros((n_rows, share.shape[1] + 1))
        scores = np.empty(rows.size)
        add_draw(
            log_density.size,
            problem.params,
            room.weights,
            share,
            model,
            room.assignment,
            rows,
            scores,
            log_density,
            joins,
        )
        n_draws += 1
    return log_density - np.log(n_draws), joins / n_draws


def leave_one_out(
    problem: Problem, labels: IntArray, *, concentration: float, hyper: FloatArray, latent: FloatArray
) -> FloatArray:
    """Log density of each item given all others and their clusters in a draw; 0 for items that do not count.

    Parameters of components and the item's own cluster are integrated over, so that the harmonic mean over draws is
    p(x_i | all others): what importance sampling needs to leave the item out.
    """
    n_clusters = int(labels.max()) + 1
    room = make_room(problem, hyper, latent, n_clusters)
    fill_prior(problem.params, concentration, float(problem.chunklets.size.sum()), room.weights)
    fit_draw(labels, problem.chunklets, room.model, room.assignment)
    out = np.zeros(problem.n_items)
    log_leave_one_out(
        problem.params,
        room.weights,
        problem.chunklets,
        room.model,
        observed_items(problem.encoded, room.model),
        room.assignment,
        np.empty(n_clusters + 1, np.int64),
        np.empty(n_clusters + 1),
        out,
    )
    return out


def sample_row(problem: Problem, drawn: FittedDraw, rng: np.random.Generator) -> tuple[list[Any], int]:
    """A row from the predictive distribution of a draw, and the cluster of the estimate it belongs to or -1."""
    room, rows, share = drawn
    n_clusters = len(share)
    sizes = room.assignment.sizes[:n_clusters]

    def weight(size: float) -> float:
        return float(log_cluster(size, problem.params, room.weights))

    log_joins = [weight(m + 1.0) - weight(m) for m in sizes]
    k = int(rng.choice(n_clusters + 1, p=softmax([*log_joins, room.weights.new[n_clusters]])))
    label = -1 if k == n_clusters else int(rng.choice(share.shape[1], p=share[k]))
    return sample_entries(problem.encoded, room.model, int(rows[k]), rng), label
