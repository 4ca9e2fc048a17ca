"""Partitions of high probability by hill climbing: Algorithm 1 of Dalton et al. (2015)."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..._kernels.pointprocess.gaussian import Tables, make_moments
from ..._kernels.pointprocess.hill_climb import climb
from ..._parallel import run_parallel
from ..._typing import FloatArray, IntArray
from ..likelihood import least_counts
from ..process import GaussianPointProcess


def random_labels(process: GaussianPointProcess, n_points: int, rng: np.random.Generator) -> IntArray:
    """A label function drawn at random among those with the known sizes, or with points enough for each label."""
    if process.sizes is not None:
        labels = np.repeat(np.arange(process.n_labels), rng.permutation(process.sizes))
    else:
        fixed = np.repeat(np.arange(process.n_labels), least_counts(process))
        labels = np.concatenate([fixed, rng.integers(process.n_labels, size=n_points - fixed.size)])
    return rng.permutation(labels)


def pseed(
    process: GaussianPointProcess,
    points: FloatArray,
    tables: Tables,
    n_starts: int,
    *,
    rng: np.random.Generator,
    n_jobs: int,
) -> IntArray:
    """The most probable of the local maxima reached from random partitions.

    Single points flip. With known sizes pairs do, as one flip alone would break the sizes.
    """
    found = run_parallel(partial(_from_start, process, points, tables), rng.spawn(n_starts), n_jobs)
    return max(found, key=lambda start: start[0])[1]


def _from_start(
    process: GaussianPointProcess, points: FloatArray, tables: Tables, rng: np.random.Generator
) -> tuple[float, IntArray]:
    """Log probability and labels of the local maximum reached from random labels."""
    labels = random_labels(process, len(points), rng)
    return float(climb(points, labels, tables, process.sizes is not None, make_moments(tables))), labels
