"""One update of the concentration of a prior on partitions, given the cluster sizes."""

import math

import numpy as np

from .._jit import inner, inner_allocating
from ..priors.eppf import DIRICHLET_PROCESS, log_size_probability

WIDTH = 1.5  # first guess of the slice sampler at the spread of a log concentration
FARTHEST = 690.0  # log concentrations lie within this of zero, where their exponentials are ordinary numbers


@inner_allocating
def escobar_west(concentration, shape, rate, n_clusters, n_items, rng):
    """Draw a Dirichlet process's concentration through an auxiliary beta variable (Escobar and West 1995, sec. 6)."""
    narrowed = rate - math.log(rng.beta(concentration + 1.0, n_items))
    odds = (shape + n_clusters - 1.0) / (n_items * narrowed)
    drawn_shape = shape + n_clusters - (rng.random() * (1.0 + odds) > odds)
    return max(rng.gamma(drawn_shape, 1.0 / narrowed), 1e-300)


@inner_allocating
def log_target(u, kind, shape, rate, parameter, log_components, sizes, n_clusters, n_items):
    """Log density, up to a constant, of the log concentration given the cluster sizes."""
    if abs(u) > FARTHEST:
        return -np.inf
    x = math.exp(u)
    fit = log_size_probability(kind, x, parameter, log_components, sizes, n_clusters, n_items)
    return shape * u - rate * x + fit


@inner_allocating
def sample_concentration(kind, concentration, shape, rate, parameter, log_components, sizes, n_clusters, n_items, rng):
    """One update of the concentration given cluster sizes, under a Gamma(shape, rate) prior, that leaves it invariant.

    Escobar and West's for a Dirichlet process; for others Neal's (2003) slice sampler with stepping out, on the log.
    """
    if kind == DIRICHLET_PROCESS:
        return escobar_west(concentration, shape, rate, n_clusters, n_items, rng)
    rest = (kind, shape, rate, parameter, log_components, sizes, n_clusters, n_items)
    start = math.log(concentration)
    level = log_target(start, *rest) - rng.standard_exponential()
    low = start - WIDTH * rng.random()
    high = low + WIDTH
    while log_target(low, *rest) > level:
        low -= WIDTH
    while log_target(high, *rest) > level:
        high += WIDTH
    while True:
        u = low + (high - low) * rng.random()
        if log_target(u, *rest) >= level:
            return math.exp(u)
        if u < start:
            low = u
        else:
            high = u


@inner
def log_gamma_density(x, shape, rate):
    """Log density of a gamma distribution."""
    return shape * math.log(rate) - math.lgamma(shape) + (shape - 1) * math.log(x) - rate * x
