"""Options that all searches share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._parallel import Budget
from ..._typing import IntArray


@dataclass(frozen=True)
class Options:
    """Checked options of a search."""

    max_clusters: int
    n_starts: int
    starts: tuple[IntArray, ...]
    budget: Budget
    n_jobs: int
    rng: np.random.Generator
    n_neighbors: int | None = None  # of a walk over the lattice
