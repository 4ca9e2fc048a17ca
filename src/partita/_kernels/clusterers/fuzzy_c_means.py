"""Fuzzy c-means: alternate between memberships and weighted means."""

import numpy as np

from .._jit import kernel


@kernel
def fuzzy_means(X, centers, fuzziness, tolerance, max_iter, memberships):
    """Move ``centers`` to a fixed point and fill ``memberships``; return the objective and the iterations taken.

    Stops when no center moves by more than ``tolerance`` in any coordinate.
    """
    n, d = X.shape
    k = centers.shape[0]
    distances = np.empty(k)
    weights = np.empty(k)
    power = 1.0 / (fuzziness - 1.0)
    objective, done = 0.0, 0
    while done < max_iter:
        sums, totals = np.zeros((k, d)), np.zeros(k)
        objective = 0.0
        for i in range(n):
            at = -1
            for c in range(k):
                distances[c] = 0.0
                for a in range(d):
                    distances[c] += (X[i, a] - centers[c, a]) ** 2
                if distances[c] == 0.0 and at < 0:
                    at = c
            total = 0.0
            for c in range(k):  # relative to the nearest, so that no power overflows
                weights[c] = (distances.min() / distances[c]) ** power if at < 0 else 0.0
                weights[c] += 1.0 if c == at else 0.0
                total += weights[c]
            for c in range(k):
                memberships[i, c] = weights[c] / total
                share = memberships[i, c] ** fuzziness
                objective += share * distances[c]
                totals[c] += share
                for a in range(d):
                    sums[c, a] += share * X[i, a]
        moved = 0.0
        for c in range(k):
            for a in range(d):
                if totals[c] > 0.0:
                    moved = max(moved, abs(sums[c, a] / totals[c] - centers[c, a]))
                    centers[c, a] = sums[c, a] / totals[c]
        done += 1
        if moved <= tolerance:
            break
    return objective, done
