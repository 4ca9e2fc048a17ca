"""Posterior draws of label functions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from .._parallel import run_parallel
from .._typing import FloatArray, IntArray, LabelRows, RandomState
from .._validation import check_count, check_memory
from ..posterior import PartitionPosterior
from ..samplers.base import join_blocks
from ..samplers.checkpoint import open_checkpoint
from ..samplers.label_functions import Chain, Problem, State, init, sweep, valid_labels
from ..samplers.records import Format, digest
from ..samplers.run import run_chains
from ._validation import check_points
from .likelihood import bind, label_tables, least_counts
from .process import GaussianPointProcess
from .search.pseed_fast import balanced, local_maximum

N_INIT = 3  # runs of k-means, the best of which a chain starts from


class Kept(NamedTuple):
    """File that keeps draws as they are made, whether to go on from it, and the seed that was given."""

    checkpoint: str | Path | None = None
    resume: bool | str = False
    random_state: Any = None


class Sampling(Protocol):
    """Settings of an estimator that draws label functions."""

    process: Any
    n_draws: int
    n_chains: int
    n_jobs: int
    random_state: RandomState
    checkpoint: str | Path | None
    resume: bool


class LabelDraws(NamedTuple):
    """Draws of label functions, chain after chain."""

    draws: LabelRows
    chains: IntArray
    log_posterior: FloatArray

    def partitions(self, items: Iterable[str] | None = None) -> PartitionPosterior:
        """The partitions that the label functions induce, of items with these names."""
        return PartitionPosterior(self.draws, chains=self.chains, items=items)


def sample_label_functions(
    process: GaussianPointProcess,
    X: FloatArray,
    n_draws: int,
    n_chains: int,
    *,
    rng: np.random.Generator,
    n_jobs: int,
    kept: Kept | None = None,
) -> LabelDraws:
    """Draws of the label function given the points, after a warm-up of half as many.

    Each chain starts from clusters of k-means; with known sizes, from a local maximum near those of a random subset.
    """
    points = check_points(X, process.n_labels, process.dimension)
    tables, n = label_tables(bind(process, np.zeros(process.dimension), len(points))), len(points)
    check_memory(3 * n_draws * n_chains * n, f"The {n_draws * n_chains} draws", "Take fewer draws.")
    problem, n_warmup, kept = Problem(points, tables), n_draws // 2, kept or Kept()
    starts = run_parallel(partial(_start, process, problem), rng.spawn(n_chains), n_jobs, "Starts")
    settings: dict[str, Any] = {"n_chains": n_chains, "n_warmup": n_warmup, "n_draws": n_draws}
    settings |= {"data": digest(points), "model": digest(*tables)}
    form = Format(Chain, partial(valid_labels, problem))
    with open_checkpoint(kept.checkpoint, kept.resume, starts, form, kept.random_state, **settings) as checkpoint:
        drawn = run_chains(partial(sweep, problem), starts, n_warmup, n_draws, n_jobs=n_jobs, checkpoint=checkpoint)
    draws, log_posterior = join_blocks([chain for chain, _ in drawn])
    return LabelDraws(draws, np.repeat(np.arange(n_chains), n_draws), log_posterior)


def draw_with_settings(settings: Sampling, X: FloatArray, rng: np.random.Generator, least_draws: int = 1) -> LabelDraws:
    """Draws of the label function as an estimator's settings say."""
    n_draws = check_count("n_draws", settings.n_draws, least=least_draws)
    n_chains = check_count("n_chains", settings.n_chains)
    kept = Kept(settings.checkpoint, settings.resume, settings.random_state)
    return sample_label_functions(settings.process, X, n_draws, n_chains, rng=rng, n_jobs=settings.n_jobs, kept=kept)


def _start(process: GaussianPointProcess, problem: Problem, rng: np.random.Generator) -> State:
    if process.sizes is None:
        return init(problem, k_means_labels(process, problem.points, rng), rng)
    return init(problem, local_maximum(process, problem.points, problem.tables, rng), rng)


def k_means_labels(process: GaussianPointProcess, points: FloatArray, rng: np.random.Generator) -> IntArray:
    """Clusters of k-means, each with the label whose prior mean is nearest, and with points enough for each label."""
    from sklearn.cluster import KMeans

    n_clusters = min(process.n_labels, len(np.unique(points, axis=0)))
    found = KMeans(n_clusters, n_init=N_INIT, random_state=int(rng.integers(2**31))).fit(points)
    gaps = found.cluster_centers_[:, np.newaxis] - process.means
    apart = np.einsum("kid,ide,kie->ki", gaps, np.linalg.pinv(process.scale), gaps)
    label = linear_sum_assignment(apart)[1]
    scores = np.zeros((len(points), process.n_labels))
    scores[:, label] = -(found.transform(points) ** 2)
    return balanced(label[found.labels_], scores, least_counts(process))
