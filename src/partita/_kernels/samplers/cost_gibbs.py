"""Sweeps with a fixed number of clusters: Gibbs sampling, and greedy descent (Hartigan's transfers)."""

from .._jit import inner, plain_kernel
from ..costs.groups import log_weight, place_chunklet, relocate
from .gibbs import pick

ROUNDING = 1e-14  # gains below this share of what is compared are none


@inner
def cost_sweep(n_clusters, rate, data, groups, scores, rng):
    """Draw each chunklet's cluster from its full conditional; one alone in its cluster stays, for none may be empty."""
    for u in range(groups.labels.size):
        own = groups.labels[u]
        if groups.n_chunklets[own] == 1:
            continue
        for k in range(n_clusters):
            scores[k] = log_weight(k, u, rate, data, groups)
        chosen, _ = pick(scores, n_clusters, rng)
        if chosen != own:
            relocate(u, chosen, data, groups)


@plain_kernel
def descend(n_clusters, rate, most_sweeps, data, groups):
    """Move single chunklets while that lowers the cost, never the last of a cluster; return how many sweeps it took.

    Where a move and staying cost the same, the chunklet stays.
    """
    for done in range(most_sweeps):
        moved = False
        for u in range(groups.labels.size):
            own = groups.labels[u]
            if groups.n_chunklets[own] == 1:
                continue
            best, stay = own, log_weight(own, u, rate, data, groups)
            highest = stay
            for k in range(n_clusters):
                if k == own:
                    continue
                score = log_weight(k, u, rate, data, groups)
                compared = abs(groups.within_sum[k]) + abs(groups.within_sum[own])
                if score > highest and score - stay > ROUNDING * rate * compared:
                    best, highest = k, score
            if best != own:
                place_chunklet(u, best, data, groups)
                moved = True
        if not moved:
            return done + 1
    return most_sweeps
