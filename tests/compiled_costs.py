"""Arguments to try the kernels of generalized Bayes with."""

import numpy as np

import partita as pt
from partita._kernels.samplers.fixed_k import RateParams, Schedule
from partita.constraints.chunklets import make_chunklets
from partita.costs import ItakuraSaito, KullbackLeibler, Minkowski, SquaredEuclidean
from partita.costs.items import init_groups, make_groups
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


def cost_block(cost=None):
    """Arguments of a block of six draws."""
    data, groups = grouped(cost)
    return (
        *(LABELS, 0.7, RateParams(8.0, 0.0), Schedule(1, 2), data, groups, make_scratch(groups, 8), rng()),
        *(np.zeros((6, 8), np.uint8), np.zeros(6), np.zeros(6)),
    )


CASES = {
    "descend": (LABELS[::-1].copy(), 3, 0.7, 20, *grouped(MANHATTAN)),
    "assign_rows": (
        ROWS,
        ROWS[:3].T.copy(),
        np.arange(3.0),
        np.zeros(8, np.int64),
        np.zeros((3, 2)),
        np.zeros(3, np.int64),
    ),
    "run_cost_block": cost_block(),
    "run_cost_block: pairwise": cost_block(MANHATTAN),
    "run_cost_block: relative entropy": cost_block(KullbackLeibler()),
    "run_cost_block: Itakura-Saito": cost_block(ItakuraSaito()),
}
