"""Arguments to try the kernels of generalized Bayes with."""

import numpy as np

import partita as pt
from partita._kernels.costs.groups import init_groups
from partita._kernels.samplers.fixed_k import RateParams, Schedule
from partita._kernels.samplers.merge_then_split import copy_row
from partita.constraints.chunklets import make_chunklets
from partita.costs import KullbackLeibler, Minkowski, SquaredEuclidean
from partita.costs.items import make_groups

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


def launched():
    """Two clusters' members, some on each of the two rows to try."""
    data, groups = grouped(Minkowski(1), np.array([3, 3, 4, 4, 2, 2, 3, 4]))
    return data, groups


def tried():
    """All clusters, and two rows to try that are not empty."""
    data, groups = grouped(Minkowski(1))
    for k in range(2):
        copy_row(k, 4 + k, groups)
    return data, groups


MANHATTAN, ENTROPY = Minkowski(1), KullbackLeibler()
MEMBERS, SIDES = np.array([0, 2, 1, 3, 6, 7, 0, 0]), np.array([0, 1, 1, 0, 1, 1, 0, 0])
ALIVE = np.arange(8) < 3

CASES = {
    "bregman_cost": (1, ROWS, 0, 1.0, 4.0, *grouped(ENTROPY)),
    "cost_with": (1, ROWS, 0, 1.0, 4.0, 3.0, *grouped()),
    "within_sum_after": (1, 0, 1.0, *grouped(MANHATTAN)),
    "cost_after": (1, 0, 1.0, *grouped()),
    "fill_dissimilarities": (1, *grouped(MANHATTAN)),
    "update_group": (1, 0, 1.0, *grouped(MANHATTAN)),
    "relocate": (0, 2, *grouped(MANHATTAN)),
    "reset_group": (1, grouped()[1]),
    "init_groups": (LABELS[::-1].copy(), *grouped(MANHATTAN)),
    "pair_penalty": (0, 0, *grouped()),
    "log_weight": (0, 0, 0.7, *grouped()),
    "cost_sweep": (3, 0.7, *grouped(), np.zeros(3), rng()),
    "descend": (3, 0.7, 20, *grouped(MANHATTAN)),
    "split_scan": (MEMBERS, 6, 3, False, SIDES, 0.7, *launched(), rng()),
    "launch": (MEMBERS, 6, 3, 0.7, *grouped(), rng()),
    "collect": (1, 1, grouped()[1], np.zeros(8, np.int64)),
    "penalty_among": (MEMBERS, 6, *grouped()),
    "merge_log_weights": (0, ALIVE, 0.7, *grouped(MANHATTAN), np.zeros(8), np.zeros(8)),
    "log_share": (np.array([0.5, -np.inf, 1.0]), 0),
    "pick_share": (np.array([0.5, -np.inf, 1.0]), np.zeros(3), rng()),
    "put_first": (0, 2, 6, MEMBERS, rng()),
    "merge_rows": (0, 1, 5, *grouped(MANHATTAN)),
    "copy_row": (0, 4, grouped(MANHATTAN)[1]),
    "split_log_weights": (0, 1, 3, grouped()[1], np.zeros(8)),
    "label_sides": (MEMBERS, 6, SIDES, 0, 1, grouped()[1]),
    "split_ratio": (0, 1, 3, 3, ALIVE, 0.7, *tried(), np.zeros(8), np.zeros(8)),
    "merge_then_split": (3, 0.7, *grouped(MANHATTAN), rng()),
    "assign_rows": (
        ROWS,
        ROWS[:3].T.copy(),
        np.arange(3.0),
        np.zeros(8, np.int64),
        np.zeros((3, 2)),
        np.zeros(3, np.int64),
    ),
    "total_penalty": grouped(),
    "fill_item_labels": (*grouped(), np.zeros(8, np.int64)),
    "run_cost_block": (
        LABELS,
        0.7,
        RateParams(8.0, 0.0),
        Schedule(1, 2),
        *grouped(),
        rng(),
        np.zeros((6, 8), np.uint8),
        np.zeros(6),
        np.zeros(6),
    ),
}
