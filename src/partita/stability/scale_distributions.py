"""Distributions of the random scales that distances are multiplied by.

Every distribution offers the same three methods. ``phi`` is the averaged assignment matrix: the probability, over the
scales, that each cluster is the nearest. ``slope`` is its derivative in one ``theta`` that all clusters share,
``gradient`` in a ``theta`` for each. A larger ``theta`` perturbs less.

An item at distance zero from one cluster is its own; at distance zero from several it is shared evenly among them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainccinv

from .._kernels.stability.location_exponential import (
    location_exponential_gradient,
    location_exponential_phi,
    location_exponential_slope,
)
from .._kernels.stability.mc_assignment import sampled_rows
from .._kernels.stability.shifted_gamma import shifted_gamma_rows
from .._typing import FloatArray
from .._validation import check_between, check_count, check_memory, check_rng
from ._validation import check_distances, check_one_theta, check_theta

ThetaLike = float | ArrayLike
NO_GRADIENT = np.empty((0, 0, 0))


class ScaleDistribution(Protocol):
    """The interface of a distribution of scales.

    See Also
    --------
    LocationExponential : the one to start with.
    partita.assess_stability : uses it.

    Examples
    --------
    >>> distributions: list[ScaleDistribution] = [Exponential(), LocationExponential(), ShiftedGamma()]
    >>> [float(distribution.phi([[1.0, 2.0]], theta=2.0)[0, 0].round(3)) for distribution in distributions]
    [0.667, 0.955, 0.935]
    """

    def phi(self, distances: ArrayLike, theta: ThetaLike) -> FloatArray:
        """Averaged assignment matrix, shape (n_items, n_clusters)."""
        ...

    def slope(self, distances: ArrayLike, theta: float) -> FloatArray:
        """Derivative of ``phi`` in one shared ``theta``, shape (n_items, n_clusters)."""
        ...

    def gradient(self, distances: ArrayLike, theta: ThetaLike) -> FloatArray:
        """Derivative of ``phi`` in every cluster's ``theta``, shape (n_items, n_clusters, n_clusters)."""
        ...


