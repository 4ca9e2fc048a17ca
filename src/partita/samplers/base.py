"""A Markov chain over partitions, block after block.

A block begins from labels, a number and a generator alone, so a chain taken up at the end of a block goes on bit for
bit as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .._validation import FloatArray, IntArray, LabelRows


class State(NamedTuple):
    """Where a chain stands."""

    labels: IntArray
    parameter: float  # what is drawn beside the partition: a concentration, a rate
    rng: np.random.Generator


class Chain(NamedTuple):
    """Draws of a chain, one per row."""

    draws: LabelRows
    log_posterior: FloatArray
    parameter: FloatArray


Sweep = Callable[[State, int], tuple[State, Chain]]
"""So many draws from a state, and the state they end in."""


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


def join_blocks(blocks: Sequence[Chain], n_warmup: int = 0) -> Chain:
    """Blocks end to end, without the first so many draws."""
    return Chain(*(np.concatenate(parts)[n_warmup:] for parts in zip(*blocks, strict=True)))
