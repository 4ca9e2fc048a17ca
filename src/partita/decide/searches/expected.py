"""Expected losses of several partitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._parallel import run_parallel
from ..._typing import AnyArray
from ...losses import Loss
from ...posterior import PartitionPosterior
from .options import Options


def expected_losses(
    loss: Loss, posterior: PartitionPosterior, rows: Sequence[AnyArray], options: Options, description: str = ""
) -> list[float]:
    """Expected loss of each row; infinite, but for the first, once it is time to end."""

    def evaluate(number: int) -> float:
        if number > 0 and options.budget.exhausted:
            return np.inf
        return float(loss.expected(rows[number], posterior))

    return run_parallel(evaluate, range(len(rows)), options.n_jobs, description)
