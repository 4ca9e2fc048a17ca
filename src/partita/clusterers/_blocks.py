"""Tables that come by blocks: encoded onto disk for a mixture, whose draws are kept there too."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._typing import AnyArray, IntArray
from .._validation import check_memory
from ..components import Component, Encoded
from ..components.by_blocks import check_disk, encode_blocks
from ..posterior import PartitionPosterior
from ..samplers.temporary_folder import make_folder
from ..tables.blocks import as_blocks


def encode_table(model: Any, component: Component, X: Any) -> tuple[Encoded, Any]:
    """The table as kernels read it, and rows that say what its columns are: itself, or of a table by blocks some.

    Rows of a table by blocks go to a folder for temporary files, which is removed with the model.
    """
    table = as_blocks(X)
    model._folder = None
    if table is None:
        return component.encode(X), X
    model._folder = make_folder(model)
    sample = table.sample()
    return encode_blocks(component, table, sample, model._folder), sample


def make_posterior(draws: AnyArray, chains: IntArray, names: list[str] | None) -> PartitionPosterior:
    """The posterior of draws in memory, or of draws on disk, which stay there."""
    if isinstance(draws, np.memmap):
        return PartitionPosterior._of_rows(np.asarray(draws), None, chains, None)
    return PartitionPosterior(draws, chains=chains, items=names)


class Room(NamedTuple):
    """Bytes that a run takes beside its table."""

    memory: int
    disk: int

    @property
    def words(self) -> str:
        """A sentence."""
        return f"Draws take up to {self.disk / 1e9:.2g} GB of disk, and chains {self.memory / 1e9:.2g} GB of memory."


def plan_room(n_items: int, n_latent: int, n_hyper: int, n_chains: int, n_draws: int, *, by_blocks: bool) -> Room:
    """What chains and their draws will take; draws are on disk, fused ones beside them, where a table is by blocks."""
    n_kept = n_chains * n_draws
    at_work = n_chains * (5 * 8 * n_items + 2 * 8 * n_latent)  # labels, precisions, and what is proposed for them
    beside = 8 * n_kept * (3 + n_hyper)
    if by_blocks:
        return Room(at_work + beside, n_kept * (2 * n_items + n_latent))
    return Room(at_work + beside + n_kept * (n_items + n_latent), 0)


def check_room(model: Any, encoded: Encoded) -> None:
    """Refuse more draws than memory, or the disk, will hold, with what is recorded beside each."""
    latent = encoded.latent.size * (1 if model.sampler_ == "blocked" else 4)
    sizes = (encoded.n_items, latent, encoded.hyper.size, model.n_chains, model.n_draws)
    room = plan_room(*sizes, by_blocks=model._folder is not None)
    what = f"The {model.n_chains * model.n_draws} draws of {encoded.n_items} items"
    check_memory(room.memory, what, "Take fewer draws.")
    if room.disk:
        check_disk(room.disk, model._folder, what)
