"""Units move between a fixed number of clusters: by chance, as a Gibbs sampler has it, or downhill."""

from .._jit import plain_kernel
from ..costs.groups import join_score, relocate
from .gibbs import pick

ROUNDING = 1e-14  # gains below this share of what is compared are none


@plain_kernel
def cost_sweep(n_clusters, rate, units, groups, scores, rng):
    """Draw the cluster of each unit in turn given all others; one that is alone in its cluster stays."""
    for u in range(groups.labels.size):
        own = groups.labels[u]
        if groups.n_units[own] == 1:
            continue
        for k in range(n_clusters):
            scores[k] = join_score(k, u, rate, units, groups)
        chosen = pick(scores, n_clusters, rng)
        if chosen != own:
            relocate(u, chosen, units, groups)


@plain_kernel
def descend(n_clusters, rate, most_sweeps, units, groups):
    """Move single units while that lowers the cost, never the last of a cluster; return how many sweeps it took.

    Where a move and staying cost the same, the unit stays.
    """
    for done in range(most_sweeps):
        moved = False
        for u in range(groups.labels.size):
            own = groups.labels[u]
            if groups.n_units[own] == 1:
                continue
            best, stay = own, join_score(own, u, rate, units, groups)
            highest = stay
            for k in range(n_clusters):
                if k == own:
                    continue
                score = join_score(k, u, rate, units, groups)
                compared = abs(groups.level[k]) + abs(groups.level[own])
                if score > highest and score - stay > ROUNDING * rate * compared:
                    best, highest = k, score
            if best != own:
                relocate(u, best, units, groups)
                moved = True
        if not moved:
            return done + 1
    return most_sweeps
