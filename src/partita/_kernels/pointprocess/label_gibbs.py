"""Draws of label functions from their posterior."""

import numpy as np

from .._jit import kernel
from .gaussian import log_cluster, log_count_prior
from .label_gains import fill_clusters, flip_point, join_gain, leave_gain, prior_change
from .local_search import swap_gain


@kernel
def sweep_flips(X, labels, clusters, tables, work, rng):
    """Draw each point's label given all others."""
    fixed, base, nu, _, _, _, kappa, sizes, joint, _, _ = tables
    counts, _, _, centers, inverses, log_dets = clusters
    gains = np.empty(nu.size)
    for p in range(labels.size):
        home = labels[p]
        leaving = leave_gain(X, p, home, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
        highest, total = 0.0, 0.0
        for i in range(nu.size):
            gains[i] = 0.0
            if i != home:
                gains[i] = leaving + prior_change(home, i, counts, sizes, joint, labels.size)
                gains[i] += join_gain(X, p, i, counts, centers, inverses, log_dets, fixed, base, nu, kappa)
            highest = max(highest, gains[i])
        for i in range(nu.size):
            gains[i] = np.exp(gains[i] - highest)
            total += gains[i]
        left = rng.random() * total
        chosen = 0
        while chosen < nu.size - 1 and left >= gains[chosen]:
            left -= gains[chosen]
            chosen += 1
        if chosen != home and gains[chosen] > 0.0:
            flip_point(X, p, chosen, labels, clusters, tables, work)


@kernel
def sweep_swaps(X, labels, clusters, tables, work, rng):
    """Propose, as often as there are points, that two of them exchange their labels."""
    for _ in range(labels.size):
        p, q = int(rng.random() * labels.size), int(rng.random() * labels.size)
        if labels[p] != labels[q]:
            gain = swap_gain(X, p, q, labels, clusters, tables, work)
            if not np.log(rng.random()) < gain:
                swap_gain(X, p, q, labels, clusters, tables, work)


@kernel
def switch_labels(labels, clusters, tables, work, rng):
    """Propose that two clusters exchange their labels; return whether they did, their moments as they were."""
    fixed, base, nu, centers, scale, inverse, kappa, sizes, joint, _, _ = tables
    counts, means, scatters, _, _, _ = clusters
    a, b = int(rng.random() * nu.size), int(rng.random() * nu.size)
    order = np.arange(nu.size)
    gain = -log_count_prior(counts, order, sizes, joint, labels.size)
    order[a], order[b] = b, a
    gain += log_count_prior(counts, order, sizes, joint, labels.size)
    if a == b:
        return False
    for k in (a, b):
        gain -= log_cluster(k, k, counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work)
        gain += log_cluster(k, order[k], counts, means, scatters, fixed, base, nu, centers, scale, inverse, kappa, work)
    if not np.log(rng.random()) < gain:
        return False
    for p in range(labels.size):
        labels[p] = order[labels[p]]
    return True


@kernel
def draw_labels(X, labels, tables, n_warmup, rng, out):
    """Fill ``out`` with label functions, one per sweep after the warm-up."""
    work = np.empty((X.shape[1], X.shape[1]))
    for sweep in range(n_warmup + out.shape[0]):
        clusters = fill_clusters(X, labels, tables, work)
        if switch_labels(labels, clusters, tables, work, rng):
            clusters = fill_clusters(X, labels, tables, work)
        if tables.sizes.size > 0:
            sweep_swaps(X, labels, clusters, tables, work, rng)
        else:
            sweep_flips(X, labels, clusters, tables, work, rng)
        for p in range(labels.size if sweep >= n_warmup else 0):
            out[sweep - n_warmup, p] = labels[p]
