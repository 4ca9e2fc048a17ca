"""What a draw of a partition says about new items."""

import math

from .._jit import kernel
from ..components.clusters import score_clusters


@kernel
def add_draw(n_rows, log_alone, prior, share, table, hyper, clusters, seating, work, scores, log_density, joins):
    """Add one draw's word on new items, whose density in an empty cluster is ``log_alone``.

    ``log_density`` gathers their predictive densities by log-sum-exp; ``joins[r, k]`` the probability that item r joins
    cluster k of an estimate, ``share[c, k]`` being the part of drawn cluster c that lies in k, and in its last
    column that it opens a cluster of its own.
    """
    n_clusters = seating.n_clusters[0]
    total = math.exp(prior.log_new[n_clusters])
    for t in range(n_clusters):
        total += math.exp(prior.log_join[clusters.sizes[seating.active[t]]])
    for r in range(n_rows):
        score_clusters(r, seating.active, n_clusters, table, hyper, clusters, work, scores)
        scores[n_clusters] = prior.log_new[n_clusters] + log_alone[r]
        highest = scores[n_clusters]
        for t in range(n_clusters):
            scores[t] += prior.log_join[clusters.sizes[seating.active[t]]]
            highest = max(highest, scores[t])
        density = 0.0
        for t in range(n_clusters + 1):
            scores[t] = math.exp(scores[t] - highest)
            density += scores[t]
        for t in range(n_clusters):
            for k in range(share.shape[1]):
                joins[r, k] += scores[t] / density * share[seating.active[t], k]
        joins[r, share.shape[1]] += scores[n_clusters] / density
        value = highest + math.log(density / total)
        top = max(value, log_density[r])
        log_density[r] = top + math.log(math.exp(value - top) + math.exp(log_density[r] - top))
