"""Whole tables from a mixture: new items beside those of a draw, or items of the prior alone.

Rows follow one another: each is drawn given the clusters' statistics and then counts in them, so that a table is drawn
with one set of parameters, which nobody needs to see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._kernels.components.family import draw_latent, sample_hyper, set_prior
from .._kernels.priors.eppf import DIRICHLET_PROCESS, PITMAN_YOR, log_weight_new
from .._kernels.samplers.predictive import count_row, fit_draw
from .._kernels.samplers.prior import PriorParams
from .._typing import FloatArray, IntArray
from ..components import Encoded, blank_row, make_model, sample_entries, write_row
from ..priors import PartitionPrior
from .collapsed import Problem, make_room


def sample_new_table(
    problem: Problem,
    labels: IntArray,
    n_rows: int,
    rng: np.random.Generator,
    *,
    concentration: float,
    hyper: FloatArray,
    latent: FloatArray,
) -> list[list[Any]]:
    """Rows of a table of new items, from the predictive distribution of a draw with these labels."""
    sizes = np.asarray(np.bincount(labels, problem.chunklets.weight), dtype=np.float64)
    new_labels = extend_partition(problem.params, concentration, sizes, n_rows, rng)
    room = make_room(problem, hyper, latent, max(sizes.size, int(new_labels.max()) + 1))
    fit_draw(labels, problem.chunklets, room.model, room.assignment)
    return _fill_rows(problem.encoded, room.model, new_labels, rng)


def sample_prior_table(
    encoded: Encoded, prior: PartitionPrior, n_rows: int, rng: np.random.Generator
) -> tuple[list[list[Any]], IntArray]:
    """Rows of a table from the prior, hyperparameters too where they are learned, and their clusters."""
    labels, nothing = prior.sample(n_rows, rng), np.empty(0, np.int64)
    n_clusters = int(labels.max()) + 1
    model = make_model(encoded, encoded.hyper, encoded.latent, n_clusters + 1)
    set_prior(model)
    draw_latent(model, nothing, np.empty(0), nothing, 0, n_clusters, rng)  # given no items at all: from their priors
    sample_hyper(model, nothing, 0, rng)
    set_prior(model)
    for part in (model,) if len(encoded.blocks) == 1 else model:
        part.rows[:-1] = part.rows[-1]
    return _fill_rows(encoded, model, labels, rng), labels


def extend_partition(
    params: PriorParams, concentration: float, sizes: FloatArray, n_new: int, rng: np.random.Generator
) -> IntArray:
    """Clusters of so many new items, one after the other by the prior's urn, beside clusters of these sizes."""
    shift = {DIRICHLET_PROCESS: 0.0, PITMAN_YOR: -params.parameter}.get(params.kind, concentration)
    joins, labels = list(sizes + shift), np.empty(n_new, np.int64)
    n_before = float(sizes.sum())
    for r in range(n_new):
        log_new = np.empty(len(joins) + 1)
        log_weight_new(params.kind, concentration, params.parameter, params.log_components, n_before + r + 1.0, log_new)
        weights = np.cumsum([*joins, np.exp(log_new[-1])])
        k = int(np.searchsorted(weights, rng.random() * weights[-1], side="right"))
        if k == len(joins):
            joins.append(shift)
        joins[k] += 1.0
        labels[r] = k
    return labels


def _fill_rows(encoded: Encoded, model: Any, labels: IntArray, rng: np.random.Generator) -> list[list[Any]]:
    """A row for each label; each counts for those after it."""
    rows, new = [], blank_row(encoded, model)
    for k in labels:
        rows.append(sample_entries(encoded, model, int(k), rng))
        write_row(encoded, new, rows[-1])
        count_row(new, int(k), rng)
    return rows
