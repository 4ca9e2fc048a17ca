"""Draws on disk: a file with a row per draw, in the smallest type, that chains fill as they go."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np

from .._typing import AnyArray


class DrawFile:
    """Rows of draws of several chains, chain after chain, and what was drawn for their items, in files of a folder.

    Labels take one byte each until a draw has more clusters than that counts; the file is then written anew.

    Parameters
    ----------
    folder : Path
        Where the files are.
    n_chains, n_draws, n_items, n_latent : int
        Chains, draws of each, items, and numbers drawn for items beside their labels.
    """

    def __init__(self, folder: Path, n_chains: int, n_draws: int, n_items: int, n_latent: int) -> None:
        self._folder, self._n_draws, self._filled = folder, n_draws, [0] * n_chains
        self._labels = _new(folder / "draws1.npy", np.uint8, (n_chains * n_draws, n_items))
        self._latent = _new(folder / "latent.npy", np.uint8, (n_chains * n_draws, n_latent)) if n_latent else None
        self._lock = threading.Lock()

    def put(self, chain: int, block: Any) -> Any:
        """Write the draws of a block; what is left of it stays in memory."""
        with self._lock:
            if block.draws.dtype.itemsize > self._labels.dtype.itemsize:
                self._widen(block.draws.dtype)
            first = chain * self._n_draws + self._filled[chain]
            rows = slice(first, first + len(block.draws))
            self._labels[rows] = block.draws
            if self._latent is not None:
                self._latent[rows] = block.latent
            self._filled[chain] += len(block.draws)
        return block._replace(draws=block.draws[:, :0], latent=block.latent[:, :0])

    def _widen(self, dtype: Any) -> None:
        wider = _new(self._folder / f"draws{dtype.itemsize}.npy", dtype, self._labels.shape)
        for row, old in zip(wider, self._labels, strict=True):
            row[:] = old
        before, self._labels = self._labels, wider
        Path(str(before.filename)).unlink()

    def fill(self, chain: Any) -> Any:
        """All chains end to end, what is on disk in its place."""
        self._labels.flush()
        latent = chain.latent if self._latent is None else self._latent
        return chain._replace(draws=self._labels, latent=latent)


def _new(path: Path, dtype: Any, shape: tuple[int, int]) -> Any:
    return np.lib.format.open_memmap(path, "w+", dtype, shape)


def file_like(rows: np.memmap[Any, Any], name: str) -> AnyArray:
    """Room for rows of the same shape, on disk beside them."""
    beside: AnyArray = _new(Path(str(rows.filename)).with_name(name), rows.dtype, rows.shape)
    return beside
