"""Normalizing constants by path sampling (Koepke 2008, equations 7.1 to 7.6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from .._typing import FloatArray, RandomState
from .._validation import check_count, check_rng

LogDensity = Callable[[FloatArray], FloatArray]
"""From points, shape (n, n_dimensions), to logarithms, shape (n,); minus infinity is zero density."""


class PathEstimate(NamedTuple):
    """The logarithm of a normalizing constant, and the curve whose integral it is.

    See Also
    --------
    path_sampling : makes one.

    Examples
    --------
    >>> PathEstimate(log_constant=-1.0, path=np.array([0.0, 1.0]), means=np.array([-1.5, -0.5])).log_constant
    -1.0
    """

    log_constant: float
    path: FloatArray
    """Places along the path, from 0 to 1."""
    means: FloatArray
    """Mean of ``log_weight`` at each."""


def path_sampling(
    log_weight: LogDensity,
    log_prior: LogDensity,
    sample_prior: Callable[[np.random.Generator, int], FloatArray],
    *,
    n_particles: int = 500,
    n_steps: int = 50,
    n_moves: int = 5,
    random_state: RandomState = 0,
) -> PathEstimate:
    """The logarithm of the integral of a weight against a prior, by moving particles from one to the other.

    Parameters
    ----------
    log_weight : callable
        Logarithm of the weight, finite wherever the prior is positive.
    log_prior : callable
        Logarithm of the prior density, normalized.
    sample_prior : callable
        ``sample_prior(rng, n)`` draws n points, shape (n, n_dimensions).
    n_particles, n_steps, n_moves : int
        Particles, steps along the path, and Metropolis moves of every particle at each step.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    estimate : PathEstimate
        ``log_constant``, and the curve.

    See Also
    --------
    sweep_sampling : region by region.

    Notes
    -----
    Along the geometric path prior × weight**α the derivative of the log-constant in α is the mean of the log-weight;
    it is integrated by the trapezoid rule. From one place to the next particles are resampled before they move: moves
    alone lag behind the path, and the constant then comes out too small, as it does in the thesis' table 7.2.

    References
    ----------
    Gelman and Meng (1998). Simulating normalizing constants: from importance sampling to bridge sampling to path
    sampling. Statistical Science 13, 163-185.

    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> estimate = path_sampling(
    ...     log_weight=lambda x: -2 * (x**2).sum(axis=1),
    ...     log_prior=lambda x: np.where((np.abs(x) <= 1).all(axis=1), -np.log(2), -np.inf),
    ...     sample_prior=lambda rng, n: rng.uniform(-1, 1, size=(n, 1)),
    ... )
    >>> abs(estimate.log_constant - -0.514) < 0.03
    True
    """
    rng = check_rng(random_state)
    n_steps, n_moves = check_count("n_steps", n_steps), check_count("n_moves", n_moves)
    points = np.asarray(sample_prior(rng, check_count("n_particles", n_particles, 2)), dtype=float)
    path, means = np.linspace(0, 1, n_steps + 1), np.empty(n_steps + 1)
    for j in range(n_steps + 1):
        if j > 0:
            points = resample(points, (path[j] - path[j - 1]) * log_weight(points), rng)
            points = metropolis(points, partial(_tilted, float(path[j]), log_weight, log_prior), n_moves, rng)
        means[j] = log_weight(points).mean()
    return PathEstimate(float(np.trapezoid(means, path)), path, means)


def resample(points: FloatArray, log_weights: FloatArray, rng: np.random.Generator) -> FloatArray:
    """As many particles, in proportion to their weights, by systematic resampling."""
    edges = np.cumsum(np.exp(log_weights - log_weights.max()))
    return points[np.searchsorted(edges, (rng.random() + np.arange(len(points))) * edges[-1] / len(points))]


def metropolis(points: FloatArray, log_target: LogDensity, n_moves: int, rng: np.random.Generator) -> FloatArray:
    """Random-walk moves of all particles; steps are sized by the spread of the cloud."""
    n, n_dimensions = points.shape
    current = log_target(points)
    for move in range(n_moves):
        length = 2.4 / np.sqrt(n_dimensions) if move % 2 else 0.6 / np.sqrt(n_dimensions)
        proposal = points + length * points.std(axis=0) * rng.normal(size=points.shape)
        new = log_target(proposal)
        accepted = np.log(rng.random(n)) < new - current
        points, current = np.where(accepted[:, None], proposal, points), np.where(accepted, new, current)
    return points


def _tilted(place: float, log_weight: LogDensity, log_prior: LogDensity, x: FloatArray) -> FloatArray:
    """Log-density along the path, asking for weights only where the prior is positive."""
    out = np.array(log_prior(x), dtype=float)
    inside = np.isfinite(out)
    out[inside] += place * log_weight(x[inside])
    return out
