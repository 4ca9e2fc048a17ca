"""A table that comes by blocks, encoded onto disk: kernels read rows there as they read them in memory.

What columns are, their categories, the digit they were recorded to, and the means and variances that priors look to are
judged on rows spread evenly over the table (all rows, where they are few enough). Each block of rows is then encoded
and written, so that memory holds one block at a time.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .._typing import AnyArray
from .._validation import as_table
from ..tables.blocks import TableBlocks
from .base import Block, Component, Encoded
from .choose import Auto, dequantize, recorded_digits
from .encoding import check_numbers
from .gaussian import FullBlock

Encode = Callable[[AnyArray, int], AnyArray]


def encode_blocks(component: Component, table: TableBlocks, sample: Any, folder: Path) -> Encoded:
    """The table as kernels read it, its rows in files of a folder."""
    judged = component.encode(sample)
    n_bytes = sum(block.x.dtype.itemsize * table.n_rows * block.x.shape[1] for block in judged.blocks)
    check_disk(n_bytes, folder, f"The {table.n_rows} rows of the table")
    files = [
        np.lib.format.open_memmap(folder / f"rows{number}.npy", "w+", block.x.dtype, (table.n_rows, block.x.shape[1]))
        for number, block in enumerate(judged.blocks)
    ]
    encoders, first = [_encoder(component, block, sample) for block in judged.blocks], 0
    for rows in table:
        values = as_table(rows)
        if values.shape[1] != judged.n_columns:
            raise ValueError(f"X must have {judged.n_columns} columns in every block: got {values.shape[1]}.")
        for block, encode, file in zip(judged.blocks, encoders, files, strict=True):
            x = encode(values[:, list(block.columns)], first)
            _refuse_gaps(block, x, first)
            file[first : first + len(x)] = x
        first += len(values)
    for file in files:
        file.flush()
    # mapped as if they might be written to, lest kernels be compiled anew for arrays that must not
    mapped = [np.load(folder / f"rows{number}.npy", mmap_mode="c") for number in range(len(files))]
    return Encoded(tuple(replace(block, x=x) for block, x in zip(judged.blocks, mapped, strict=True)), judged.n_columns)


def _encoder(component: Component, block: Block, sample: Any) -> Encode:
    """What turns entries of a block's columns, and the number of their first row, into what kernels read."""
    if not isinstance(component, Auto):
        return lambda values, _: block.encode_rows(values)
    kinds = [component.describe(sample)[j].kind for j in block.columns]
    if set(kinds) != {"number"}:
        return lambda values, _: block.encode_rows(values)
    seen = check_numbers(as_table(sample)[:, list(block.columns)], allow_missing=True)
    digits = recorded_digits(seen)
    return lambda values, first: block.encode_rows(dequantize(values, digits, first))


def _refuse_gaps(block: Block, x: AnyArray, first: int) -> None:
    """Raise where a number is missing under a covariance matrix: it would be drawn, which nothing does by blocks."""
    if isinstance(block, FullBlock) and np.isnan(x).any():
        row = first + int(np.isnan(x).any(axis=1).argmax())
        help_ = "Use component='gaussian-diagonal', which integrates over missing entries."
        raise ValueError(f"X must hold every number when it is read by blocks: got a gap in row {row}. {help_}")


def check_disk(n_bytes: int, folder: Path, what: str) -> None:
    """Refuse to write what the disk cannot hold, before anything is written."""
    free = shutil.disk_usage(folder).free
    if n_bytes > free:
        raise OSError(
            f"{what} would take {n_bytes / 1e9:.1f} GB in {str(folder)!r} and {free / 1e9:.1f} GB are free. "
            "Set TMPDIR to a folder with room."
        )
