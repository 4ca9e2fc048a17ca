"""Gaussian point processes of every kind, and points to label."""

import numpy as np

import partita as pt

GPP = pt.GaussianPointProcess
S = np.array([[1, 0.3], [0.3, 2]])
PROCESSES = {
    "known": GPP.known([[0, 0], [1, 1.5]], [S, 0.5 * np.eye(2)]),
    "means": GPP.gaussian_means([[0, 0], [1, 1.5]], [1, 2.5], [S, 0.5 * np.eye(2)], weights=[0.3, 0.7]),
    "niw": GPP.normal_inverse_wishart([[0, 0], [1, 1.5], [3, 0]], [1, 2, 0.5], [2, 3, 4], [S, np.eye(2), 2 * S]),
    "sizes": GPP.normal_inverse_wishart([[0, 0], [1, 1.5]], [1, 2], [2, 3], S, sizes=[5, 3]),
    "prior": GPP.gaussian_means([[0, 0], [1, 1.5]], 1, S, label_prior=lambda n: -0.3 * n[0] ** 2),
    "flat means": GPP.gaussian_means(np.zeros((2, 2)), 0, [S, np.eye(2)]),
    "flat": GPP.normal_inverse_wishart(np.zeros((2, 2)), 0, -0.5, 0),
    "alike": GPP.normal_inverse_wishart(np.zeros((3, 2)), 1, 3, S),
}
X8 = np.random.default_rng(3).normal(size=(8, 2)) + np.repeat([[0, 0], [2, 1]], 4, axis=0)
