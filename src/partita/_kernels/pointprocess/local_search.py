"""Local maxima of the probability of a label function, for very many points."""

import numpy as np

from .._jit import kernel
from .gaussian import join_cluster, leave_cluster, log_cluster
from .hill_climb import GAIN
from .label_gains import fill_clusters, fill_posterior, flip_point, join_gain, leave_gain, prior_change


@kernel
def polish_flips(X, labels, tables, max_sweeps):
    """Visit the points in turn and flip each to its most probable label, until a sweep flips none."""
    work = np.empty((X.shape[1], X.shape[1]))
    fixed, base, nu, _, _, _, kappa, sizes, joint, _, _ = tables
    for _ in range(max_sweeps):
        clusters = fill_clusters(X, labels, tables, work)
        counts, _, _, centers, inverses, log_dets = clusters
        flipped = False
        for p in range(labels.size):
            home = labels[p]
            leaving = leave_gain(X, p, home, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
            best, gain = home, GAIN
            for i in range(nu.size):
                if i != home:
                    value = leaving + prior_change(home, i, counts, sizes, joint, labels.size)
                    value += join_gain(X, p, i, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
                    if value > gain:
                        best, gain = i, value
            if best != home:
                flip_point(X, p, best, labels, clusters, tables, work)
                flipped = True
        if not flipped:
            return


@kernel
def swap_gain(X, p, q, labels, clusters, tables, work):
    """Exchange the labels of two points, and return the change in log likelihood.

    It is taken from the clusters as a whole: on the way, one of them may be too small for an improper prior.
    """
    a, b = labels[p], labels[q]
    counts, means, scatters, _, _, _ = clusters
    fixed, base, nu, centers, scale, inverse, kappa, _, _, _, _ = tables
    gain = -log_cluster(a, a, counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work)
    gain -= log_cluster(b, b, counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work)
    leave_cluster(X, p, a, counts, means, scatters)
    leave_cluster(X, q, b, counts, means, scatters)
    join_cluster(X, p, b, counts, means, scatters)
    join_cluster(X, q, a, counts, means, scatters)
    labels[p], labels[q] = b, a
    fill_posterior(a, clusters, tables, work)
    fill_posterior(b, clusters, tables, work)
    gain += log_cluster(a, a, counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work)
    gain += log_cluster(b, b, counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work)
    return gain


@kernel
def swap_down(X, first, second, labels, tables):
    """Exchange the labels of points down two rankings while each pair gains; return how many pairs did."""
    work = np.empty((X.shape[1], X.shape[1]))
    clusters = fill_clusters(X, labels, tables, work)
    for t in range(min(first.size, second.size)):
        if not swap_gain(X, first[t], second[t], labels, clusters, tables, work) > GAIN:
            swap_gain(X, first[t], second[t], labels, clusters, tables, work)
            return t
    return min(first.size, second.size)


@kernel
def pair_sweep(X, labels, tables):
    """Visit the points in turn and flip each with the partner that gains most, if any does; return how many did.

    With known sizes, the two exchange their labels.
    """
    work = np.empty((X.shape[1], X.shape[1]))
    fixed, base, nu, _, _, _, kappa, sizes, joint, _, _ = tables
    clusters = fill_clusters(X, labels, tables, work)
    counts, _, _, centers, inverses, log_dets = clusters
    sized, n, n_flipped = sizes.size > 0, labels.size, 0
    for p in range(n):
        home = labels[p]
        best, best_a, best_q, best_b = GAIN, 0, -1, 0
        for a in range(nu.size):
            if a == home or (sized and a < home):  # the partner's turn finds the same exchange
                continue
            first = leave_gain(X, p, home, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
            first += join_gain(X, p, a, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
            first += prior_change(home, a, counts, sizes, joint, n)
            if not first > -np.inf:
                continue
            flip_point(X, p, a, labels, clusters, tables, work)
            for q in range(n):
                if q == p or (sized and labels[q] != a):
                    continue
                then = first + leave_gain(X, q, labels[q], counts, centers, inverses, log_dets, fixed, base, nu, kappa)
                for b in range(nu.size):
                    if b == labels[q] or (sized and b != home):
                        continue
                    value = then + join_gain(X, q, b, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
                    value += prior_change(labels[q], b, counts, sizes, joint, n)
                    if value > best:
                        best, best_a, best_q, best_b = value, a, q, b
            flip_point(X, p, home, labels, clusters, tables, work)
        if best_q >= 0:
            flip_point(X, p, best_a, labels, clusters, tables, work)
            flip_point(X, best_q, best_b, labels, clusters, tables, work)
            n_flipped += 1
    return n_flipped
