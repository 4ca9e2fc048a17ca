"""Sweep sampling: path sampling that moves through space, for weights that are cheap near points already solved.

Koepke (2008, section 7.1.2) in the one reading that is consistent: a point belongs to the first region that has a
stored point within the greatest cost, and each new region grows around the particles of the newest. What no region has
reached by the end stays at the prior, and the thesis gives no rule for it: ``unreached`` says how much that is, and an
estimate with much unreached is not one of the whole constant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import KDTree

from .._typing import BoolArray, FloatArray, IntArray, RandomState
from .._validation import check_count, check_number, check_numbers, check_rng, shorten
from .path_sampling import LogDensity, metropolis


class SweepEstimate(NamedTuple):
    """The logarithm of a normalizing constant, and how much of it was not swept.

    See Also
    --------
    sweep_sampling : makes one.

    Examples
    --------
    >>> SweepEstimate(log_constant=-1.5, unreached=0.02, n_regions=3).unreached
    0.02
    """

    log_constant: float
    unreached: float
    """Share of particles in no region at the end, where the density is still that of the prior."""
    n_regions: int


@dataclass
class _Regions:
    """Stored points of each region, when it set out, and the log-level of the prior then."""

    radius: float
    n_steps: int
    trees: list[KDTree] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    log_levels: list[float] = field(default_factory=list)

    def add(self, points: FloatArray, step: int, log_level: float) -> None:
        self.trees.append(KDTree(points))
        self.starts.append(step)
        self.log_levels.append(log_level)

    def of(self, points: FloatArray) -> IntArray:
        """First region within reach of each point; -1 for none."""
        region = np.full(len(points), -1)
        for r, tree in enumerate(self.trees):
            open_ = np.flatnonzero(region < 0)
            if open_.size:
                region[open_[tree.query(points[open_], distance_upper_bound=self.radius)[0] <= self.radius]] = r
        return region

    def arrived(self, region: IntArray, step: int) -> BoolArray:
        """Which points, given their regions, are at the target."""
        return (region >= 0) & (step >= np.array(self.starts)[region] + self.n_steps)


def sweep_sampling(
    log_weight: LogDensity,
    log_prior: LogDensity,
    sample_prior: Callable[[np.random.Generator, int], FloatArray],
    seeds: FloatArray,
    max_cost: float,
    *,
    n_particles: int = 400,
    n_steps: int = 20,
    n_moves: int = 5,
    max_steps: int = 1000,
    balance: bool = False,
    random_state: RandomState = 0,
) -> SweepEstimate:
    """The logarithm of the integral of a weight against a prior, one region after another. Experimental.

    Parameters
    ----------
    log_weight, log_prior, sample_prior
        As for :func:`path_sampling`.
    seeds : ndarray of float, shape (n_seeds, n_dimensions)
        Points of the first region.
    max_cost : float
        Greatest squared distance at which a point is reached from a stored one.
    n_particles, n_moves : int
        Particles, and Metropolis moves of each at every step.
    n_steps : int
        Steps of each region's way from the prior to the target.
    max_steps : int
        Steps in all.
    balance : bool
        Let the level of the prior outside all regions follow the mean weight of those that have arrived, so that
        particles do not crowd on one side; otherwise it stays at one.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    estimate : SweepEstimate
        ``log_constant``, ``unreached`` and ``n_regions``.

    See Also
    --------
    path_sampling : all at once.

    Notes
    -----
    Sweep sampling, chapter 7 of the thesis: regions are opened one after the other, and each is moved from the prior
    to the target. The level is its C(α), with the mean over prior mass rather than volume (the same where the prior is
    uniform) and its equations 7.18 to 7.22 corrected: log C = λ + log π(T) - log p(T), T being the regions that have
    arrived, λ the log-constant so far, π the share of particles and p the prior probability of T.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> estimate = sweep_sampling(
    ...     log_weight=lambda x: -2 * (x**2).sum(axis=1),
    ...     log_prior=lambda x: np.where((np.abs(x) <= 1).all(axis=1), -np.log(2), -np.inf),
    ...     sample_prior=lambda rng, n: rng.uniform(-1, 1, size=(n, 1)),
    ...     seeds=np.zeros((1, 1)),
    ...     max_cost=0.1,
    ... )
    >>> abs(estimate.log_constant - -0.514) < 0.05, estimate.unreached
    (True, 0.0)
    """
    check_number("max_cost", max_cost, "be positive", lambda value: value > 0)
    rng = check_rng(random_state)
    points = np.asarray(sample_prior(rng, check_count("n_particles", n_particles, 2)), dtype=float)
    regions, total, log_level = _Regions(float(np.sqrt(max_cost)), check_count("n_steps", n_steps)), 0.0, 0.0
    regions.add(_check_seeds(seeds, points.shape[1]), 0, log_level)
    n_moves = check_count("n_moves", n_moves)
    for step in range(check_count("max_steps", max_steps)):
        region = regions.of(points)
        newest = region == len(regions.trees) - 1
        if newest.any() and step > 0:
            regions.add(points[newest], step, log_level)
            region = regions.of(points)
        if step >= regions.starts[-1] + n_steps:
            break
        arrived = regions.arrived(region, step)
        new_level = log_level
        if balance and arrived.any() and (region < 0).any():
            prior = regions.arrived(regions.of(np.asarray(sample_prior(rng, len(points)))), step)
            new_level = total + np.log(arrived.mean()) - np.log((prior.sum() + 1) / (prior.size + 1))
        # The integrand jumps where a region sets out or arrives: both ends of an interval count the regions under way
        # inside it.
        rise, log_level = new_level - log_level, float(new_level)
        left = _mean_rise(points, regions, step, log_weight, rise)
        points = metropolis(points, _Swept(regions, step + 1, log_weight, log_prior, log_level), n_moves, rng)
        total += (left + _mean_rise(points, regions, step, log_weight, rise)) / 2
    return SweepEstimate(total, float((regions.of(points) < 0).mean()), len(regions.trees))


def _mean_rise(points: FloatArray, regions: _Regions, step: int, log_weight: LogDensity, rise: float) -> float:
    """Mean over particles of the rise of the log-density from ``step`` to the next.

    In regions under way it is a step of their path from the prior's level to the weight; outside all regions the rise
    of that level.
    """
    region = regions.of(points)
    moving = (region >= 0) & ~regions.arrived(region, step)
    total = rise * (region < 0).sum()
    if moving.any():
        total += (log_weight(points[moving]) - np.array(regions.log_levels)[region[moving]]).sum() / regions.n_steps
    return float(total / len(points))


@dataclass(frozen=True)
class _Swept:
    """Log-density of the particles at one step: each region as far along its path as it has come."""

    regions: _Regions
    step: int
    log_weight: LogDensity
    log_prior: LogDensity
    log_level: float

    def __call__(self, points: FloatArray) -> FloatArray:
        out = np.array(self.log_prior(points), dtype=float)
        inside = np.flatnonzero(np.isfinite(out))
        region = self.regions.of(points[inside])
        out[inside[region < 0]] += self.log_level
        reached, region = inside[region >= 0], region[region >= 0]
        place = np.clip((self.step - np.array(self.regions.starts)[region]) / self.regions.n_steps, 0, 1)
        if reached.size:
            level = np.array(self.regions.log_levels)[region]
            out[reached] += place * self.log_weight(points[reached]) + (1 - place) * level
        return out


def _check_seeds(seeds: ArrayLike, dimension: int) -> FloatArray:
    points = check_numbers("seeds", seeds)
    if points.ndim != 2 or points.shape[1] != dimension or not len(points) or not np.isfinite(points).all():
        raise ValueError(f"seeds must be finite points with {dimension} coordinates: got {shorten(seeds)}.")
    return points
