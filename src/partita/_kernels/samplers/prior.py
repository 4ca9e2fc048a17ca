"""A prior on partitions as samplers read it: weights of existing and new clusters, renewed with the concentration."""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inlined, inner_allocating
from ..priors.eppf import (
    DIRICHLET_PROCESS,
    FINITE,
    PITMAN_YOR,
    log_size_probability,
    log_weight_existing,
    log_weight_new,
)


class PriorParams(NamedTuple):
    """Which prior it is; a shape of 0 fixes the concentration."""

    kind: int
    shape: float  # of the gamma hyperprior on the concentration
    rate: float
    parameter: float  # discount or number of components
    log_components: np.ndarray  # log probability of 1, 2, ... components


class PriorWeights(NamedTuple):
    """Log weights, which follow the concentration."""

    new: np.ndarray  # (capacity + 1,) of opening a cluster beside k
    cluster: np.ndarray  # (total size + 2,) of a cluster, by its size
    whole: bool  # whether all sizes are whole numbers
    concentration: np.ndarray  # (1,)


@inner_allocating
def fill_prior(params, concentration, n_items, weights):
    """Fill the weights for a concentration."""
    kind, parameter = params.kind, params.parameter
    weights.concentration[0] = concentration
    log_weight_existing(kind, concentration, parameter, weights.cluster)
    log_weight_new(kind, concentration, parameter, params.log_components, n_items, weights.new)
    before = 0.0
    for m in range(1, weights.cluster.size):  # from the weight of joining m items to that of a cluster of m items
        here = weights.cluster[m]
        weights.cluster[m] = before
        before += here
    weights.cluster[0] = 0.0


@inner_allocating
def renew_prior(params, concentration, n_items, weights):
    """Let those weights follow the concentration that depend on it."""
    if params.kind == DIRICHLET_PROCESS or params.kind == PITMAN_YOR:
        weights.concentration[0] = concentration
        log_weight_new(params.kind, concentration, params.parameter, params.log_components, n_items, weights.new)
    else:
        fill_prior(params, concentration, n_items, weights)


@inner_allocating
def log_prior(params, concentration, sizes, n_clusters, n_items, weights):
    """Log probability of a partition with these cluster sizes, and log density of the concentration if it is random."""
    kind, shape, rate, parameter = params.kind, params.shape, params.rate, params.parameter
    total = log_size_probability(kind, concentration, parameter, params.log_components, sizes, n_clusters, n_items)
    for k in range(n_clusters):  # what does not depend on the concentration
        if kind == DIRICHLET_PROCESS or kind == PITMAN_YOR:
            total += log_cluster(sizes[k], params, weights)
        elif kind == FINITE:
            total += math.log(parameter - k)
    if shape > 0:
        total += (shape - 1) * math.log(concentration) - rate * concentration
        total += shape * math.log(rate) - math.lgamma(shape)
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
