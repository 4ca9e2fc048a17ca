"""Arguments to try the kernels of perturbation with."""

import numpy as np

RNG = np.random.default_rng(0)
DRAWS = RNG.integers(3, size=(70, 8)).astype(np.uint8)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
WEIGHTS = RNG.dirichlet(np.ones(70))
DISTANCES = RNG.gamma(2, size=(6, 4))
DISTANCES[0, :2] = 0
WIDE = RNG.gamma(2, size=(3, 40))
WIDE[0, :2] = 0
THETA, REACH = RNG.gamma(2, size=4), np.full(4, 9.0)
NODES = np.polynomial.legendre.leggauss(6)
BINS = np.ldexp(1 + (np.arange(7680) % 128 + 0.5) / 128, np.arange(7680) // 128 - 40)

CASES = {
    "location_exponential_phi": (WIDE, np.ones(40), np.full(40, 20.0), np.zeros((3, 40))),
    "location_exponential_slope": (DISTANCES, 2.0, np.zeros((6, 4))),
    "location_exponential_gradient": (DISTANCES, THETA, np.zeros((6, 4, 4))),
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
    "add_spectrum": (WIDE, np.array([2, -1, 39]), BINS, np.zeros((7680, 3))),
    "linkage_distances": (WIDE[:, :3].copy(), np.array([0, 1, 0]), np.array([2, 1]), 0, np.zeros((3, 2))),
    "matched_shares": (DRAWS, WEIGHTS, LABELS, 3, 3, np.zeros((8, 4))),
}
