"""Where chains of the blocked sampler start: from the collapsed sampler's posterior on some rows, extended to all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from .._kernels.constraints.chunklets import single_items
from ..components import Encoded
from ..components.gaussian import precision_numbers
from ..partitions import canonical
from . import blocked, collapsed
from .blocked import Problem, State
from .configuration import Statistics
from .run import run_chain
from .starts import PIECES, starts_at_resolutions

N_ROWS = 3000
N_DRAWS = 200


def start_from_subsample(
    problem: Problem, number: int, most_clusters: int | None, rng: np.random.Generator, n_rows: int = N_ROWS
) -> State:
    """Where chain ``number`` starts.

    The collapsed sampler runs on rows drawn at random, from a partition into as many pieces as the chain's number says.
    Given parameters of its last clusters all labels are drawn; the rows drawn at random keep theirs.
    """
    base = problem.base
    weights = base.chunklets.weight / base.chunklets.weight.sum()
    n_rows = min(n_rows, int((weights > 0).sum()))
    rows = np.sort(rng.choice(problem.n_items, n_rows, replace=False, p=weights))
    encoded = Encoded(
        tuple(replace(block, x=np.ascontiguousarray(block.x[rows])) for block in base.encoded.blocks),
        base.encoded.n_columns,
    )
    some = replace(base, encoded=encoded, chunklets=single_items(n_rows), uncounted=np.empty(0, np.int64))
    pieces = starts_at_resolutions(encoded, 1 + number % len(PIECES), rng)[-1]
    pieces = canonical(pieces if most_clusters is None else pieces % most_clusters)
    last, _ = run_chain(partial(collapsed.sweep, some), collapsed.init(some, pieces, rng, N_DRAWS), N_DRAWS, keep=False)
    with blocked.one_blas_thread():
        start = blocked.init(problem, np.zeros(problem.n_items, np.int64), rng)
        start = start._replace(concentration=last.concentration, hyper=last.hyper)
        small = blocked.make_problem(some)
        latent = precision_numbers(last.latent)
        config = blocked.configure(small, State(last.labels, last.concentration, last.hyper, latent, rng))
        natural = Statistics(problem.forms, last.hyper).draw(config.sums.features, rng)
        allocation = blocked.configure(problem, start).allocation
        allocation.draw_labels(natural, config.log_weights(config.sums.sizes), config.key())
        allocation.keep_labels()
    labels = allocation.labels()
    labels[rows] = last.labels
    return start._replace(labels=canonical(labels))
