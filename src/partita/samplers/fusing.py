"""Clusters from components: components between which the density has no valley are one cluster.

A cluster that is not elliptic needs several normal components, and components are not what a user calls clusters. For a
draw with its parameters, two components belong together where the way from one center to the other, along the ridge
line of Ray and Lindsay (2005), leads through no valley of the mixture's density: nowhere does it fall below a share of
the lower of the two peaks. Going through pairs by falling saddle, groups grow by that rule, the peak of a group being
its highest (0-dimensional persistence); only components that are confused with each other, by more than `CONFUSION` of
the items of one of them, are neighbors.

Overlapping clusters, too, may have no valley between them. Components are therefore fused only where they do not fit
their items: the components of a group are one cluster with the probability that they are pieces of another shape
(`misfit_probability`). Where they fit, they are clusters. How deep a valley must be that separates clusters is a matter
of opinion, and so is part of what is uncertain: each draw has a share of its own, spread evenly over `SHARES`. Fused
draws are draws of the clusters, with both uncertainties in them.

Categories say where to put an item, and one of them alone makes no cluster: two components that differ in one
categorical column only are told apart by their numbers. Differences in further columns deepen the valley.

Whether components fit: given the clusters of a draw and the precisions of its items, the items of a component are
normal if the model is right; this holds for draws as it holds for the truth (Johnson 2007). Mardia's (1970) kurtosis
and skewness, which no linear map of the columns changes, then have known means and variances, whatever the component's
mean and covariance. Pieces of a cluster of another shape show: those of a box have cut edges and tails too light, those
of a skewed one are skewed. Both statistics are sums over items, divided by the root of their number, and so are
available for any group of them in any draw; the mean over draws takes the chance out of single ones. Where the model
fits, a draw's statistic is standard normal over tables and draws, and the part of that variance which lies between the
draws of one table is not in the mean: the mean kurtosis is divided by the root of the part that is left, at least
`LEAST`. (Skewness is left as it is: that of small components is far from normal, and varies more between draws than it
should.) Where the model does not fit, the mean is the root of the number of items times an effect, about `EFFECT`, of
either sign for kurtosis, positive for skewness: one of the two is off, either as likely. That gives a Bayes factor, and
`DOUBT` is the probability of a misfit before the data are seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, log_ndtr

from .._kernels.components.family import parts
from .._typing import FloatArray, IntArray
from ..components.categorical import CategoryBlock
from .collapsed import Problem
from .predictive import FittedDraw

SHARES = (0.4, 0.6)  # of the lower peak; a valley that does not fall below is none
CONFUSION = 0.05
N_STEPS = 15  # points on a ridge line
MOST_ITEMS = 2000  # items that confusion is measured on
MOST_JUDGED = 20_000  # items that say whether components fit
PAIRS = 64  # of components, whose ridge lines are computed together
EFFECT = 0.2  # per root of an item
DOUBT = 1 / 3
LEAST = 0.5  # of the variance of the mean kurtosis
N_SPARE = 5  # items of a component beyond its dimension, below which nothing is said


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


class Opinion(NamedTuple):
    """What one draw takes for a cluster."""

    share: float  # of the lower peak, below which there is a valley
    needed: float  # probability of a misfit above which components are fused


def draw_opinion(number: int) -> Opinion:
    """The opinion of draw ``number``; any stretch of draws has opinions that are evenly spread.

    Multiples of two powers of the plastic number fill the square evenly.
    """
    low, high = SHARES
    return Opinion(low + (high - low) * (number * 0.5698402909980532 % 1.0), number * 0.7548776662466927 % 1.0)


def draw_misfit(problem: Problem, drawn: FittedDraw, labels: IntArray) -> FloatArray:
    """Share of each of the `judged` items in the evidence that its component does not fit; zero without numbers."""
    numbers, some = draw_numbers(problem, drawn), judged(len(labels))
    if numbers is None:
        return np.zeros((len(labels[some]), 2))
    return item_misfit(numbers.x[some], numbers.precision[some], labels[some])


def judged(n_items: int) -> slice:
    """Items that say whether components fit: all, or some spread evenly."""
    return slice(None, None, -(-n_items // MOST_JUDGED))


def fuse_draw(problem: Problem, drawn: FittedDraw, labels: IntArray, opinion: Opinion, misfit: FloatArray) -> IntArray:
    """Labels of a draw with the components that one cluster needed fused; ``misfit`` is (2, n_draws, n_judged)."""
    numbers = None if labels.max() == 0 else draw_numbers(problem, drawn)
    if numbers is None:
        return labels
    step = -(-len(labels) // MOST_ITEMS)
    neighbors = confusion(numbers.mixture, numbers.x[::step], labels[::step]) > CONFUSION
    groups = group_components(numbers.mixture, neighbors, log_barriers(problem, drawn), opinion.share)
    return keep_fitting(groups, labels[judged(len(labels))], misfit, opinion.needed)[labels]


def keep_fitting(groups: IntArray, labels: IntArray, misfit: FloatArray, needed: float) -> IntArray:
    """Number of the cluster of each component: its group's where that is likely enough not to fit, or its own."""
    clusters = np.arange(len(groups))
    fusable = np.flatnonzero(np.bincount(groups) > 1)
    if fusable.size == 0:
        return clusters
    own, n_groups = groups[labels], len(groups)
    sizes, totals = np.bincount(own, minlength=n_groups), sum_by_group(misfit, own, n_groups)
    for g in fusable[sizes[fusable] > 0]:
        if misfit_probability(totals[:, :, g], sizes[g]) > needed:
            clusters[groups == g] = np.flatnonzero(groups == g)[0]
    return np.unique(clusters, return_inverse=True)[1]


