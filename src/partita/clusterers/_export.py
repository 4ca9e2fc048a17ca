"""What a fitted mixture hands over: a tree of ArviZ's groups, and the means of its clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import FloatArray, IntArray
from ..components import Encoded, encode_entries, table_entries
from ..components.categorical import CategoryBlock
from ..posterior.io import RawDraws, as_installed, to_datatree
from ._sampling import relevant_columns

TIES = (
    1e-9  # spread of noise on log densities: ArviZ fits a tail to the smallest of them, and fails where all are equal
)


def mixture_tree(model: Any, log_likelihood: bool, tables: list[Any]) -> Any:
    """Draws, what was drawn beside them, densities of items and replicated tables, as the installed ArviZ reads."""
    import xarray as xr

    posterior = model.posterior_
    shape, raw = (model.n_chains, model.n_draws), RawDraws(posterior.draws, None, posterior.chains, posterior.items)
    tree = to_datatree(raw)
    beside: dict[str, Any] = {"n_clusters": posterior.n_clusters(), "concentration": model.concentration_}
    if model.component_posterior_ is not posterior:
        beside["n_components"] = model.component_posterior_.n_clusters()
    groups = {
        "posterior": {
            **{name: (("chain", "draw"), values.reshape(shape)) for name, values in beside.items()},
            **_hyperparameters(model, shape),
        },
        "sample_stats": {"lp": (("chain", "draw"), model.log_posterior_.reshape(shape))},
    }
    if model.select_columns:
        groups["posterior"]["relevant"] = (("chain", "draw", "column"), relevant_columns(model).reshape(*shape, -1))
    if log_likelihood and model._draws.is_plain:
        values = model._draws.log_likelihood()
        values += np.random.default_rng(0).uniform(-TIES, TIES, size=values.shape)
        groups["log_likelihood"] = {"x": (("chain", "draw", "item"), values.reshape(*shape, -1))}
    if tables:
        groups |= _predictive(model, tables)
    for name, variables in groups.items():
        here = tree[name].to_dataset() if name in tree.children else xr.Dataset()
        coords = {d: tree["posterior"][d] for d in ("chain", "draw", "item") if name != "posterior_predictive"}
        made = here.assign(variables)
        tree[name] = xr.DataTree(made.assign_coords({d: c for d, c in coords.items() if d in made.dims}))
    return as_installed(tree)


def _column_names(model: Any) -> list[str]:
    return [str(name) for name in getattr(model, "feature_names_in_", range(model._encoded.n_columns))]


def _hyperparameters(model: Any, shape: tuple[int, int]) -> dict[str, Any]:
    """Learned hyperparameters by name, with the number of their block where several learn."""
    blocks, hyper = model._encoded.blocks, model._draws.chain.hyper
    pieces = np.split(hyper, np.cumsum([block.hyper.size for block in blocks])[:-1], axis=1)
    several = sum(block.learns for block in blocks) > 1
    out: dict[str, Any] = {}
    for b, (block, piece) in enumerate(zip(blocks, pieces, strict=True)):
        for name, values in block.learned(piece).items():
            key = f"{name}_{b}" if several else name
            dims = ("chain", "draw") if values.ndim == 1 else ("chain", "draw", f"{key}_column")
            out[key] = (dims, values.reshape(*shape, *values.shape[1:]))
    return out


def _predictive(model: Any, tables: list[Any]) -> dict[str, dict[str, Any]]:
    """Columns of replicated tables and of the data, in draws that belong to no chain."""
    names = _column_names(model)
    used = sorted(j for block in model._encoded.blocks for j in block.columns)
    drawn = np.array([encode_entries(model._encoded, table) for table in tables])[np.newaxis]
    observed = table_entries(model._encoded)
    return {
        "posterior_predictive": {names[j]: (("chain", "draw", "row"), drawn[..., j]) for j in used},
        "observed_data": {names[j]: (("item",), observed[:, j]) for j in used},
    }


def as_fitted_table(model: Any, rows: list[Any]) -> Any:
    """Rows as the kind of table that was fitted."""
    if hasattr(model, "feature_names_in_"):
        import pandas as pd

        return pd.DataFrame(rows, columns=model.feature_names_in_)
    return np.array(rows)


def cluster_means(encoded: Encoded, labels: IntArray, weights: FloatArray) -> FloatArray:
    """Weighted mean of each column in each cluster, over the entries that are present; NaN for categories."""
    entries = table_entries(encoded)
    for block in encoded.blocks:
        if isinstance(block, CategoryBlock):
            entries[:, list(block.columns)] = np.nan
    present = ~np.isnan(entries) * weights[:, np.newaxis]
    member = labels == np.arange(labels.max() + 1)[:, np.newaxis]
    with np.errstate(invalid="ignore"):
        return np.asarray((member @ (present * np.nan_to_num(entries))) / (member @ present))
