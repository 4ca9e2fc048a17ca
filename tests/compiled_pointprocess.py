"""Arguments to try the kernels of pointprocess with."""

import numpy as np

import partita as pt
from partita._kernels.pointprocess.label_gains import fill_clusters
from partita.pointprocess.likelihood import label_level

RNG = np.random.default_rng(0)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
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

CASES = {
    "join_cluster": (POINTS, 1, 2, *MOMENTS),
    "leave_cluster": (POINTS, 1, 0, *MOMENTS),
    "fill_moments": (POINTS, LABELS, *MOMENTS),
    "log_determinant": (np.cov(POINTS.T),),
    "pull_to_center": (3, 2.0),
    "log_cluster": (1, 2, *MOMENTS, *TABLES[:7], np.zeros((2, 2))),
    "log_count_prior": (np.array([3, 3, 2]), np.array([1, 0, 2]), NONE, JOINT, 8),
    "log_partition": (*MOMENTS, TABLES, np.zeros((3, 3)), np.zeros((2, 2))),
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
