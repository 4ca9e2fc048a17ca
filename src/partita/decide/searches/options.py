"""What every search is told."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._parallel import Budget
from ..._typing import IntArray


@dataclass(frozen=True)
class Options:
    """The user's wishes, checked."""

    max_clusters: int
    n_starts: int
    starts: tuple[IntArray, ...]
    budget: Budget
    n_jobs: int
    rng: np.random.Generator
