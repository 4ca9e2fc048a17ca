"""Arguments for the kernels of constrained clusterers."""

import numpy as np

RNG = np.random.default_rng(8)
X, CENTERS, WEIGHTS = RNG.normal(size=(8, 3)), RNG.normal(size=(2, 3)), RNG.random((2, 3))
CHUNKLETS, COSTS = np.array([-1, 0, 0, -1, 1, 2, -2, 2]), RNG.random((3, 2))
BOUNDS, OTHERS = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1])
TURNS = np.array([[0, 1], [2, -1]])

CASES = {
    "nearest_clusters": (X, CENTERS, WEIGHTS, np.array([0.1, 0.0]), CHUNKLETS, np.zeros(8, np.int64), np.zeros((3, 2))),
    "add_moments": (
        X,
        np.array([0, 0, 1, 1, 0, 1, 0, 1]),
        CENTERS,
        np.zeros(2, np.int64),
        np.zeros((2, 3)),
        np.zeros((2, 3)),
    ),
    "two_cheapest": (RNG.random(5), np.array([False, True, False, False, True])),
    "cheapest_apart": (0, 1, COSTS, np.zeros((3, 2), np.bool_)),
    "place_chunklets": (TURNS, COSTS, BOUNDS, OTHERS, np.zeros(3, np.int64)),
    "swap_chains": (COSTS, BOUNDS, OTHERS, np.array([1, 0, 1])),
    "icm": (
        np.array([2, 0, 1]),
        COSTS,
        RNG.random((2, 2)),
        BOUNDS,
        OTHERS,
        np.array([0, 0, 1, 1]),
        np.array([True, False]),
        np.full(3, -1),
        5,
    ),
}
