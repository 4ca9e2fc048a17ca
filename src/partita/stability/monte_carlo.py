"""Averaged assignment matrix by Monte Carlo, for any perturbation that can be sampled (Koepke 2008, algorithm 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray
from .._validation import check_numbers, shorten


class SampledAssignment(NamedTuple):
    """An averaged assignment matrix and its gradient, by Monte Carlo.

    See Also
    --------
    sampled_assignment : makes one.

    Examples
    --------
    >>> sampled_assignment(lambda flip: np.eye(2)[[flip, 1 - flip]], [0, 0, 0, 1]).phi
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """

    phi: FloatArray
    """Shape (n_items, n_clusters)."""
    gradient: FloatArray
    """Shape (n_items, n_clusters, n_parameters): derivative in each parameter of the perturbation's distribution."""


def sampled_assignment(
    assign: Callable[[Any], ArrayLike], perturbations: Iterable[Any], scores: ArrayLike | None = None
) -> SampledAssignment:
    """The mean of an assignment matrix over draws of a perturbation.

    Parameters
    ----------
    assign : callable
        From one perturbation to an assignment matrix, shape (n_items, n_clusters), hard or soft. Where it clusters
        again, clusters must keep their names: see :func:`matched_stability`.
    perturbations : iterable
        Independent draws.
    scores : array-like of float, shape (n_draws, n_parameters), optional
        Derivative of the log-density of each draw in each parameter of its distribution, for the gradient.

    Returns
    -------
    result : SampledAssignment
        ``phi`` and ``gradient``.

    See Also
    --------
    SampledScales : for scaled distances.
    partita.matched_stability : where clusters have no names.

    Notes
    -----
    Monte Carlo; the gradient is by the score function (algorithm 4 of the thesis).

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> distances = np.array([[1.0, 3.0], [2.0, 1.0]])
    >>> def nearest(scale):
    ...     return np.eye(2)[(distances * scale).argmin(axis=1)]
    >>> scales = np.random.default_rng(0).exponential(size=(2000, 2))
    >>> sampled_assignment(nearest, scales).phi.round(1)
    array([[0.7, 0.3],
           [0.3, 0.7]])
    """
    try:
        draws = list(perturbations)
    except TypeError:
        raise TypeError(f"perturbations must be draws of anything: got {shorten(perturbations)}.") from None
    if not draws:
        raise ValueError("perturbations must hold at least one draw: got none.")
    weights = np.zeros((len(draws), 0)) if scores is None else check_numbers("scores", scores)
    if weights.ndim != 2 or len(weights) != len(draws):
        raise ValueError(f"scores must hold one row per draw, {len(draws)} in all: got shape {weights.shape}.")
    first = np.asarray(assign(draws[0]), dtype=float)
    phi, gradient = np.zeros(first.shape), np.zeros((*first.shape, weights.shape[1]))
    for draw, weight in zip(draws, weights, strict=True):
        assigned = np.asarray(assign(draw), dtype=float)
        phi += assigned
        gradient += assigned[:, :, None] * weight
    return SampledAssignment(phi / len(draws), gradient / len(draws))
