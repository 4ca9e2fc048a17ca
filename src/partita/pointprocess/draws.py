"""Posterior draws of label functions."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from .._parallel import run_parallel
from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_memory
from ..posterior import PartitionPosterior
from ..samplers.label_functions import Problem, init, sweep
from ._validation import check_points
from .likelihood import bind, label_tables
from .process import GaussianPointProcess
from .search.pseed_fast import local_maximum


class LabelDraws(NamedTuple):
    """Draws of label functions, chain after chain."""

    draws: LabelRows
    chains: IntArray
    log_posterior: FloatArray

    def partitions(self) -> PartitionPosterior:
        """The partitions that the label functions induce."""
        return PartitionPosterior(self.draws, chains=self.chains)


def sample_label_functions(
    process: GaussianPointProcess,
    X: FloatArray,
    n_draws: int,
    n_chains: int,
    *,
    rng: np.random.Generator,
    n_jobs: int,
) -> LabelDraws:
    """Draws of the label function given the points, after a warm-up of half as many.

    Each chain starts from a local maximum near the clusters of a random subset.
    """
    points = check_points(X, process.n_labels, process.dimension)
    tables, n = label_tables(bind(process, np.zeros(process.dimension), len(points))), len(points)
    check_memory(3 * n_draws * n_chains * n, f"The {n_draws * n_chains} draws", "Take fewer draws.")
    run = partial(_run_chain, process, Problem(points, tables), n_draws)
    chains = run_parallel(run, rng.spawn(n_chains), n_jobs, "Chains")
    draws, log_posterior = (np.concatenate(parts) for parts in zip(*chains, strict=True))
    return LabelDraws(draws, np.repeat(np.arange(n_chains), n_draws), log_posterior)


def _run_chain(
    process: GaussianPointProcess, problem: Problem, n_draws: int, rng: np.random.Generator
) -> tuple[LabelRows, FloatArray]:
    state = init(problem, local_maximum(process, problem.points, problem.tables, rng), rng)
    state, _ = sweep(problem, state, n_draws // 2)
    return sweep(problem, state, n_draws)[1]
