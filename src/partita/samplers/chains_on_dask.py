"""Whole chains on the workers of a Dask cluster, for tables so small that to cut them costs more than it saves.

A pass over 10⁵ items takes a worker some ten milliseconds, and so does a round trip. So each worker gets the whole
table, and a task is a block of draws: a pure function of where the chain stands. What a lost worker was drawing is
drawn again by another, and comes out the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..components import Encoded
from . import blocked, collapsed
from .base import Sweep
from .engines.dask import find_client, sending_rows

SMALL = 2**23  # numbers in a table


def is_small(encoded: Encoded) -> bool:
    """Whether each worker may have the whole table: a small one, in memory."""
    tables = [block.x for block in encoded.blocks]
    return sum(x.size for x in tables) <= SMALL and not any(isinstance(x, np.memmap) for x in tables)


def sweep_on_workers(base: collapsed.Problem, client: Any = None, schedule: blocked.Schedule = blocked.EACH) -> Sweep:
    """A sweep of the blocked sampler that some worker makes."""
    client = find_client() if client is None else client
    with sending_rows():
        problem = client.submit(blocked.make_problem, base, schedule=schedule, pure=False)
    return partial(_sweep_there, client.submit, problem)


def _sweep_there(submit: Callable[..., Any], problem: Any, state: blocked.State, n_draws: int) -> Any:
    return submit(blocked.sweep, problem, state, n_draws, pure=False).result()
