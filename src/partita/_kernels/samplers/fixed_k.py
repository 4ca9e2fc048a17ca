"""A block of a Markov chain over partitions into a fixed number of clusters."""

import math

import numpy as np

from .._jit import kernel, plain_kernel
from ..costs.groups import N_SCRATCH, init_groups, pair_penalty
from .cost_gibbs import cost_sweep
from .merge_then_split import merge_then_split

SMALLEST = 1e-300  # costs below are this


@plain_kernel
def total_penalty(units, groups):
    """Sum of the pair penalties of a partition, each pair once."""
    total = 0.0
    if units.neighbor.size > 0:
        for u in range(groups.labels.size):
            total += 0.5 * pair_penalty(u, groups.labels[u], units, groups)
    return total


@plain_kernel
def write_labels(unit_of, groups, name, out):
    """Write canonical labels of the items; ``name`` is scratch space for a label per cluster."""
    name[:] = -1
    following = 0
    for i in range(out.size):
        k = groups.labels[unit_of[i]]
        if name[k] < 0:
            name[k] = following
            following += 1
        out[i] = name[k]


@kernel
def run_cost_block(start, rate, law, moves, unit_of, units, groups, rng, draws, log_posterior, rates):
    """Sweep once per row of ``draws`` from labels ``start`` of the units, recording each partition.

    ``law`` = (shape, rate) of the gamma full conditional of the rate, to whose rate the cost is added; a shape of 0
    keeps the rate fixed; ``moves`` = (Gibbs sweeps per draw, draws from one proposal that merges and splits to
    the next, or 0 for none).
    """
    shape, offset = law
    n_gibbs, every = moves
    n_clusters = groups.n_units.size - N_SCRATCH
    scores, name = np.empty(n_clusters), np.empty(n_clusters, np.int64)
    init_groups(start, units, groups)
    for m in range(draws.shape[0]):
        for _ in range(n_gibbs):
            cost_sweep(n_clusters, rate, units, groups, scores, rng)
        if every > 0 and m % every == 0:
            merge_then_split(n_clusters, rate, units, groups, rng)
        cost = max(groups.cost[:n_clusters].sum(), 0.0)
        if shape > 0.0:
            rate = rng.gamma(shape, 1.0) / max(offset + cost, SMALLEST)
            log_posterior[m] = (shape - 1.0) * math.log(rate) - rate * (offset + cost)
        else:
            log_posterior[m] = -rate * cost
        log_posterior[m] -= total_penalty(units, groups)
        rates[m] = rate
        write_labels(unit_of, groups, name, draws[m])
