"""Gibbs sweeps with a fixed number of clusters."""

from .._jit import inner
from ..costs.groups import log_weight, relocate
from .gibbs import pick


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
