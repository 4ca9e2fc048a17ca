"""What a draw of a partition says about new items."""

import math

from .._jit import plain_kernel
from .._lean import lean
from ..components.family import log_predictive, redraw_item, set_prior, update_stats
from .assignment import init_assignment
from .prior import log_joining


@plain_kernel
def fit_draw(labels, chunklets, model, assignment):
    """Statistics of the clusters of a draw."""
    labels, chunklets, model, assignment = lean((labels, chunklets, model, assignment))
    set_prior(model)
    init_assignment(labels, chunklets, model, assignment)


@plain_kernel
def add_draw(n_rows, params, weights, share, model, assignment, rows, scores, log_density, joins):
    """Add one draw's predictive distribution of new items, which the ``model`` holds in place of the old ones.

    ``log_density`` gathers their predictive densities by log-sum-exp; ``joins[r, k]`` the probability that item r joins
    cluster k of an estimate, ``share[c, k]`` being the part of drawn cluster c that lies in k, and in its last
    column that it opens a cluster of its own. ``rows`` are those of the clusters, and the empty one.
    """
    params, weights, share, model, assignment = lean((params, weights, share, model, assignment))
    rows, scores, log_density, joins = lean((rows, scores, log_density, joins))
    n_clusters, total = assignment.n_clusters[0], math.exp(weights.new[assignment.n_clusters[0]])
    for t in range(n_clusters):
        m = assignment.sizes[rows[t]]
        total += math.exp(log_joining(m, 1.0, params, weights))
    for r in range(n_rows):
        for t in range(n_clusters):
            m = assignment.sizes[rows[t]]
            scores[t] = log_joining(m, 1.0, params, weights)
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


@plain_kernel
def log_leave_one_out(params, weights, chunklets, model, observed, assignment, rows, scores, log_density):
    """Log density of each item given all others, their clusters and the hyperparameters; its own cluster summed out.

    ``observed`` shares the rows of ``model`` and holds the items as new ones, without what was drawn for them. Every
    chunklet is one item that counts once; ``rows`` has room for all clusters and the empty one.
    """
    params, weights, chunklets, model, observed = lean((params, weights, chunklets, model, observed))
    assignment, rows, scores, log_density = lean((assignment, rows, scores, log_density))
    n_clusters, last = assignment.n_clusters[0], assignment.sizes.size - 1
    scratch = last - 1
    for u in range(chunklets.size.size):
        i = chunklets.items[chunklets.start[u]]
        own, n_others, total = assignment.labels[i], 0, 0.0
        update_stats(model, own, scratch, i, -1.0)
        for k in range(n_clusters):
            m = assignment.sizes[k] - 1.0 if k == own else assignment.sizes[k]
            if m > 0.0:
                rows[n_others] = scratch if k == own else k
                scores[n_others] = log_joining(m, 1.0, params, weights)
                n_others += 1
        rows[n_others], scores[n_others] = last, weights.new[n_others]
        for t in range(n_others + 1):
            total += math.exp(scores[t])
        log_predictive(observed, i, rows, n_others + 1, scores)
        highest, density = scores[0], 0.0
        for t in range(1, n_others + 1):
            highest = max(highest, scores[t])
        for t in range(n_others + 1):
            density += math.exp(scores[t] - highest)
        log_density[i] = highest + math.log(density / total)


@plain_kernel
def count_row(model, k, rng):
    """Count the one new row that the ``model`` holds to the cluster in row ``k``, with what is drawn for it beside."""
    model = lean(model)
    redraw_item(model, 0, k, rng)
    update_stats(model, k, k, 0, 1.0)
