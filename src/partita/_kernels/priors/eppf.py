"""Urns: the weights by which an item joins a cluster or opens one, and draws of partitions from them."""

import math

import numpy as np

from .._jit import kernel
from ..samplers.concentration import DIRICHLET_PROCESS, FINITE, MFM, PITMAN_YOR, log_component_sum, steepest_ahead


@kernel
def fill_log_join(kind, concentration, parameter, log_join):
    """Fill ``log_join[m]``, as far as it reaches, with the log weight of joining m items."""
    shift = 0.0
    if kind == PITMAN_YOR:
        shift = -parameter
    elif kind != DIRICHLET_PROCESS:
        shift = concentration
    log_join[0] = 0.0
    for m in range(1, log_join.size):
        log_join[m] = math.log(m + shift)


@kernel
def fill_log_new(kind, concentration, parameter, log_components, n_items, log_new):
    """Fill ``log_new[k]``, as far as it reaches, with the log weight of opening cluster k + 1."""
    if kind != MFM:
        step = parameter if kind == PITMAN_YOR else 0.0
        for k in range(log_new.size):
            weight = concentration + step * k
            if kind == FINITE:
                weight = concentration * (parameter - k)
            log_new[k] = math.log(weight) if weight > 0.0 else -np.inf
        return
    steepest, log_rest = steepest_ahead(log_components), np.full(log_components.size, np.nan)
    here = log_component_sum(0, n_items, concentration, log_components, steepest, log_rest)
    for k in range(log_new.size):
        following = log_component_sum(k + 1, n_items, concentration, log_components, steepest, log_rest)
        log_new[k] = math.log(concentration) + following - here if following > -np.inf else -np.inf
        here = following


@kernel
def sample_urn(join, new, labels, rng):
    """Fill ``labels`` item by item: into a cluster of m items with weight ``join[m]``, the k + 1st with ``new[k]``."""
    sizes, n_clusters = np.zeros(labels.size, np.int64), 0
    for i in range(labels.size):
        total = new[n_clusters]
        for k in range(n_clusters):
            total += join[sizes[k]]
        left = total * rng.random() - new[n_clusters]
        label = n_clusters
        if left >= 0.0:
            label = 0
            left -= join[sizes[0]]
            while left >= 0.0 and label < n_clusters - 1:
                label += 1
                left -= join[sizes[label]]
        n_clusters += label == n_clusters
        sizes[label] += 1
        labels[i] = label
