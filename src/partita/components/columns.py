"""Tables whose columns are independent within a cluster, and some of their columns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._typing import BoolArray, IntArray
from .base import ColumnBlock, Encoded


class SingleColumn(NamedTuple):
    """One column of a block."""

    block: ColumnBlock
    place: int  # in the block
    hyper: IntArray  # places among the hyperparameters of all blocks


def single_columns(encoded: Encoded) -> tuple[SingleColumn, ...]:
    """The columns of all blocks, one after the other; they must be independent within a cluster."""
    out, start = [], 0
    for block in encoded.blocks:
        if not isinstance(block, ColumnBlock):
            names = ", ".join(map(str, block.columns))
            raise ValueError(
                "component must describe columns that are independent within a cluster to select among them: got one "
                f"that describes columns {names} jointly. Use component='gaussian-diagonal' or 'product'."
            )
        out += [SingleColumn(block, j, start + block.hyper_index(np.array([j]))) for j in range(len(block.columns))]
        start += block.hyper.size
    return tuple(out)


def only_columns(encoded: Encoded, kept: BoolArray) -> tuple[Encoded, IntArray]:
    """The table without some columns, and the places of the hyperparameters that the others read.

    Blocks stay, even without columns: kernels are compiled for their types.
    """
    blocks, places, start, at = [], [], 0, 0
    for block in encoded.blocks:
        if not isinstance(block, ColumnBlock):
            raise TypeError(f"blocks must be of independent columns: got {type(block).__name__}.")
        here = np.flatnonzero(kept[at : at + len(block.columns)])
        blocks.append(block.only(here))
        places.append(start + block.hyper_index(here))
        start, at = start + block.hyper.size, at + len(block.columns)
    return Encoded(tuple(blocks), encoded.n_columns), np.concatenate(places)
