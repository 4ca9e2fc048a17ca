"""Markov chain over the label functions of points under a Gaussian point process, cluster parameters integrated out.

A sweep draws each point's label from its full conditional (with known sizes, pairs of points exchange labels), after a
proposal that two whole clusters exchange theirs. A label says which distribution a point comes from, so labels are not
canonical.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._kernels.pointprocess.gaussian import Tables, known_sizes
from .._kernels.pointprocess.label_gains import make_posteriors
from .._kernels.samplers.label_functions import run_label_block
from .._typing import AnyArray, FloatArray, IntArray, LabelRows


class Problem(NamedTuple):
    """Points and a process bound to their number."""

    points: FloatArray
    tables: Tables


class State(NamedTuple):
    """Current label function of a chain, and its generator."""

    labels: IntArray
    rng: np.random.Generator


class Chain(NamedTuple):
    """Draws of a chain, one per row, and their log posterior density up to a constant."""

    draws: LabelRows
    log_posterior: FloatArray


def init(problem: Problem, labels: IntArray, rng: np.random.Generator) -> State:  # noqa: ARG001
    """A chain about to start from these labels, which must have positive probability."""
    return State(labels, rng)


def valid_labels(problem: Problem, rows: AnyArray) -> bool:
    """Whether rows are label functions of positive probability; any label may have any of the known sizes."""
    n_labels, sizes = len(problem.tables.base), known_sizes(problem.tables)
    if rows.min() < 0 or rows.max() >= n_labels:
        return False
    if sizes is None:
        return True
    counts = np.array([(rows == i).sum(axis=1) for i in range(sizes.size)])
    return bool((np.sort(counts, axis=0) == np.sort(sizes)[:, np.newaxis]).all())


def sweep(problem: Problem, state: State, n_draws: int) -> tuple[State, Chain]:
    """A block of draws, one per sweep, and the state it ends in."""
    labels = state.labels.copy()
    chain = Chain(np.empty((n_draws, labels.size), np.uint8), np.empty(n_draws))
    posteriors, gains = make_posteriors(problem.tables), np.empty(problem.tables.nu.size)
    run_label_block(problem.points, labels, problem.tables, posteriors, gains, state.rng, *chain)
    return State(labels, state.rng), chain
