"""Arguments to try the kernels of pointprocess with."""

import numpy as np

import partita as pt
from partita._kernels.pointprocess.gaussian import make_moments
from partita._kernels.pointprocess.label_gains import make_posteriors
from partita.pointprocess.likelihood import label_tables

RNG = np.random.default_rng(0)
LABELS = np.array([0, 0, 1, 1, 2, 2, 0, 1])
POINTS = RNG.normal(size=(8, 2)) + LABELS[:, np.newaxis]
PROCESS = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1], [2, 2]], [1, 2, 3], 3, 1.0)
SIZED = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1], [2, 2]], [1, 2, 3], 3, 1.0, sizes=[3, 3, 2])
TABLES, SIZED_TABLES = label_tables(PROCESS.bind(POINTS)[1]), label_tables(SIZED.bind(POINTS)[1])
TWO_TABLES = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [1, 1]], [1, 2], 3, 1.0).bind(POINTS)[1]
POSTERIORS = make_posteriors(TABLES)
MOMENTS = POSTERIORS.moments
ZEROS, GAINS, TABLE = np.zeros(8, np.int64), np.zeros(3), np.zeros((8, 3))
JOINT_TABLES = pt.GaussianPointProcess.known(np.eye(3, 2), 1.0, label_prior=lambda n: -float(n @ n)).bind(POINTS)[1]


def label_block(tables):
    """Arguments of a block of five draws."""
    draws = np.zeros((5, 8), np.uint8), np.zeros(5)
    return POINTS, LABELS, tables, make_posteriors(tables), GAINS, np.random.default_rng(1), *draws


CASES = {
    "log_rows: a prior of counts": (
        POINTS,
        LABELS.astype(np.uint8)[np.newaxis],
        JOINT_TABLES,
        ZEROS,
        make_moments(JOINT_TABLES),
        np.zeros(1),
    ),
    "log_rows": (POINTS, LABELS.astype(np.uint8)[np.newaxis], TABLES, ZEROS, MOMENTS, np.zeros(1)),
    "log_codes": (POINTS, TWO_TABLES, 64, 96, ZEROS, make_moments(TWO_TABLES), np.zeros(32)),
    "hadamard": (RNG.normal(size=16),),
    "climb": (POINTS[:5], LABELS[:5], TABLES, True, MOMENTS),
    "fill_all_gains": (POINTS, LABELS, True, TABLES, POSTERIORS, TABLE),
    "polish_flips": (POINTS, LABELS, TABLES, 3, POSTERIORS, GAINS),
    "swap_down": (POINTS, np.array([3, 2]), np.array([0, 1]), LABELS, SIZED_TABLES, POSTERIORS),
    "flip_pairs": (POINTS, LABELS, SIZED_TABLES, POSTERIORS),
    "flip_pairs: sizes not known": (POINTS, LABELS, TABLES, POSTERIORS),
    "run_label_block": label_block(TABLES),
    "run_label_block: known sizes": label_block(SIZED_TABLES),
    "run_label_block: a prior of counts": label_block(JOINT_TABLES),
    "fuzzy_means": (POINTS, POINTS[:3].copy(), 2.0, 1e-6, 20, np.zeros((8, 3)), np.zeros((3, 5))),
}
