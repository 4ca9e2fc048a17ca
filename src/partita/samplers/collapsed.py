"""Markov chains over the partitions of a Bayesian mixture: collapsed Gibbs sweeps and split-merge proposals.

At the start of a block every sum over a cluster is made anew from the labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._kernels.components.clusters import Clusters, Hyper, Table
from .._kernels.samplers.chain import run_block
from .._kernels.samplers.gibbs import Prior, Seating
from .._kernels.samplers.split_merge import Launch
from .._kernels.samplers.units import Units, score_alone
from .._typing import FloatArray, IntArray
from .._validation import check_memory
from ..components import Encoded
from ..priors import Gamma, PartitionPrior
from .base import Chain, State, join_blocks
from .run import run_chain

MOVES = {"gibbs": (1, 0, 0), "split-merge": (0, 1, 3), "both": (1, 2, 2)}
"""Gibbs sweeps per draw, draws per split-merge proposal, restricted scans; each leaves the posterior invariant."""


@dataclass(frozen=True)
class Problem:
    """A table, a component and a prior, as kernels read them."""

    encoded: Encoded
    law: tuple[int, float, float, float, FloatArray]
    units: Units
    alone: FloatArray
    start_concentration: float

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.encoded.table.numbers.shape[0])


def make_problem(encoded: Encoded, prior: PartitionPrior, units: Units | None = None) -> Problem:
    """Meet data and prior."""
    given = prior.concentration
    shape, rate = (given.shape, given.rate) if isinstance(given, Gamma) else (0.0, 0.0)
    start = shape / rate if isinstance(given, Gamma) else float(given)
    n_items = len(encoded.table.numbers)
    law = (prior.kind, float(shape), float(rate), float(prior.parameter), prior.log_components(n_items))
    units = single_items(n_items) if units is None else units
    return Problem(encoded, law, units, density_alone(units, encoded.table, encoded.hyper), start)


def single_items(n_items: int) -> Units:
    """Every item for itself, and no pair that matters."""
    numbers, none = np.arange(n_items + 1), np.empty(0, np.int64)
    return Units(numbers, numbers[:-1], np.zeros_like(numbers), none, np.empty(0))


def density_alone(units: Units, table: Table, hyper: Hyper) -> FloatArray:
    """Log density of each unit in a cluster of its own."""
    alone = np.empty(units.start.size - 1)
    score_alone(units, table, hyper, make_clusters(1, hyper), np.empty(table.numbers.shape[1] + 1), alone)
    return alone


def make_clusters(capacity: int, hyper: Hyper) -> Clusters:
    """Room for the sums of so many clusters, and two spare rows."""
    d, full, capacity = hyper.strength.size, hyper.root.size > 0, capacity + 2
    check_memory(8 * capacity * d * (6 + d * full), f"Sums over {capacity} clusters", "Use fewer columns.")
    n_slots, n_categorical, n_counts = hyper.slot_weight.size, hyper.column_weight.size, hyper.count_shape.size
    return Clusters(
        sizes=np.zeros(capacity, np.int64),
        seen=np.zeros((capacity, d), np.int64),
        total=np.zeros((capacity, d)),
        square=np.zeros((capacity, d)),
        center=np.zeros((capacity, d)),
        spread=np.zeros((capacity, d)),
        inverse=np.zeros((capacity, d)),
        root=np.zeros((capacity, d, d) if full else (capacity, 0, 0)),
        level=np.zeros(capacity),
        in_slot=np.zeros((capacity, n_slots)),
        filled=np.zeros((capacity, n_categorical)),
        counted=np.zeros((capacity, n_counts)),
        sum_counts=np.zeros((capacity, n_counts)),
        trial=np.array([capacity - 1]),
        score=np.zeros(1),
    )


def make_prior(n_items: int, capacity: int) -> Prior:
    """Room for a prior's weights."""
    return Prior(np.zeros(n_items + 2), np.zeros(capacity + 1), np.zeros(n_items + 2))


def make_seating(n_items: int, capacity: int) -> Seating:
    """Room for a seating."""
    rows = np.arange(capacity)
    return Seating(np.zeros(n_items, np.int64), rows, rows.copy(), np.zeros(1, np.int64))


def make_launch(n_units: int) -> Launch:
    """Room for a split-merge proposal."""
    members = np.zeros(n_units, np.int64)
    return Launch(members, members - 1, members.copy(), np.zeros(3, np.int64), np.zeros(2, np.int64))


def init(problem: Problem, labels: IntArray, rng: np.random.Generator) -> State:
    """A chain about to start from these canonical labels."""
    return State(labels, problem.start_concentration, rng)


def sweep(problem: Problem, state: State, n_draws: int, moves: tuple[int, int, int]) -> tuple[State, Chain]:
    """A block of draws, and where the chain then stands.

    Room for clusters is doubled, and the block run again from its start with the same random numbers, when it runs out.
    """
    n, table, hyper = problem.n_items, problem.encoded.table, problem.encoded.hyper
    capacity = min(n, 2 * int(state.labels.max()) + 14) + 4
    before = state.rng.bit_generator.state
    while True:
        draws = np.empty((n_draws, n), np.int32)
        chain = Chain(draws, np.empty(n_draws), np.empty(n_draws))
        done = run_block(
            state.labels, state.parameter, problem.law, moves, problem.units, problem.alone,
            make_prior(n, capacity), table, hyper, make_clusters(capacity, hyper), make_seating(n, capacity),
            make_launch(problem.alone.size), state.rng, *chain
        )  # fmt: skip
        if done:
            break
        capacity = min(2 * capacity, n + 4)
        state.rng.bit_generator.state = before
    state = State(draws[-1].astype(np.int64), float(chain.parameter[-1]), state.rng)
    return state, chain._replace(draws=draws.astype(np.min_scalar_type(n - 1)))


def sample(problem: Problem, state: State, n_draws: int, moves: tuple[int, int, int] = MOVES["both"]) -> Chain:
    """A whole chain, block after block."""
    return join_blocks(run_chain(lambda state, n: sweep(problem, state, n, moves), state, n_draws))
