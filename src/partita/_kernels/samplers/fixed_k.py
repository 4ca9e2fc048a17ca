"""A block of a Markov chain over partitions into a fixed number of clusters."""

import math
from typing import NamedTuple

from .._jit import inner, plain_kernel
from .._lean import lean
from ..costs.groups import N_SCRATCH, pair_penalty, set_groups
from ..partitions.labels import canonical_row
from .cost_gibbs import cost_sweep
from .merge_then_split import merge_then_split

SMALLEST = 1e-300  # costs below are this


class RateParams(NamedTuple):
    """Gamma full conditional of the rate, given the cost of the partition."""

    shape: float  # 0 keeps the rate fixed
    offset: float  # the cost is added to it


class Schedule(NamedTuple):
    """How often each move is made."""

    n_gibbs: int  # Gibbs sweeps per draw
    merge_every: int  # draws from one proposal that merges and splits to the next; 0 for none


@inner
def total_penalty(data, groups):
    """Sum of the pair penalties of a partition, each pair once."""
    total = 0.0
    if data.chunklets.neighbor.size > 0:
        for u in range(groups.labels.size):
            total += 0.5 * pair_penalty(u, groups.labels[u], data.chunklets, groups.labels)
    return total


@inner
def fill_item_labels(data, groups, labels):
    """Write the cluster of each item, from those of the chunklets."""
    for u in range(groups.labels.size):
        for t in range(data.chunklets.start[u], data.chunklets.start[u + 1]):
            labels[data.chunklets.items[t]] = groups.labels[u]


@plain_kernel
def run_cost_block(start, rate, params, schedule, data, groups, scratch, rng, draws, log_posterior, rates):
    """Sweep once per row of ``draws`` from labels ``start`` of the chunklets, recording each partition."""
    start, data, groups, scratch = lean((start, data, groups, scratch))
    draws, log_posterior, rates = lean((draws, log_posterior, rates))
    n_clusters = groups.n_chunklets.size - N_SCRATCH
    set_groups(start, data, groups)
    for m in range(draws.shape[0]):
        for _ in range(schedule.n_gibbs):
            cost_sweep(n_clusters, rate, data, groups, scratch.scores, rng)
        if schedule.merge_every > 0 and m % schedule.merge_every == 0:
            merge_then_split(n_clusters, rate, data, groups, scratch, rng)
        cost = 0.0
        for k in range(n_clusters):
            cost += groups.cost[k]
        cost = max(cost, 0.0)
        if params.shape > 0.0:
            rate = rng.gamma(params.shape, 1.0) / max(params.offset + cost, SMALLEST)
            log_posterior[m] = (params.shape - 1.0) * math.log(rate) - rate * (params.offset + cost)
        else:
            log_posterior[m] = -rate * cost
        log_posterior[m] -= total_penalty(data, groups)
        rates[m] = rate
        fill_item_labels(data, groups, scratch.labels)
        canonical_row(scratch.labels, m, scratch.seen_in, scratch.name, draws[m])
