"""Arguments to try the kernels of generalized Bayes with."""

import numpy as np

import partita as pt
from partita._kernels.costs.groups import init_groups
from partita._kernels.samplers.fixed_k import RateParams, Schedule
from partita.constraints.chunklets import make_chunklets
from partita.costs import Minkowski, SquaredEuclidean
from partita.costs.items import make_groups
from partita.samplers.fixed_k import make_scratch

ROWS = np.random.default_rng(0).gamma(2, size=(8, 2))
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
CHUNKLETS = make_chunklets(pt.Constraints(cannot_link=[(0, 1)], n_items=8, cannot_link_weights=0.5))


def grouped(cost=None, labels=LABELS):
    """Statistics of the items and their groups: three clusters and five scratch rows."""
    data = (cost or SquaredEuclidean()).encode(ROWS).data(CHUNKLETS)
    groups = make_groups(data, 3)
    init_groups(labels, data, groups)
    return data, groups


def rng():
    return np.random.default_rng(3)


MANHATTAN = Minkowski(1)

CASES = {
    "init_groups": (LABELS[::-1].copy(), *grouped(MANHATTAN)),
    "descend": (3, 0.7, 20, *grouped(MANHATTAN)),
    "assign_rows": (
        ROWS,
        ROWS[:3].T.copy(),
        np.arange(3.0),
        np.zeros(8, np.int64),
        np.zeros((3, 2)),
        np.zeros(3, np.int64),
    ),
    "run_cost_block": (
        LABELS,
        0.7,
        RateParams(8.0, 0.0),
        Schedule(1, 2),
        *grouped(),
        make_scratch(grouped()[1], 8),
        rng(),
        np.zeros((6, 8), np.uint8),
        np.zeros(6),
        np.zeros(6),
    ),
}
