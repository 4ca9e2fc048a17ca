"""Tables that come by blocks: encoded onto disk for a mixture, whose draws are kept there too."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from .._typing import AnyArray, IntArray
from .._validation import check_memory
from ..components import Component, Encoded
from ..components.by_blocks import check_disk, encode_blocks
from ..posterior import PartitionPosterior
from ..tables.blocks import as_blocks


def encode_table(model: Any, component: Component, X: Any) -> tuple[Encoded, Any]:
    """The table as kernels read it, and rows that say what its columns are: itself, or of a table by blocks some.

    Rows of a table by blocks go to a folder for temporary files, which is removed with the model.
    """
    table = as_blocks(X)
    model._folder = None
    if table is None:
        return component.encode(X), X
    model._folder = Path(tempfile.mkdtemp(prefix="partita-"))
    weakref.finalize(model, shutil.rmtree, model._folder, ignore_errors=True)
    sample = table.sample()
    return encode_blocks(component, table, sample, model._folder), sample


def make_posterior(draws: AnyArray, chains: IntArray, names: list[str] | None) -> PartitionPosterior:
    """The posterior of draws in memory, or of draws on disk, which stay there."""
    if isinstance(draws, np.memmap):
        return PartitionPosterior._of_rows(np.asarray(draws), None, chains, None)
    return PartitionPosterior(draws, chains=chains, items=names)


def plan_room(model: Any, encoded: Encoded) -> tuple[int, int]:
    """Bytes that chains and draws will take: in memory, and on disk where a table comes by blocks."""
    n_items, n_draws, blocked = encoded.n_items, model.n_chains * model.n_draws, model.sampler_ == "blocked"
    kept = n_draws * (n_items + (1 if blocked else 4) * encoded.latent.size)
    at_work = model.n_chains * (5 * 8 * n_items + 2 * 8 * encoded.latent.size)  # labels, precisions, those proposed
    beside = 8 * n_draws * (3 + encoded.hyper.size)
    return (at_work + beside, 2 * kept) if model._folder is not None else (at_work + beside + kept, 0)


def check_room(model: Any, encoded: Encoded) -> None:
    """Refuse more draws than memory, or the disk, will hold, with what is recorded beside each."""
    memory, disk = plan_room(model, encoded)
    what = f"The {model.n_chains * model.n_draws} draws of {encoded.n_items} items"
    check_memory(memory, what, "Take fewer draws.")
    if disk:
        check_disk(disk, model._folder, what)
