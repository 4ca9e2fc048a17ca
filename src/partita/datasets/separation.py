"""Components far enough apart: where their centers lie, and how wide they may be (Koepke 2008, sections 4.2 to 4.5).

The proximity of two components is the mean, along the line between their centers, of the density of the pair over the
lesser of its values at the two ends, cut off at one. It is 0 for components infinitely far apart and 1 where there
are no two modes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.distance import pdist, squareform
from scipy.stats import norm

from .._typing import FloatArray

N_SETS, N_ROUNDS = 20, 60
SHRINK, N_SHRINKS = 0.93, 2000
N_STEPS = 128  # along each line

LogDensity = Callable[[int, FloatArray, float], FloatArray]
"""Of component j at some points, given its scale."""


def spread_centers(n_clusters: int, n_features: int, rng: np.random.Generator) -> FloatArray:
    """Normal centers whose closest pair is far apart: one of that pair is redrawn, and the best of many sets kept."""

    def least(centers: FloatArray) -> float:
        return float(pdist(centers).min()) if n_clusters > 1 else np.inf

    best = max((rng.normal(size=(n_clusters, n_features)) for _ in range(N_SETS)), key=least)
    for _ in range(N_ROUNDS if n_clusters > 1 else 0):
        apart = squareform(pdist(best))
        np.fill_diagonal(apart, np.inf)
        pair = np.unravel_index(apart.argmin(), apart.shape)
        candidates = [best]
        for _ in range(N_SETS):
            candidates.append(best.copy())
            candidates[-1][pair[int(rng.integers(2))]] = rng.normal(size=n_features)
        best = max(candidates, key=least)
    return best


def normal_scale(centers: FloatArray, separation: float) -> float:
    """Standard deviation at which equal normal components have the closest pair at this proximity (equation 4.10)."""
    if len(centers) == 1:
        return 1.0
    target = separation * (1 - 5e-4)  # a hair less, so that proximities measured along lines pass
    return float(pdist(centers).min() / brentq(lambda x: normal_proximity(x) - target, 1.5, 1e9))


def normal_proximity(distance: float) -> float:
    """Proximity of two standard normal components, not cut off at one: falls from 1.5 on."""
    return float((1 - 2 * norm.cdf(-distance)) / (distance * (norm.pdf(0) + norm.pdf(distance))))


class Lines:
    """Proximities of all pairs of components, kept up to date as their scales change."""

    def __init__(self, centers: FloatArray, scales: FloatArray, weights: FloatArray, log_density: LogDensity) -> None:
        self.centers, self.scales, self.log_weights = centers, scales.copy(), np.log(weights)
        self.log_density = log_density
        k = len(centers)
        self.logs = np.empty((k, k, N_STEPS + 1))  # [j, i]: weight times density of j on the way from j to i
        for j in range(k):
            self.set_scale(j, scales[j])

    def set_scale(self, j: int, scale: float) -> None:
        """Give component j another scale."""
        steps = np.linspace(0, 1, N_STEPS + 1)[:, None]
        points = self.centers[j] + steps * (self.centers[:, None] - self.centers[j])
        flat = self.log_density(j, points.reshape(-1, self.centers.shape[1]), scale)
        self.logs[j] = self.log_weights[j] + flat.reshape(len(self.centers), -1)
        self.scales[j] = scale

    def proximities(self) -> FloatArray:
        """Proximity of each pair, zero on the diagonal."""
        pair = np.logaddexp(self.logs, self.logs.transpose(1, 0, 2)[:, :, ::-1])
        height = np.exp(np.minimum(pair - np.minimum(pair[:, :, :1], pair[:, :, -1:]), 0.0))
        out = (height[:, :, :-1] + height[:, :, 1:]).mean(axis=2) / 2
        np.fill_diagonal(out, 0.0)
        return out


def shrink_until_apart(lines: Lines, separation: float) -> FloatArray:
    """Scales at which no pair is closer than ``separation``.

    The component that offends most is shrunk, or its closest partner where that does not help (the proximity does not
    always fall with one scale), or all of them: as all shrink together every proximity goes to zero.
    """
    for _ in range(N_SHRINKS):
        proximity = lines.proximities()
        excess = np.maximum(proximity - separation, 0).sum(axis=1)
        if not excess.any():
            return lines.scales
        worst = int(excess.argmax())
        if not any(_shrink_helps(lines, j, separation, excess.sum()) for j in (worst, int(proximity[worst].argmax()))):
            for j in range(len(lines.scales)):
                lines.set_scale(j, lines.scales[j] * SHRINK)
    raise RuntimeError(f"No scales found at which components are separated by {separation}.")


def _shrink_helps(lines: Lines, j: int, separation: float, before: float) -> bool:
    """Shrink component j if that lowers the total excess."""
    old = lines.scales[j]
    lines.set_scale(j, old * SHRINK)
    if np.maximum(lines.proximities() - separation, 0).sum() < before:
        return True
    lines.set_scale(j, old)
    return False
