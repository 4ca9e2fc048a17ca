"""Draws in and out of files and other libraries, as plain arrays.

Nothing here knows our own classes: :class:`partita.PartitionPosterior` calls these functions at its door. Tables
(csv, parquet, pandas) hold one draw per row and one item per column; the columns ``.chain``, ``.draw`` and
``.weight`` are set apart for what is known about each draw.
"""

from __future__ import annotations

import csv
import os
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from ._check import check_choice

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

RESERVED = (".chain", ".draw", ".weight")


class RawDraws(NamedTuple):
    """What a source holds, unchecked."""

    draws: Any
    weights: Any = None
    chains: Any = None
    items: Any = None


def read_draws(source: Any, var: str = "z") -> RawDraws:
    """Draws of partitions from an array, a table, a dict, an ArviZ or xarray object, or a path."""
    if isinstance(source, (str, os.PathLike)):
        return _read_path(Path(source), var)
    if isinstance(source, Mapping) and not _comes_from("xarray", source):
        return _from_mapping(source, var)
    if _comes_from("xarray", source) or hasattr(source, "posterior"):
        return _from_xarray(source, var)
    if _comes_from("pandas", source):
        return _from_table(source)
    return _from_array(source)


def write_draws(path: str | os.PathLike[str], raw: RawDraws) -> None:
    """Write draws to csv, npz, npy, parquet or netCDF, whole or not at all."""
    path = Path(path)
    suffix = check_choice("path suffix", path.suffix.lower(), WRITERS)
    with whole_file(path) as partial:
        WRITERS[suffix](partial, raw)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to that becomes ``path`` only when the block ends well: the old file is whole until then."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"path must lie in a folder that exists: got {str(path)!r}.")
    partial = path.with_name(f".{path.stem}-{uuid4().hex}{path.suffix}")
    try:
        yield partial
        with partial.open("rb") as written:
            os.fsync(written.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_table(path: str | os.PathLike[str], table: pd.DataFrame | pd.Series) -> None:
    """Write a table as csv, whole or not at all."""
    with whole_file(Path(path)) as partial:
        table.to_csv(partial)


def to_datatree(raw: RawDraws) -> xr.DataTree:
    """ArviZ's exchange format: variable ``z`` over chain, draw and item."""
    import arviz_base

    n_draws, n_items = raw.draws.shape
    ids, lengths = (np.array([0]), [n_draws]) if raw.chains is None else np.unique(raw.chains, return_counts=True)
    if len(set(lengths)) > 1:
        raise ValueError(f"chains must have the same number of draws for ArviZ: got {', '.join(map(str, lengths))}.")
    shape = (len(ids), n_draws // len(ids))
    groups: dict[str, dict[str, Any]] = {"posterior": {"z": np.asarray(raw.draws).reshape(*shape, n_items)}}
    if raw.weights is not None:
        groups["sample_stats"] = {"weight": np.reshape(raw.weights, shape)}
    items = np.arange(n_items) if raw.items is None else np.asarray(raw.items, dtype=str)
    tree: xr.DataTree = arviz_base.from_dict(groups, coords={"item": items, "chain": ids}, dims={"z": ["item"]})
    # arviz numbers a lone chain too; this says whether there were chains to begin with.
    tree["posterior"].attrs["chains"] = int(raw.chains is not None)
    return tree


def _read_path(path: Path, var: str) -> RawDraws:
    suffixes = {".csv", ".tsv", ".txt", ".npz", ".npy", ".parquet", ".nc"}
    suffix = check_choice("path suffix", path.suffix.lower(), suffixes)
    if not path.is_file():
        raise FileNotFoundError(f"path must name a file: got {str(path)!r}.")
    try:
        if suffix == ".npz":
            with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
                return _from_mapping({key: archive[key] for key in archive.files}, var)
        if suffix == ".npy":
            return _from_array(np.load(path, allow_pickle=False))
        if suffix == ".parquet":
            import pandas as pd

            return _from_table(pd.read_parquet(path))
        if suffix == ".nc":
            import xarray as xr

            with xr.open_datatree(path, engine="h5netcdf") as tree:
                return _from_xarray(tree.load(), var)
        return _read_text(path)
    except _UnusableError as error:
        raise ValueError(f"{path.name}: {error}") from None
    except (EOFError, KeyError, OSError, ValueError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path.name} must be a whole {suffix} file: {error}. Is it truncated?") from error


class _UnusableError(ValueError):
    """The source was read, and what it holds is no set of draws."""


def _from_array(source: Any) -> RawDraws:
    """2-D draws x items, 3-D chain x draw x items, or a list of label vectors."""
    if isinstance(source, (list, tuple)):
        return RawDraws(source)
    values = np.asarray(source)
    if values.ndim != 3:
        return RawDraws(values)
    n_chains, n_draws, n_items = values.shape
    return RawDraws(values.reshape(-1, n_items), chains=np.repeat(np.arange(n_chains), n_draws))


def _from_mapping(source: Mapping[str, Any], var: str) -> RawDraws:
    key = next((k for k in (var, "draws") if k in source), None)
    if key is None and len(source) == 1:
        key = next(iter(source))
    if key is None:
        raise _UnusableError(f"var must name one of the arrays {', '.join(map(str, source))}: got {var!r}.")
    raw = _from_array(source[key])
    chains = source.get("chains")
    return RawDraws(raw.draws, source.get("weights"), raw.chains if chains is None else chains, source.get("items"))


def _from_table(table: pd.DataFrame) -> RawDraws:
    names = [str(c) for c in table.columns]
    chains = table[".chain"].to_numpy() if ".chain" in names else None
    weights = table[".weight"].to_numpy() if ".weight" in names else None
    if chains is None and "chain" in table.index.names:
        chains = table.index.get_level_values("chain").to_numpy()
    labels = table[[c for c, name in zip(table.columns, names, strict=True) if name not in RESERVED]]
    items = [str(c) for c in labels.columns]
    numbered = items == [str(i) for i in range(len(items))]
    return RawDraws(labels.to_numpy(), weights, chains, None if numbered else items)


def _comes_from(library: str, source: Any) -> bool:
    """Whether an object is this library's, without importing the library."""
    return type(source).__module__.split(".")[0] == library


def _from_xarray(source: Any, var: str) -> RawDraws:
    """A DataTree or InferenceData (their posterior group), a Dataset, or a DataArray."""
    group = getattr(source, "posterior", source)
    array, weights = group, None
    if not hasattr(group, "dims") or hasattr(group, "data_vars"):
        names = [str(v) for v in group.data_vars]
        if var not in names:
            raise _UnusableError(f"var must name one of the variables {', '.join(names)}: got {var!r}.")
        array = group[var]
    if hasattr(source, "sample_stats") and "weight" in source.sample_stats:
        weights = source.sample_stats["weight"].transpose("chain", "draw").to_numpy().ravel()
    leading = [d for d in ("chain", "draw", "sample") if d in array.dims]
    rest = [d for d in array.dims if d not in leading]
    values = array.transpose(*leading, *rest).to_numpy()
    raw = _from_array(values)
    chains = raw.chains
    if "chain" in leading and "draw" in leading:
        chains = np.repeat(array["chain"].to_numpy(), array.sizes["draw"])
        if group.attrs.get("chains", 1) == 0:
            chains = None
    names_of_items = array[rest[-1]].to_numpy() if rest and rest[-1] in array.coords else None
    if names_of_items is not None and names_of_items.dtype.kind in "iu":
        names_of_items = None
    return RawDraws(raw.draws, weights, chains, names_of_items)


def _read_text(path: Path) -> RawDraws:
    import pandas as pd

    with path.open(newline="", encoding="utf-8-sig") as file:
        head = [line for _, line in zip(range(2), file, strict=False)]
    if not head:
        raise _UnusableError("draws must hold at least one draw: the file is empty.")
    separator = max(",;\t ", key=head[0].count)
    first, *_ = csv.reader(head, delimiter=separator)
    named = not all(_is_label(cell) for cell in first)
    table = pd.read_csv(
        path,
        sep=separator,
        header=0 if named else None,
        index_col=False,
        encoding="utf-8-sig",
        skipinitialspace=True,
        converters={".weight": float} if ".weight" in first else None,
    )
    if named:
        unnamed_index = _counts_up(table.iloc[:, 0]) and _names_an_index(first[0])
        return _from_table(table.iloc[:, 1:] if unnamed_index else table)
    if len(table) > 2 and _counts_up(table.iloc[:, 0]):
        warnings.warn(f"{path.name}: the first column counts the rows and was left out.", stacklevel=5)
        table = table.iloc[:, 1:]
    if len(table) > 2 and table.shape[1] > 2 and _counts_up(table.iloc[0]):
        warnings.warn(f"{path.name}: the first row counts the columns and was read as a header.", stacklevel=5)
        table = table.iloc[1:]
    return _from_array(table.to_numpy())


def _is_label(cell: str) -> bool:
    try:
        return float(cell) == float(cell)
    except ValueError:
        return False


def _names_an_index(name: str) -> bool:
    return name.strip().lower() in {"", "index", "draw", "iteration", "iter", "sample", "row"}


def _counts_up(values: pd.Series) -> bool:
    numbers = values.to_numpy()
    return bool(numbers.size and numbers.dtype.kind in "iuf" and numbers[0] in (0, 1) and (np.diff(numbers) == 1).all())


def _write_npz(path: Path, raw: RawDraws) -> None:
    arrays: dict[str, Any] = {key: np.asarray(v) for key, v in raw._asdict().items() if v is not None}
    np.savez_compressed(path, **arrays)


def _write_npy(path: Path, raw: RawDraws) -> None:
    lost = [key for key in ("weights", "chains", "items") if getattr(raw, key) is not None]
    if lost:
        raise ValueError(f"path suffix must keep the {' and '.join(lost)}: got '.npy'. Use '.npz'.")
    np.save(path, raw.draws)


def _to_table(raw: RawDraws) -> pd.DataFrame:
    import pandas as pd

    n_draws, n_items = raw.draws.shape
    items = [str(i) for i in range(n_items)] if raw.items is None else list(raw.items)
    about: dict[str, NDArray[Any]] = {}
    if raw.chains is not None:
        about[".chain"] = raw.chains
    if raw.weights is not None:
        about[".weight"] = raw.weights
    about[".draw"] = np.arange(n_draws)
    return pd.concat([pd.DataFrame(about), pd.DataFrame(raw.draws, columns=items)], axis=1)


WRITERS: dict[str, Callable[[Path, RawDraws], None]] = {
    ".csv": lambda path, raw: _to_table(raw).to_csv(path, index=False),
    ".nc": lambda path, raw: to_datatree(raw).to_netcdf(path, engine="h5netcdf"),
    ".npy": _write_npy,
    ".npz": _write_npz,
    ".parquet": lambda path, raw: _to_table(raw).to_parquet(path, index=False),
}