class Numbers(NamedTuple):
    """The number columns of a draw: their density, the items as points in them, and the items' precisions."""

    mixture: Mixture
    x: FloatArray
    precision: FloatArray


def draw_numbers(problem: Problem, drawn: FittedDraw) -> Numbers | None:
    """The number columns of a draw; None where there are none."""
    rows = drawn.rows[:-1]
    for block, part in zip(problem.encoded.blocks, parts(drawn.room.model), strict=True):
        moments = block.moments(part, rows)
        if moments is not None:
            means, covariances = moments
            tails = part.hyper[-1] if hasattr(part, "tails") else np.inf
            sizes = drawn.room.assignment.sizes[rows]
            weights = np.log(sizes / sizes.sum())
            mixture = Mixture(weights, means, np.asarray(np.linalg.inv(covariances), float), float(tails))
            x = np.nan_to_num(part.x)
            return Numbers(mixture, x, getattr(part, "precision", np.ones(len(x))))
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
    peaks = log_sum(mixture.log_densities(mixture.means))
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
    t, precisions = np.linspace(0, 1, N_STEPS)[:, np.newaxis, np.newaxis], mixture.precisions
    pulls = precisions @ mixture.means[:, :, np.newaxis]
    out = np.empty(len(first))
    for start in range(0, len(first), PAIRS):
        a, b = first[start : start + PAIRS, np.newaxis], second[start : start + PAIRS, np.newaxis]
        weighed, pulled = (1 - t) * precisions[a] + t * precisions[b], (1 - t) * pulls[a] + t * pulls[b]
        points = np.asarray(np.linalg.solve(weighed, pulled), float).reshape(-1, mixture.means.shape[1])
        on_ridges = log_sum(mixture.log_densities(points))
        out[start : start + PAIRS] = on_ridges.reshape(-1, N_STEPS).min(axis=1)
    return out


def log_sum(log_values: FloatArray) -> FloatArray:
    """Log of the sum of each row's exponentials."""
    return np.asarray(np.logaddexp.reduce(log_values, axis=1))


def item_misfit(x: FloatArray, precision: FloatArray, labels: IntArray) -> FloatArray:
    """Shares of items in the standardized kurtosis and skewness of their components: (n_items, 2).

    The sum over a component's items, divided by the root of their number, is the statistic; zero for small components.
    """
    out, d = np.zeros((len(x), 2)), x.shape[1]
    for k in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == k)
        n = members.size
        if n < d + N_SPARE:
            continue
        weights = precision[members]
        centered = x[members] - weights @ x[members] / weights.sum()
        scaled = np.sqrt(weights)[:, np.newaxis] * centered
        try:
            root = np.linalg.cholesky(scaled.T @ scaled / n)
        except np.linalg.LinAlgError:
            continue
        whitened = np.linalg.solve(root, scaled.T).T
        distances = np.einsum("ij,ij->i", whitened, whitened)
        variance = 8 * d * (d + 2) * (n - 3) * (n - d - 1) * (n - d + 1) / ((n + 1) ** 2 * (n + 3) * (n + 5))
        out[members, 0] = (distances**2 - d * (d + 2) * (n - 1) / (n + 1)) / np.sqrt(n * variance)
        dof = d * (d + 1) * (d + 2) / 6
        small_sample = (d + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (d + 1) - 6))
        out[members, 1] = np.sqrt(n / (2 * dof)) * (small_sample * mean_cubes(whitened) / 6 - dof / n)
    return out


def mean_cubes(x: FloatArray) -> FloatArray:
    """Mean over all rows of the cubed inner product with each row, by way of third moments where those are fewer."""
    n, d = x.shape
    if d * d > n:
        return np.asarray(((x @ x.T) ** 3).mean(axis=1))
    pairs = (x[:, :, np.newaxis] * x[:, np.newaxis, :]).reshape(n, d * d)
    return np.asarray(np.einsum("ij,ij->i", pairs @ (pairs.T @ x / n), x))


def sum_by_group(misfit: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
    """Sums of the shares of the items of each group: (2, n_draws, n_groups) from (2, n_draws, n_items)."""
    return np.asarray(misfit @ (groups[:, np.newaxis] == np.arange(n_groups)).astype(float))


def misfit_probability(totals: FloatArray, n_items: float) -> float:
    """Probability that components with so many items do not fit; ``totals`` of their shares are (2, n_draws)."""
    statistics = totals / np.sqrt(n_items)
    means = statistics.mean(axis=1)
    means[0] /= np.sqrt(max(1 - statistics[0].var(), LEAST))
    spread = 1 + n_items * EFFECT**2
    standard = means * np.sqrt(1 - 1 / spread)
    log_factors = standard**2 / 2 - np.log(spread) / 2
    log_factors[1] += np.log(2) + log_ndtr(standard[1])
    log_factor = np.logaddexp(*log_factors) - np.log(2)
    return float(expit(log_factor + np.log(DOUBT / (1 - DOUBT))))
