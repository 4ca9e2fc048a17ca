"""Draws in and out of files and other libraries, as plain arrays.

Nothing here knows our own classes: :class:`partita.PartitionPosterior` calls these functions at its door. Tables
(csv, parquet, pandas) hold one draw per row and one item per column; the columns ``.chain``, ``.draw``,
``.iteration`` and ``.weight`` are set apart for what is known about each draw, ``.0``, ``.1``, ... for unnamed items.
"""

from __future__ import annotations

import csv
import os
import re
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._files import TooLargeError, atomic_write, check_file, check_format, check_packed, check_path
from .._typing import AnyArray
from .._validation import RESERVED, as_array, check_choice, check_kind, pandas_entries
from .hdf5 import check_hdf5
from .text import UnusableError, read_text

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

LARGE = 2**24  # bytes of a file of one array that is mapped, not loaded
NO_NAME = ("", "Unnamed: 0")  # a column of row names, as files have it and as pandas calls it


class RawDraws(NamedTuple):
    """Draws, weights, chains and item names as a source holds them, unchecked."""

    draws: Any
    weights: Any = None
    chains: Any = None
    items: Any = None


def read_draws(source: Any, var: str = "z") -> RawDraws:
    """Draws of partitions from an array, a table, a dict, an ArviZ or xarray object, or a path."""
    check_kind("var", var, str)
    if isinstance(source, (str, os.PathLike)):
        return _read_path(Path(source), var)
    if comes_from("xarray", source) or hasattr(source, "posterior"):  # first: some of these are mappings too
        return _from_xarray(source, var)
    if isinstance(source, Mapping):
        return _from_mapping(source, var)
    if comes_from("pandas", source):
        return _from_table(source, var)
    return _from_array(source)


def write_draws(path: str | os.PathLike[str], raw: RawDraws) -> None:
    """Write draws to csv, npz, npy, parquet or netCDF, atomically."""
    path = check_path("path", path)
    suffix = check_choice("path suffix", path.suffix.lower(), WRITERS)
    check_format("path", path)
    with atomic_write(path) as partial:
        WRITERS[suffix](partial, raw)


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


def to_arviz(raw: RawDraws) -> Any:
    """The draws as the ArviZ that is installed reads them."""
    return as_installed(to_datatree(raw))


def as_installed(tree: xr.DataTree) -> Any:
    """What the ArviZ that is installed reads: a tree of groups, or before ArviZ 1 an ``InferenceData``."""
    try:
        before_trees = version("arviz").startswith("0.")
    except PackageNotFoundError:
        return tree
    if not before_trees:
        return tree
    import arviz

    return arviz.InferenceData(**{name: node.to_dataset() for name, node in tree.children.items()})


def _read_path(path: Path, var: str) -> RawDraws:
    suffix = path.with_suffix("").suffix.lower() + ".gz" if path.suffix.lower() == ".gz" else path.suffix.lower()
    text = {".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"}
    check_choice("path suffix", suffix, text | {".npz", ".npy", ".parquet", ".nc"})
    check_file("path", path)
    try:
        return _from_table(read_text(path), var) if suffix in text else _read_binary(path, suffix, var)
    except (TooLargeError, UnusableError) as error:
        raise ValueError(f"{path.name}: {error}") from None
    except (MemoryError, PermissionError):
        raise
    except Exception as error:  # whatever a library raises on bytes it was not made for
        hint = "" if suffix in text or "pickle" in str(error) else " Is it truncated?"
        raise ValueError(f"{path.name} must be a whole {suffix} file: {error}.{hint}") from error


def _read_binary(path: Path, suffix: str, var: str) -> RawDraws:
    """Only what is asked for is loaded: other variables of a file stay there."""
    if suffix == ".npz":
        check_packed("draws", path)
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return _from_mapping(archive, var)
    if suffix == ".npy":
        return _from_array(_load_array(path))
    if suffix == ".parquet":
        import pandas as pd

        return _from_table(pd.read_parquet(path), var)
    import xarray as xr

    check_hdf5(path)
    with xr.open_datatree(path, engine="h5netcdf") as tree:
        return _from_xarray(tree, var)


def _load_array(path: Path) -> AnyArray:
    """The array of a file; a large one stays on disk until labels are read from it in their own type."""
    if path.stat().st_size > LARGE:
        return np.asanyarray(np.load(path, mmap_mode="r", allow_pickle=False))
    try:
        return np.asarray(np.load(path, allow_pickle=False))
    except MemoryError:
        raise ValueError("its header promises more than there is") from None


