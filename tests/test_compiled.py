"""Each kernel and its plain-Python body agree."""

import copy
import importlib
import pkgutil

import compiled_constraints
import compiled_costs
import compiled_pointprocess
import compiled_stability
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import partita._kernels
from partita._kernels.decide.reallocation import ADJUSTED_RAND, ID, LINEAR, NID, NVI, Candidate, Cells, Rule
from partita._kernels.priors.eppf import DIRICHLET_PROCESS, FINITE, MFM, PITMAN_YOR
from partita._kernels.samplers.chain import fill_prior
from partita._kernels.samplers.gibbs import seat_all
from partita._kernels.samplers.split_merge import seat_members
from partita._kernels.samplers.units import Units
from partita.components import check_component
from partita.samplers.collapsed import make_clusters, make_launch, make_prior, make_seating

RNG = np.random.default_rng(0)
DRAWS = RNG.integers(3, size=(70, 8)).astype(np.uint8)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
ORDER, BOUNDS = np.argsort(LABELS, kind="stable"), np.array([0, 3, 6, 8])
PHI = np.arange(9.0) ** 2
STARTS, OFFSETS = np.arange(1, 9), 8 * np.arange(8)
WEIGHTS = RNG.dirichlet(np.ones(70))
SIMILARITY = np.array([[(DRAWS[:, i] == DRAWS[:, j]).mean() for j in range(8)] for i in range(8)])
REACH = np.array([SIMILARITY[i, LABELS[i] == LABELS].sum() for i in range(8)], float)
COMPONENTS, SIZES = np.log([0.2, 0.5, 0.3]), np.array([4, 3, 1, 0])

PATTERN = (np.ones(70, np.bool_), np.full((70, 3), -1, np.int32), np.full((70, 3), -1, np.int32))


def reallocation(code):
    """Cells, a candidate with items placed and an empty column, and a rule."""
    n_clusters = DRAWS.max(axis=1).astype(np.int64) + 1
    cells = Cells(np.ascontiguousarray(DRAWS.T), np.cumsum(n_clusters) - n_clusters, WEIGHTS, RNG.random(70))
    counts = np.zeros((n_clusters.sum(), 5), np.uint16)
    for i, k in enumerate(LABELS):
        counts[cells.offsets + cells.by_item[i], k] += 1
    candidate = Candidate(LABELS.copy(), np.array([3, 3, 2, 0, 0]), counts, RNG.random(70))
    return cells, candidate, Rule(code, PHI, np.diff(PHI), -3.0, 1.0, 8)


NUMBERS = RNG.normal(size=(8, 2))
MIXED = np.array([[0.5, "a", 3], [1.5, "b", 0], [np.nan, "a", 2], [0.1, None, 4], *[[0.3, "b", 7]] * 4], object)


def mixture(component="gaussian-diagonal", X=NUMBERS):
    """Table, hyperparameters, clusters and seating of LABELS in the first three of eight rows, and working space."""
    table, hyper, *_ = check_component(component).encode(X)
    clusters, seating, work = make_clusters(8, hyper), make_seating(8, 8), np.zeros(table.numbers.shape[1] + 1)
    seat_all(LABELS, table, hyper, clusters, seating, work)
    return table, hyper, clusters, seating, work


def mixture_prior():
    prior = make_prior(8, 8)
    fill_prior(LAW, 0.7, 8, prior)
    return prior


LAW = (DIRICHLET_PROCESS, 1.0, 1.0, 0.0, np.empty(0))
TABLE, HYPER, CLUSTERS, SEATING, WORK = mixture()
FULL_TABLE, FULL_HYPER, FULL_CLUSTERS, _, _ = mixture("gaussian-full")
MIXTURE = (TABLE, HYPER, CLUSTERS, SEATING)
ROUND_TABLE, ROUND_HYPER, ROUND_CLUSTERS, _, _ = mixture("gaussian-spherical")
MIXED_TABLE, MIXED_HYPER, MIXED_CLUSTERS, _, MIXED_WORK = mixture("product", MIXED)
# Items 0 and 1 are linked; the unit of 2 and 4 may not meet, and those of 3 and 7 rather would.
UNITS = Units(
    np.array([0, 2, 3, 4, 5, 6, 7, 8]),
    np.arange(8),
    np.array([0, 0, 1, 2, 3, 3, 3, 4]),
    np.array([3, 6, 1, 2]),
    np.array([-np.inf, 0.5, -np.inf, 0.5]),
)
ALONE = np.full(7, -2.0)


