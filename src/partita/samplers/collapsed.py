"""Markov chains over the partitions of a Bayesian mixture, cluster parameters integrated out.

Collapsed Gibbs sweeps (Neal 2000, algorithm 3) and split–merge proposals (Dahl 2005), with hyperparameters and
concentration drawn given the clusters. At the start of a block every statistic is made anew from the labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._kernels.constraints.chunklets import Chunklets, single_items
from .._kernels.priors.eppf import log_weight_existing
from .._kernels.samplers.assignment import N_SCRATCH, Assignment
from .._kernels.samplers.collapsed import Schedule, Scratch, Trace, run_block
from .._kernels.samplers.prior import PriorParams, PriorWeights, fill_prior
from .._kernels.samplers.split_merge import N_NEAR, Proposal
from .._typing import AnyArray, FloatArray, IntArray, LabelRows
from .._validation import check_memory
from ..components import Encoded, make_model
from ..partitions import canonical
from ..priors import Gamma, PartitionPrior
from .base import are_canonical
from .run import sample_chain

SCHEDULES = {
    "gibbs": Schedule(1, 0.0, True),
    "split-merge": Schedule(0, 1.0, True),
    "both": Schedule(1, 8.0, True),
}
"""Moves per draw; each leaves the posterior invariant."""

EVEN = 3.0  # times what sweeps earn in the same time, above which split–merge proposals are worth theirs
OFTEN = 20  # proposals accepted in a block, which say that
SELDOM = 0.25  # proposals per draw that are made all the same


@dataclass(frozen=True)
class Problem:
    """A table, a component and a prior, as kernels read them."""

    encoded: Encoded
    params: PriorParams
    hyperprior: tuple[float, float] | None  # shape and rate of the gamma prior on the concentration, unless it is fixed
    chunklets: Chunklets
    uncounted: IntArray  # items of weight zero
    start_concentration: float
    schedule: Schedule

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.encoded.n_items

    @cached_property
    def row_width(self) -> int:
        """Numbers in a row of statistics."""
        return sum(block.make_part(block.hyper, block.latent, 0).rows.shape[1] for block in self.encoded.blocks)


class State(NamedTuple):
    """Where a chain stands."""

    labels: IntArray
    concentration: float
    hyper: FloatArray
    latent: FloatArray  # what is drawn for items beside their cluster
    n_proposals: float  # split–merge proposals per draw
    warmup_left: int  # draws during which that number still adapts
    thin: int  # sweeps from one draw to the next
    rng: np.random.Generator


class Chain(NamedTuple):
    """Draws of a chain, one per row."""

    draws: LabelRows
    log_posterior: FloatArray
    entropy: FloatArray
    concentration: FloatArray
    hyper: FloatArray
    latent: NDArray[np.float32] | NDArray[np.uint8]  # the latter: numbers of `PRECISIONS`, from the blocked sampler


def make_problem(
    encoded: Encoded,
    prior: PartitionPrior,
    chunklets: Chunklets | None = None,
    uncounted: IntArray | None = None,
    schedule: Schedule = SCHEDULES["both"],
) -> Problem:
    """Meet data and prior."""
    given = prior.concentration
    hyperprior = (float(given.shape), float(given.rate)) if isinstance(given, Gamma) else None
    start = given.shape / given.rate if isinstance(given, Gamma) else float(given)
    chunklets = single_items(encoded.n_items) if chunklets is None else chunklets
    n_counted = int(np.ceil(chunklets.size.sum()))
    params = PriorParams(prior.kind, float(prior.parameter), prior.log_components(max(n_counted, 1)))
    learn = schedule.learn and encoded.learns
    uncounted = np.empty(0, np.int64) if uncounted is None else uncounted
    return Problem(encoded, params, hyperprior, chunklets, uncounted, start, schedule._replace(learn=learn))


class Room(NamedTuple):
    """Arrays that kernels write to, for at most so many clusters."""

    model: Any
    hyper: FloatArray
    latent: FloatArray
    assignment: Assignment
    weights: PriorWeights
    proposal: Proposal
    scratch: Scratch


def make_room(problem: Problem, hyper: FloatArray, latent: FloatArray, capacity: int) -> Room:
    """Room for a chain; parts of the model read and write their pieces of the copied ``hyper`` and ``latent``."""
    n, chunklets, hyper, latent = problem.n_items, problem.chunklets, hyper.copy(), latent.copy()
    rows = capacity + N_SCRATCH
    check_memory(8 * rows * problem.row_width, f"Statistics of {capacity} clusters", "Use fewer columns.")
    size = chunklets.size.sum()
    whole = bool((chunklets.size == np.floor(chunklets.size)).all())
    n_chunklets = chunklets.size.size
    free = np.arange(capacity)
    return Room(
        make_model(problem.encoded, hyper, latent, rows, problem.chunklets.equal),
        hyper,
        latent,
        Assignment(np.zeros(n, np.int64), free, free.copy(), np.zeros(rows), np.zeros(1, np.int64)),
        PriorWeights(np.zeros(capacity + 1), np.zeros(int(np.ceil(size)) + 3), whole, np.zeros(1), np.zeros(1)),
        Proposal(
            np.zeros(n_chunklets, np.int64),
            np.full(n_chunklets, -1),
            np.zeros(2, np.int64),
            np.zeros(2),
        ),
        Scratch(
            np.empty(capacity + 1),
            np.empty(capacity),
            np.full(capacity, -1),
            np.empty(capacity, np.int64),
            np.empty(1, np.int64),
            np.zeros(n_chunklets),
        ),
    )


def init(problem: Problem, labels: IntArray, rng: np.random.Generator, n_warmup: int = 0) -> State:
    """A chain about to start from these canonical labels."""
    encoded = problem.encoded
    return State(
        labels,
        problem.start_concentration,
        encoded.hyper,
        encoded.latent,
        problem.schedule.n_proposals,
        n_warmup,
        thin=1,
        rng=rng,
    )


def valid_labels(problem: Problem, rows: AnyArray) -> bool:
    """Whether rows are partitions of the items."""
    return rows.shape[1] == problem.n_items and are_canonical(rows)


def sweep(problem: Problem, state: State, n_draws: int) -> tuple[State, Chain]:
    """A block of draws, and where the chain then stands.

    Room for clusters is doubled, and the block run again from its start with the same random numbers, when it runs out.
    """
    n, labels = problem.n_items, counted_first(state.labels, problem.uncounted)
    n_sweeps, kept = state.thin * n_draws, slice(state.thin - 1, None, state.thin)
    schedule = problem.schedule._replace(n_proposals=state.n_proposals)
    capacity = min(n, 2 * int(state.labels.max()) + 14) + 4
    before = state.rng.bit_generator.state
    while True:
        room = make_room(problem, state.hyper, state.latent, capacity)
        trace = Trace(
            np.empty((n_sweeps, n), np.int32),
            np.empty(n_sweeps),
            np.empty(n_sweeps),
            np.empty(n_sweeps),
            np.empty((n_sweeps, room.hyper.size)),
            np.empty((n_sweeps, room.latent.size), np.float32),
        )
        fill_prior(problem.params, state.concentration, float(problem.chunklets.size.sum()), room.weights)
        moved = Moved(*run_block(
            labels, state.concentration, problem.hyperprior, schedule, problem.params, room.weights, problem.chunklets,
            problem.uncounted, room.model, room.hyper, room.latent, room.assignment, room.proposal, room.scratch,
            state.rng, trace
        ))  # fmt: skip
        if moved.n_proposed >= 0:
            break
        capacity = min(2 * capacity, n + 4)
        state.rng.bit_generator.state = before
    draws = trace.draws[kept].astype(np.min_scalar_type(int(trace.draws.max())))
    chain = Chain(draws, *(field[kept].copy() for field in trace[1:]))
    last = trace.draws[-1].astype(np.int64)
    n_proposals = state.n_proposals
    if state.warmup_left > 0 and moved.n_proposed > 0:
        looks = proposal_cost(problem, int(last.max()) + 1)
        n_proposals = adapt_proposals(n_proposals, moved, n_sweeps, looks, int(last.max()) + 1)
    left = max(0, state.warmup_left - n_draws)
    after = State(
        last,
        float(trace.concentration[-1]),
        trace.hyper[-1].copy(),
        room.latent,
        n_proposals,
        left,
        state.thin,
        state.rng,
    )
    return after, chain


def counted_first(labels: IntArray, uncounted: IntArray) -> IntArray:
    """Labels in which the clusters of the items that count are numbered by first appearance, the others at 0."""
    if uncounted.size == 0:
        return labels
    counted = np.delete(np.arange(labels.size), uncounted)
    out = np.zeros_like(labels)
    out[counted] = canonical(labels[counted])
    return out


def place_empty_rows(chain: Chain, empty: IntArray, prior: PartitionPrior, rng: np.random.Generator) -> Chain:
    """The chain with items that hold nothing in a cluster drawn anew in every draw, as the prior places a new item.

    They do not count, so no other item notices; what a chain drew for their entries would keep them in one place.
    """
    if empty.size == 0:
        return chain
    draws = chain.draws if isinstance(chain.draws, np.memmap) else chain.draws.copy()
    counted = np.delete(np.arange(draws.shape[1]), empty)
    log_join = np.empty(counted.size + 1)
    for draw, concentration in zip(draws, chain.concentration, strict=True):
        sizes = np.bincount(draw[counted])
        log_weight_existing(prior.kind, concentration, prior.parameter, log_join)
        weights = np.where(sizes > 0, np.exp(log_join[sizes]), 0.0)
        draw[empty] = rng.choice(sizes.size, size=empty.size, p=weights / weights.sum())
        draw[:] = canonical(draw)
    return chain._replace(draws=draws)


class Moved(NamedTuple):
    """Proposals made and accepted in a block, and squared jumps of the entropy by sweeps and by proposals, summed."""

    n_proposed: int
    n_accepted: int
    by_sweeps: float
    by_proposals: float


def adapt_proposals(n_proposals: float, moved: Moved, n_sweeps: int, cost: float, n_clusters: int) -> float:
    """Split–merge proposals per draw, by what they earn: squared jumps of the entropy (Pasarica and Gelman 2010).

    More, up to about half of the time, where they earn more than sweeps would in that time; a proposal costs ``cost``
    sweeps. Fewer where they do not: next to none where many were accepted, and not below one where they were rare, as
    what is rare may be all that moves a chain.
    """
    earned = moved.by_proposals / (moved.n_proposed * cost)
    if earned > EVEN * moved.by_sweeps / n_sweeps:
        return min(max(8.0, n_clusters**2 / 4), 1.5 * n_proposals)
    least = min(1.0, n_proposals) if moved.n_accepted < OFTEN else SELDOM
    return max(least, n_proposals / (1.5 if moved.n_accepted < OFTEN else 8))


def proposal_cost(problem: Problem, n_clusters: int) -> float:
    """Time of a proposal in sweeps, by the densities that each looks at.

    A sweep looks at all items in every cluster and sums over what is drawn for an item; a proposal looks at some
    items to find a near one, and at the items of two clusters in both.
    """
    n = problem.chunklets.size.size
    per_look = max(block.n_summed for block in problem.encoded.blocks)
    return (2 * N_NEAR / n + 8 / n_clusters) / ((n_clusters + 1) * per_look)


def sample(problem: Problem, state: State, n_draws: int) -> Chain:
    """A whole chain, block after block."""
    chain: Chain = sample_chain(lambda state, n: sweep(problem, state, n), state, n_draws)
    return chain
