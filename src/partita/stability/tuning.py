"""Tuning of theta: the strength of perturbation at which the clustering differs most from its baselines.

Koepke (2008), section 3.2.2 for the average stability, section 3.8 for the other indices and one theta per cluster.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from .._kernels.stability.stability_curve import FIRST_OCTAVE, LAST_OCTAVE, MANTISSA_BITS, add_spectrum
from .._typing import FloatArray, IntArray
from .indices import average_index, pointwise_stability
from .scale_distributions import LocationExponential, ScaleDistribution
from .soft_indices import SoftIndex, soft_adjusted_rand, soft_variation_of_information

LEAST_THETA, GREATEST_THETA = 1e-3, 1e4
N_GRID = 33

Curve = Callable[[float], tuple[float, float]]
"""An index of stability at theta, and its derivative."""

Index = Callable[[IntArray, FloatArray], SoftIndex]
"""Agreement between labels and an averaged assignment matrix, larger where they agree more."""


def minus_variation_of_information(labels: IntArray, phi: FloatArray) -> SoftIndex:
    """The variation of information with its sign changed."""
    value, gradient = soft_variation_of_information(labels, phi)
    return SoftIndex(-value, -gradient)


INDICES: dict[str, Index] = {
    "average": average_index,
    "adjusted-rand": soft_adjusted_rand,
    "variation-of-information": minus_variation_of_information,
}


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Average stability under the location-exponential distribution, for every theta at once.

    Notes
    -----
    Stability is one less a Laplace transform (see the kernel in ``stability_curve.py``), whose measure is kept in bins
    [c - h, c + h] with h <= c / 256 and expanded to second order about c. With weights that sum to at most one, the
    error is at most the maximum of x³ exp(-x) / (6 · 256³) over x, which is below 2e-8; what is left out at the ends of
    the range is below 1e-8.
    """

    constant: float
    moments: FloatArray
    n_items: int

    @classmethod
    def of(cls, distances: FloatArray, labels: IntArray) -> Spectrum:
        """One pass over the distances; label -1 stands for the nearest cluster."""
        moments = np.zeros((_CENTERS.size, 3))
        return cls(add_spectrum(distances, labels, _CENTERS, moments), moments, len(distances))

    def average(self, theta: float) -> float:
        """Average stability at ``theta``."""
        return self(theta)[0]

    def __call__(self, theta: float) -> tuple[float, float]:
        """Average stability at ``theta``, and its derivative."""
        kept = np.exp(-theta * _CENTERS)
        mass, first, second = self.moments.T
        value = self.constant - kept @ (mass - theta * first + theta**2 / 2 * second)
        slope = kept @ (_CENTERS * (mass - theta * first + theta**2 / 2 * second) + first - theta * second)
        return value / self.n_items, slope / self.n_items


@dataclass(frozen=True, eq=False)
class PlainCurve:
    """An index of stability under any distribution, from the distances each time."""

    distribution: ScaleDistribution
    distances: FloatArray
    labels: IntArray
    index: Index = average_index

    def average(self, theta: float | FloatArray) -> float:
        """Average stability at ``theta``, which needs no derivatives."""
        return float(pointwise_stability(self.distribution.phi(self.distances, theta), self.labels).mean())

    def __call__(self, theta: float) -> tuple[float, float]:
        """The index at ``theta``, and its derivative."""
        value, gradient = self.index(self.labels, self.distribution.phi(self.distances, theta))
        return value, float((gradient * self.distribution.slope(self.distances, theta)).sum())

    def gradient(self, thetas: FloatArray) -> tuple[float, FloatArray]:
        """The index at one theta per cluster, and its derivative in each."""
        value, gradient = self.index(self.labels, self.distribution.phi(self.distances, thetas))
        return value, np.einsum("ij,ijk->k", gradient, self.distribution.gradient(self.distances, thetas))


def stability_curve(distribution: ScaleDistribution, distances: FloatArray, labels: IntArray) -> Spectrum | PlainCurve:
    """Average stability as a function of one theta; label -1 stands for the nearest cluster."""
    if isinstance(distribution, LocationExponential):
        return Spectrum.of(distances, labels)
    return index_curve("average", distribution, distances, labels)


def index_curve(name: str, distribution: ScaleDistribution, distances: FloatArray, labels: IntArray) -> PlainCurve:
    """Any index as a function of theta, or of one theta per cluster; label -1 stands for the nearest cluster."""
    own = np.where(labels < 0, distances.argmin(axis=1), labels)
    return PlainCurve(distribution, distances, own, INDICES[name])


def mean_curve(curves: Sequence[Curve]) -> Curve:
    """The mean of several curves; spectra of equally many items add up to one."""
    spectra = [curve for curve in curves if isinstance(curve, Spectrum)]
    if len(spectra) < len(curves):
        return lambda theta: tuple(np.mean([curve(theta) for curve in curves], axis=0))
    moments = np.sum([spectrum.moments for spectrum in spectra], axis=0)
    return Spectrum(sum(s.constant for s in spectra), moments, sum(s.n_items for s in spectra))


def tune_theta(curve: Curve, baselines: Sequence[Curve]) -> float:
    """The theta that maximizes ``curve`` less the mean of ``baselines``: best of a grid, then by gradient around it."""
    null = mean_curve(baselines)

    def loss(log_theta: FloatArray) -> tuple[float, FloatArray]:
        theta = math.exp(log_theta[0])
        (value, slope), (null_value, null_slope) = curve(theta), null(theta)
        return null_value - value, np.array([(null_slope - slope) * theta])

    grid = np.linspace(math.log(LEAST_THETA), math.log(GREATEST_THETA), N_GRID)
    best = int(np.argmin([loss(grid[[g]])[0] for g in range(N_GRID)]))
    bounds = [(grid[max(best - 1, 0)], grid[min(best + 1, N_GRID - 1)])]
    found = minimize(
        loss, grid[[best]], jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13, "gtol": 1e-9}
    )
    return math.exp(found.x[0])


def tune_thetas(curve: PlainCurve, baselines: Sequence[PlainCurve], start: float) -> FloatArray:
    """One theta per cluster that maximizes ``curve`` less the mean of ``baselines``, by gradient from a shared one."""

    def loss(log_thetas: FloatArray) -> tuple[float, FloatArray]:
        thetas = np.exp(log_thetas)
        value, gradient = curve.gradient(thetas)
        for null_value, null_gradient in (baseline.gradient(thetas) for baseline in baselines):
            value, gradient = value - null_value / len(baselines), gradient - null_gradient / len(baselines)
        return -value, -gradient * thetas

    n_clusters = curve.distances.shape[1]
    bounds = [(math.log(LEAST_THETA), math.log(GREATEST_THETA))] * n_clusters
    found = minimize(loss, np.full(n_clusters, math.log(start)), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.exp(found.x)


def _bin_centers() -> FloatArray:
    n_per_octave = 1 << MANTISSA_BITS
    bins = np.arange((LAST_OCTAVE - FIRST_OCTAVE) * n_per_octave)
    return np.ldexp(1 + (bins % n_per_octave + 0.5) / n_per_octave, FIRST_OCTAVE + bins // n_per_octave)


_CENTERS = _bin_centers()
