"""Checks of chains and of items asked for, and a warning where draws look transposed."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from .._typing import AnyArray, IntArray
from .._validation import as_array, shorten


def check_chains(chains: ArrayLike, n_draws: int) -> IntArray:
    """One whole number per draw."""
    given = as_array(chains, "chains")
    if given.shape == (n_draws,) and given.dtype.kind in "iuf":
        with np.errstate(invalid="ignore"):  # what no integer can hold comes back changed
            ids = given.astype(np.int64)
        if (ids == given).all():
            return ids
    raise ValueError(f"chains must hold one whole number per draw, {n_draws} in all: got {shorten(chains)}.")


def warn_if_transposed(labels: AnyArray) -> None:
    """Warn where columns agree more than rows on which neighboring labels are equal: they may be the draws."""
    n_draws, n_items = labels.shape
    if n_draws < n_items and row_agreement(labels[:, :1000].T) > row_agreement(labels[:, :1000]) + 0.2:
        warnings.warn(
            f"draws has more items ({n_items}) than draws ({n_draws}) and its columns resemble draws: "
            "is it transposed? One row is one draw.",
            stacklevel=3,
        )


def row_agreement(labels: AnyArray) -> float:
    """How alike rows are: share of the variance of "neighboring labels are equal" between pairs of columns, 0 to 1."""
    alike = labels[:, 1:] == labels[:, :-1]
    mean = alike.mean() if alike.size else 0.0
    return float(alike.mean(axis=0).var() / (mean * (1 - mean))) if 0 < mean < 1 else 0.0


def check_items(items: ArrayLike, n_items: int, names: tuple[str, ...] | None) -> IntArray:
    """Numbers of items given by number, by name or by a mask."""
    wanted = np.atleast_1d(as_array(items, "items"))
    if wanted.dtype == bool and wanted.shape == (n_items,):
        wanted = np.flatnonzero(wanted)
    if wanted.ndim == 1 and names is not None and all(isinstance(name, str) for name in wanted.tolist()):
        number = {name: i for i, name in enumerate(names)}
        unknown = [name for name in wanted if name not in number]
        if unknown:
            raise ValueError(f"items must be names of this posterior's items: got {str(unknown[0])!r}.")
        wanted = np.array([number[name] for name in wanted], np.int64)
    numbers = wanted.ndim == 1 and wanted.size > 0 and wanted.dtype.kind in "iu"
    if not numbers or wanted.min() < 0 or wanted.max() >= n_items:
        raise ValueError(f"items must be numbers from 0 to {n_items - 1}, or names: got {shorten(items)}.")
    return wanted
