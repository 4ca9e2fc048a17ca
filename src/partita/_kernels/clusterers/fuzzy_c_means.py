"""Fuzzy c-means: alternate between memberships and weighted means."""

import math

from .._jit import plain_kernel
from .._lean import lean

TOTAL, DISTANCE, WEIGHT, N_SCRATCH = 0, 1, 2, 3  # columns of scratch space, before those of the sums


@plain_kernel
def fuzzy_means(X, centers, fuzziness, tolerance, max_iter, memberships, scratch):
    """Move ``centers`` to a fixed point and fill ``memberships``; return the objective and the iterations taken.

    Stops when no center moves by more than ``tolerance`` in any coordinate. ``scratch`` has a row per center and three
    columns more than there are coordinates.
    """
    X, centers, memberships, scratch = lean((X, centers, memberships, scratch))
    n, d = X.shape
    k = centers.shape[0]
    power = 1.0 / (fuzziness - 1.0)
    objective, done = 0.0, 0
    while done < max_iter:
        for c in range(k):
            for t in range(scratch.shape[1]):
                scratch[c, t] = 0.0
        objective = 0.0
        for i in range(n):
            at, nearest = -1, math.inf
            for c in range(k):
                distance = 0.0
                for a in range(d):
                    gap = X[i, a] - centers[c, a]
                    distance += gap * gap
                if distance == 0.0 and at < 0:
                    at = c
                scratch[c, DISTANCE], nearest = distance, min(nearest, distance)
            total = 0.0
            for c in range(k):  # relative to the nearest, so that no power overflows
                weight = 1.0 if c == at else 0.0
                if at < 0:
                    weight = (nearest / scratch[c, DISTANCE]) ** power
                scratch[c, WEIGHT] = weight
                total += weight
            for c in range(k):
                memberships[i, c] = scratch[c, WEIGHT] / total
                share = memberships[i, c] ** fuzziness
                objective += share * scratch[c, DISTANCE]
                scratch[c, TOTAL] += share
                for a in range(d):
                    scratch[c, N_SCRATCH + a] += share * X[i, a]
        moved = 0.0
        for c in range(k):
            for a in range(d):
                if scratch[c, TOTAL] > 0.0:
                    mean = scratch[c, N_SCRATCH + a] / scratch[c, TOTAL]
                    moved = max(moved, abs(mean - centers[c, a]))
                    centers[c, a] = mean
        done += 1
        if moved <= tolerance:
            break
    return objective, done
