"""How long chains warm up: until they agree, or a budget is spent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._parallel import run_threads
from .._progress import Progress
from .._typing import FloatArray
from .base import Sweep
from .checkpoint import Checkpoint
from .run import run_chain

ROUNDS = (300, 300, 600, 1200)  # draws of each chain from one look to the next
AGREED = 1.1  # R-hat below which chains agree


class WarmedUp(NamedTuple):
    """Where chains stand after their warm-up."""

    states: list[Any]
    n_draws: int  # of each chain
    agreed: bool


def warm_up(
    sweep: Sweep,
    starts: Sequence[Any],
    trace: Callable[[Any], FloatArray],
    n_jobs: int,
    rounds: Sequence[int] = ROUNDS,
) -> WarmedUp:
    """Run chains until R-hat of what ``trace`` reads off a block says that they agree, and at most all rounds.

    ``trace`` gives an array with a row per quantity and a column per draw. The second half of a round is looked at.
    """
    states, n_done, stopped = list(starts), 0, threading.Event()
    with Progress("Warming up", len(starts) * sum(rounds), unit="draws") as progress:

        def run(job: tuple[Any, int]) -> tuple[Any, FloatArray]:
            seen: list[FloatArray] = []

            def on_block(state: Any, block: Any) -> bool:
                seen.append(trace(block))
                progress.advance(len(block.draws), f"{state.labels.max() + 1} clusters")
                return not stopped.is_set()

            state, _ = run_chain(sweep, job[0], job[1], on_block, keep=False)
            return state, np.concatenate(seen, axis=1)

        for n_draws in rounds:
            try:
                results = run_threads(run, [(state, n_draws) for state in states], n_jobs)
            except KeyboardInterrupt:
                stopped.set()
                raise
            states, n_done = [state for state, _ in results], n_done + n_draws
            values = np.array([values[:, n_draws // 2 :] for _, values in results])
            if largest_rhat(values) < AGREED:
                return WarmedUp(states, n_done, True)
    return WarmedUp(states, n_done, False)


def warm_up_once(
    sweep: Sweep,
    starts: Sequence[Any],
    trace: Callable[[Any], FloatArray],
    n_jobs: int,
    *,
    checkpoint: Checkpoint | None,
    rounds: Sequence[int] = ROUNDS,
) -> tuple[list[Any], int]:
    """Where chains stand after their warm-up, and its draws; what a checkpoint keeps of it is not done again.

    A chain whose part of the warm-up was damaged repeats it.
    """
    if checkpoint is None:
        states, n_draws, _ = warm_up(sweep, starts, trace, n_jobs, rounds)
        return [_warm(state) for state in states], n_draws
    n_done = [checkpoint.n_warmed_up(number) for number in range(len(starts))]
    if n_draws := max(n_done):
        lost = {number: _repeat(sweep, starts[number], n_draws, rounds) for number, n in enumerate(n_done) if n == 0}
    else:
        states, n_draws, _ = warm_up(sweep, starts, trace, n_jobs, rounds)
        lost = {number: _warm(state) for number, state in enumerate(states)}
    checkpoint.keep_warmup(lost, n_draws)
    return list(starts), n_draws


def _warm(state: Any) -> Any:
    """The state of a chain whose proposals, where they do, no longer adapt."""
    return state._replace(warmup_left=0) if "warmup_left" in state._fields else state


def _repeat(sweep: Sweep, state: Any, n_draws: int, rounds: Sequence[int]) -> Any:
    """Where a chain stands after the rounds that made so many draws."""
    for n in rounds:
        if n_draws > 0:
            state, _ = run_chain(sweep, state, n, keep=False)
            n_draws -= n
    return _warm(state)


def largest_rhat(values: FloatArray) -> float:
    """The largest R-hat of several quantities, shape (n_chains, n_quantities, n_draws); constant ones agree."""
    from arviz_stats.base.array import array_stats

    found = [1.0]
    for quantity in values.transpose(1, 0, 2):
        if np.ptp(quantity) > 0:
            with np.errstate(divide="ignore", invalid="ignore"):  # chains that each stand still
                found.append(float(array_stats.rhat(quantity)))
    return max(value if np.isfinite(value) else np.inf for value in found)
