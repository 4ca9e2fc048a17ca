"""Run chains block after block: one, or several in parallel, with a progress bar and a checkpoint."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from .._parallel import run_parallel, run_threads, uses_threads
from .._progress import Progress
from .._validation import MOST_DRAWS, MOST_RUNS, check_count
from .base import Sweep, join_blocks
from .checkpoint import Checkpoint
from .draw_file import DrawFile


def check_counts(n_chains: Any, n_draws: Any, n_warmup: Any) -> None:
    """Refuse numbers of chains and of draws that are none, or that no run ends."""
    check_count("n_chains", n_chains, most=MOST_RUNS)
    check_count("n_draws", n_draws, most=MOST_DRAWS)
    check_count("n_warmup", n_warmup, least=0, most=MOST_DRAWS)


def block_size(n_items: int) -> int:
    """Draws in a block: as many as pass in the blink of an eye, and no function of anything but the data."""
    return max(1, min(600, 120_000 // n_items))


def run_chain(
    sweep: Sweep,
    state: Any,
    n_draws: int,
    after_block: Callable[[Any, Any], bool] = lambda *_: True,
    *,
    keep: bool = True,
    put: Callable[[Any], Any] = lambda block: block,
) -> tuple[Any, list[Any]]:
    """The state a chain ends in, and its blocks, if kept; ``after_block`` sees each and says whether to go on.

    ``put`` sees each block that is kept, and returns what of it stays in memory.
    """
    blocks, n_done = [], 0
    size = max(getattr(state, "least_block", 1), block_size(state.labels.size) // getattr(state, "thin", 1))
    while n_done < n_draws:
        state, block = sweep(state, min(size, n_draws - n_done))
        n_done += len(block.draws)
        go_on = after_block(state, block)
        if keep:
            blocks.append(put(block))
        if not go_on:
            break
    return state, blocks


def sample_chain(sweep: Sweep, state: Any, n_draws: int) -> Any:
    """A whole chain."""
    return join_blocks(run_chain(sweep, state, n_draws)[1])


class Drawn(NamedTuple):
    """A chain, and where it stands at its end."""

    chain: Any
    state: Any


def _run_alone(sweep: Sweep, n_warmup: int, n_draws: int, start: Any) -> Drawn:
    """A chain after its warm-up, without a progress bar of its own."""
    state, _ = run_chain(sweep, start, n_warmup, keep=False)
    state, blocks = run_chain(sweep, state, n_draws)
    return Drawn(join_blocks(blocks), state)


def run_chains(
    sweep: Sweep,
    starts: Sequence[Any],
    n_warmup: int,
    n_draws: int,
    *,
    n_jobs: int,
    checkpoint: Checkpoint | None,
    file: DrawFile | None = None,
    n_before: int = 0,
    title: str = "Sampling",
) -> list[Drawn]:
    """Draws of several chains after their warm-up, ``n_jobs`` at a time.

    A checkpoint knows how far each chain has come; the rest is drawn. Draws of the warm-up are not kept. An interrupt
    or an error stops every chain at the end of its block. Chains run on threads, or without a checkpoint on what
    ``joblib.parallel_config`` says. Where there is a file for them, draws are in it and not in what is returned.
    Where a run goes on, ``n_before`` draws that a checkpoint keeps of each chain are not among those returned.
    """
    if checkpoint is None and file is None and n_jobs != 1 and not uses_threads():
        return run_parallel(partial(_run_alone, sweep, n_warmup, n_draws), starts, n_jobs, title)
    stopped = threading.Event()
    with Progress(title, len(starts) * (n_warmup + n_draws), unit="draws") as progress:

        def run(number: int) -> Drawn:
            n_begun, kept, state = 0, list[Any](), starts[number]
            if checkpoint is not None:
                n_begun, kept, state = checkpoint.load(number)
            n_kept = sum(len(block.draws) for block in kept)
            progress.advance(min(n_warmup, n_begun - n_kept) + max(0, n_kept - n_before))

            def on_block(state: Any, block: Any, keep: bool = True) -> bool:
                progress.advance(len(block.draws), f"{state.labels.max() + 1} clusters")
                if checkpoint is not None:
                    checkpoint.add(number, state, len(block.draws), block if keep else None)
                return not stopped.is_set()

            n_left = max(0, n_warmup - n_begun)
            state, _ = run_chain(sweep, state, n_left, partial(on_block, keep=False), keep=False)
            if stopped.is_set():
                raise KeyboardInterrupt
            put = (lambda block: block) if file is None else partial(file.put, number)
            kept = [put(block) for block in kept]
            state, blocks = run_chain(sweep, state, n_before + n_draws - n_kept, on_block, put=put)
            whole = join_blocks([*kept, *blocks])
            if checkpoint is not None:
                checkpoint.finish(number, state, whole)
            return Drawn(type(whole)(*(field[n_before : n_before + n_draws] for field in whole)), state)

        try:
            return run_threads(run, range(len(starts)), n_jobs)
        except BaseException:
            stopped.set()
            raise
