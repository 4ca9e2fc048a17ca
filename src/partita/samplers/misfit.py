"""Whether components fit their items: evidence that they are pieces of a cluster of another shape.

Given the clusters of a draw and the precisions of its items, the items of a component are normal if the model is right;
this holds for draws as it holds for the truth (Johnson 2007). Mardia's (1970) kurtosis and skewness, which no linear
map of the columns changes, then have known means and variances, whatever the component's mean and covariance. Pieces of
a cluster of another shape show: those of a box have cut edges and tails too light, those of a skewed one are skewed.

Both statistics are sums over items, divided by the root of their number, and so can be had for any group of them in
any draw; the mean over draws takes the chance out of single ones. Where the model fits, a draw's statistic is standard
normal over tables and draws, and the part of that variance which lies between the draws of one table is not in the
mean: the mean kurtosis is divided by the root of the part that is left, at least `LEAST`. (Skewness is left as it is:
that of small components is far from normal, and varies more between draws than it should.) Where the model does not
fit, the mean is the root of the number of items times an effect, about `EFFECT`, of either sign for kurtosis, positive
for skewness: one of the two is off, either as likely. That gives a Bayes factor, and `DOUBT` is the probability of a
misfit before the data are seen.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, log_ndtr

from .._typing import FloatArray, IntArray

EFFECT = 0.2  # per root of an item
DOUBT = 1 / 3
LEAST = 0.5  # of the variance of the mean kurtosis
N_SPARE = 5  # items of a component beyond its dimension, below which nothing is said


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
