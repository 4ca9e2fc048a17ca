"""Markov chains over partitions into a fixed number of clusters, whose posterior is ``exp(-rate * cost)``.

Gibbs sweeps, and proposals that merge two clusters and split one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._kernels.costs.groups import Units
from .._kernels.samplers.fixed_k import run_cost_block
from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_choice, check_count, check_number
from ..costs.items import Bonds, Items, make_groups, total_cost
from ..priors import Gamma
from .run import sample_chain

MOVES = {"gibbs": (1, 0), "both": (1, 5)}
"""Gibbs sweeps per draw, draws per proposal that merges and splits; each leaves the posterior invariant."""

RATE_DOF = ("items", "residual")


class State(NamedTuple):
    """Where a chain stands."""

    labels: IntArray
    rate: float
    rng: np.random.Generator


class Chain(NamedTuple):
    """Draws of a chain, one per row."""

    draws: LabelRows
    log_posterior: FloatArray
    rate: FloatArray


@dataclass(frozen=True)
class Problem:
    """Items, a cost, a number of clusters and what is known of the rate, as kernels read them."""

    items: Items
    units: Units
    n_clusters: int
    law: tuple[float, float]
    fixed_rate: float
    unit_of: IntArray

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.items.n_items


def make_problem(
    items: Items,
    n_clusters: int,
    rate: float | Gamma | None = None,
    rate_dof: str = "items",
    *,
    unit_of: IntArray | None = None,
    bonds: Bonds | None = None,
) -> Problem:
    """Meet items and rate; ``unit_of`` says which items move as one, and ``bonds`` which such units pay for company."""
    n_clusters = check_n_clusters(n_clusters, items.n_items)
    law, fixed = _check_rate(rate, items, n_clusters, check_choice("rate_dof", rate_dof, RATE_DOF))
    units = items.units(unit_of, bonds)
    return Problem(items, units, n_clusters, law, fixed, np.arange(items.n_items) if unit_of is None else unit_of)


def check_n_clusters(n_clusters: Any, n_items: int) -> int:
    """A number of clusters that so many items can fill."""
    if check_count("n_clusters", n_clusters) > n_items:
        raise ValueError(f"n_clusters must be at most the number of items, n_samples={n_items}: got {n_clusters}.")
    return int(n_clusters)


def _check_rate(rate: Any, items: Items, n_clusters: int, rate_dof: str) -> tuple[tuple[float, float], float]:
    """Shape and rate of the gamma distribution that the cost is met with, or zeros and the rate that was given."""
    per_item, natural = items.rate
    if rate is None:
        rate = Gamma(0, 0) if per_item is not None else natural
    if isinstance(rate, Gamma) and per_item is not None:
        n_free = items.n_items - (n_clusters if rate_dof == "residual" else 0)
        if n_free == 0:
            raise ValueError(f"n_clusters must be less than the number of items with this rate_dof: got {n_clusters}.")
        return (rate.shape + n_free * per_item, float(rate.rate)), 0.0
    if rate is None or isinstance(rate, Gamma):
        help_ = (
            "Of other costs nobody knows how the posterior scales with it; a dissimilarity may be told its dimension."
        )
        raise ValueError(f"rate must be a number under this cost: got {rate!r}. {help_}")
    return (0.0, 0.0), check_number("rate", rate, "be a positive number or a Gamma", lambda value: value > 0)


def init(problem: Problem, labels: IntArray, rng: np.random.Generator) -> State:
    """A chain about to start from these canonical labels, which must fill all clusters."""
    shape, offset = problem.law
    if shape == 0:
        return State(labels, problem.fixed_rate, rng)
    return State(labels, shape / max(offset + total_cost(problem.items, labels), 1e-300), rng)


def labels_of_units(problem: Problem, labels: IntArray) -> IntArray:
    """Labels of what moves as one, from those of the items."""
    out = np.empty(problem.units.weight.size, np.int64)
    out[problem.unit_of] = labels
    return out


def sweep(problem: Problem, state: State, n_draws: int, moves: tuple[int, int]) -> tuple[State, Chain]:
    """A block of draws, and where the chain then stands."""
    draws = np.empty((n_draws, problem.n_items), np.int32)
    chain = Chain(draws, np.empty(n_draws), np.empty(n_draws))
    groups = make_groups(problem.units, problem.n_clusters)
    start = labels_of_units(problem, state.labels)
    run_cost_block(start, state.rate, problem.law, moves, problem.unit_of, problem.units, groups, state.rng, *chain)
    state = State(draws[-1].astype(np.int64), float(chain.rate[-1]), state.rng)
    return state, chain._replace(draws=draws.astype(np.min_scalar_type(problem.n_clusters - 1)))


def sample(problem: Problem, state: State, n_draws: int, moves: tuple[int, int] = MOVES["both"]) -> Chain:
    """A whole chain, block after block."""
    return sample_chain(lambda state, n: sweep(problem, state, n, moves), state, n_draws)