@dataclass(frozen=True)
class Exponential:
    """Exponential scales: assignment probabilities proportional to ``theta`` over the distance.

    A ``theta`` that all clusters share makes no difference.

    See Also
    --------
    LocationExponential : scales of at least one.
    partita.assess_stability : uses it.

    Notes
    -----
    In closed form: item i is in cluster k with probability (theta / d_ik) / Σ_l (theta / d_il), section 3.1.2 of the
    thesis.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> Exponential().phi([[1.0, 3.0]])
    array([[0.75, 0.25]])
    """

    def phi(self, distances: ArrayLike, theta: ThetaLike = 1.0) -> FloatArray:
        """Averaged assignment matrix, shape (n_items, n_clusters)."""
        d = check_distances(distances)
        least = d.min(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            near = np.where(least > 0, check_theta(theta, d.shape[1]) * (least / d), d == 0)
        return near / near.sum(axis=1, keepdims=True)

    def slope(self, distances: ArrayLike, theta: float = 1.0) -> FloatArray:
        """Zero: a factor that all scales share changes nothing."""
        check_one_theta(theta)
        return np.zeros(check_distances(distances).shape)

    def gradient(self, distances: ArrayLike, theta: ThetaLike = 1.0) -> FloatArray:
        """Derivative of ``phi`` in every cluster's ``theta``, shape (n_items, n_clusters, n_clusters)."""
        d = check_distances(distances)
        phi, rates = self.phi(d, theta), check_theta(theta, d.shape[1])
        gradient = _empty_gradient(d)
        gradient[:] = phi[:, :, None] * (np.eye(d.shape[1]) - phi[:, None, :]) / rates
        gradient[(d == 0).any(axis=1)] = 0
        return gradient


@dataclass(frozen=True)
class LocationExponential:
    """Scales of one plus an exponential variable of rate ``theta``; the default.

    See Also
    --------
    ShiftedGamma : no mass at the unperturbed distance.
    Exponential : scales down to zero.
    partita.assess_stability : uses it.

    Notes
    -----
    O(K log K) per item (Koepke 2008, section 3.3, in a form without cancellation). With ``error`` > 0, clusters so far
    that together they hold at most ``error`` of an item are left out of its row before it is sorted (theorem 3.6.2):
    what is left out is at most ``error`` in all, and the rest grows by at most as much.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Koepke and Clarke (2013). A Bayesian criterion for cluster stability. Statistical Analysis and Data Mining 6,
    346-374.

    Examples
    --------
    >>> LocationExponential().phi([[1.0, 1.3, 2.0, 2.2]], theta=2.0).round(4)
    array([[0.7543, 0.2331, 0.0095, 0.0031]])
    >>> LocationExponential().slope([[1.0, 1.3, 2.0, 2.2]], theta=2.0).round(4)
    array([[ 0.0831, -0.0627, -0.0143, -0.0062]])
    """

    def phi(self, distances: ArrayLike, theta: ThetaLike, error: float = 0.0) -> FloatArray:
        """Averaged assignment matrix, shape (n_items, n_clusters)."""
        d = check_distances(distances)
        rates = check_theta(theta, d.shape[1])
        check_between("error", error, 0, 1)
        reach = 1 - math.log(error) / rates if error > 0 else np.full(d.shape[1], np.inf)
        phi = np.empty(d.shape)
        location_exponential_phi(d, rates, reach, phi)
        return phi

    def slope(self, distances: ArrayLike, theta: float) -> FloatArray:
        """Derivative of ``phi`` in one shared ``theta``, shape (n_items, n_clusters)."""
        d = check_distances(distances)
        slope = np.empty(d.shape)
        location_exponential_slope(d, check_one_theta(theta), slope)
        return slope

    def gradient(self, distances: ArrayLike, theta: ThetaLike) -> FloatArray:
        """Derivative of ``phi`` in every cluster's ``theta``, shape (n_items, n_clusters, n_clusters)."""
        d = check_distances(distances)
        gradient = _empty_gradient(d)
        location_exponential_gradient(d, check_theta(theta, d.shape[1]), gradient)
        return gradient


@dataclass(frozen=True)
class ShiftedGamma:
    """Scales that are one plus a Gamma variable of shape 2 and rate ``theta``: no mass at the unperturbed distance.

    See Also
    --------
    LocationExponential : the simpler case.
    partita.assess_stability : uses it.

    Notes
    -----
    Gauss–Legendre quadrature on each interval between distances; O(K²) per item and node. ``error`` leaves out far
    clusters as in :class:`LocationExponential` (theorem 3.6.3, corrected).

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> ShiftedGamma().phi([[1.0, 1.3, 2.0, 2.2]], theta=2.0).round(4)
    array([[0.6968, 0.2696, 0.023 , 0.0105]])
    """

    n_nodes: int = 20

    def phi(self, distances: ArrayLike, theta: ThetaLike, error: float = 0.0) -> FloatArray:
        """Averaged assignment matrix, shape (n_items, n_clusters)."""
        check_between("error", error, 0, 1)
        shares = self._rows(check_distances(distances), theta, error)[0]
        shares = np.clip(shares, 0.0, 1.0)  # few nodes err to either side
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def slope(self, distances: ArrayLike, theta: float) -> FloatArray:
        """Derivative of ``phi`` in one shared ``theta``, shape (n_items, n_clusters)."""
        return self._rows(check_distances(distances), check_one_theta(theta), 0.0)[1]

    def gradient(self, distances: ArrayLike, theta: ThetaLike) -> FloatArray:
        """Derivative of ``phi`` in every cluster's ``theta``, shape (n_items, n_clusters, n_clusters)."""
        d = check_distances(distances)
        gradient = _empty_gradient(d)
        self._rows(d, theta, 0.0, gradient)
        return gradient

    def _rows(
        self, d: FloatArray, theta: ThetaLike, error: float, gradient: FloatArray = NO_GRADIENT
    ) -> tuple[FloatArray, FloatArray]:
        rates = check_theta(theta, d.shape[1])
        reach = 1 + gammainccinv(2, error) / rates if error > 0 else np.full(d.shape[1], np.inf)
        phi, slope = np.empty(d.shape), np.empty(d.shape)
        shifted_gamma_rows(d, rates, reach, *self._nodes(), phi, slope, gradient)
        return phi, slope

    def _nodes(self) -> tuple[FloatArray, FloatArray]:
        nodes, weights = np.polynomial.legendre.leggauss(check_count("n_nodes", self.n_nodes, most=1000))
        return nodes, weights


@dataclass(frozen=True)
class SampledScales:
    """Scales from any sampler, with assignments by Monte Carlo: for distributions without a closed form.

    Parameters
    ----------
    sample : callable
        ``sample(rng, theta, n_draws)`` returns positive scales, shape (n_draws, n_clusters); ``theta`` holds one number
        per cluster.
    score : callable, optional
        ``score(scales, theta)`` returns the derivative of the log-density of each scale in its own theta, same shape.
        Needed for ``slope`` and ``gradient``.
    n_draws : int
        Draws. All items share them, and all values of theta start from the same ``random_state``.
    random_state : int
        Seed.

    See Also
    --------
    LocationExponential : in closed form.
    sampled_assignment : any perturbation at all.

    Notes
    -----
    Monte Carlo: scales are drawn, and each item goes to the cluster whose scaled distance is least (algorithm 4 of the
    thesis).

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> lognormal = SampledScales(lambda rng, theta, n: np.exp(rng.normal(size=(n, theta.size)) / theta))
    >>> lognormal.phi([[1.0, 2.0]], theta=2.0).round(1)
    array([[0.8, 0.2]])
    """

    sample: Callable[[np.random.Generator, FloatArray, int], FloatArray]
    score: Callable[[FloatArray, FloatArray], FloatArray] | None = None
    n_draws: int = 1000
    random_state: int = 0

    def phi(self, distances: ArrayLike, theta: ThetaLike) -> FloatArray:
        """Averaged assignment matrix, shape (n_items, n_clusters)."""
        d = check_distances(distances)
        scales = self._scales(check_theta(theta, d.shape[1]))
        return self._averages(d, scales, np.empty((len(scales), 0)))[0]

    def slope(self, distances: ArrayLike, theta: float) -> FloatArray:
        """Derivative of ``phi`` in one shared ``theta``, shape (n_items, n_clusters)."""
        d = check_distances(distances)
        rates = check_theta(check_one_theta(theta), d.shape[1])
        scales = self._scales(rates)
        return self._averages(d, scales, self._scores(scales, rates).sum(axis=1, keepdims=True))[1][:, :, 0]

    def gradient(self, distances: ArrayLike, theta: ThetaLike) -> FloatArray:
        """Derivative of ``phi`` in every cluster's ``theta``, shape (n_items, n_clusters, n_clusters)."""
        d = check_distances(distances)
        rates = check_theta(theta, d.shape[1])
        scales = self._scales(rates)
        return self._averages(d, scales, self._scores(scales, rates))[1]

    def _scales(self, theta: FloatArray) -> FloatArray:
        n_draws = check_count("n_draws", self.n_draws)
        scales = np.ascontiguousarray(self.sample(check_rng(self.random_state), theta, n_draws), dtype=float)
        if scales.shape != (n_draws, theta.size) or not (np.isfinite(scales) & (scales > 0)).all():
            raise ValueError(f"sample must return {n_draws} × {theta.size} positive scales: got shape {scales.shape}.")
        return scales

    def _scores(self, scales: FloatArray, theta: FloatArray) -> FloatArray:
        if self.score is None:
            raise ValueError("score must be given for derivatives: got None.")
        return np.ascontiguousarray(self.score(scales, theta), dtype=float)

    @staticmethod
    def _averages(d: FloatArray, scales: FloatArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        phi, gradient = np.empty(d.shape), np.empty((*d.shape, scores.shape[1]))
        sampled_rows(d, scales, scores, phi, gradient)
        return phi, gradient


def _empty_gradient(d: FloatArray) -> FloatArray:
    n_items, n_clusters = d.shape
    instead = "Ask for the slope in one shared theta, or for fewer items at a time."
    check_memory(8 * n_items * n_clusters**2, f"The gradient of {n_items} items in {n_clusters} thetas", instead)
    return np.empty((n_items, n_clusters, n_clusters))


DISTRIBUTIONS: dict[str, ScaleDistribution] = {
    "exponential": Exponential(),
    "location-exponential": LocationExponential(),
    "shifted-gamma": ShiftedGamma(),
}
