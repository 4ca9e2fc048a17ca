"""Clusterings as people have them: one per column, in words, as categories, as membership probabilities.

What :func:`partita.posterior.io.read_draws` cannot know, because it depends on what the caller says or means.
"""

from __future__ import annotations

import math
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import AnyArray
from .._validation import as_array, check_choice, check_rng, item_names, shorten
from .io import RawDraws, comes_from, read_draws
from .text import UnusableError

if TYPE_CHECKING:
    import pandas as pd

ON_DISK = ("zarr", "h5py")  # arrays that are read when they are sliced
BLOCK_CELLS = 2**24  # labels read at a time
NATIVE_TABLES = ("polars", "pyarrow", "modin", "cudf")


def read_clusterings(source: Any, var: str, axis: str, missing: Any, keys: Any = None) -> RawDraws:
    """Draws from anything :meth:`partita.PartitionPosterior.from_any` takes; text has become numbers."""
    check_choice("axis", axis, ("rows", "columns"))
    if keys is not None or comes_from("anndata", source):
        source, axis = _columns_of_cells(source, keys), "columns"
    elif any(comes_from(library, source) for library in NATIVE_TABLES):
        source = _as_pandas(source)
    elif any(comes_from(library, source) for library in ON_DISK) and getattr(source, "ndim", 0) == 2:
        source = _read_blocks(source)
    if axis == "columns":
        raw = _as_members(_one_per_column(source, var, missing))
    elif isinstance(source, (list, tuple)) and source and all(comes_from("pandas", part) for part in source):
        raw = _as_members(_list_of_series(source, missing))
    elif _are_memberships(source):
        raw = sample_labels(source, 0)
    else:
        _refuse_similarity(source)
        raw = read_draws(source, var)
    return raw._replace(draws=_as_codes(raw.draws, missing))


def _as_members(raw: RawDraws) -> RawDraws:
    """Clusterings side by side are members of an ensemble, equal in weight, and no chain."""
    return raw._replace(weights=np.ones(len(raw.draws))) if raw.weights is None else raw


def sample_labels(probabilities: Any, random_state: Any) -> RawDraws:
    """Labels drawn from membership probabilities (draw × item × component, or chain × draw × item × component)."""
    shares = as_array(probabilities, "responsibilities")
    if shares.ndim not in (3, 4) or shares.dtype.kind not in "iuf" or 0 in shares.shape:
        got = f"shape {shares.shape}"
        raise ValueError(f"responsibilities must be a (n_draws, n_items, n_components) array of numbers: got {got}.")
    sums = shares.sum(axis=-1)
    if not (shares.min() >= -1e-6 and np.allclose(sums, 1, atol=1e-3)):
        got = f"a least value of {shares.min():.3g} and sums from {sums.min():.3g} to {sums.max():.3g}"
        raise ValueError(f"responsibilities must be probabilities that sum to 1 over the components: got {got}.")
    chains = None if shares.ndim == 3 else np.repeat(np.arange(shares.shape[0]), shares.shape[1])
    rows, rng = shares.reshape(-1, *shares.shape[-2:]), check_rng(random_state)
    draws = np.empty(rows.shape[:2], np.int32)
    for draw, row in zip(draws, rows, strict=True):
        below = np.cumsum(row, axis=1)
        draw[:] = (rng.random((len(row), 1)) * below[:, -1:] >= below).sum(axis=1)
    return RawDraws(np.minimum(draws, rows.shape[2] - 1), chains=chains)


def _one_per_column(source: Any, var: str, missing: Any) -> RawDraws:
    """A table, or a file of one, with one item per row and one clustering per column."""
    if isinstance(source, (str, Path)):
        source = _read_columns(Path(source))
    if not hasattr(source, "columns"):
        raw = read_draws(source, var)
        return RawDraws(as_array(raw.draws, "draws").T)
    if 0 in source.shape:
        raise UnusableError(f"source must have items and a clustering per column: got shape {source.shape}.")
    rows = [_column_codes(source.iloc[:, j], str(name), missing) for j, name in enumerate(source.columns)]
    return RawDraws(np.stack(rows), items=item_names(source))


def _column_codes(column: Any, name: str, missing: Any) -> AnyArray:
    """Labels of one column as whole numbers; an empty cell is an item left out."""
    import pandas as pd

    blank = column.isna().to_numpy()
    if blank.any() and missing is None:
        raise UnusableError(f"column {name!r} must label every item where none may be missing: got an empty cell.")
    if column.dtype.kind in "biuf" and not isinstance(column.dtype, pd.CategoricalDtype):
        numbers = np.where(blank, -1 if _is_nan(missing) else missing, column.to_numpy()) if blank.any() else column
        numbers = np.asarray(numbers)
        if (broken := numbers != np.floor(numbers)).any():
            raise UnusableError(
                f"column {name!r} must hold labels: got {numbers[broken][0]:g}. Leave other columns out."
            )
        return np.asarray(numbers.astype(np.int64))
    left_out = blank | (column.astype(str).to_numpy() == str(missing))
    codes = pd.factorize(column)[0].astype(np.int64)
    if left_out.any():
        codes[left_out] = -1 if _is_nan(missing) else missing
    return codes