def launch():
    """A proposal for the clusters of units 0 and 1: their items are 0, 1, 6 and 2, 3, 7."""
    made = make_launch(7)
    made.members[:5], made.original[:5] = [0, 1, 2, 5, 6], [0, 1, 1, 0, 1]
    made.side[[0, 1, 2, 5, 6]] = [0, 1, 0, 0, 1]
    made.rows[:] = [4, 5, 6]
    return made


def launched():
    """Clusters with two rows opened for the members of a split."""
    clusters, made = copy.deepcopy(CLUSTERS), launch()
    seat_members(5, False, UNITS, TABLE, HYPER, clusters, WORK, made)
    return clusters


# Arrays among the arguments that a kernel fills are compared too.
CASES = {
    "canonical_rows": (DRAWS, 3, np.zeros_like(DRAWS)),
    "row_sizes_sum": (DRAWS, 3, PHI),
    "growth_rows": (5, 3, np.zeros((41, 5), np.uint8)),
    "fits": (np.array([3, 1, 0]), 2, np.array([2, 2])),
    "sized_growth_rows": (np.array([3, 2]), np.zeros((10, 5), np.uint8)),
    "bit_planes": (DRAWS, 2),
    "shared_weights": (np.ascontiguousarray(DRAWS.T), WEIGHTS, 0, 8, STARTS, OFFSETS, np.zeros(64, np.float32)),
    "joint_phi_sums": (DRAWS, ORDER, BOUNDS, 3, PHI),
    "mean_intersections": (DRAWS, WEIGHTS, ORDER, BOUNDS, 3),
    "best_matching": (RNG.random((3, 5)), 3, 5, np.zeros(3, np.int64)),
    "matched_items": (DRAWS, LABELS, 3, 3),
    "find_partners": (DRAWS[0], LABELS, 3, np.zeros(9), np.zeros(3, np.int64), np.zeros(3, np.int64)),
    "count_votes": (DRAWS, WEIGHTS, LABELS, 3, 3, np.zeros((8, 3))),
    "mean_overlaps": (DRAWS, WEIGHTS, LABELS, 3, 3, np.zeros((8, 3))),
    "agreeing_weight": (DRAWS[:, 0].copy(), WEIGHTS, *PATTERN, 1),
    "add_item": (DRAWS[:, 0].copy(), *PATTERN, 1),
    "reaches": (SIMILARITY, LABELS, np.zeros(8)),
    "bound_sweep": (SIMILARITY, ORDER, LABELS, np.array([3, 3, 2, 0]), REACH, np.diff(PHI), 8),
    "score_linear": (3, 4, *reallocation(LINEAR), np.zeros(5)),
    "draw_loss": (NID, -1.0, -2.0, -2.5),
    "score_general": (3, 4, -1.0, *reallocation(NVI), np.zeros(5), np.zeros(5)),
    "move_item": (3, 0, *reallocation(LINEAR)),
    "place_items": (np.array([0, 1, 2, 2, -1, 1, 0, 0]), *reallocation(ID)),
    "close_gap": (0, 2, reallocation(LINEAR)[1]),
    "own_sum": (3, *reallocation(LINEAR)[1:]),
    "reallocate": (ORDER, 0, 0, 100, 3, *reallocation(ADJUSTED_RAND)),
    "candidate_loss": (3, *reallocation(NVI)),
    "loss_of_sums": (-1.5, RNG.random(70) - 3, *reallocation(ID)[::2]),
    "merged_loss": (0, 2, 3, *reallocation(NID), np.zeros(70)),
    "empty_cluster": (1, FULL_HYPER, FULL_CLUSTERS),
    "refresh": (1, HYPER, CLUSTERS),
    "rank_one": (np.array([[2.0, 0.0], [0.5, 1.0]]), np.array([0.3, -0.4]), -1),
    "change_full": (1, 1, 3, 1, FULL_TABLE, FULL_HYPER, FULL_CLUSTERS, WORK),
    "change_spherical": (1, 1, 3, -1, ROUND_TABLE, ROUND_HYPER, ROUND_CLUSTERS),
    "change_discrete": (1, 3, 3, -1, MIXED_TABLE, MIXED_CLUSTERS),
    "change_cluster": (1, 3, 3, -1, MIXED_TABLE, MIXED_HYPER, MIXED_CLUSTERS, MIXED_WORK),
    "score_clusters": (3, SEATING.active, 3, TABLE, HYPER, CLUSTERS, WORK, np.zeros(8)),
    "score_complete": (3, SEATING.active, 3, TABLE, HYPER, CLUSTERS, np.zeros(8)),
    "copy_cluster": (1, 4, MIXED_HYPER, MIXED_CLUSTERS),
    "copy_discrete": (1, 4, MIXED_CLUSTERS),
    "change_unit": (0, 4, 0, -1, UNITS, MIXED_TABLE, MIXED_HYPER, MIXED_CLUSTERS, MIXED_WORK),
    "score_unit": (0, SEATING.active, 3, UNITS, mixture_prior(), TABLE, HYPER, CLUSTERS, WORK, np.zeros(8)),
    "score_group": (0, SEATING.active, 3, UNITS, TABLE, HYPER, CLUSTERS, WORK, np.zeros(8)),
    "score_alone": (UNITS, TABLE, HYPER, CLUSTERS, WORK, np.zeros(7)),
    "below": (5, np.random.default_rng(3)),
    "add_pairs": (2, UNITS, SEATING, np.zeros(8)),
    "pair_weight": (UNITS, SEATING),
    "record": (SEATING, np.zeros(8, np.int64), np.zeros(8, np.int32)),
    "weight_across": (5, UNITS, launch()),
    "hyper_exponent": (HYPER, 3),
    "score_full": (3, SEATING.active, 3, FULL_TABLE, FULL_HYPER, FULL_CLUSTERS, WORK, np.zeros(8)),
    "score_spherical": (3, SEATING.active, 3, ROUND_TABLE, ROUND_HYPER, ROUND_CLUSTERS, np.zeros(8)),
    "score_incomplete": (3, SEATING.active, 3, MIXED_TABLE, MIXED_HYPER, MIXED_CLUSTERS, np.zeros(8)),
    "score_discrete": (4, SEATING.active, 3, MIXED_TABLE, MIXED_HYPER, MIXED_CLUSTERS, np.zeros(8)),
    "log_marginal": (1, MIXED_HYPER, MIXED_CLUSTERS),
    "open_row": (SEATING,),
    "close_row": (0, SEATING),
    "seat_all": (LABELS[::-1].copy(), TABLE, HYPER, CLUSTERS, SEATING, WORK),
    "pick": (np.log([0.2, 0.5, 0.3]), 3, np.random.default_rng(3)),
    "gibbs_sweep": (UNITS, ALONE, mixture_prior(), *MIXTURE, WORK, np.zeros(9), np.random.default_rng(4)),
    "find_members": (0, 1, UNITS, SEATING, make_launch(7)),
    "seat_members": (5, True, UNITS, TABLE, HYPER, CLUSTERS, WORK, launch()),
    "seat_apart": (5, UNITS, TABLE, HYPER, CLUSTERS, WORK, launch(), np.random.default_rng(6)),
    "restricted_scan": (
        *(5, False, UNITS, mixture_prior(), TABLE, HYPER, launched()),
        *(WORK, np.zeros(9), launch(), np.random.default_rng(5)),
    ),
    "propose_split": (
        *(0, 5, 2, UNITS, mixture_prior(), *MIXTURE),
        *(WORK, np.zeros(9), launch(), np.random.default_rng(5)),
    ),
    "propose_merge": (
        *(0, 1, -50.0, 5, 2, UNITS, mixture_prior(), *MIXTURE),
        *(WORK, np.zeros(9), launch(), np.random.default_rng(5)),
    ),
    "cluster_weight": (1, mixture_prior(), HYPER, CLUSTERS),
    "split_or_merge": (
        *(2, UNITS, mixture_prior(), *MIXTURE),
        *(WORK, np.zeros(9), make_launch(7), np.random.default_rng(6)),
    ),
    "retire": (2, HYPER, CLUSTERS, SEATING),
    "fill_prior": (LAW, 0.7, 8, make_prior(8, 8)),
    "renew_prior": (LAW, 0.7, 8, make_prior(8, 8)),
    "log_prior": (LAW, 0.7, np.array([3, 3, 2]), 3, 8, mixture_prior()),
    "run_block": (
        *(LABELS, 0.7, LAW, (1, 1, 2), UNITS, ALONE, make_prior(8, 12), TABLE, HYPER, make_clusters(12, HYPER)),
        *(make_seating(8, 12), make_launch(7), np.random.default_rng(7)),
        *(np.zeros((6, 8), np.int32), np.zeros(6), np.zeros(6)),
    ),
    "add_draw": (
        8,
        np.full(8, -2.0),
        mixture_prior(),
        np.full((8, 2), 0.5),
        TABLE,
        HYPER,
        CLUSTERS,
        SEATING,
        WORK,
        np.zeros(9),
        np.full(8, -np.inf),
        np.zeros((8, 3)),
    ),
    "log_rising": (2.5, 20),
    "steepest_ahead": (COMPONENTS,),
    "log_component_sum": (2, 8, 0.7, COMPONENTS, np.array([0.0, -0.5, -np.inf]), np.full(3, np.nan)),
    "log_size_probability": (MFM, 0.7, 0.0, COMPONENTS, SIZES, 3, 8),
    "escobar_west": (0.7, 2.0, 1.0, 3, 8, np.random.default_rng(1)),
    "log_target": (0.3, PITMAN_YOR, 2.0, 1.0, 0.4, np.empty(0), SIZES, 3, 8),
    "sample_concentration": (FINITE, 0.7, 2.0, 1.0, 5.0, np.empty(0), SIZES, 3, 8, np.random.default_rng(1)),
    "fill_log_join": (FINITE, 0.7, 4.0, np.zeros(9)),
    "fill_log_new": (MFM, 0.7, 0.0, COMPONENTS, 8, np.zeros(9)),
    "sample_urn": (np.arange(9.0), np.ones(9), np.zeros(8, np.int64), np.random.default_rng(1)),
}
CASES |= compiled_constraints.CASES | compiled_costs.CASES
CASES |= compiled_stability.CASES | compiled_pointprocess.CASES
WITHOUT_PYTHON_BODY = {"shared_counts"}  # counts bits with a machine instruction; test_posterior has its naive twin


