"""Collapsed sampling of the partition and of the columns that it concerns.

A relevant column has parameters of its own in every cluster; one that is not has the same for all items, and hence one
marginal likelihood over all of them, whatever the partition. Given the partition and the hyperparameters columns are
drawn one after the other; given the relevant columns the partition is drawn by the sweeps of `collapsed` on the table
that holds no others. A typical variance that no relevant column informs is drawn from its hyperprior. What a column is
under while it is not relevant is given: the hyperparameters that chains start from.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, expit

from .._kernels.constraints.chunklets import Chunklets
from .._kernels.samplers.columns import log_column_marginal
from .._typing import BoolArray, FloatArray, IntArray, LabelRows
from ..components import Encoded
from ..components.columns import SingleColumn, only_columns, single_columns
from ..priors import PartitionPrior
from . import collapsed
from .base import join_blocks
from .collapsed import Problem, valid_labels
from .run import sample_chain

__all__ = ["Chain", "ColumnProblem", "State", "init", "make_problem", "sample", "sweep", "valid_labels"]

NOTHING = np.empty(0)  # latent values of columns that have none


@dataclass(frozen=True)
class ColumnProblem(Problem):
    """A problem in which each column is relevant or not."""

    probability: float | None  # that a column is relevant; None: any is as likely as any other, and it is learned

    @cached_property
    def columns(self) -> tuple[SingleColumn, ...]:
        """The columns, one by one."""
        return single_columns(self.encoded)

    @cached_property
    def log_irrelevant(self) -> FloatArray:
        """Log marginal likelihood of each column over all items."""
        return self.log_marginals(np.zeros(self.n_items, np.int64), self.encoded.hyper)

    def log_marginals(self, labels: IntArray, hyper: FloatArray) -> FloatArray:
        """Log marginal likelihood of each column given a partition."""
        n_clusters, weights = int(labels.max()) + 1, self.chunklets.weight
        return np.array(
            [
                log_column_marginal(labels, weights, n_clusters, alone.make_part(hyper[at], NOTHING, n_clusters + 1))
                for alone, (_, _, at) in zip(self._alone, self.columns, strict=True)
            ]
        )

    @cached_property
    def _alone(self) -> tuple[Any, ...]:
        return tuple(block.only(np.array([place])) for block, place, _ in self.columns)

    def restricted(self, relevant: BoolArray) -> tuple[Problem, IntArray]:
        """The problem of the relevant columns alone, and the places of the hyperparameters that it reads."""
        encoded, places = only_columns(self.encoded, relevant)
        given = {field.name: getattr(self, field.name) for field in fields(Problem)}
        return Problem(**given | {"encoded": encoded}), places


class State(NamedTuple):
    """Where a chain stands."""

    labels: IntArray
    concentration: float
    hyper: FloatArray
    latent: FloatArray
    n_proposals: float
    warmup_left: int
    thin: int
    relevant: BoolArray
    rng: np.random.Generator


class Chain(NamedTuple):
    """Draws of a chain, one per row."""

    draws: LabelRows
    log_posterior: FloatArray
    entropy: FloatArray
    concentration: FloatArray
    hyper: FloatArray
    latent: NDArray[np.float32]
    relevant: NDArray[np.float32]  # 1 where a column is relevant


def make_problem(
    encoded: Encoded,
    prior: PartitionPrior,
    chunklets: Chunklets | None = None,
    uncounted: IntArray | None = None,
    probability: float | None = None,
) -> ColumnProblem:
    """Meet data, prior and the prior probability that a column is relevant."""
    single_columns(encoded)
    plain = collapsed.make_problem(encoded, prior, chunklets, uncounted)
    return ColumnProblem(**{field.name: getattr(plain, field.name) for field in fields(plain)}, probability=probability)


def init(problem: ColumnProblem, labels: IntArray, rng: np.random.Generator, n_warmup: int = 0) -> State:
    """A chain about to start from these canonical labels, with all columns relevant."""
    plain = collapsed.init(problem, labels, rng, n_warmup)
    return State(**plain._asdict(), relevant=np.ones(len(problem.columns), bool))


def draw_relevant(problem: ColumnProblem, state: State) -> tuple[BoolArray, FloatArray]:
    """Which columns are relevant given the partition, and the hyperparameters under which they were weighed."""
    hyper, rng, relevant = state.hyper.copy(), state.rng, state.relevant.copy()
    for column in (problem.columns[j] for j in np.flatnonzero(~relevant)):
        block, place, at = column
        own = hyper[at]
        block.redraw_hyper(own, place, rng)
        hyper[at] = own
    evidence = problem.log_marginals(state.labels, hyper) - problem.log_irrelevant
    n_relevant = int(relevant.sum())
    for j, log_odds in enumerate(evidence):
        n_others = n_relevant - int(relevant[j])
        relevant[j] = rng.random() < expit(log_odds + _log_prior_odds(problem, n_others))
        n_relevant = n_others + int(relevant[j])
    return relevant, hyper


def _log_prior_odds(problem: ColumnProblem, n_others: int) -> float:
    """Log odds that a column is relevant, given how many others are."""
    if problem.probability is not None:
        return float(np.log(problem.probability) - np.log1p(-problem.probability))
    return float(np.log(1 + n_others) - np.log(len(problem.columns) - n_others))


def _log_prior(problem: ColumnProblem, relevant: BoolArray) -> float:
    """Log probability of a selection."""
    n, n_columns = int(relevant.sum()), relevant.size
    if problem.probability is None:
        return float(betaln(1 + n, 1 + n_columns - n))
    return float(n * np.log(problem.probability) + (n_columns - n) * np.log1p(-problem.probability))


def sweep(problem: ColumnProblem, state: State, n_draws: int) -> tuple[State, Chain]:
    """A block of draws, and where the chain then stands."""
    blocks = []
    for _ in range(n_draws):
        state, block = _draw_once(problem, state)
        blocks.append(block)
    return state, join_blocks(blocks)


def _draw_once(problem: ColumnProblem, state: State) -> tuple[State, Chain]:
    """The relevant columns given the partition, then the partition given them."""
    relevant, hyper = draw_relevant(problem, state)
    plain, places = problem.restricted(relevant)
    before = collapsed.State(**{name: getattr(state, name) for name in collapsed.State._fields})
    after, block = collapsed.sweep(plain, before._replace(hyper=hyper[places]), 1)
    hyper[places] = after.hyper
    constant = sum(
        column.block.log_hyper_constant(column.place)
        for column, kept in zip(problem.columns, relevant, strict=True)
        if kept
    )
    beside = problem.log_irrelevant[~relevant].sum() + constant + _log_prior(problem, relevant)
    drawn = block._asdict() | {"log_posterior": block.log_posterior + beside, "hyper": hyper[np.newaxis].copy()}
    chain = Chain(**drawn, relevant=relevant[np.newaxis].astype(np.float32))
    return State(**after._asdict() | {"hyper": hyper}, relevant=relevant), chain


def sample(problem: ColumnProblem, state: State, n_draws: int) -> Chain:
    """A whole chain, block after block."""
    chain: Chain = sample_chain(lambda state, n: sweep(problem, state, n), state, n_draws)
    return chain
