"""What a mixture needs of a component: columns of a table as parts that kernels read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .._typing import AnyArray, FloatArray, IntArray
from .._validation import as_table


@dataclass(frozen=True)
class Block:
    """Some columns of a table under one family, which knows nothing of chains, priors or other columns."""

    columns: tuple[int, ...]  # their positions in the table
    kind: str  # what they were taken for: "number", "category", "count", ...
    x: AnyArray  # (n_items, ...) as the family's kernels read them
    hyper: FloatArray  # hyperparameters, those to be learned at the values that chains start from
    learns: bool  # whether hyperparameters are drawn with the partition

    def make_part(self, hyper: FloatArray, latent: FloatArray, n_rows: int) -> Any:
        """The part that kernels read, with room for so many rows of statistics.

        It reads and writes ``hyper`` and ``latent``, what is drawn for its items.
        """
        raise NotImplementedError

    def encode_rows(self, values: AnyArray) -> AnyArray:
        """Entries of new rows as kernels read them."""
        raise NotImplementedError

    def with_rows(self, part: Any, x: AnyArray) -> Any:
        """The same statistics, with new rows, already encoded, for items."""
        return part._replace(x=x)

    def sample_row(self, part: Any, k: int, rng: np.random.Generator) -> list[Any]:
        """Entries of a new row from the predictive distribution of the cluster in row ``k`` of the statistics."""
        raise NotImplementedError

    @property
    def n_summed(self) -> int:
        """Densities that the predictive density of an item sums over: values of what is drawn for it."""
        return 1

    @property
    def latent(self) -> FloatArray:
        """What is drawn for items beside their cluster, where chains start."""
        return np.empty(0)

    @property
    def observed(self) -> AnyArray:
        """Items as new rows are encoded, without what is drawn in the place of missing entries."""
        return self.x

    def as_entries(self, x: AnyArray) -> FloatArray:
        """Encoded rows in the table's own units, categories by number, NaN where missing."""
        return np.asarray(x, dtype=np.float64)

    @property
    def present(self) -> NDArray[np.bool_]:
        """Whether each item has an entry in any of the columns."""
        return np.asarray(~np.isnan(self.x).all(axis=1))

    def learned(self, hyper: FloatArray) -> dict[str, FloatArray]:
        """The hyperparameters that were drawn, by name; ``hyper`` has a draw per row."""
        return {}

    def moments(self, part: Any, rows: IntArray) -> tuple[FloatArray, FloatArray] | None:
        """Posterior means and covariance matrices of the clusters in these rows, where columns are numbers."""
        return None


class ColumnBlock(Block):
    """Columns that are independent within a cluster, so that some of them can be left out.

    Hyperparameters are the power, then one number per column, once or several times.
    """

    def hyper_index(self, kept: IntArray) -> IntArray:
        """Places in ``hyper`` that some of the columns read."""
        n_columns = len(self.columns)
        starts = np.arange(1, self.hyper.size, n_columns) if n_columns else np.empty(0, np.int64)
        return np.concatenate([[0], (starts[:, np.newaxis] + kept).ravel()])

    def only(self, kept: IntArray) -> Block:
        """The block of some of the columns."""
        columns = tuple(self.columns[j] for j in kept)
        return replace(self, columns=columns, hyper=self.hyper[self.hyper_index(kept)], **self._fields_of(kept))

    def _fields_of(self, kept: IntArray) -> dict[str, Any]:
        """The fields that differ for some of the columns."""
        return {"x": np.ascontiguousarray(self.x[:, kept])}

    def redraw_hyper(self, hyper: FloatArray, place: int, rng: np.random.Generator) -> None:
        """Draw from its hyperprior what is learned for one column alone; ``hyper`` is what that column reads."""

    def log_hyper_constant(self, place: int) -> float:
        """Logarithm of the factor that `sample_hyper` leaves out of one column's hyperprior."""
        return 0.0


class Encoded(NamedTuple):
    """A table as a component reads it."""

    blocks: tuple[Block, ...]
    n_columns: int

    @property
    def n_items(self) -> int:
        """Number of rows of the table."""
        return len(self.blocks[0].x)

    @property
    def hyper(self) -> FloatArray:
        """Hyperparameters of all blocks, end to end."""
        return np.concatenate([block.hyper for block in self.blocks])

    @property
    def latent(self) -> FloatArray:
        """What is drawn for items beside their cluster, where chains start: missing entries, precisions."""
        return np.concatenate([block.latent for block in self.blocks])

    @property
    def learns(self) -> bool:
        """Whether anything is drawn with the partition."""
        return any(block.learns or block.latent.size for block in self.blocks)