def _read_columns(path: Path) -> pd.DataFrame:
    """A table from a file; a first column that names the items becomes the index."""
    import pandas as pd

    table = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, sep=None, engine="python")
    first = table.iloc[:, 0] if table.shape[1] > 1 else None
    names = first is not None and (first.dtype.kind not in "iufb" or str(table.columns[0]).startswith("Unnamed"))
    return table.set_index(table.columns[0]) if names and first is not None and first.is_unique else table


def _list_of_series(source: Any, missing: Any) -> RawDraws:
    """Label vectors that name their items, or categories that do not."""
    import pandas as pd

    columns = [part if hasattr(part, "index") else pd.Series(part) for part in source]
    first = columns[0].index
    for number, part in enumerate(columns):
        if not part.index.equals(first):
            odd = part.index.symmetric_difference(first)
            got = (
                f"another order in clustering {number}"
                if odd.empty
                else f"{odd[0]!r} in one of clusterings 0 and {number}"
            )
            rule = "source must hold clusterings of the same items"
            raise UnusableError(f"{rule}: got {got}. Make one table of them, with -1 for items left out.")
    rows = [_column_codes(part, f"clustering {number}", missing) for number, part in enumerate(columns)]
    return RawDraws(np.stack(rows), items=item_names(columns[0]))


def _columns_of_cells(source: Any, keys: Any) -> pd.DataFrame:
    """The columns of an AnnData's ``obs``, or of a table, that ``keys`` names or matches."""
    table: pd.DataFrame = source.obs if hasattr(source, "obs") else source
    if keys is None:
        raise ValueError("keys must name the columns of obs that hold clusterings, such as 'leiden_*': got None.")
    patterns = [keys] if isinstance(keys, str) else list(keys)
    names = [name for name in table.columns if any(fnmatchcase(str(name), pattern) for pattern in patterns)]
    if not names:
        there = shorten(", ".join(map(str, table.columns)))
        raise ValueError(f"keys must match columns with clusterings: got {keys!r}, and the columns are {there}.")
    return table[names]


def _read_blocks(source: Any) -> AnyArray:
    """Labels of an array on disk, a few draws at a time, each block in the smallest type that holds it."""
    step, blocks = max(1, BLOCK_CELLS // max(source.shape[1], 1)), []
    for first in range(0, source.shape[0], step):
        block = np.asarray(source[first : first + step])
        if block.dtype.kind in "iu" and block.size:
            block = block.astype(np.result_type(np.min_scalar_type(block.min()), np.min_scalar_type(block.max())))
        blocks.append(block)
    return np.concatenate(blocks)


def _as_pandas(source: Any) -> pd.DataFrame:
    """The same table for pandas, names kept, from any data frame that narwhals knows."""
    import narwhals
    import pandas as pd

    table = narwhals.from_native(source, eager_only=True)
    return pd.DataFrame({name: table[name].to_numpy() for name in table.columns})


def _are_memberships(source: Any) -> bool:
    """Whether an array holds probabilities over components: of three dimensions, and summing to one over the last."""
    values = np.asarray(source) if hasattr(source, "ndim") and hasattr(source, "dtype") else None
    if values is None or values.ndim not in (3, 4) or values.dtype.kind != "f" or values.size == 0:
        return False
    some = values.reshape(-1, values.shape[-1])[:1000]
    return bool(np.allclose(some.sum(axis=1), 1, atol=1e-3) and ((some > 0) & (some < 1)).any())


def looks_like_similarity(source: Any) -> bool:
    """Whether a square array holds similarities: symmetric, from 0 to 1, ones on the diagonal, and not all whole."""
    values = np.asarray(source) if hasattr(source, "shape") and hasattr(source, "dtype") else None
    if values is None or values.ndim != 2 or values.shape[0] != values.shape[1] or values.dtype.kind != "f":
        return False
    return bool(
        np.allclose(np.diag(values), 1, atol=1e-6)
        and (values >= 0).all()
        and (values <= 1 + 1e-6).all()
        and ((values > 0) & (values < 1)).any()
        and np.allclose(values, values.T, atol=1e-6)
    )


def _refuse_similarity(source: Any) -> None:
    if looks_like_similarity(source):
        help_ = "A similarity matrix alone suffices for estimate_partition(..., loss='binder') and loss='vi-bound'."
        raise UnusableError(f"source must hold draws of labels: got what looks like a similarity matrix. {help_}")


def _as_codes(draws: Any, missing: Any) -> AnyArray:
    """Text labels as numbers, and -1 or nan, whatever marks an item that is left out, as it was."""
    values = draws if isinstance(draws, np.ndarray) else as_array(draws, "draws")
    if values.dtype.kind not in "OUST":
        return np.asarray(values)
    import pandas as pd

    cells = values.ravel()
    blank = pd.isna(cells)
    if not all(isinstance(cell, str) for cell in cells[~blank]):
        return np.asarray(values)
    marks = {str(missing)} if missing is not None and not _is_nan(missing) else set()
    if blank.any() and missing is None:
        return np.asarray(values)  # refused, and named, where labels are checked
    left_out = blank | np.isin(cells.astype(str), list(marks))
    codes = pd.factorize(cells)[0].astype(float if _is_nan(missing) else np.int64)
    codes[left_out] = -1 if missing is None else missing
    return codes.reshape(values.shape)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
