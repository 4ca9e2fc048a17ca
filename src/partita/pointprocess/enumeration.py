"""Exact posterior over partitions, by enumeration where they are few enough."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from .._kernels.pointprocess.gaussian import Tables, known_sizes
from .._parallel import run_parallel
from .._typing import FloatArray
from .._validation import check_count
from ..partitions import all_partitions, stirling_number
from ..posterior import PartitionPosterior
from .likelihood import log_probabilities
from .process import GaussianPointProcess
from .search.gray_codes import BinaryPartitions, binary_partitions, normalized
from .search.partition_table import PartitionTable

Partitions = BinaryPartitions | PartitionTable
Process = GaussianPointProcess | PartitionPosterior | Callable[[Any, Any], float]
MOST_ROWS = 20_000_000
MOST_CALLS = 2_000_000
MOST_CODED = 26


def partition_count(n_points: int, n_labels: int) -> int:
    """Number of partitions into at most ``n_labels`` clusters."""
    return sum(stirling_number(n_points, k) for k in range(1, min(n_labels, n_points) + 1))


def all_known(process: Process, X: ArrayLike | None, n_labels: int | None, n_jobs: int) -> Partitions:
    """Probabilities of all partitions under a process, a posterior or a callable."""
    if isinstance(process, PartitionPosterior):
        return from_posterior(process)
    if isinstance(process, GaussianPointProcess):
        points, tables = process.bind(X)  # type: ignore[arg-type]
        if process.n_labels == 2:
            return binary_partitions(points, tables, n_jobs)
        return _tabulate(points, tables, n_jobs)
    return _from_callable(process, X, check_count("n_labels", n_labels))


def from_posterior(posterior: PartitionPosterior) -> Partitions:
    """The distinct draws and their probabilities."""
    distinct = posterior.collapse()
    rows, n_points = distinct.draws, distinct.n_items
    if distinct.n_labels > 2 or n_points > MOST_CODED:
        return PartitionTable(rows, distinct.probabilities(), distinct.n_labels)
    coded = BinaryPartitions(np.zeros(1 << (n_points - 1)), n_points)
    for row, probability in zip(rows, distinct.probabilities(), strict=True):
        coded.probabilities[coded.code(row)] += probability
    return coded


def _tabulate(points: FloatArray, tables: Tables, n_jobs: int) -> PartitionTable:
    n_points, n_labels = len(points), tables.nu.size
    n_rows = partition_count(n_points, n_labels)
    if n_rows > MOST_ROWS:
        raise ValueError(
            f"X must hold fewer points for an exact search with {n_labels} labels: got {n_points} points, "
            f'{n_rows:.1e} partitions. Use search="pseed" or search="posterior".'
        )
    sizes = known_sizes(tables)
    rows = all_partitions(n_points, max_clusters=None if sizes is not None else n_labels, sizes=sizes)
    parts = np.array_split(rows, 32)
    log_p = run_parallel(partial(log_probabilities, points, tables), parts, n_jobs, "Partitions")
    return PartitionTable(rows, normalized(np.concatenate(log_p)), n_labels)


def _from_callable(log_probability: Callable[[Any, Any], float], X: ArrayLike | None, n_labels: int) -> Partitions:
    """Partitions whose label functions a callable gives log probabilities to."""
    n_points = len(np.asarray(X))
    if n_labels**n_points > MOST_CALLS:
        raise ValueError(
            f"process must be a GaussianPointProcess, or draws in a PartitionPosterior, for so many points: got a "
            f"callable and {n_points} points, {float(n_labels) ** n_points:.1e} label functions to call it with."
        )
    rows = all_partitions(n_points, max_clusters=n_labels)
    log_p = np.array([logsumexp([log_probability(X, f) for f in _labelings(row, n_labels)]) for row in rows])
    if np.isnan(log_p).any():
        raise ValueError("process must return a log probability for every label function: got nan.")
    listed = PartitionTable(rows, normalized(log_p), n_labels)
    if n_labels != 2:
        return listed
    return from_posterior(PartitionPosterior(rows, listed.probabilities))


def _labelings(row: Any, n_labels: int) -> list[Any]:
    """Label functions that induce a partition."""
    n_clusters = int(row.max()) + 1
    return [np.array(order)[row] for order in permutations(range(n_labels), n_clusters)]
