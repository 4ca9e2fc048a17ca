"""Arguments to try the kernels of perturbation with."""

import numpy as np

RNG = np.random.default_rng(0)
DRAWS = RNG.integers(3, size=(70, 8)).astype(np.uint8)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
WEIGHTS = RNG.dirichlet(np.ones(70))
DISTANCES = RNG.gamma(2, size=(6, 4))
DISTANCES[0, :2] = 0
WIDE = RNG.gamma(2, size=(3, 40))
THETA, REACH = RNG.gamma(2, size=4), np.full(4, 9.0)
NODES = np.polynomial.legendre.leggauss(6)
BINS = np.ldexp(1 + (np.arange(7680) % 128 + 0.5) / 128, np.arange(7680) // 128 - 40)

CASES = {
    "share_zeros": (DISTANCES[0], np.zeros(4)),
    "sort_pairs": (WIDE[1].copy(), np.arange(40), np.zeros(40), np.zeros(40, np.int64)),
    "sort_near": (WIDE[0], np.full(40, 20.0), *[np.zeros(40, t) for t in (int, float, int, float)]),
    "location_exponential_phi": (DISTANCES, THETA, REACH, np.zeros((6, 4))),
    "location_exponential_slope": (DISTANCES, 2.0, np.zeros((6, 4))),
    "location_exponential_gradient": (DISTANCES, THETA, np.zeros((6, 4, 4))),
    "pieces_of": (8.0, 0.1, 3),
    "hazards_at": (3.0, 0.5, 2, np.arange(4), np.array([1.0, 1.5, 4, 5]), THETA, np.zeros(4), np.zeros(4)),
    "shifted_gamma_rows": (
        DISTANCES,
        THETA,
        REACH,
        *NODES,
        np.zeros((6, 4)),
        np.zeros((6, 4)),
        np.zeros((6, 4, 4)),
    ),
    "sampled_rows": (DISTANCES, 1 + RNG.random((9, 4)), RNG.random((9, 2)), np.zeros((6, 4)), np.zeros((6, 4, 2))),
    "shuffle": (np.arange(20.0), np.random.default_rng(1)),
    "sorted_into": (WIDE[2], np.zeros(40), np.arange(40), np.zeros(40), np.zeros(40, np.int64)),
    "zero_stability": (np.array([0.0, 0, 1]), 1.0),
    "add_spectrum": (DISTANCES, np.array([-1, 0, 1, 2, 3, -1]), BINS, np.zeros((7680, 3))),
    "linkage_distances": (WIDE[:, :3].copy(), np.array([0, 1, 0]), np.array([2, 1]), 0, np.zeros((3, 2))),
    "matched_shares": (DRAWS, WEIGHTS, LABELS, 3, 3, np.zeros((8, 4))),
}
