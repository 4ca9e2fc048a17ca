"""Averaged assignments by Monte Carlo: any perturbation that can be sampled (Koepke 2008, algorithm 5)."""

import numpy as np

from .._jit import kernel


@kernel
def sampled_rows(distances, scales, scores, phi, gradient):
    """Share of the scale draws under which each column is nearest, and the same weighted by each score."""
    n_items, n_clusters = distances.shape
    n_draws, n_scores = scores.shape
    for i in range(n_items):
        phi[i] = 0.0
        gradient[i] = 0.0
        for m in range(n_draws):
            nearest, least = 0, np.inf
            for j in range(n_clusters):
                stretched = distances[i, j] * scales[m, j]
                if stretched < least:
                    nearest, least = j, stretched
            phi[i, nearest] += 1.0
            for p in range(n_scores):
                gradient[i, nearest, p] += scores[m, p]
        phi[i] /= n_draws
        gradient[i] /= n_draws
