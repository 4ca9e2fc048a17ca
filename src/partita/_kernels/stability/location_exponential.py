"""Averaged assignments when distances are stretched by one plus an exponential variable.

Row by row, nearest cluster first: r_j = theta_j / d_j, B_j their running sum, log C_j = log C_{j-1} - (d_j - d_{j-1})
B_{j-1} the log-probability that no cluster nearer than d_j has won before y = d_j (Koepke 2008, proposition 3.3.1).
"""

import numpy as np

from .._jit import kernel
from .sorted_distances import share_zeros, sort_near


@kernel
def location_exponential_phi(distances, theta, reach, phi):
    """Averaged assignment of each row; every term is positive, so nothing cancels."""
    n_items, n_clusters = distances.shape
    order, ratio, won = np.empty(n_clusters, np.int64), np.empty(n_clusters), np.empty(n_clusters)
    spare_order, spare = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    for i in range(n_items):
        if share_zeros(distances[i], phi[i]):
            continue
        n_near = sort_near(distances[i], reach, order, ratio, spare_order, spare)
        rate, log_alive = 0.0, 0.0
        for t in range(n_near):
            rate += theta[order[t]] / ratio[t]
            if t + 1 < n_near:
                hazard = (ratio[t + 1] - ratio[t]) * rate
                won[t] = -np.exp(log_alive) * np.expm1(-hazard) / rate
                log_alive -= hazard
            else:
                won[t] = np.exp(log_alive) / rate
        for j in range(n_clusters):
            phi[i, j] = 0.0
        total = 0.0
        for t in range(n_near - 1, -1, -1):
            total += won[t]
            phi[i, order[t]] = theta[order[t]] / ratio[t] * total


@kernel
def location_exponential_slope(distances, theta, slope):
    """Derivative of each row in the one theta that all clusters share."""
    n_items, n_clusters = distances.shape
    order, ratio = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    spare_order, spare = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    everything = np.full(n_clusters, np.inf)
    falling, later = np.empty(n_clusters), np.empty(n_clusters)
    for i in range(n_items):
        if share_zeros(distances[i], slope[i]):
            for j in range(n_clusters):
                slope[i, j] = 0.0
            continue
        sort_near(distances[i], everything, order, ratio, spare_order, spare)
        rate, depth = 1.0, 0.0
        falling[0] = later[0] = 0.0
        for t in range(1, n_clusters):
            depth -= (ratio[t] - ratio[t - 1]) * rate
            change = depth * np.exp(theta * depth) if theta * depth > -745.0 else 0.0
            later[t] = change / (ratio[t] * rate + 1.0) / rate
            rate += 1.0 / ratio[t]
            falling[t] = change / rate
        total = 0.0
        for t in range(n_clusters - 1, -1, -1):
            slope[i, order[t]] = (falling[t] - total) / ratio[t]
            total += later[t]


@kernel
def location_exponential_gradient(distances, theta, gradient):
    """Derivative of each row in every cluster's own theta, shape (n_items, n_clusters, n_clusters)."""
    n_items, n_clusters = distances.shape
    order, d = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    spare_order, spare = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    everything, zeros = np.full(n_clusters, np.inf), np.empty(n_clusters)
    r, B, H = np.empty(n_clusters), np.empty(n_clusters), np.empty(n_clusters)
    D, F, G = np.empty(n_clusters), np.empty(n_clusters), np.empty(n_clusters)
    for i in range(n_items):
        if share_zeros(distances[i], zeros):
            gradient[i] = 0.0
            continue
        sort_near(distances[i], everything, order, d, spare_order, spare)
        rate, log_c = 0.0, 0.0
        for k in range(n_clusters):
            log_c -= (d[k] - d[k - 1]) * rate if k > 0 else 0.0
            r[k] = theta[order[k]] / d[k]
            rate += r[k]
            B[k] = rate
            H[k] = np.exp(log_c) / rate
        D[n_clusters - 1] = F[n_clusters - 1] = 0.0
        for k in range(n_clusters - 1, 0, -1):  # L_k / r_k, E_k r_k and the like, in forms that divide by no small r_k
            before = B[k - 1]
            L = H[k] * r[k] / before
            G[k] = L * before / (B[k] * theta[order[k]])
            D[k - 1] = D[k] + L
            F[k - 1] = F[k] + L * (d[k] + (2.0 * before + r[k]) / (before * B[k]))
        for j in range(n_clusters):
            for l in range(n_clusters):  # noqa: E741
                if l == j:
                    value = r[j] * (F[j] / d[j] - D[j] - H[j] / (B[j] * d[j])) + (H[j] - D[j]) / d[j]
                elif l > j:
                    value = r[j] * (F[l] / d[l] - D[l] - G[l])
                else:
                    value = r[j] * (F[j] / d[l] - D[j] + H[j] / d[l] * (d[l] - d[j] - 1.0 / B[j]))
                gradient[i, order[j], order[l]] = value
