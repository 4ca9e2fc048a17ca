"""How many modes a posterior has: readings found in one half of the draws must divide the other half."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .._typing import FloatArray, IntArray
from ..losses import Loss, Misclassification
from ..posterior import PartitionPosterior
from .mode_search import Plan, assign, sample_part, sketch_modes

LEAST_SHARE = 0.05  # of the posterior, and of the items on which two modes differ
FEWEST_ITEMS = 2  # on which two modes differ: doubt about one item makes no reading
FEWEST_DRAWS = 8  # of a mode, in the half held out
SEPARATED = 4.0  # Ashman's D; halves of a uniform distribution have 12 ** 0.5, those of a normal one 2.65


def count_modes(posterior: PartitionPosterior, max_modes: int, plan: Plan, rng: np.random.Generator) -> int:
    """The largest number of modes of which each pair is apart; the search ends where two numbers in a row fail."""
    found, held_out = _halves(posterior, plan.most_draws, rng)
    if held_out.n_draws < 2 * FEWEST_DRAWS:
        return 1
    count = 1
    for n_modes in range(2, max_modes + 1):
        if n_modes > count + 2 or plan.budget.exhausted:
            break
        modes = sketch_modes(found, n_modes, plan, rng)[0]
        if len(modes.centers) == n_modes and all_apart(held_out, plan.loss, modes.centers):
            count = n_modes
    return count


def all_apart(posterior: PartitionPosterior, loss: Loss, centers: list[IntArray]) -> bool:
    """Whether each pair of centers differs on enough items and divides the draws nearest to the two in two."""
    modes, losses = assign(posterior, loss, centers)
    weights = posterior.probabilities()
    shares = np.bincount(modes.nearest, weights, minlength=len(centers))
    counts = np.bincount(modes.nearest, minlength=len(centers))
    if shares.min() < LEAST_SHARE or counts.min() < FEWEST_DRAWS:
        return False
    for a, b in combinations(range(len(centers)), 2):
        n_moved = Misclassification().between(centers[a], centers[b]) * posterior.n_items
        axis = losses[a] - losses[b]
        first, second = modes.nearest == a, modes.nearest == b
        if n_moved < max(FEWEST_ITEMS, LEAST_SHARE * posterior.n_items) - 1e-9:
            return False
        if separation(axis[first], weights[first], axis[second], weights[second]) <= SEPARATED:
            return False
    return True


def separation(first: FloatArray, first_weights: FloatArray, second: FloatArray, second_weights: FloatArray) -> float:
    """Ashman's D of two groups of numbers: distance of the means over the root mean square of the deviations."""
    means, variances = [], []
    for values, weights in ((first, first_weights), (second, second_weights)):
        means.append(np.average(values, weights=weights))
        variances.append(np.average((values - means[-1]) ** 2, weights=weights))
    apart, spread = abs(means[0] - means[1]), np.sqrt(np.mean(variances))
    return float(apart / spread) if spread > 1e-12 * max(apart, 1e-12) else float("inf")


def _halves(
    posterior: PartitionPosterior, most_draws: int, rng: np.random.Generator
) -> tuple[PartitionPosterior, PartitionPosterior]:
    """Every other draw, and those between; of weighted draws, two samples by weight."""
    if posterior.weights is not None:
        picked = rng.choice(posterior.n_draws, (2, most_draws), p=posterior.weights)
        return posterior.take(picked[0], weighted=False), posterior.take(picked[1], weighted=False)
    if posterior.n_draws < 2 * FEWEST_DRAWS:
        return posterior, posterior
    odd = np.arange(posterior.n_draws) % 2 == 1
    return sample_part(posterior.take(~odd), most_draws, rng), sample_part(posterior.take(odd), most_draws, rng)