def _from_array(source: Any) -> RawDraws:
    """2-D draws x items, 3-D chain x draw x items, a list of label vectors, or a list of 2-D chains."""
    if isinstance(source, (list, tuple)) and source and all(_depth(part) == 2 for part in source):
        parts = [as_array(part, "draws") for part in source]
        if len({part.shape[-1] for part in parts}) > 1:
            got = ", ".join(str(part.shape[-1]) for part in parts)
            raise ValueError(f"draws must label the same items in every chain: got {got} items.")
        return RawDraws(np.concatenate(parts), chains=np.repeat(np.arange(len(parts)), [len(p) for p in parts]))
    values = as_array(source, "draws")
    if values.ndim != 3:
        return RawDraws(values)
    n_chains, n_draws, n_items = values.shape
    return RawDraws(values.reshape(n_chains * n_draws, n_items), chains=np.repeat(np.arange(n_chains), n_draws))


def _depth(values: Any) -> int:
    """How many dimensions nested lists of arrays have."""
    nested = 0
    while isinstance(values, (list, tuple)) and values:
        values, nested = values[0], nested + 1
    return nested + np.ndim(values)


def _from_mapping(source: Mapping[str, Any], var: str) -> RawDraws:
    key = next((k for k in (var, "draws") if k in source), None)
    if key is None and len(source) == 1:
        key = next(iter(source))
    if key is None:
        raise UnusableError(f"var must name one of the arrays {', '.join(map(str, source))}: got {var!r}.")
    raw = _from_array(source[key])

    def fitting(name: str, length: int) -> Any:
        """An array of this name and length; a model's own variable may have the name, and is no vector then."""
        values = source.get(name)
        if values is None:
            return None
        array = as_array(values, name)
        if array.size != length and array.ndim == 1:
            raise UnusableError(f"{name} must hold {length} values, as the draws in {key!r} do: got {array.size}.")
        return np.ravel(array) if array.size == length else None

    if raw.draws.ndim != 2:
        return raw
    n_draws, n_items = raw.draws.shape
    chains = fitting("chains", n_draws)
    weights, items = fitting("weights", n_draws), fitting("items", n_items)
    return RawDraws(raw.draws, weights, raw.chains if chains is None else chains, items)


def _from_table(table: pd.DataFrame, var: str) -> RawDraws:
    """One draw per row; columns are items, but for metadata of each draw, or those that ``var`` names: z[1], z[2]."""
    if not hasattr(table, "columns"):
        raise TypeError(f"source must be a table with one draw per row: got a {type(table).__name__}.")
    names = [str(name) for name in table.columns]
    ours = bool(names) and RESERVED.fullmatch(names[0]) is not None
    about = {name: i for i, name in enumerate(names) if _is_about(name, ours)}
    if bare := [name for name in about if name and not name.startswith(".")]:
        warnings.warn(f"{', '.join(bare)}: read as metadata, not as items.", stacklevel=5)
    labels = [i for i, name in enumerate(names) if i not in about.values() and (i or name not in NO_NAME)]
    column_of = {name.lower().lstrip("."): table.iloc[:, i].to_numpy() for name, i in about.items()}
    chains = column_of.get("chain")
    if chains is None and "chain" in table.index.names:
        chains = table.index.get_level_values("chain").to_numpy()
    of_var = [i for i in labels if re.fullmatch(rf"{re.escape(var)}[\[.(]\d+[\])]?", names[i])]
    labels = of_var or labels
    values = pandas_entries(table.iloc[:, labels])
    if not of_var:
        _check_columns(values, [names[i] for i in labels], var)
    items = [names[i] for i in labels]
    unnamed = items == [f"{'.' if ours else ''}{i}" for i in range(len(items))]
    return RawDraws(values, column_of.get("weight"), chains, None if unnamed else items)


def _check_columns(values: AnyArray, names: list[str], var: str) -> None:
    """Name the first column that holds other numbers than labels, such as a log density beside them."""
    if values.dtype.kind != "f":
        return
    broken = (np.isfinite(values) & (values != np.floor(values))).any(axis=0)
    if broken.any():
        column = int(broken.argmax())
        got = next(value for value in values[:, column] if value != np.floor(value))
        rule = f"column {names[column]!r} must hold labels, whole numbers"
        raise UnusableError(
            f"{rule}: got {got:g}. Which columns hold labels, var says: now {var!r}, for {var}[1], {var}[2]."
        )


