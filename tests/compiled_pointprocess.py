"""Arguments to try the kernels of pointprocess with."""

import numpy as np

import partita as pt
from partita._kernels.pointprocess.label_gains import make_posteriors
from partita.pointprocess.likelihood import label_tables

RNG = np.random.default_rng(0)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
POINTS = RNG.normal(size=(8, 2)) + LABELS[:, np.newaxis]
PROCESS = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1], [2, 2]], [1, 2, 3], 3, 1.0)
SIZED = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1], [2, 2]], [1, 2, 3], 3, 1.0, sizes=[3, 3, 2])
TABLES, SIZED_TABLES = label_tables(PROCESS.bind(POINTS)[1]), label_tables(SIZED.bind(POINTS)[1])
TWO_TABLES = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1]], [1, 2], 3, 1.0).bind(POINTS)[1]
POSTERIORS = make_posteriors(POINTS, LABELS, TABLES)
MOMENTS = POSTERIORS.moments
JOINT_TABLES = pt.GaussianPointProcess.known(np.eye(3, 2), 1.0, label_prior=lambda n: -float(n @ n)).bind(POINTS)[1]

CASES = {
    "make_moments": (3, 2),
    "update_moments": (POINTS, 1, 0, -1, MOMENTS),
    "fill_moments": (POINTS, LABELS, MOMENTS),
    "cholesky": (np.cov(POINTS.T),),
    "prior_weight": (3, 2.0),
    "fill_scale": (1, 2, MOMENTS, TABLES, np.zeros((2, 2))),
    "log_cluster": (1, 2, MOMENTS, TABLES, np.zeros((2, 2))),
    "log_count_prior": (np.array([3, 3, 2]), np.array([1, 0, 2]), JOINT_TABLES),
    "log_partition": (MOMENTS, TABLES, np.zeros((3, 3)), np.zeros((2, 2))),
    "log_rows": (POINTS, LABELS.astype(np.uint8)[np.newaxis], TABLES, np.zeros(1)),
    "log_codes": (POINTS, TWO_TABLES, 64, 96, np.zeros(32)),
    "hadamard_levels": (RNG.normal(size=16), 0, 16, 1, 8),
    "hadamard": (RNG.normal(size=16),),
    "move_point": (POINTS, 1, 2, LABELS, MOMENTS),
    "moved_log_partition": (POINTS, 1, 2, LABELS, MOMENTS, TABLES, np.zeros((3, 3)), np.zeros((2, 2))),
    "climb": (POINTS[:5], LABELS[:5], TABLES, True),
    "invert": (np.cov(POINTS.T), np.zeros((2, 2))),
    "fill_posterior": (1, POSTERIORS, TABLES),
    "fill_posteriors": (POINTS, LABELS, POSTERIORS, TABLES),
    "make_posteriors": (POINTS, LABELS, TABLES),
    "squared_distance": (POINTS, 3, 1, POSTERIORS),
    "join_gain": (POINTS, 3, 0, POSTERIORS, TABLES),
    "leave_gain": (POINTS, 3, 1, POSTERIORS, TABLES),
    "prior_gain": (0, 1, POSTERIORS, JOINT_TABLES),
    "fill_gains": (POINTS, 3, 1, POSTERIORS, TABLES, np.zeros(3)),
    "flip_point": (POINTS, 3, 0, LABELS, POSTERIORS, TABLES),
    "log_predictives": (POINTS, LABELS, 6, TABLES),
    "flip_gains": (POINTS, LABELS, TABLES),
    "polish_flips": (POINTS, LABELS, TABLES, 3),
    "swap_gain": (POINTS, 3, 0, LABELS, POSTERIORS, TABLES),
    "swap_down": (POINTS, np.array([3, 2]), np.array([0, 1]), LABELS, SIZED_TABLES),
    "pair_sweep": (POINTS, LABELS, SIZED_TABLES),
    "flip_sweep": (POINTS, LABELS, POSTERIORS, TABLES, np.zeros(3), np.random.default_rng(1)),
    "swap_sweep": (POINTS, LABELS, POSTERIORS, SIZED_TABLES, np.random.default_rng(1)),
    "switch_labels": (LABELS, POSTERIORS, TABLES, np.random.default_rng(3)),
    "log_label_function": (POSTERIORS, TABLES),
    "run_label_block": (POINTS, LABELS, TABLES, np.random.default_rng(1), np.zeros((5, 8), np.uint8), np.zeros(5)),
    "fuzzy_means": (POINTS, POINTS[:3].copy(), 2.0, 1e-6, 20, np.zeros((8, 3))),
}