class Component(Protocol):
    """A choice of family and hyperparameters."""

    def encode(self, X: Any) -> Encoded:
        """The table as kernels read it."""
        ...


def make_model(encoded: Encoded, hyper: FloatArray, latent: FloatArray, n_rows: int, equal: bool = True) -> Any:
    """The parts with room for so many rows of statistics; they read and write their pieces of ``hyper`` and ``latent``.

    One part, or a tuple of parts that are independent within a cluster. Where items do not weigh the same, constants
    by their number are of no use.
    """
    pieces = _split(hyper, [block.hyper.size for block in encoded.blocks])
    latents = _split(latent, [block.latent.size for block in encoded.blocks])
    drawn = zip(encoded.blocks, pieces, latents, strict=True)
    parts = tuple(block.make_part(piece, values, n_rows) for block, piece, values in drawn)
    if not equal:
        parts = tuple(p._replace(log_pred_const=np.empty(0)) if "log_pred_const" in p._fields else p for p in parts)
    return parts[0] if len(parts) == 1 else parts


def _split(values: FloatArray, sizes: list[int]) -> list[FloatArray]:
    return np.split(values, np.cumsum(sizes)[:-1])


def with_rows(encoded: Encoded, model: Any, X: Any) -> Any:
    """The same statistics, with new rows for items: what kernels need to score them."""
    values = as_table(X)
    if values.shape[1] != encoded.n_columns:
        raise ValueError(f"X must have {encoded.n_columns} columns, as in fit: got {values.shape[1]}.")
    parts = (model,) if len(encoded.blocks) == 1 else model
    renewed = tuple(
        block.with_rows(part, _encode(block, values)) for part, block in zip(parts, encoded.blocks, strict=True)
    )
    return renewed[0] if len(renewed) == 1 else renewed


def _encode(block: Block, values: AnyArray) -> AnyArray:
    """Entries of new rows as kernels read them; a block may have been left without columns."""
    if not block.columns:
        return np.empty((len(values), 0), block.x.dtype)
    return block.encode_rows(values[:, list(block.columns)])


def observed_items(encoded: Encoded, model: Any) -> Any:
    """The same statistics, with the items as they were observed: what kernels need to score them as new."""
    parts = (model,) if len(encoded.blocks) == 1 else model
    renewed = tuple(block.with_rows(part, block.observed) for part, block in zip(parts, encoded.blocks, strict=True))
    return renewed[0] if len(renewed) == 1 else renewed


def table_entries(encoded: Encoded) -> FloatArray:
    """The table as numbers: categories by number, NaN where an entry is missing or a column not used."""
    return _entries(encoded, [block.observed for block in encoded.blocks])


def encode_entries(encoded: Encoded, X: Any) -> FloatArray:
    """The same of another table with the same columns."""
    values = as_table(X)
    return _entries(encoded, [_encode(block, values) for block in encoded.blocks])


def _entries(encoded: Encoded, rows: list[AnyArray]) -> FloatArray:
    out = np.full((len(rows[0]), encoded.n_columns), np.nan)
    for block, x in zip(encoded.blocks, rows, strict=True):
        out[:, list(block.columns)] = block.as_entries(x)
    return out


def blank_row(encoded: Encoded, model: Any) -> Any:
    """The same statistics, with one row for items that `write_row` fills."""
    parts = (model,) if len(encoded.blocks) == 1 else model
    renewed = tuple(part._replace(x=part.x[:1].copy()) for part in parts)
    return renewed[0] if len(renewed) == 1 else renewed


def write_row(encoded: Encoded, model: Any, row: list[Any]) -> None:
    """Write entries of a new row where kernels read the only item of the model."""
    values = np.array(row, dtype=object)
    for part, block in zip((model,) if len(encoded.blocks) == 1 else model, encoded.blocks, strict=True):
        part.x[:] = _encode(block, values[np.newaxis])


def sample_entries(encoded: Encoded, model: Any, k: int, rng: np.random.Generator) -> list[Any]:
    """A row of the table from the predictive distribution of the cluster in row ``k`` of the statistics."""
    parts = (model,) if len(encoded.blocks) == 1 else model
    row: list[Any] = [np.nan] * encoded.n_columns
    for part, block in zip(parts, encoded.blocks, strict=True):
        for column, value in zip(block.columns, block.sample_row(part, k, rng), strict=True):
            row[column] = value
    return row
