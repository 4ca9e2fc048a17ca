"""Markov chains over partitions into a fixed number of clusters, with the Gibbs posterior ``exp(-rate * cost)``.

Gibbs sweeps, and proposals that merge two clusters and split one; the rate is drawn from its full conditional.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from .._kernels.constraints.chunklets import Chunklets
from .._kernels.costs.formula import Groups
from .._kernels.samplers.fixed_k import RateParams, Schedule, run_cost_block
from .._kernels.samplers.merge_then_split import Scratch
from .._typing import AnyArray, FloatArray, IntArray, LabelRows
from .._validation import check_choice, check_count, check_number
from ..costs.items import CostData, Items, make_groups, total_cost
from ..priors import Gamma
from .base import are_canonical
from .run import sample_chain

SCHEDULES = {"gibbs": Schedule(1, 0), "both": Schedule(1, 5)}
"""Moves per draw; each leaves the posterior invariant."""

RATE_DOF = ("items", "residual")


class State(NamedTuple):
    """Current partition and rate of a chain, and its generator."""

    labels: IntArray
    rate: float
    rng: np.random.Generator


class Chain(NamedTuple):
    """Draws of a chain, one per row."""

    draws: LabelRows
    log_posterior: FloatArray
    rate: FloatArray


@dataclass(frozen=True, eq=False)
class Problem:
    """Items, a cost, a number of clusters, a prior of the rate, constraints, and the moves to make."""

    items: Items
    n_clusters: int
    params: RateParams
    fixed_rate: float
    chunklets: Chunklets | None
    schedule: Schedule

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.items.n_items

    @cached_property
    def data(self) -> CostData:
        """Statistics of the chunklets, as kernels read them."""
        return self.items.data(self.chunklets)

    def __getstate__(self) -> dict[str, Any]:
        """The fields: statistics may hold an address in this process."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def make_problem(
    items: Items,
    n_clusters: int,
    rate: float | Gamma | None = None,
    rate_dof: str = "items",
    *,
    chunklets: Chunklets | None = None,
    schedule: Schedule = SCHEDULES["both"],
) -> Problem:
    """Combine items, a prior of the rate and chunklets, which move as one and pay for breaking constraints."""
    n_clusters = check_n_clusters(n_clusters, items.n_items)
    params, fixed = _check_rate(rate, items, n_clusters, check_choice("rate_dof", rate_dof, RATE_DOF))
    return Problem(items, n_clusters, params, fixed, chunklets, schedule)


def check_n_clusters(n_clusters: Any, n_items: int) -> int:
    """A number of clusters, at most the number of items."""
    if check_count("n_clusters", n_clusters) > n_items:
        raise ValueError(f"n_clusters must be at most the number of items, n_samples={n_items}: got {n_clusters}.")
    return int(n_clusters)


def _check_rate(rate: Any, items: Items, n_clusters: int, rate_dof: str) -> tuple[RateParams, float]:
    """Gamma full conditional of the rate, up to the cost, or zeros and the rate that was given."""
    per_item, natural = items.rate
    if rate is None:
        rate = Gamma(0, 0) if per_item is not None else natural
    if isinstance(rate, Gamma) and per_item is not None:
        n_free = items.n_items - (n_clusters if rate_dof == "residual" else 0)
        if n_free == 0:
            raise ValueError(f"n_clusters must be less than the number of items with this rate_dof: got {n_clusters}.")
        return RateParams(float(rate.shape + n_free * per_item), float(rate.rate)), 0.0
    if rate is None or isinstance(rate, Gamma):
        help_ = (
            "Of other costs nobody knows how the posterior scales with it; a dissimilarity may be told its dimension."
        )
        raise ValueError(f"rate must be a number under this cost: got {rate!r}. {help_}")
    return RateParams(0.0, 0.0), check_number("rate", rate, "be a positive number or a Gamma", lambda value: value > 0)


def init(problem: Problem, labels: IntArray, rng: np.random.Generator) -> State:
    """A chain about to start from these canonical labels, which must fill all clusters."""
    shape, offset = problem.params
    if shape == 0:
        return State(labels, problem.fixed_rate, rng)
    return State(labels, shape / max(offset + total_cost(problem.items, labels), 1e-300), rng)


def valid_labels(problem: Problem, rows: AnyArray) -> bool:
    """Whether rows are partitions of the items into as many clusters as wanted."""
    whole = rows.shape[1] == problem.items.n_items and are_canonical(rows)
    return whole and bool((rows.max(axis=1) == problem.n_clusters - 1).all())


def labels_of_chunklets(problem: Problem, labels: IntArray) -> IntArray:
    """Labels of the chunklets, from those of the items."""
    chunklets = problem.data.chunklets
    return labels[chunklets.items[chunklets.start[:-1]]]


def make_scratch(groups: Groups, n_items: int) -> Scratch:
    """Arrays for a block to work in."""
    n_rows = groups.n_chunklets.size
    return Scratch(
        scores=np.zeros(n_rows),
        cross=np.zeros(n_rows),
        alive=np.zeros(n_rows, np.bool_),
        members=np.zeros((4, groups.labels.size), np.int64),
        labels=np.zeros(n_items, np.int64),
        seen_in=np.full(n_rows, -1),
        name=np.zeros(n_rows, np.int64),
    )


def sweep(problem: Problem, state: State, n_draws: int) -> tuple[State, Chain]:
    """A block of draws, and the state it ends in."""
    draws = np.empty((n_draws, problem.n_items), np.int32)
    chain = Chain(draws, np.empty(n_draws), np.empty(n_draws))
    groups = make_groups(problem.data, problem.n_clusters)
    start = labels_of_chunklets(problem, state.labels)
    scratch = make_scratch(groups, problem.n_items)
    run_cost_block(
        start, state.rate, problem.params, problem.schedule, problem.data, groups, scratch, state.rng, *chain
    )
    state = State(draws[-1].astype(np.int64), float(chain.rate[-1]), state.rng)
    return state, chain._replace(draws=draws.astype(np.min_scalar_type(problem.n_clusters - 1)))


def sample(problem: Problem, state: State, n_draws: int) -> Chain:
    """A whole chain, block after block."""
    return sample_chain(partial(sweep, problem), state, n_draws)
