"""Chains, block after block: one, or several side by side, watched and kept in a checkpoint where one is wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from .._parallel import run_parallel
from .._progress import Progress
from .base import Chain, State, Sweep, join_blocks
from .checkpoint import Checkpoint


def block_size(n_items: int) -> int:
    """Draws in a block: as many as pass in the blink of an eye, and no function of anything but the data."""
    return max(1, min(600, 120_000 // n_items))


def run_chain(
    sweep: Sweep, state: State, n_draws: int, after_block: Callable[[State, Chain], bool] = lambda *_: True
) -> list[Chain]:
    """A chain's blocks; each is shown to ``after_block``, which says whether to go on."""
    blocks, size, n_done = [], block_size(state.labels.size), 0
    while n_done < n_draws:
        state, block = sweep(state, min(size, n_draws - n_done))
        n_done += len(block.draws)
        blocks.append(block)
        if not after_block(state, block):
            break
    return blocks


def run_chains(
    sweep: Sweep, starts: Sequence[State], n_warmup: int, n_draws: int, *, n_jobs: int, checkpoint: Checkpoint | None
) -> list[Chain]:
    """Draws of several chains after their warm-up, on ``n_jobs`` threads.

    A checkpoint knows how far each chain has come; the rest is drawn. An interrupt stops every chain at the end of its
    block.
    """
    n_total, stopped = n_warmup + n_draws, threading.Event()
    with Progress("Sampling", len(starts) * n_total, unit="draws") as progress:

        def run(number: int) -> Chain:
            begun, state = ([], starts[number]) if checkpoint is None else checkpoint.load(number, starts[number])
            n_begun = sum(len(block.draws) for block in begun)
            progress.advance(n_begun)

            def hear(state: State, block: Chain) -> bool:
                progress.advance(len(block.draws), f"{state.labels.max() + 1} clusters")
                if checkpoint is not None:
                    checkpoint.add(number, state, block)
                return not stopped.is_set()

            blocks = [*begun, *run_chain(sweep, state, n_total - n_begun, hear)]
            if checkpoint is not None:
                checkpoint.flush(number)
            return join_blocks(blocks, n_warmup)

        try:
            return run_parallel(run, range(len(starts)), n_jobs)
        except KeyboardInterrupt:
            stopped.set()
            raise
