"""Bounds on the expected error of a partition when the probabilities of some partitions are unknown."""

from __future__ import annotations

from typing import NamedTuple

TIE = 1e-12  # errors, and probabilities, nearer than this are equal


class PartitionError(NamedTuple):
    """Expected share of misplaced points of a partition.

    ``estimate`` weighs the partitions whose probabilities are known as if there were no others, equation (40). The
    error lies between ``lower`` and ``upper`` for sure, equation (38); the three are equal when all are known.

    See Also
    --------
    BayesClusterer : gives one for any partition.
    partita.plot.plot_error : draws several.

    Examples
    --------
    >>> import partita as pt
    >>> process = pt.GaussianPointProcess.known([[0.0], [4.0]], 1.0)
    >>> clusterer = pt.BayesClusterer(process=process).fit([[0.1], [-0.3], [3.8], [4.4]])
    >>> error = clusterer.partition_error([0, 0, 1, 1])
    >>> error.lower == error.estimate == error.upper
    True
    """

    estimate: float
    lower: float
    upper: float


def largest_cost(n_points: int, n_clusters: int) -> float:
    """Largest share of misplaced points between two partitions of at most so many clusters: M of Theorem 1."""
    return (n_points - -(-n_points // n_clusters)) / n_points


def bound_error(partial: float, known: float, most: float) -> PartitionError:
    """Error from the cost ``partial`` over partitions of total probability ``known``; others cost at most ``most``."""
    known = min(known, 1.0)
    missing = 0.0 if known > 1 - TIE else 1 - known
    return PartitionError(partial / known if known > 0 else most / 2, partial, partial + most * missing)
