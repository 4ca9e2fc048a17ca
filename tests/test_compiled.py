"""Each kernel and its plain-Python body agree."""

import copy
import importlib
import pkgutil

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

import partita._kernels

RNG = np.random.default_rng(0)
DRAWS = RNG.integers(3, size=(70, 8)).astype(np.uint8)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
ORDER, BOUNDS = np.argsort(LABELS, kind="stable"), np.array([0, 3, 6, 8])
PHI = np.arange(9.0) ** 2
STARTS, OFFSETS = np.arange(1, 9), 8 * np.arange(8)
WEIGHTS = RNG.dirichlet(np.ones(70))
DISTANCES = RNG.gamma(2, size=(6, 4))
DISTANCES[0, :2] = 0
WIDE = RNG.gamma(2, size=(3, 40))
THETA, REACH = RNG.gamma(2, size=4), np.full(4, 9.0)
NODES = np.polynomial.legendre.leggauss(6)
BINS = np.ldexp(1 + (np.arange(7680) % 128 + 0.5) / 128, np.arange(7680) // 128 - 40)

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
    "share_zeros": (DISTANCES[0], np.zeros(4)),
    "sort_pairs": (WIDE[1].copy(), np.arange(40), np.zeros(40), np.zeros(40, np.int64)),
    "sort_near": (WIDE[0], np.full(40, 20.0), *[np.zeros(40, t) for t in (int, float, int, float)]),
    "location_exponential_phi": (DISTANCES, THETA, REACH, np.zeros((6, 4))),
    "location_exponential_slope": (DISTANCES, 2.0, np.zeros((6, 4))),
    "location_exponential_gradient": (DISTANCES, THETA, np.zeros((6, 4, 4))),
    "pieces_of": (8.0, 0.1, 3),
    "hazards_at": (3.0, 0.5, 2, np.arange(4), np.array([1.0, 1.5, 4, 5]), THETA, np.zeros(4), np.zeros(4)),
    "shifted_gamma_rows": (DISTANCES, THETA, REACH, *NODES, np.zeros((6, 4)), np.zeros((6, 4))),
    "shifted_gamma_gradient": (DISTANCES, THETA, *NODES, np.zeros((6, 4, 4))),
    "sampled_rows": (DISTANCES, 1 + RNG.random((9, 4)), RNG.random((9, 2)), np.zeros((6, 4)), np.zeros((6, 4, 2))),
    "shuffle": (np.arange(20.0), np.random.default_rng(1)),
    "sorted_into": (WIDE[2], np.zeros(40), np.arange(40), np.zeros(40), np.zeros(40, np.int64)),
    "zero_stability": (np.array([0.0, 0, 1]), 1.0),
    "add_spectrum": (DISTANCES, np.array([-1, 0, 1, 2, 3, -1]), BINS, np.zeros((7680, 3))),
    "linkage_distances": (WIDE[:, :3].copy(), np.array([0, 1, 0]), np.array([2, 1]), 0, np.zeros((3, 2))),
    "matched_shares": (DRAWS, WEIGHTS, LABELS, 3, 3, np.zeros((8, 4))),
}
WITHOUT_PYTHON_BODY = {"shared_counts"}  # counts bits with a machine instruction; test_posterior has its naive twin


def all_kernels():
    for module in pkgutil.iter_modules(partita._kernels.__path__, "partita._kernels."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            if isinstance(thing, Dispatcher):
                yield name, thing


KERNELS = dict(all_kernels())


def copies(arguments):
    return copy.deepcopy(list(arguments))


def test_every_kernel_has_a_case():
    assert set(KERNELS) == set(CASES) | WITHOUT_PYTHON_BODY


@pytest.mark.parametrize("name", CASES)
def test_kernel_agrees_with_its_python_body(name):
    compiled, plain = copies(CASES[name]), copies(CASES[name])
    returned = KERNELS[name](*compiled)
    with np.errstate(over="ignore"):  # numpy warns where machine integers wrap
        expected = KERNELS[name].py_func(*plain)
    assert (returned is None) == (expected is None)
    assert returned is None or np.allclose(returned, expected)
    for a, b in zip(compiled, plain, strict=True):
        assert isinstance(a, np.random.Generator) or np.allclose(a, b)
