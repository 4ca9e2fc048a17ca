"""Clusters from components: components between which the density has no valley are one cluster.

A cluster that is not elliptic needs several normal components, and components are not what a user calls clusters. For a
draw with its parameters, two components belong together where the way from one center to the other, along the ridge
line of Ray and Lindsay (2005), leads through no valley of the mixture's density: nowhere does it fall below a share of
the lower of the two peaks. Going through pairs by falling saddle, groups grow by that rule, the peak of a group being
its highest (0-dimensional persistence); only components that are confused with each other, by more than `CONFUSION` of
the items of one of them, are neighbors.

How deep a valley must be that separates clusters is a matter of opinion, and so is part of what is uncertain: each draw
has a share of its own, spread evenly over `SHARES`, and `UNFUSED` of the draws are left as they are. Fused draws are
draws of the clusters, with both uncertainties in them.

Categories say where to put an item, and one of them alone makes no cluster: two components that differ in one
categorical column only are told apart by their numbers. Differences in further columns deepen the valley.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logsumexp

from .._kernels.components.family import parts
from .._typing import FloatArray, IntArray
from ..components.categorical import CategoryBlock
from .collapsed import Problem
from .predictive import FittedDraw

SHARES = (0.6, 0.8)  # of the lower peak; a valley that does not fall below is none
UNFUSED = 0.2  # of the draws
CONFUSION = 0.05
N_STEPS = 15  # points on a ridge line
MOST_ITEMS = 2000  # items that confusion is measured on


class Mixture(NamedTuple):
    """A density: normal components, or Student ones where ``tails`` is finite."""

    log_weights: FloatArray
    means: FloatArray
    precisions: FloatArray
    tails: float

    def log_densities(self, points: FloatArray) -> FloatArray:
        """Weighted log density of each component at each point, up to a constant: (n_points, n_components)."""
        d = self.means.shape[1]
        roots = np.linalg.cholesky(self.precisions)
        # the norm of root' (x - mean), by one product for all components
        flat = roots.transpose(1, 0, 2).reshape(d, -1)
        shifts = np.einsum("kj,kjh->kh", self.means, roots)
        apart = (points @ flat).reshape(len(points), *shifts.shape) - shifts
        distances = np.einsum("pkh,pkh->pk", apart, apart)
        log_scale = self.log_weights + np.log(np.einsum("kjj->kj", roots)).sum(axis=1)
        if np.isfinite(self.tails):
            return np.asarray(log_scale - (self.tails + d) / 2 * np.log1p(distances / self.tails))
        return np.asarray(log_scale - distances / 2)


def valley_share(number: int) -> float:
    """Share of the lower peak below which there is a valley, for draw ``number``; infinite where nothing is fused.

    Multiples of the golden ratio spread evenly over any stretch of draws.
    """
    position = number * 0.6180339887498949 % 1.0
    if position < UNFUSED:
        return np.inf
    low, high = SHARES
    return low + (high - low) * (position - UNFUSED) / (1 - UNFUSED)


def fuse_draw(problem: Problem, drawn: FittedDraw, labels: IntArray, share: float) -> IntArray:
    """Labels of a draw with the components that one cluster needed fused."""
    if labels.max() == 0 or share == np.inf:
        return labels
    numbers = _numbers(problem, drawn)
    if numbers is None:
        return labels
    mixture, x = numbers
    step = -(-len(x) // MOST_ITEMS)
    neighbors = confusion(mixture, x[::step], labels[::step]) > CONFUSION
    return group_components(mixture, neighbors, log_barriers(problem, drawn), share)[labels]


def _numbers(problem: Problem, drawn: FittedDraw) -> tuple[Mixture, FloatArray] | None:
    """The density of the number columns, and the items as points in them."""
    rows = drawn.rows[:-1]
    for block, part in zip(problem.encoded.blocks, parts(drawn.room.model), strict=True):
        moments = block.moments(part, rows)
        if moments is not None:
            means, covariances = moments
            tails = part.hyper[-1] if hasattr(part, "tails") else np.inf
            sizes = drawn.room.assignment.sizes[rows]
            weights = np.log(sizes / sizes.sum())
            return Mixture(weights, means, np.asarray(np.linalg.inv(covariances), float), float(tails)), np.nan_to_num(
                part.x
            )
    return None


def confusion(mixture: Mixture, x: FloatArray, labels: IntArray) -> FloatArray:
    """How much of the items of one of two components the other might have made: the larger of both shares."""
    log_densities = mixture.log_densities(x)
    own = log_densities[np.arange(len(x)), labels]
    members = (labels[:, np.newaxis] == np.arange(len(mixture.means))).astype(float)
    shares = members.T @ expit(log_densities - own[:, np.newaxis]) / np.maximum(members.sum(axis=0), 1)[:, np.newaxis]
    return np.asarray(np.maximum(shares, shares.T))


def log_barriers(problem: Problem, drawn: FittedDraw) -> FloatArray:
    """Log overlap of the categories of each two components, over all columns but the one in which they differ most."""
    rows, total = drawn.rows[:-1], np.zeros((len(drawn.rows) - 1,) * 2)
    for block, part in zip(problem.encoded.blocks, parts(drawn.room.model), strict=True):
        if isinstance(block, CategoryBlock):
            weights, start, overlaps = part.hyper[0] * part.rows[rows] + part.hyper[1:], 0, []
            for names in block.levels:
                shares = np.sqrt(weights[:, start : start + len(names)])
                shares /= np.linalg.norm(shares, axis=1, keepdims=True)
                overlaps.append(np.log(np.minimum(shares @ shares.T, 1.0)))
                start += len(names)
            total += np.sum(overlaps, axis=0) - np.min(overlaps, axis=0)
    return total


def group_components(mixture: Mixture, neighbors: Any, barriers: FloatArray, share: float) -> IntArray:
    """Number of the group of each component."""
    peaks = logsumexp(mixture.log_densities(mixture.means), axis=1)
    first, second = np.nonzero(np.triu(neighbors, 1))
    groups = np.arange(len(peaks))
    if first.size:
        saddles = ridge_minima(mixture, first, second) + barriers[first, second]
        saddles = np.minimum(saddles, np.minimum(peaks[first], peaks[second]))
        highest = peaks.copy()
        for e in np.argsort(-saddles, kind="stable"):
            a, b = groups[first[e]], groups[second[e]]
            if a != b and saddles[e] - min(highest[a], highest[b]) >= np.log(share):
                highest[a] = max(highest[a], highest[b])
                groups[groups == b] = a
    return np.unique(groups, return_inverse=True)[1]


def ridge_minima(mixture: Mixture, first: IntArray, second: IntArray) -> FloatArray:
    """Lowest log density on the ridge line between the centers of each two components."""
    t = np.linspace(0, 1, N_STEPS)[:, np.newaxis, np.newaxis]
    out = np.empty(len(first))
    for e, (a, b) in enumerate(zip(first, second, strict=True)):
        weighed = (1 - t) * mixture.precisions[a] + t * mixture.precisions[b]
        pulls = (1 - t) * (mixture.precisions[a] @ mixture.means[a])[:, np.newaxis]
        pulls = pulls + t * (mixture.precisions[b] @ mixture.means[b])[:, np.newaxis]
        points = np.linalg.solve(weighed, pulls)[:, :, 0]
        out[e] = logsumexp(mixture.log_densities(points), axis=1).min()
    return out
