"""Markov chains over the partitions of a Bayesian mixture, all labels drawn at once.

Given a partition into K clusters, weights of the clusters and parameters are drawn from their posterior, and given
those all labels, independently; a sweep that would empty a cluster is refused. Clusters are split and merged by two
anchors (`anchored_split_merge`), around their center (`centered_split_merge`) or, where all items weigh the same, at
random (`random_split`), and a few items are moved one by one (`single_items`). Hyperparameters, concentration and
precisions of items are drawn as in `collapsed`; parameters are then forgotten. Items lie in an engine (`engines`).

Given the weights, the labels of a partition with probability V(K) Π Γ(n_k + s) / Γ(1 + s) are independent but for one
condition, that no cluster be empty: Dirichlet weights with parameters n_k + s make the joint density proportional to
Π w_k^(n_k + s - 1). So every labeling without empty clusters is accepted, and no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from .._kernels.samplers.concentration import log_gamma_density, sample_concentration
from .._typing import AnyArray, FloatArray, IntArray
from .._validation import number_clusters
from ..components import Encoded, NaturalForm, natural_form, why_no_natural_form
from ..components.gaussian import PRECISIONS, log_precision_shares, precision_numbers
from . import collapsed
from .anchored_split_merge import split_or_merge
from .centered_split_merge import split_or_merge_around_center
from .collapsed import Chain
from .configuration import Configuration, Statistics
from .engines.base import Engine, Sums
from .engines.threads import ThreadsEngine
from .random_split import split_or_merge_at_random
from .run import sample_chain
from .single_items import move_items


class Schedule(NamedTuple):
    """Moves per draw; each leaves the posterior invariant."""

    n_proposals: float  # split–merge by anchors, on average
    n_random: int  # split–merge at random
    n_single: int  # items moved one by one
    n_sweeps: int  # of all labels
    n_centered: int = 0  # split–merge around a cluster's center


EACH = Schedule(0.25, 2, 4, 1, 4)  # a proposal by anchors costs as much as several sweeps


@dataclass(frozen=True)
class Problem:
    """A table, a component and a prior, with the items in an engine."""

    base: collapsed.Problem
    forms: tuple[NaturalForm, ...]
    engine: Engine
    schedule: Schedule = EACH

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.base.n_items

    @property
    def n_total(self) -> float:
        """What the prior counts."""
        return float(self.base.chunklets.size.sum())


class State(NamedTuple):
    """Where a chain stands."""

    labels: IntArray
    concentration: float
    hyper: FloatArray
    latent: AnyArray  # numbers of the items' precisions, in bytes
    rng: np.random.Generator

    @property
    def least_block(self) -> int:
        """The fewest draws of a block, however many items there are: it begins with a pass that adds them up anew."""
        return 5


def why_not(encoded: Encoded) -> str | None:
    """What of a table the sampler has no way with, or None."""
    return next((why for block in encoded.blocks if (why := why_no_natural_form(block))), None)


def make_problem(base: collapsed.Problem, engine: Any = ThreadsEngine, schedule: Schedule = EACH) -> Problem:
    """The problem of the collapsed sampler, its items in an engine."""
    forms = tuple(natural_form(block) for block in base.encoded.blocks)
    weights = None if base.chunklets.equal and base.uncounted.size == 0 else base.chunklets.weight
    return Problem(base, forms, engine(forms, weights), schedule)


def init(problem: Problem, labels: IntArray, rng: np.random.Generator) -> State:
    """A chain about to start from these canonical labels."""
    encoded = problem.base.encoded
    return State(labels, problem.base.start_concentration, encoded.hyper, precision_numbers(encoded.latent), rng)


def valid_labels(problem: Problem, rows: AnyArray) -> bool:
    """Whether rows are partitions of the items."""
    return collapsed.valid_labels(problem.base, rows)


def configure(problem: Problem, state: State) -> Configuration:
    """The state with its items in the engine."""
    n_latent = sum(form.has_precisions for form in problem.forms)
    precisions = np.split(PRECISIONS[state.latent], n_latent) if n_latent else []
    allocation = problem.engine.open(state.labels, precisions)
    sums = allocation.sums(int(state.labels.max()) + 1)
    statistics = Statistics(problem.forms, state.hyper)
    config = Configuration(statistics, allocation, sums, problem.base.params, problem.n_total, state.rng)
    config.set_concentration(state.concentration)
    return config


def sweep(problem: Problem, state: State, n_draws: int) -> tuple[State, Chain]:
    """A block of draws, and where the chain then stands."""
    with one_blas_thread():
        config = configure(problem, state)
        drawn = [draw(problem, config) for _ in range(n_draws)]
    chain = Chain(*map(np.array, zip(*drawn, strict=True)))
    labels, latent = chain.draws[-1].astype(np.int64), chain.latent[-1].copy()
    state = State(labels, config.concentration, config.statistics.hyper.copy(), latent, state.rng)
    return state, chain


def draw(problem: Problem, config: Configuration) -> tuple[AnyArray, float, float, float, FloatArray, AnyArray]:
    """One draw: labels, log posterior, entropy, concentration, hyperparameters and numbers of the precisions."""
    schedule, rng = problem.schedule, config.rng
    for _ in range(int(schedule.n_proposals + rng.random())):
        split_or_merge(config)
    for _ in range(schedule.n_random if problem.base.chunklets.equal else 0):
        split_or_merge_at_random(config)
    for _ in range(schedule.n_centered):
        split_or_merge_around_center(config)
    move_items(config, rng.integers(problem.n_items, size=schedule.n_single).tolist())
    for _ in range(schedule.n_sweeps):
        draw_labels(problem, config)
    statistics, log_posterior = config.statistics, 0.0
    if problem.base.schedule.learn:
        log_posterior += statistics.draw_hyper(config.sums.features, rng)
    log_posterior += float(statistics.log_marginals(config.sums.features).sum())
    if problem.base.hyperprior is not None:
        log_posterior += draw_concentration(problem.base, config)
    log_posterior += config.log_prior()
    hyper = statistics.hyper.copy()
    labels = np.empty((1, problem.n_items), np.min_scalar_type(config.n_clusters - 1))
    number_clusters(config.allocation.labels()[np.newaxis], config.n_clusters, labels)
    latent = np.concatenate([np.empty(0), *config.allocation.precisions()])
    return labels[0], log_posterior, config.sums.entropy, config.concentration, hyper, precision_numbers(latent)


def draw_labels(problem: Problem, config: Configuration) -> None:
    """Draw parameters, all labels given those, and precisions given labels and parameters."""
    natural = config.statistics.draw(config.sums.features, config.rng)
    found = config.allocation.draw_labels(natural, config.log_weights(config.sums.sizes), config.key())
    keep_labels(config, found)
    heavy = [number for number, form in enumerate(problem.forms) if form.has_precisions]
    for number in heavy:
        draw_precisions(config, number, natural)
    if heavy:
        config.sums = config.allocation.sums(config.n_clusters)._replace(entropy=found.entropy)


def keep_labels(config: Configuration, found: Sums) -> None:
    """Keep the labels last drawn unless a cluster is empty."""
    if (found.counts > 0).all():
        config.allocation.keep_labels()
        config.sums = found


def draw_precisions(config: Configuration, number: int, natural: FloatArray) -> None:
    """Degrees of freedom of the tails with precisions summed out, and precisions given those."""
    tails: FloatArray = config.statistics.forms[number].block.tails  # type: ignore[attr-defined]
    log_shares = log_shares_of(tuple(tails))
    scores = config.allocation.tail_scores(number, natural, log_shares)
    chosen = int((scores - np.log(config.rng.standard_exponential(tails.size))).argmax())
    config.statistics.set_tails(number, float(tails[chosen]))
    config.allocation.draw_precisions(number, log_shares[chosen], config.key())


@cache
def log_shares_of(tails: tuple[float, ...]) -> FloatArray:
    """Log probability of each precision for each of the tails."""
    return log_precision_shares(np.array(tails))


def draw_concentration(base: collapsed.Problem, config: Configuration) -> float:
    """Draw the concentration given the sizes; return its log density."""
    kind, parameter, log_components = base.params
    shape, rate = base.hyperprior or (1.0, 1.0)
    sizes, n_clusters = config.sums.sizes, config.n_clusters
    given = (shape, rate, parameter, log_components, sizes, n_clusters, config.n_total)
    config.set_concentration(float(sample_concentration(kind, config.concentration, *given, config.rng)))
    return float(log_gamma_density(config.concentration, shape, rate))


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_blas_thread() -> Any:
    """A context in which matrix products use one thread, as the engine has its own."""
    return _controller().limit(limits=1, user_api="blas")


def sample(problem: Problem, state: State, n_draws: int) -> Chain:
    """A whole chain, block after block."""
    chain: Chain = sample_chain(partial(sweep, problem), state, n_draws)
    return chain