def _is_about(name: str, ours: bool) -> bool:
    """Whether a column is metadata of the draws. Other programs name such columns without the dot."""
    bare = not ours and name.lower() in {"chain", "draw", "iteration"}
    return bare or (RESERVED.fullmatch(name) is not None and not name[1:].isdigit())


def comes_from(library: str, source: Any) -> bool:
    """Whether an object, or what its class builds on, is this library's, without importing the library."""
    return any(kind.__module__.split(".")[0] == library for kind in type(source).__mro__)


def _from_xarray(source: Any, var: str) -> RawDraws:
    """A DataTree or InferenceData (their posterior group), a Dataset, or a DataArray."""
    group = getattr(source, "posterior", source)
    array, weights = _variable(group, var), None
    sampled = [d for d in ("chain", "draw", "sample") if d in array.dims]
    items = [d for d in array.dims if d not in sampled]
    if len(items) != 1 or not sampled:
        got = ", ".join(map(str, array.dims)) or "none"
        raise UnusableError(f"var must have one dimension of items beside chain, draw or sample: got {got}.")
    array = array.transpose(*sampled, *items)
    if hasattr(source, "sample_stats") and "weight" in source.sample_stats:
        weights = source.sample_stats["weight"].transpose("chain", "draw").to_numpy().ravel()
    n_items = array.sizes[items[0]]
    draws = array.to_numpy().reshape(-1, n_items)
    chains = None
    if ("chain" in array.coords or "chain" in sampled) and array["chain"].size and group.attrs.get("chains", 1):
        numbers = array["chain"].to_numpy()  # one per chain, one per stacked sample, or that of the only chain left
        chains = np.repeat(numbers, len(draws) // numbers.size) if numbers.ndim else None
    names = array[items[0]].to_numpy() if items[0] in array.coords else None
    unnamed = names is None or (names.dtype.kind in "iu" and (names == np.arange(n_items)).all())
    return RawDraws(draws, weights, chains, None if unnamed else names)


def _variable(group: Any, var: str) -> Any:
    if not hasattr(group, "data_vars"):
        return group
    names = [str(name) for name in group.data_vars]
    if var not in names and len(names) != 1:
        raise UnusableError(f"var must name one of the variables {', '.join(names)}: got {var!r}.")
    return group[var if var in names else names[0]]


def _write_npz(path: Path, raw: RawDraws) -> None:
    arrays: dict[str, Any] = {key: np.asarray(v) for key, v in raw._asdict().items() if v is not None}
    with path.open("wb") as file:  # given a path, numpy adds a suffix of its own
        np.savez_compressed(file, **arrays)


def _write_npy(path: Path, raw: RawDraws) -> None:
    lost = [key for key in ("weights", "chains", "items") if getattr(raw, key) is not None]
    if lost:
        raise ValueError(f"path suffix must keep the {' and '.join(lost)}: got '.npy'. Use '.npz'.")
    whole = BytesIO()  # into a file numpy writes by itself, without saying why it cannot
    np.save(whole, raw.draws)
    path.write_bytes(whole.getbuffer())


def _write_netcdf(path: Path, raw: RawDraws) -> None:
    """In memory first: the library of the format ends the whole process where a disk is full."""
    whole = BytesIO()
    to_datatree(raw).to_netcdf(whole, engine="h5netcdf")
    path.write_bytes(whole.getbuffer())


def to_table(raw: RawDraws) -> pd.DataFrame:
    """One draw per row, as tables and files have them."""
    import pandas as pd

    n_draws, n_items = raw.draws.shape
    items = [f".{i}" for i in range(n_items)] if raw.items is None else list(raw.items)
    about: dict[str, AnyArray] = {}
    if raw.chains is not None:
        about[".chain"] = raw.chains
    if raw.weights is not None:
        about[".weight"] = raw.weights
    about[".draw"] = np.arange(n_draws)
    return pd.concat([pd.DataFrame(about), pd.DataFrame(raw.draws, columns=items)], axis=1)


WRITERS: dict[str, Callable[[Path, RawDraws], None]] = {
    ".csv": lambda path, raw: to_table(raw).to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC),
    ".nc": _write_netcdf,
    ".npy": _write_npy,
    ".npz": _write_npz,
    ".parquet": lambda path, raw: to_table(raw).to_parquet(path, index=False),
}
