"""Gibbs sampling of label functions of a Gaussian point process from their posterior."""

import numpy as np

from .._jit import apart_kernel, by_type, inner, inner_options
from .._lean import lean
from ..pointprocess.gaussian import log_cluster
from ..pointprocess.label_gains import fill_gains, fill_posteriors, flip_point, log_labeled, swap_gain
from ..pointprocess.label_prior import KnownSizes, log_counts


def flip_sweep(prior, X, labels, posteriors, tables, gains, rng):
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


def swap_sweep(prior, X, labels, posteriors, tables, gains, rng):
    """Propose, as often as there are points, that two of them exchange their labels (Metropolis)."""
    for _ in range(labels.size):
        p, q = int(rng.random() * labels.size), int(rng.random() * labels.size)
        if labels[p] != labels[q]:
            gain = swap_gain(X, p, q, labels, posteriors, tables)
            if not np.log(rng.random()) < gain:
                swap_gain(X, p, q, labels, posteriors, tables)


@by_type(lambda kind: swap_sweep if kind is KnownSizes else flip_sweep, **inner_options)
def sweep(prior, X, labels, posteriors, tables, gains, rng):
    """Visit all points; where the sizes of clusters are known, exchange labels."""


@inner
def switch_labels(labels, posteriors, tables, rng):
    """Propose that two clusters exchange their labels (Metropolis); return whether they did. Moments stay."""
    n_labels, moments = tables.nu.size, posteriors.moments
    a, b = int(rng.random() * n_labels), int(rng.random() * n_labels)
    if a == b:
        return False
    order = posteriors.identity
    n_points = labels.size
    gain = -log_counts(tables.label_prior, moments.counts, order, n_points)
    order[a], order[b] = b, a
    gain += log_counts(tables.label_prior, moments.counts, order, n_points)
    for k in (a, b):
        gain += log_cluster(k, order[k], moments, tables) - log_labeled(k, moments, tables)
    accepted = np.log(rng.random()) < gain
    for p in range(labels.size if accepted else 0):
        labels[p] = order[labels[p]]
    order[a], order[b] = a, b
    return accepted


@inner
def log_label_function(posteriors, tables):
    """Log probability of the label function with these moments, together with the points."""
    n_points = tables.base.shape[1] - 1
    total = log_counts(tables.label_prior, posteriors.moments.counts, posteriors.identity, n_points)
    for i in range(tables.nu.size):
        total += log_labeled(i, posteriors.moments, tables)
    return total


@apart_kernel
def run_label_block(X, labels, tables, posteriors, gains, rng, draws, log_posterior):
    """Fill ``draws`` with label functions, one per sweep from ``labels`` on, and with their log probabilities."""
    X, labels, tables, posteriors, gains = lean((X, labels, tables, posteriors, gains))
    draws, log_posterior = lean((draws, log_posterior))
    for m in range(draws.shape[0]):
        fill_posteriors(X, labels, posteriors, tables)
        if switch_labels(labels, posteriors, tables, rng):
            fill_posteriors(X, labels, posteriors, tables)
        sweep(tables.label_prior, X, labels, posteriors, tables, gains, rng)
        log_posterior[m] = log_label_function(posteriors, tables)
        for p in range(labels.size):
            draws[m, p] = labels[p]
