"""How much the densities of components overlap: what an estimate fuses them by (FOLD).

Dombowsky and Dunson (2023) give each item the density of its component in a draw, and charge a partition for two items
together by the Hellinger distance of their densities, and apart by one minus it. The expected charge depends on the
draws through the mean overlap of each pair of items alone, and where components never overlap it is Binder's loss.

Overlapping components may be overlapping clusters. As when draws are fused (`fusing`), the overlap therefore counts as
far as components do not fit their items: it is multiplied by the probability that the two are pieces of another shape
(`misfit_probability`). Components are taken at their posterior means in each draw, with the draw's partition,
hyperparameters and tails; categories count as they do in `fusing`.
"""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray, IntArray
from .collapsed import Problem
from .fusing import SHARES, draw_numbers, judged, log_barriers, misfit_probability, sum_by_group
from .predictive import FittedDraw

# Half way between two equal normal components the density is twice their Bhattacharyya coefficient, as a share of the
# peaks: at this distance the valley is as deep as the deepest that fusing overlooks.
FARTHEST = float(np.sqrt(1 - SHARES[0] / 2))


def log_bhattacharyya(means: FloatArray, covariances: FloatArray) -> FloatArray:
    """Log of the integral of the root of the product of each two normal densities; 0 for a density and itself."""
    pooled = (covariances[:, np.newaxis] + covariances) / 2
    apart = means[:, np.newaxis] - means
    distances = np.einsum("abi,abi->ab", apart, np.linalg.solve(pooled, apart[..., np.newaxis])[..., 0])
    own, both = np.linalg.slogdet(covariances)[1], np.linalg.slogdet(pooled)[1]
    out = -distances / 8 - both / 2 + (own[:, np.newaxis] + own) / 4
    np.fill_diagonal(out, 0.0)
    return np.asarray(out)


def component_overlaps(problem: Problem, drawn: FittedDraw, labels: IntArray, misfit: FloatArray) -> FloatArray:
    """Overlap of each two components of a draw, as far as they do not fit; ``misfit`` is (2, n_draws, n_judged)."""
    n_components = int(labels.max()) + 1
    numbers = draw_numbers(problem, drawn)
    if numbers is None:
        return np.eye(n_components)
    log_shares = log_bhattacharyya(numbers.mixture.means, np.asarray(np.linalg.inv(numbers.mixture.precisions), float))
    shares = np.minimum(np.exp(log_shares + log_barriers(problem, drawn)), 1.0)
    some = labels[judged(len(labels))]
    totals, sizes = sum_by_group(misfit, some, n_components), np.bincount(some, minlength=n_components)
    out = np.eye(n_components)
    for a in range(n_components):
        for b in range(a):
            pieces = misfit_probability(totals[:, :, a] + totals[:, :, b], max(sizes[a] + sizes[b], 1))
            out[a, b] = out[b, a] = pieces * (1 - np.sqrt(1 - shares[a, b]))
    return out
