"""Draws of label functions."""

from __future__ import annotations

import numpy as np

from .._kernels.pointprocess.label_gibbs import draw_labels
from .._parallel import run_parallel
from .._progress import track
from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_memory
from ._validation import check_points
from .likelihood import bind, label_level
from .process import GaussianPointProcess
from .search.local_search import polish
from .search.pseed_fast import spread_labels

N_BATCHES = 10


def sample_label_functions(
    process: GaussianPointProcess,
    X: FloatArray,
    n_draws: int,
    n_chains: int,
    *,
    rng: np.random.Generator,
    n_jobs: int,
) -> tuple[LabelRows, IntArray]:
    """Draws of the label function given the points, chain after chain, and the chain of each.

    Points flip one at a time given all others (with known sizes, pairs exchange labels), and whole clusters exchange
    labels. Each chain starts from a local maximum near the clusters of a random subset.
    """
    points = check_points(X, process.n_labels, process.dimension)
    tables, n = label_level(bind(process, np.zeros(process.dimension), len(points))), len(points)
    check_memory(3 * n_draws * n_chains * n, f"The {n_draws * n_chains} draws", "Take fewer draws.")

    def chain(chain_rng: np.random.Generator) -> LabelRows:
        labels = spread_labels(process, points, tables, chain_rng)
        polish(points, labels, tables)
        out = np.empty((n_draws, n), np.uint8)
        draw_labels(points, labels, tables, n_draws // 2, chain_rng, out)
        return out

    draws = run_parallel(chain, track(rng.spawn(n_chains), "Chains"), n_jobs)
    return np.concatenate(draws), np.repeat(np.arange(n_chains), n_draws)


def standard_error(values: FloatArray, chains: IntArray) -> float:
    """Monte Carlo standard error of a mean over chains, from the means of batches."""
    means = np.array(
        [batch.mean() for c in np.unique(chains) for batch in np.array_split(values[chains == c], N_BATCHES)]
    )
    return float(means.std(ddof=1) / np.sqrt(means.size))
