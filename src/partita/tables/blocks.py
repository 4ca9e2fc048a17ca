"""Tables that are read a block of rows at a time, because they need not fit in memory.

Parquet files, zarr arrays, Dask arrays and tables, and lists of delayed blocks. What columns are is judged by the rules
of whole tables, on rows spread evenly over the table, and for columns that count rows on the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .._files import check_file, check_format, read_whole
from .._typing import IntArray
from .roles import find_left_out

ROWS = 50_000  # of a block, where the source has none of its own
MOST_JUDGED = 100_000  # rows that columns are judged by
COUNTS = "counts the rows"


@dataclass(frozen=True)
class TableBlocks:
    """A table as blocks of rows, read in order as often as someone iterates.

    Parameters
    ----------
    n_rows : int
        Rows of all blocks.
    make : callable
        Makes an iterator of blocks: DataFrames, or arrays of two dimensions, with the same columns.
    columns : tuple, optional
        Names of the columns that are read; None for arrays and where all are.

    Examples
    --------
    >>> table = TableBlocks(5, lambda: iter([np.eye(3)[:2], np.eye(3)]))
    >>> table.take(np.array([0, 4]))
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """

    n_rows: int
    make: Callable[[], Iterator[Any]]
    columns: tuple[Any, ...] | None = None

    def __iter__(self) -> Iterator[Any]:
        for block in self.make():
            yield block if self.columns is None else block[list(self.columns)]

    def take(self, rows: IntArray) -> Any:
        """These rows, given by rising numbers, numbered from 0."""
        parts, start = [], 0
        for block in self:
            own = rows[np.searchsorted(rows, start) : np.searchsorted(rows, start + len(block))] - start
            parts.append(block.iloc[own] if hasattr(block, "iloc") else block[own])
            start += len(block)
        if start != self.n_rows:
            raise ValueError(f"X must have blocks of {self.n_rows} rows in all: got {start}.")
        if not hasattr(parts[0], "iloc"):
            return np.concatenate(parts)
        import pandas as pd

        return pd.concat(parts, ignore_index=True)

    def sample(self, most: int = MOST_JUDGED) -> Any:
        """Rows spread evenly over the table: all of them, or at most so many."""
        return self.take(np.unique(np.linspace(0, self.n_rows - 1, min(self.n_rows, most)).astype(np.int64)))

    def only(self, columns: Sequence[Any]) -> TableBlocks:
        """The table of some columns."""
        return replace(self, columns=tuple(columns))


def as_blocks(X: Any) -> TableBlocks | None:
    """The blocks of a table that is not in memory; None for any other."""
    if isinstance(X, TableBlocks):
        return X
    if _is_from("zarr", X) and getattr(X, "ndim", 0) == 2:
        return TableBlocks(X.shape[0], lambda: (np.asarray(X[at : at + ROWS]) for at in range(0, X.shape[0], ROWS)))
    if isinstance(X, (list, tuple)) and len(X) > 0 and all(_is_from("dask", part) for part in X):
        return _delayed_blocks(list(X))
    if _is_from("dask", X) and hasattr(X, "to_delayed"):
        return _delayed_blocks(_split(X))
    return None


def _is_from(library: str, source: Any) -> bool:
    return any(kind.__module__.split(".")[0] == library for kind in type(source).__mro__)


def _split(X: Any) -> list[Any]:
    """Blocks of rows of a Dask array or table, as delayed objects."""
    if hasattr(X, "rechunk"):
        if X.ndim != 2:
            raise ValueError(f"X must be a table with rows and columns: got {X.ndim} dimension(s).")
        return list(X.rechunk({1: -1}).to_delayed().ravel())
    return list(X.to_delayed())


def _delayed_blocks(parts: list[Any]) -> TableBlocks:
    from dask.base import compute
    from dask.delayed import delayed

    sizes = compute(*(delayed(len)(part) for part in parts))
    return TableBlocks(int(sum(sizes)), lambda: (compute(part)[0] for part in parts))


def parquet_blocks(path: Path) -> TableBlocks:
    """The blocks of a parquet file."""
    check_format("data", path)
    from pyarrow.parquet import ParquetFile

    check_file("data", path)
    n_rows = read_whole("data", path, lambda: ParquetFile(path).metadata.num_rows)
    return TableBlocks(n_rows, lambda: (batch.to_pandas() for batch in ParquetFile(path).iter_batches(batch_size=ROWS)))


def read_data_blocks(
    path: Path, columns: Sequence[str] | None = None, *, drop: Sequence[str] = (), keep: Sequence[str] = ()
) -> tuple[TableBlocks, Any, list[str]]:
    """A parquet file by blocks, without what identifies rows; the rows columns are judged by; and notes.

    Examples
    --------
    >>> import pandas as pd, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "birds.parquet"
    >>> pd.DataFrame({"ring": range(20), "mass": [9.5, 7.0] * 10}).to_parquet(path)
    >>> table, sample, notes = read_data_blocks(path)
    >>> notes
    ["Column 'ring' counts the rows and is left out."]
    """
    if path.suffix.lower() != ".parquet":
        raise ValueError(f"data must be a parquet file to be read by blocks: got {path.name!r}.")
    table = parquet_blocks(path)
    if table.n_rows == 0:
        raise ValueError("data must have at least one row and one column: got no row.")
    head, sample = next(iter(table)), table.sample()
    for argument, names in (("columns", columns or ()), ("drop", drop)):
        for name in names:
            if name not in head:
                raise ValueError(f"{argument} must be among the columns {', '.join(map(str, head))}: got {name!r}.")
    chosen = [*(columns or ()), *keep]
    wanted = [name for name in columns or head if name not in drop]
    left_out = find_left_out(sample[wanted], chosen)
    left_out |= {name: COUNTS for name, why in find_left_out(head[wanted], chosen).items() if why == COUNTS}
    names = [name for name in wanted if name not in left_out]
    notes = [f"Column {name!r} {reason} and is left out." for name, reason in left_out.items()]
    if not names:
        raise ValueError(f"data must have a column to cluster by: got none. {' '.join(notes)}".strip())
    return table.only(names), sample[names], notes
