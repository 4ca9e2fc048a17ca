"""The few partitions nearest to a posterior in Wasserstein distance: assign draws, estimate centers, in turn.

How many modes a posterior has: readings found in one half of the draws must divide the other half.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from .._parallel import Budget, iterate_parallel
from .._progress import Progress
from .._typing import FloatArray, IntArray
from ..losses import Loss, Misclassification
from ..posterior import PartitionPosterior
from .estimate import descend, find_estimate

N_REFINED = 2  # of the sets of centers found, refined by whole searches
MOST_ROUNDS = 50  # of assigning and estimating; few are needed, for each lowers the expected loss
N_CANDIDATES = 3  # draws tried as each next seed
N_SWAPPED = 64  # draws tried in place of each center
ROUNDING = 1e-12
LEAST_SHARE = 0.05  # of the posterior, and of the items on which two modes differ
FEWEST_ITEMS = 2  # on which two modes differ: doubt about one item makes no reading
FEWEST_DRAWS = 8  # of a mode, in the half held out
SEPARATED = 4.0  # Ashman's D; halves of a uniform distribution have 12 ** 0.5, those of a normal one 2.65


class Plan(NamedTuple):
    """How to search: the criterion, sets of draws to start from, draws that a start sees, when to stop, threads."""

    loss: Loss
    n_starts: int
    most_draws: int
    budget: Budget
    n_jobs: int = 1


class Modes(NamedTuple):
    """Centers, the center nearest to each draw, and the expected loss to it."""

    centers: list[IntArray]
    nearest: IntArray  # (n_draws,)
    expected_loss: float


def find_modes(posterior: PartitionPosterior, n_modes: int, plan: Plan, rng: np.random.Generator) -> Modes:
    """The best set of centers found from several starts; fewer than asked for where there are fewer distinct draws.

    Starts see a random part of many draws and improve each center by a local search; the best few are refined on all
    draws by whole searches. Draws are distinct, and weighted.
    """
    found = sketch_modes(posterior, n_modes, plan, rng, "Finding modes")
    refined: list[Modes] = []
    for modes in found[:N_REFINED]:
        if refined and plan.budget.exhausted:
            break
        refined.append(_alternate(posterior.collapse(), modes.centers, plan, None))
    return assign(posterior, plan.loss, min(refined, key=lambda modes: modes.expected_loss).centers)[0]


def sketch_modes(
    posterior: PartitionPosterior, n_modes: int, plan: Plan, rng: np.random.Generator, description: str = ""
) -> list[Modes]:
    """What each start leads to on some of the draws, each center improved by a local search; the best first."""
    seen = sample_part(posterior, plan.most_draws, rng).collapse()
    seed = int(rng.integers(2**62))

    def climb(number: int) -> Modes | None:
        if number > 0 and plan.budget.exhausted:
            return None
        own = np.random.default_rng([seed, number])
        modes = _alternate(seen, seed_centers(seen, plan.loss, n_modes, own), plan, own)
        while not plan.budget.exhausted and (swapped := _swap(seen, modes, plan.loss, own)) is not None:
            modes = _alternate(seen, swapped, plan, own)
        return modes

    found: list[Modes] = []
    with Progress(description, plan.n_starts) as progress:
        for modes in iterate_parallel(climb, range(plan.n_starts), plan.n_jobs):
            found += [] if modes is None else [modes]
            progress.advance(1)
    return sorted(found, key=lambda modes: modes.expected_loss)


def sample_part(posterior: PartitionPosterior, most_draws: int, rng: np.random.Generator) -> PartitionPosterior:
    """The posterior, or so many draws picked by weight."""
    if posterior.n_draws <= most_draws:
        return posterior
    return posterior.take(rng.choice(posterior.n_draws, most_draws, p=posterior.weights), weighted=False)


def seed_centers(posterior: PartitionPosterior, loss: Loss, n_modes: int, rng: np.random.Generator) -> list[IntArray]:
    """Draws to begin with, as k-means++ picks them: each with a chance proportional to its loss to those before.

    Of a few picked like this the one that lowers the expected loss most is taken. No draw is taken twice.
    """
    weights = posterior.probabilities()
    first = int(rng.choice(posterior.n_draws, p=weights))
    centers, losses = [posterior[first]], loss.per_draw(posterior[first], posterior)
    while len(centers) < n_modes and (chance := weights * np.maximum(losses, 0.0)).sum() > ROUNDING:
        picked = rng.choice(posterior.n_draws, N_CANDIDATES, p=chance / chance.sum())
        tried = [np.minimum(losses, loss.per_draw(posterior[int(m)], posterior)) for m in picked]
        best = int(np.argmin([weights @ values for values in tried]))
        centers, losses = [*centers, posterior[int(picked[best])]], tried[best]
    return centers


def assign(posterior: PartitionPosterior, loss: Loss, centers: list[IntArray]) -> tuple[Modes, FloatArray]:
    """Each draw to the center of least loss, the first among equals; and all losses, a row for each center."""
    losses = np.array([loss.per_draw(center, posterior) for center in centers])
    expected = float(posterior.probabilities() @ losses.min(axis=0))
    return Modes(list(centers), np.argmin(losses, axis=0), expected), losses


def _alternate(
    posterior: PartitionPosterior, centers: list[IntArray], plan: Plan, rng: np.random.Generator | None
) -> Modes:
    """Assign and estimate in turn until nothing improves; by whole searches where there is no generator."""
    best, losses = assign(posterior, plan.loss, _refill(posterior, plan.loss, centers))
    for _ in range(MOST_ROUNDS):
        if plan.budget.exhausted:
            break
        centers = []
        for number, center in enumerate(best.centers):
            mine = np.flatnonzero(best.nearest == number)
            centers.append(_improve(posterior.take(mine), center, losses[number, mine], plan, rng))
        new, new_losses = assign(posterior, plan.loss, _refill(posterior, plan.loss, centers))
        if new.expected_loss >= best.expected_loss - ROUNDING:
            break
        best, losses = new, new_losses
    return best


def _improve(
    part: PartitionPosterior, center: IntArray, losses: FloatArray, plan: Plan, rng: np.random.Generator | None
) -> IntArray:
    """A center of the draws assigned to it, the one before where no better is found."""
    if rng is None:
        found = find_estimate(part, plan.loss, starts=(center,), budget=plan.budget).labels
    else:
        found = descend(part, plan.loss, center, plan.budget, rng)
    weights = part.probabilities()
    return found if weights @ plan.loss.per_draw(found, part) < weights @ losses - ROUNDING else center


def _swap(posterior: PartitionPosterior, modes: Modes, loss: Loss, rng: np.random.Generator) -> list[IntArray] | None:
    """Centers with one of them replaced by a draw, where that lowers the expected loss: what no alternation does."""
    weights, losses = posterior.probabilities(), assign(posterior, loss, modes.centers)[1]
    n_tried = min(N_SWAPPED, posterior.n_draws)
    tried = rng.choice(posterior.n_draws, n_tried, replace=False) if len(losses) > 1 else np.empty(0, int)
    least, swapped = modes.expected_loss - ROUNDING, None
    others = [np.delete(losses, number, axis=0).min(axis=0) for number in range(len(losses))] if tried.size else []
    for m in tried:
        values = loss.per_draw(posterior[int(m)], posterior)
        for number, rest in enumerate(others):
            expected = weights @ np.minimum(values, rest)
            if expected < least:
                least, swapped = expected, (number, int(m))
    if swapped is None:
        return None
    return [posterior[swapped[1]] if number == swapped[0] else center for number, center in enumerate(modes.centers)]


def _refill(posterior: PartitionPosterior, loss: Loss, centers: list[IntArray]) -> list[IntArray]:
    """Centers to which some draw is nearest: an empty one becomes the draw that loses most, or is dropped."""
    for _ in range(len(centers)):
        nearest = assign(posterior, loss, centers)[0].nearest
        empty = np.setdiff1d(np.arange(len(centers)), nearest)
        if empty.size == 0:
            return centers
        kept = [center for number, center in enumerate(centers) if number != empty[0]]
        lost = posterior.probabilities() * assign(posterior, loss, kept)[1].min(axis=0)
        centers = [*kept, posterior[int(lost.argmax())]] if lost.max() > ROUNDING else kept
    filled = np.unique(assign(posterior, loss, centers)[0].nearest)
    return [centers[number] for number in filled]


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