def all_kernels():
    for module in pkgutil.walk_packages(partita._kernels.__path__, "partita._kernels."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if isinstance(thing, Dispatcher):
                yield name, thing


KERNELS = dict(all_kernels())


def copies(arguments):
    return copy.deepcopy(list(arguments))


def flat(arguments):
    """Arrays and numbers, those inside named tuples too; a generator counts by the number it draws next."""
    shown = (a.random() if isinstance(a, np.random.Generator) else a for a in arguments)
    return [x for a in shown for x in (flat(a) if isinstance(a, tuple) else [a])]


def agree(a, b):
    """Integers to the last one; other numbers as far as the order of a sum allows."""
    if isinstance(a, tuple):
        return all(map(agree, a, b))
    if np.asarray(a).dtype.kind == "f":
        return np.allclose(a, b, rtol=1e-6 if np.asarray(a).dtype == np.float32 else 1e-12, atol=0, equal_nan=True)
    return np.array_equal(a, b)


def test_integers_must_agree_exactly():
    assert agree(0.1 + 0.2, 0.3)
    assert not agree(10**9, 10**9 + 1)
    assert not agree(1.0, 1.001)


def test_every_kernel_has_a_case():
    assert set(KERNELS) == set(CASES) | WITHOUT_PYTHON_BODY


@pytest.mark.parametrize("name", CASES)
def test_kernel_agrees_with_its_python_body(name):
    compiled, plain = copies(CASES[name]), copies(CASES[name])
    returned = KERNELS[name](*compiled)
    with np.errstate(over="ignore"):  # numpy warns where machine integers wrap
        expected = KERNELS[name].py_func(*plain)
    assert (returned is None) == (expected is None)
    assert returned is None or agree(returned, expected)
    for a, b in zip(flat(compiled), flat(plain), strict=True):
        assert agree(a, b)
