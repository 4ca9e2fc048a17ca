"""Averaged assignments when distances are stretched by one plus a Gamma(2) variable, by quadrature.

With y the stretched distance, cluster l has not won by y with probability (1 + z_l) exp(-z_l), where
z_l = b_l (y - d_l) / d_l. Between one distance and the next the integrand is a polynomial times a falling exponential,
so a few nodes on each piece give it to rounding; the closed recursion in print loses all digits when distances are
nearly equal.
"""

import numpy as np

from .._jit import inner, kernel
from .sorted_distances import share_zeros, sort_near

TAIL = 60.0  # lengths of decay, and one more per open cluster, after which an interval is cut off
PIECE = 15.0  # lengths of decay that one set of nodes covers
LARGE = 1e150
FAINT = 1e-30  # what all clusters together can still win when the rest of a row is left out


@inner
def pieces_of(width, decay, n_open):
    """Length of an interval of integration, cut off in the tail, and its number of pieces; none where it is empty."""
    width = min(width, (TAIL + n_open) * decay)
    return width, int(np.ceil(width / (PIECE * decay)))


@inner
def hazards_at(begin, step, n_open, order, d, rates, x, hazard):
    """Each open cluster's hazard and stretch at ``begin + step``; return the probability that none has won."""
    log_alive, product = 0.0, 1.0
    for t in range(n_open):
        b = rates[order[t]]
        x[t] = ((begin - d[t]) + step) / d[t]  # in this order: the difference is exact where it is small
        z = b * x[t]
        product *= 1.0 + z
        log_alive -= z
        if product > LARGE:  # one logarithm for many factors
            log_alive += np.log(product)
            product = 1.0
        hazard[t] = b / d[t] * z / (1.0 + z)
    return product * np.exp(log_alive)


@kernel
def shifted_gamma_rows(distances, rates, reach, nodes, weights, phi, slope, gradient):
    """Averaged assignment of each row, and its derivative as all rates grow by the same amount.

    ``gradient``, unless empty, takes the derivative in every cluster's own rate, shape (n_items, n_clusters,
    n_clusters).
    """
    n_items, n_clusters = distances.shape
    order, d = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    spare_order, spare = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    x, hazard, bend = np.empty(n_clusters), np.empty(n_clusters), np.empty(n_clusters)
    for i in range(n_items):
        slope[i] = 0.0
        gradient[i : i + 1] = 0.0
        if share_zeros(distances[i], phi[i]):
            continue
        phi[i] = 0.0
        n_near = sort_near(distances[i], reach, order, d, spare_order, spare)
        rate = 0.0
        for m in range(n_near):
            if hazards_at(d[m], 0.0, m, order, d, rates, x, hazard) < FAINT:
                break
            rate += rates[order[m]] / d[m]
            width, n_pieces = pieces_of(d[m + 1] - d[m] if m + 1 < n_near else np.inf, 1.0 / rate, m + 1)
            half = 0.5 * width / max(1, n_pieces)
            for piece in range(n_pieces):
                for q in range(nodes.size):
                    step = half * (2 * piece + 1 + nodes[q])
                    mass = hazards_at(d[m], step, m + 1, order, d, rates, x, hazard) * weights[q] * half
                    total = 0.0
                    for t in range(m + 1):
                        b = rates[order[t]]
                        bend[t] = b * x[t] * x[t] / (1.0 + b * x[t])
                        total += bend[t]
                    for t in range(m + 1):
                        won = mass * hazard[t]
                        phi[i, order[t]] += won
                        slope[i, order[t]] += won * (2.0 / rates[order[t]] - x[t] - total + bend[t])
                    for l in range(m + 1 if gradient.size > 0 else 0):  # noqa: E741
                        for j in range(m + 1):
                            change = 2.0 / rates[order[l]] - x[l] if j == l else -bend[l]
                            gradient[i, order[j], order[l]] += mass * hazard[j] * change
