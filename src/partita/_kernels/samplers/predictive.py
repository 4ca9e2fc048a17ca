"""What a draw of a partition says about new items."""

import math

from .._jit import plain_kernel
from ..components.family import log_predictive, set_prior
from .assignment import init_assignment
from .prior import log_cluster


@plain_kernel
def fit_draw(labels, chunklets, model, assignment):
    """Statistics of the clusters of a draw."""
    set_prior(model)
    init_assignment(labels, chunklets, model, assignment)


@plain_kernel
def add_draw(n_rows, params, weights, share, model, assignment, rows, scores, log_density, joins):
    """Add one draw's predictive distribution of new items, which the ``model`` holds in place of the old ones.

    ``log_density`` gathers their predictive densities by log-sum-exp; ``joins[r, k]`` the probability that item r joins
    cluster k of an estimate, ``share[c, k]`` being the part of drawn cluster c that lies in k, and in its last
    column that it opens a cluster of its own. ``rows`` are those of the clusters, and the empty one.
    """
    n_clusters, total = assignment.n_clusters[0], math.exp(weights.new[assignment.n_clusters[0]])
    for t in range(n_clusters):
        m = assignment.sizes[rows[t]]
        total += math.exp(log_cluster(m + 1.0, params, weights) - log_cluster(m, params, weights))
    for r in range(n_rows):
        for t in range(n_clusters):
            m = assignment.sizes[rows[t]]
            scores[t] = log_cluster(m + 1.0, params, weights) - log_cluster(m, params, weights)
        scores[n_clusters] = weights.new[n_clusters]
        log_predictive(model, r, rows, n_clusters + 1, scores)
        highest = scores[0]
        for t in range(1, n_clusters + 1):
            highest = max(highest, scores[t])
        density = 0.0
        for t in range(n_clusters + 1):
            scores[t] = math.exp(scores[t] - highest)
            density += scores[t]
        for t in range(n_clusters):
            for k in range(share.shape[1]):
                joins[r, k] += scores[t] / density * share[rows[t], k]
        joins[r, share.shape[1]] += scores[n_clusters] / density
        value = highest + math.log(density / total)
        top = max(value, log_density[r])
        log_density[r] = top + math.log(math.exp(value - top) + math.exp(log_density[r] - top))
