"""A partition of high probability for very many points: section IX-E of Dalton et al. (2015).

Work on a subset of 100 points, carry its clusters over to all points, polish there; repeat and keep the best.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import permutations

import numpy as np

from ..._kernels.clusterers.fuzzy_c_means import N_SCRATCH, fuzzy_means
from ..._kernels.pointprocess.gaussian import Tables, make_moments
from ..._kernels.pointprocess.hill_climb import climb
from ..._kernels.pointprocess.label_gains import make_posteriors
from ..._kernels.pointprocess.local_search import flip_pairs
from ..._parallel import run_parallel
from ..._typing import FloatArray, IntArray
from ..likelihood import bind, flip_gains, label_tables, least_counts, log_predictives, log_probabilities
from ..process import GaussianPointProcess
from .local_search import polish

SUBSET = 100
MOST_POINTS_FAST = 30_000
MOST_SWITCHES = 24  # ways to share out known sizes that are tried


def pseed_fast(
    process: GaussianPointProcess,
    points: FloatArray,
    n_starts: int,
    every_pair: bool,
    *,
    rng: np.random.Generator,
    n_jobs: int,
) -> IntArray:
    """The most probable of the local maxima reached from fuzzy c-means on random subsets.

    With ``every_pair``, the result is a maximum among all flips of two points as well, which takes time quadratic in
    their number.
    """
    if every_pair and len(points) > MOST_POINTS_FAST:
        n_pairs = len(points) ** 2 / 2
        raise ValueError(
            f'X must hold at most {MOST_POINTS_FAST} points for search="pseed-fast": got {len(points)} points, '
            f'{n_pairs:.0e} pairs to flip again and again. Use search="pseed-faster".'
        )
    tables = label_tables(bind(process, np.zeros(process.dimension), len(points)))
    found = run_parallel(partial(_from_start, process, points, tables), rng.spawn(n_starts), n_jobs, "Starts")
    labels = max(found, key=lambda start: start[0])[1]
    while every_pair and flip_pairs(points, labels, tables, make_posteriors(tables)):
        polish(points, labels, tables)
    return labels


def _from_start(
    process: GaussianPointProcess, points: FloatArray, tables: Tables, rng: np.random.Generator
) -> tuple[float, IntArray]:
    """Log probability and labels of the local maximum near the clusters of a random subset."""
    labels = local_maximum(process, points, tables, rng)
    return float(log_probabilities(points, tables, labels[np.newaxis])[0]), labels


def local_maximum(
    process: GaussianPointProcess, points: FloatArray, tables: Tables, rng: np.random.Generator
) -> IntArray:
    """Label function of locally maximal probability near the fuzzy c-means clusters of a random subset."""
    labels = spread_labels(process, points, tables, rng)
    polish(points, labels, tables)
    return labels


def membership_shares(points: FloatArray, labels: IntArray, tables: Tables) -> FloatArray:
    """Probability of each label of each point, given the labels of all others, sizes free to differ by one."""
    gains = flip_gains(points, labels, tables)
    shares = np.exp(gains - gains.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def spread_labels(
    process: GaussianPointProcess, points: FloatArray, tables: Tables, rng: np.random.Generator
) -> IntArray:
    """Labels of all points from clusters of a few: steps 1 to 5."""
    n = len(points)
    few = rng.choice(n, min(SUBSET, n), replace=False)
    small = replace(process, sizes=_shrink(process, len(few)))
    labels = _cluster_few(small, points[few], rng)
    order = np.concatenate([few, np.delete(np.arange(n), few)])
    back = np.empty_like(order)
    back[order] = np.arange(n)
    scores = log_predictives(points[order], labels, tables)[back]
    return _with_counts(process, points, scores.argmax(axis=1), scores, tables)


def _cluster_few(process: GaussianPointProcess, points: FloatArray, rng: np.random.Generator) -> IntArray:
    """Most probable label function near the fuzzy c-means clusters of a few points: steps 2 to 4."""
    n, n_labels = len(points), process.n_labels
    tables = bind(process, np.zeros(process.dimension), n)
    centers, memberships = points[rng.choice(n, n_labels, replace=False)], np.empty((n, n_labels))
    scratch = np.empty((n_labels, N_SCRATCH + process.dimension))
    fuzzy_means(points, centers, 2.0, 1e-5 * points.std(), 300, memberships, scratch)
    labels = balanced(memberships.argmax(axis=1), np.log(memberships + 1e-300), least_counts(process))
    labels = _best_labeling(points, labels, tables)
    gains = flip_gains(points, labels, label_tables(tables))
    labels = _with_counts(process, points, labels, gains, label_tables(tables))
    climb(points, labels, tables, True, make_moments(tables))
    return _best_labeling(points, labels, tables)


def _best_labeling(points: FloatArray, labels: IntArray, tables: Tables) -> IntArray:
    """The same clusters with the labels that make them most probable."""
    rows = tables.orders[:, labels]
    return rows[log_probabilities(points, label_tables(tables), rows).argmax()]


def _with_counts(
    process: GaussianPointProcess, points: FloatArray, labels: IntArray, scores: FloatArray, tables: Tables
) -> IntArray:
    """Labels with the known sizes, shared out as is most probable, or with points enough for each label."""
    if process.sizes is None:
        return balanced(labels, scores, least_counts(process))
    ways = sorted(set(permutations(process.sizes.tolist())))
    rank = np.argsort(np.argsort(np.bincount(labels, minlength=process.n_labels)))
    if len(ways) > MOST_SWITCHES:
        ways = [tuple(np.sort(process.sizes)[rank])]
    found = [balanced(labels, scores, np.array(way)) for way in ways]
    return found[log_probabilities(points, tables, np.array(found)).argmax()]


def balanced(labels: IntArray, scores: FloatArray, least: IntArray) -> IntArray:
    """Labels with at least so many points each: those move that lose least score."""
    labels = labels.copy()
    counts = np.bincount(labels, minlength=least.size)
    for short in np.flatnonzero(counts < least):
        for donor in np.argsort(least - counts):
            n_moves = min(counts[donor] - least[donor], least[short] - counts[short])
            if n_moves > 0:
                members = np.flatnonzero(labels == donor)
                loss = scores[members, donor] - scores[members, short]
                labels[members[np.argsort(loss, kind="stable")[:n_moves]]] = short
                counts[donor] -= n_moves
                counts[short] += n_moves
    return labels


def _shrink(process: GaussianPointProcess, n_few: int) -> IntArray | None:
    """Sizes in a subset, in proportion to the known sizes."""
    if process.sizes is None:
        return None
    least = max(1, int(least_counts(process).max()))
    edges = np.rint(np.cumsum(process.sizes) / process.sizes.sum() * n_few).astype(np.int64)
    sizes = np.maximum(np.diff(edges, prepend=0), least)
    sizes[sizes.argmax()] += n_few - sizes.sum()
    return sizes
