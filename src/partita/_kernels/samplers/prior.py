"""A prior on partitions as samplers read it: weights of existing and new clusters, renewed with the concentration."""

import math
from typing import NamedTuple

import numpy as np

from .._jit import SharedKernel, inlined, inner, inner_allocating
from ..priors.eppf import (
    DIRICHLET_PROCESS,
    FINITE,
    MFM,
    PITMAN_YOR,
    log_size_probability,
    log_weight_existing,
    log_weight_new,
)


class PriorParams(NamedTuple):
    """Which prior it is."""

    kind: int
    parameter: float  # discount or number of components
    log_components: np.ndarray  # log probability of 1, 2, ... components


class PriorWeights(NamedTuple):
    """Log weights, which follow the concentration."""

    new: np.ndarray  # (capacity + 1,) of opening a cluster beside k
    cluster: np.ndarray  # (total size + 2,) of a cluster, by its size
    whole: bool  # whether all sizes are whole numbers
    concentration: np.ndarray  # (1,)
    first: np.ndarray  # (1,) log probability that all items are one cluster, but for that cluster's weight


@SharedKernel
def fill_prior(params, concentration, n_items, weights):
    """Fill the weights for a concentration."""
    kind, parameter = params.kind, params.parameter
    log_weight_existing(kind, concentration, parameter, weights.cluster)
    before = 0.0
    for m in range(1, weights.cluster.size):  # from the weight of joining m items to that of a cluster of m items
        here = weights.cluster[m]
        weights.cluster[m] = before
        before += here
    weights.cluster[0] = 0.0
    fill_new(params, concentration, n_items, weights)


@inner_allocating
def renew_prior(params, concentration, n_items, weights):
    """Let those weights follow the concentration that depend on it."""
    if params.kind == DIRICHLET_PROCESS or params.kind == PITMAN_YOR:
        fill_new(params, concentration, n_items, weights)
    else:
        fill_prior(params, concentration, n_items, weights)


@inner_allocating
def fill_new(params, concentration, n_items, weights):
    """Fill the weights of the first and of each further cluster."""
    kind, parameter = params.kind, params.parameter
    weights.concentration[0] = concentration
    log_weight_new(kind, concentration, parameter, params.log_components, n_items, weights.new)
    sizes = np.full(1, n_items)
    first = log_size_probability(kind, concentration, parameter, params.log_components, sizes, sizes.size, n_items)
    if kind == FINITE:
        first += math.log(parameter)
    if kind == FINITE or kind == MFM:
        first -= log_cluster(n_items, params, weights)
    weights.first[0] = first


@inner
def log_prior(sizes, n_clusters, params, weights):
    """Log probability of a partition with these cluster sizes."""
    total = weights.first[0] + log_cluster(sizes[0], params, weights)
    for k in range(1, n_clusters):
        total += weights.new[k] + log_cluster(sizes[k], params, weights)
    return total


@inlined
def log_cluster(size, params, weights):
    """Log weight of a cluster of this size, relative to one item of size one."""
    if weights.whole:
        return weights.cluster[int(size)]
    shift = 0.0
    if params.kind == PITMAN_YOR:
        shift = -params.parameter
    elif params.kind != DIRICHLET_PROCESS:
        shift = weights.concentration[0]
    return math.lgamma(size + shift) - math.lgamma(1.0 + shift)


@inlined
def log_joining(m, size, params, weights):
    """Log weight of joining a cluster of size ``m`` for what adds ``size``."""
    if weights.whole:
        at = int(m)
        return weights.cluster[at + int(size)] - weights.cluster[at]
    return log_cluster(m + size, params, weights) - log_cluster(m, params, weights)
