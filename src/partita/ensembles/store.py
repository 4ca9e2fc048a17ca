"""Runs of an ensemble on disk, so that those that are done need not be done again."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from .._files import atomic_write
from .._typing import AnyArray, IntArray

NOT_DONE = -2


class RunStore:
    """Labels of each run in a mapped file, and beside it what they are runs of."""

    def __init__(self, path: str | os.PathLike[str], n_runs: int, n_items: int, settings: dict[str, Any]) -> None:
        self._path = Path(path)
        about = self._path.with_name(f"{self._path.name}.json")
        if self._path.suffix != ".npy":
            raise ValueError(f"checkpoint must be the path of an .npy file: got {str(path)!r}.")
        if self._path.exists() and about.exists():
            _check_same(json.loads(about.read_text(encoding="utf-8")), settings)
            self._rows: AnyArray = np.load(self._path, mmap_mode="r+", allow_pickle=False)
            if self._rows.shape != (n_runs, n_items):
                raise ValueError(f"checkpoint must hold {n_runs} runs of {n_items} items: got {self._rows.shape}.")
            return
        self._rows = np.lib.format.open_memmap(self._path, "w+", np.int32, (n_runs, n_items))
        self._rows[:] = NOT_DONE
        with atomic_write(about) as partial:
            partial.write_text(json.dumps(settings), encoding="utf-8")

    def get(self, number: int) -> IntArray | None:
        """Labels of a run that is done."""
        row = np.asarray(self._rows[number])
        return None if (row == NOT_DONE).any() else row.astype(np.int64)

    def put(self, number: int, labels: IntArray) -> None:
        """Keep the labels of a run."""
        self._rows[number] = labels
        self._rows.flush()  # type: ignore[attr-defined]


def _check_same(before: dict[str, Any], now: dict[str, Any]) -> None:
    changed = [name for name in now if before.get(name) != now[name]]
    if changed:
        rule = "checkpoint must be of the same ensemble"
        raise ValueError(f"{rule}: got another {' and '.join(changed)}. Give another path, or remove the file.")
