"""A Markov chain over partitions, block after block.

A block begins from labels, a number and a generator alone, so a chain taken up at the end of a block goes on bit for
bit as if it had never stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray, LabelRows


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


def join_blocks(blocks: Sequence[Chain], n_warmup: int = 0) -> Chain:
    """Blocks end to end, without the first so many draws."""
    return Chain(*(np.concatenate(parts)[n_warmup:] for parts in zip(*blocks, strict=True)))
