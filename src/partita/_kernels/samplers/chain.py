"""A block of a Markov chain over partitions."""

import math

import numpy as np

from .._jit import kernel
from ..components.clusters import log_marginal
from ..priors.eppf import DIRICHLET_PROCESS, FINITE, PITMAN_YOR, fill_log_join, fill_log_new, log_size_probability
from .concentration import sample_concentration
from .gibbs import gibbs_sweep, seat_all
from .split_merge import split_or_merge


@kernel
def fill_prior(law, concentration, n_items, prior):
    """Fill the prior's weights."""
    kind, _, _, parameter, log_components = law
    fill_log_join(kind, concentration, parameter, prior.log_join)
    fill_log_new(kind, concentration, parameter, log_components, n_items, prior.log_new)
    prior.log_cluster[0] = prior.log_cluster[1] = 0.0
    for m in range(2, n_items + 1):
        prior.log_cluster[m] = prior.log_cluster[m - 1] + prior.log_join[m - 1]


@kernel
def renew_prior(law, concentration, n_items, prior):
    """Let the prior's weights follow the concentration, those that do."""
    kind, _, _, parameter, log_components = law
    if kind in (DIRICHLET_PROCESS, PITMAN_YOR):
        fill_log_new(kind, concentration, parameter, log_components, n_items, prior.log_new)
    else:
        fill_prior(law, concentration, n_items, prior)


@kernel
def log_prior(law, concentration, sizes, n_clusters, n_items, prior):
    """Log probability of a partition with these cluster sizes, and log density of the concentration if it is random."""
    kind, shape, rate, parameter, log_components = law
    total = log_size_probability(kind, concentration, parameter, log_components, sizes, n_clusters, n_items)
    for k in range(n_clusters):  # what does not depend on the concentration
        if kind in (DIRICHLET_PROCESS, PITMAN_YOR):
            total += prior.log_cluster[sizes[k]]
        elif kind == FINITE:
            total += math.log(parameter - k)
    if shape > 0:
        total += (
            (shape - 1) * math.log(concentration) - rate * concentration + shape * math.log(rate) - math.lgamma(shape)
        )
    return total


@kernel
def pair_weight(units, seating):
    """Sum of the weights of the pairs that are together."""
    total = 0.0
    for u in range(units.start.size - 1):
        row = seating.labels[units.items[units.start[u]]]
        for p in range(units.neighbor_start[u], units.neighbor_start[u + 1]):
            v = units.neighbor[p]
            if u < v and seating.labels[units.items[units.start[v]]] == row:
                total += units.weight[p]
    return total


@kernel
def record(seating, name, draw):
    """Write the partition down with its clusters numbered by first appearance."""
    name[:] = -1
    following = 0
    for i in range(draw.size):
        k = seating.labels[i]
        if name[k] < 0:
            name[k] = following
            following += 1
        draw[i] = name[k]


@kernel
def run_block(
    start, concentration, law, moves, units, alone, prior, table, hyper, clusters, seating, launch, rng,
    draws, log_posterior, traced
):  # fmt: skip
    """Sweep once per row of ``draws`` from labels ``start``, recording each partition; False when rows ran out.

    ``law`` = (kind, shape, rate, parameter, log_components) of the prior, a shape of 0 fixing the concentration;
    ``moves`` = (Gibbs sweeps per draw, draws from one split-merge proposal to the next or 0 for none, scans of each).
    """
    kind, shape, rate, parameter, log_components = law
    n_gibbs, every, n_scans = moves
    n_items, capacity = start.size, seating.active.size
    work, scores = np.empty(table.numbers.shape[1] + 1), np.empty(capacity + 1)
    sizes, name = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    fill_prior(law, concentration, n_items, prior)
    seat_all(start, table, hyper, clusters, seating, work)
    for m in range(draws.shape[0]):
        for _ in range(n_gibbs):
            if not gibbs_sweep(units, alone, prior, table, hyper, clusters, seating, work, scores, rng):
                return False
        if every > 0 and m % every == 0:
            if seating.n_clusters[0] + 3 > capacity:
                return False
            split_or_merge(n_scans, units, prior, table, hyper, clusters, seating, work, scores, launch, rng)
        n_clusters, total = seating.n_clusters[0], pair_weight(units, seating)
        for t in range(n_clusters):
            sizes[t] = clusters.sizes[seating.active[t]]
            total += log_marginal(seating.active[t], hyper, clusters)
        if shape > 0:
            concentration = sample_concentration(
                kind, concentration, shape, rate, parameter, log_components, sizes, n_clusters, n_items, rng
            )
            renew_prior(law, concentration, n_items, prior)
        log_posterior[m] = total + log_prior(law, concentration, sizes, n_clusters, n_items, prior)
        traced[m] = concentration
        record(seating, name, draws[m])
    return True
