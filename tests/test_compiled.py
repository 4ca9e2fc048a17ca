"""Each kernel and its plain-Python body agree."""

import copy
import importlib
import pkgutil

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import partita as pt
import partita._kernels
from partita._kernels.flips import Clusters, fill_clusters
from partita.pointprocess.tables import label_level

RNG = np.random.default_rng(0)
DRAWS = RNG.integers(3, size=(70, 8)).astype(np.uint8)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
ORDER, BOUNDS = np.argsort(LABELS, kind="stable"), np.array([0, 3, 6, 8])
PHI = np.arange(9.0) ** 2
STARTS, OFFSETS = np.arange(1, 9), 8 * np.arange(8)
WEIGHTS = RNG.dirichlet(np.ones(70))

POINTS = RNG.normal(size=(8, 2)) + LABELS[:, np.newaxis]
PROCESS = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1], [2, 2]], [1, 2, 3], 3, 1.0)
SIZED = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1], [2, 2]], [1, 2, 3], 3, 1.0, sizes=[3, 3, 2])
TABLES, SIZED_TABLES = label_level(PROCESS.bind(POINTS)[1]), label_level(SIZED.bind(POINTS)[1])
TWO_TABLES = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1]], [1, 2], 3, 1.0).bind(POINTS)[1]
CLUSTERS = fill_clusters(POINTS, LABELS, TABLES, np.zeros((2, 2)))
MOMENTS, POSTERIORS = CLUSTERS[:3], (CLUSTERS.counts, *CLUSTERS[3:])
LAW = (TABLES.fixed, TABLES.base, TABLES.nu, TABLES.kappa)
JOINT = np.arange(81.0)
NONE = np.zeros(0, np.int64)

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
    "join_cluster": (POINTS, 1, 2, *MOMENTS),
    "leave_cluster": (POINTS, 1, 0, *MOMENTS),
    "fill_moments": (POINTS, LABELS, *MOMENTS),
    "log_determinant": (np.cov(POINTS.T),),
    "pull_to_center": (3, 2.0),
    "log_cluster": (1, 2, *MOMENTS, *TABLES[:7], np.zeros((2, 2))),
    "log_count_prior": (np.array([3, 3, 2]), np.array([1, 0, 2]), NONE, JOINT, 8),
    "log_partition": (*MOMENTS, *TABLES, np.zeros((3, 3)), np.zeros((2, 2))),
    "log_rows": (POINTS, LABELS.astype(np.uint8)[np.newaxis], TABLES, np.zeros(1)),
    "log_codes": (POINTS, TWO_TABLES, 3, 90, np.zeros(128)),
    "hadamard_levels": (RNG.normal(size=16), 0, 16, 1, 8),
    "hadamard": (RNG.normal(size=16),),
    "move_point": (POINTS, 1, 2, LABELS, *MOMENTS),
    "climb": (POINTS[:5], LABELS[:5], TABLES, True),
    "invert": (np.cov(POINTS.T), np.zeros((2, 2))),
    "fill_posterior": (1, CLUSTERS, TABLES, np.zeros((2, 2))),
    "fill_clusters": (POINTS, LABELS, TABLES, np.zeros((2, 2))),
    "squared_distance": (POINTS, 3, 1, CLUSTERS.centers, CLUSTERS.inverses),
    "join_gain": (POINTS, 3, 0, *POSTERIORS, *LAW),
    "leave_gain": (POINTS, 3, 1, *POSTERIORS, *LAW),
    "prior_change": (0, 1, np.array([3, 3, 2]), NONE, JOINT, 8),
    "flip_point": (POINTS, 3, 0, LABELS, CLUSTERS, TABLES, np.zeros((2, 2))),
    "log_scores": (POINTS, LABELS, 6, TABLES),
    "flip_gains": (POINTS, LABELS, TABLES),
    "polish_flips": (POINTS, LABELS, TABLES, 3),
    "swap_gain": (POINTS, 3, 0, LABELS, CLUSTERS, TABLES, np.zeros((2, 2))),
    "swap_down": (POINTS, np.array([3, 2]), np.array([0, 1]), LABELS, SIZED_TABLES),
    "pair_sweep": (POINTS, LABELS, SIZED_TABLES),
    "sweep_flips": (POINTS, LABELS, CLUSTERS, TABLES, np.zeros((2, 2)), np.random.default_rng(1)),
    "sweep_swaps": (POINTS, LABELS, CLUSTERS, SIZED_TABLES, np.zeros((2, 2)), np.random.default_rng(1)),
    "switch_labels": (LABELS, CLUSTERS, TABLES, np.zeros((2, 2)), np.random.default_rng(3)),
    "draw_labels": (POINTS, LABELS, TABLES, 2, np.random.default_rng(1), np.zeros((5, 8), np.uint8)),
    "fuzzy_means": (POINTS, POINTS[:3].copy(), 2.0, 1e-6, 20, np.zeros((8, 3))),
}
WITHOUT_PYTHON_BODY = {"shared_counts"}  # counts bits with a machine instruction; test_posterior has its naive twin


def all_kernels():
    for module in pkgutil.iter_modules(partita._kernels.__path__, "partita._kernels."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if isinstance(thing, Dispatcher):
                yield name, thing


KERNELS = dict(all_kernels())


def copies(arguments):
    return [copied(a) for a in arguments]


def copied(thing):
    if isinstance(thing, Clusters):
        return Clusters(*copies(thing))
    return copy.deepcopy(thing) if isinstance(thing, (np.ndarray, np.random.Generator)) else thing


def agree(a, b):
    if isinstance(a, np.random.Generator):
        return a.random() == b.random()
    return all(map(agree, a, b)) if isinstance(a, tuple) else np.allclose(a, b)


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
    for a, b in zip(compiled, plain, strict=True):
        assert agree(a, b)
