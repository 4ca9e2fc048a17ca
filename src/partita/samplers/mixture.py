"""Markov chains over the partitions of a Bayesian mixture: collapsed Gibbs sweeps and split-merge proposals.

A chain runs in blocks. At the start of a block every sum over a cluster is made anew from the labels, so a chain
taken up at the end of a block goes on bit for bit as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._check import FloatArray, IntArray, LabelRows, check_memory
from .._kernels.chain import run_block
from .._kernels.clusters import Clusters, Hyper, Table, empty_cluster, score_clusters
from .._kernels.gibbs import Prior, Seating
from ..components import Encoded
from ..hyperpriors import Gamma
from ..priors import PartitionPrior

MOVES = {"gibbs": (1, 0, 0), "split-merge": (0, 1, 3), "both": (1, 3, 2)}
"""Gibbs sweeps per draw, draws per split-merge proposal, restricted scans; each leaves the posterior invariant."""


@dataclass(frozen=True)
class Problem:
    """A table, a component and a prior, as kernels read them."""

    encoded: Encoded
    law: tuple[int, float, float, float, FloatArray]
    alone: FloatArray
    start_concentration: float

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.encoded.table.numbers.shape[0])


class State(NamedTuple):
    """Where a chain stands."""

    labels: IntArray
    concentration: float
    rng: np.random.Generator


class Chain(NamedTuple):
    """Draws of a chain, one per row."""

    draws: LabelRows
    log_posterior: FloatArray
    concentration: FloatArray


def make_problem(encoded: Encoded, prior: PartitionPrior) -> Problem:
    """Meet data and prior."""
    given = prior.concentration
    shape, rate = (given.shape, given.rate) if isinstance(given, Gamma) else (0.0, 0.0)
    start = shape / rate if isinstance(given, Gamma) else float(given)
    n_items = len(encoded.table.numbers)
    law = (prior.kind, float(shape), float(rate), float(prior.parameter), prior.log_components(n_items))
    return Problem(encoded, law, density_alone(encoded.table, encoded.hyper), start)


def density_alone(table: Table, hyper: Hyper) -> FloatArray:
    """Log density of each item in a cluster of its own."""
    clusters, work, out = make_clusters(1, hyper), np.empty(table.numbers.shape[1] + 1), np.empty(1)
    empty_cluster(0, hyper, clusters)
    only, alone = np.zeros(1, np.int64), np.empty(len(table.numbers))
    for i in range(alone.size):
        score_clusters(i, only, 1, table, hyper, clusters, work, out)
        alone[i] = out[0]
    return alone


def make_clusters(capacity: int, hyper: Hyper) -> Clusters:
    """Room for the sums of so many clusters."""
    d, full = hyper.strength.size, hyper.root.size > 0
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
    )


def make_prior(n_items: int, capacity: int) -> Prior:
    """Room for a prior's weights."""
    return Prior(np.zeros(n_items + 2), np.zeros(capacity + 1), np.zeros(n_items + 2))


def make_seating(n_items: int, capacity: int) -> Seating:
    """Room for a seating."""
    rows = np.arange(capacity)
    return Seating(np.zeros(n_items, np.int64), rows, rows.copy(), np.zeros(1, np.int64))


def block_size(n_items: int) -> int:
    """Draws in a block: as many as pass in the blink of an eye, and no function of anything but the data."""
    return max(1, min(600, 120_000 // n_items))


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
        draws = np.empty((n_draws, n), np.min_scalar_type(min(n, capacity) - 1))
        chain = Chain(draws, np.empty(n_draws), np.empty(n_draws))
        done = run_block(
            state.labels, state.concentration, problem.law, moves, problem.alone, make_prior(n, capacity), table, hyper,
            make_clusters(capacity, hyper), make_seating(n, capacity), state.rng, *chain
        )  # fmt: skip
        if done:
            break
        capacity = min(2 * capacity, n + 4)
        state.rng.bit_generator.state = before
    last = draws[-1].astype(np.int64)
    return State(last, float(chain.concentration[-1]), state.rng), chain


def sample(
    problem: Problem,
    state: State,
    n_draws: int,
    moves: tuple[int, int, int] = MOVES["both"],
    after_block: Callable[[State], None] | None = None,
) -> Chain:
    """A whole chain, block after block; ``after_block`` hears of each."""
    blocks, size = [], block_size(problem.n_items)
    for first in range(0, n_draws, size):
        state, chain = sweep(problem, state, min(size, n_draws - first), moves)
        blocks.append(chain)
        if after_block is not None:
            after_block(state)
    return join_chains(blocks)


def without_warmup(chain: Chain, n_warmup: int) -> Chain:
    """The draws after the first so many."""
    return Chain(chain.draws[n_warmup:], chain.log_posterior[n_warmup:], chain.concentration[n_warmup:])


def join_chains(blocks: list[Chain]) -> Chain:
    """Blocks end to end."""
    return Chain(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))
