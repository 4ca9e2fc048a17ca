"""Gibbs sampling of label functions of a Gaussian point process from their posterior."""

import numpy as np

from .._jit import inner, inner_allocating, kernel
from ..pointprocess.gaussian import log_cluster, log_count_prior
from ..pointprocess.label_gains import fill_gains, fill_posteriors, flip_point, make_posteriors, swap_gain


@inner
def flip_sweep(X, labels, posteriors, tables, gains, rng):
    """Draw each point's label from its full conditional."""
    for p in range(labels.size):
        fill_gains(X, p, labels[p], posteriors, tables, gains)
        highest, total = 0.0, 0.0
        for i in range(gains.size):
            highest = max(highest, gains[i])
        for i in range(gains.size):
            gains[i] = np.exp(gains[i] - highest)
            total += gains[i]
        left = rng.random() * total
        chosen = 0
        while chosen < gains.size - 1 and left >= gains[chosen]:
            left -= gains[chosen]
            chosen += 1
        if chosen != labels[p] and gains[chosen] > 0.0:
            flip_point(X, p, chosen, labels, posteriors, tables)


@inner
def swap_sweep(X, labels, posteriors, tables, rng):
    """Propose, as often as there are points, that two of them exchange their labels (Metropolis)."""
    for _ in range(labels.size):
        p, q = int(rng.random() * labels.size), int(rng.random() * labels.size)
        if labels[p] != labels[q]:
            gain = swap_gain(X, p, q, labels, posteriors, tables)
            if not np.log(rng.random()) < gain:
                swap_gain(X, p, q, labels, posteriors, tables)


@inner_allocating
def switch_labels(labels, posteriors, tables, rng):
    """Propose that two clusters exchange their labels (Metropolis); return whether they did. Moments stay."""
    n_labels, moments = tables.nu.size, posteriors.moments
    a, b = int(rng.random() * n_labels), int(rng.random() * n_labels)
    if a == b:
        return False
    order = np.arange(n_labels)
    gain = -log_count_prior(moments.counts, order, tables)
    order[a], order[b] = b, a
    gain += log_count_prior(moments.counts, order, tables)
    for k in (a, b):
        gain -= log_cluster(k, k, moments, tables, posteriors.work)
        gain += log_cluster(k, order[k], moments, tables, posteriors.work)
    if not np.log(rng.random()) < gain:
        return False
    for p in range(labels.size):
        labels[p] = order[labels[p]]
    return True


@inner
def log_label_function(posteriors, tables):
    """Log probability of the label function with these moments, together with the points."""
    total = log_count_prior(posteriors.moments.counts, posteriors.identity, tables)
    for i in range(tables.nu.size):
        total += log_cluster(i, i, posteriors.moments, tables, posteriors.work)
    return total


@kernel
def run_label_block(X, labels, tables, rng, draws, log_posterior):
    """Fill ``draws`` with label functions, one per sweep from ``labels`` on, and with their log probabilities."""
    posteriors, gains = make_posteriors(X, labels, tables), np.empty(tables.nu.size)
    for m in range(draws.shape[0]):
        fill_posteriors(X, labels, posteriors, tables)
        if switch_labels(labels, posteriors, tables, rng):
            fill_posteriors(X, labels, posteriors, tables)
        if tables.sizes.size > 0:
            swap_sweep(X, labels, posteriors, tables, rng)
        else:
            flip_sweep(X, labels, posteriors, tables, gains, rng)
        log_posterior[m] = log_label_function(posteriors, tables)
        for p in range(labels.size):
            draws[m, p] = labels[p]
