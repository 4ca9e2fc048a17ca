"""The contract of samplers.

A file in this package offers ``init(problem, labels, rng) -> State`` and ``sweep(problem, state, n_draws) -> (State,
Chain)``. A state is a NamedTuple of arrays, numbers and a generator, with ``labels`` and ``rng`` among its fields; a
chain a NamedTuple of arrays with a row or an entry per draw, ``draws`` first. A sweep begins from its state alone, so a
chain taken up at the end of a block goes on bit for bit as if it had never stopped. ``valid_labels(problem, rows) ->
bool`` says whether rows that come from a file are labels that the sampler may have drawn. Where a block is costly to
begin, a state has a ``least_block``: draws that are at least in one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from .._typing import AnyArray, IntArray, LabelRows
from .._validation import check_draws


class StateLike(Protocol):
    """Where a chain stands."""

    @property
    def labels(self) -> IntArray:
        """Canonical labels of the present partition."""
        ...

    @property
    def rng(self) -> np.random.Generator:
        """The chain's own generator."""
        ...

    def _asdict(self) -> dict[str, Any]: ...


class ChainLike(Protocol):
    """Draws of a chain, and what was recorded beside them."""

    @property
    def draws(self) -> LabelRows:
        """One partition per row."""
        ...

    def _asdict(self) -> dict[str, Any]: ...


Sweep: TypeAlias = Callable[[Any, int], tuple[Any, Any]]
"""So many draws from a state: the state they end in, and the draws."""


def join_blocks(blocks: Sequence[Any]) -> Any:
    """Blocks of a chain end to end."""
    return type(blocks[0])(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def are_canonical(rows: AnyArray) -> bool:
    """Whether each row numbers clusters by first appearance."""
    try:
        return bool(np.array_equal(check_draws(rows), rows))
    except (TypeError, ValueError):
        return False
