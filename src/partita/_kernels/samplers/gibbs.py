"""Collapsed Gibbs sampling of a partition: Neal's (2000) algorithm 3."""

import math

from .._jit import inlined, inner
from ..components.family import copy_row, redraw_item
from .assignment import (
    close_row,
    log_likelihood_in,
    moves_alone,
    open_row,
    place_chunklet,
    reset_row,
    row_of,
    update_chunklet,
)
from .prior import log_cluster, log_joining

NEGLIGIBLE = 40.0  # what is exp(-40) of the largest weight is never picked


@inlined
def pick(scores, n, rng):
    """An index drawn with probability proportional to ``exp(scores)``, and its entropy; ``scores`` are used up."""
    highest = scores[0]
    for t in range(1, n):
        highest = max(highest, scores[t])
    total = mean = 0.0
    for t in range(n):
        lead = scores[t] - highest
        scores[t] = 0.0
        if lead == 0.0:
            scores[t] = 1.0
            total += 1.0
        elif lead > -NEGLIGIBLE:
            weight = math.exp(lead)
            scores[t] = weight
            total += weight
            mean += weight * lead
    entropy = math.log(total) - mean / total if total > 1.0 else 0.0
    at = rng.random() * total
    for t in range(n - 1):
        at -= scores[t]
        if at < 0:
            return t, entropy
    return n - 1, entropy


@inner
def gibbs_sweep(chunklets, log_alone, params, weights, model, assignment, scores, rng):
    """Draw the cluster of each chunklet in turn given all others; ``log_alone[u]`` is its likelihood in an empty one.

    The statistics of a cluster without the chunklet are kept in a scratch row, so that nothing needs to be computed
    again when it returns, as it mostly does. Returns the sum of the entropies of the full conditionals; stops early,
    returning -1, when no free row is left.
    """
    scratch, empty, entropy = assignment.sizes.size - 2, assignment.sizes.size - 1, 0.0
    for u in range(chunklets.size.size):
        size, k = chunklets.size[u], row_of(u, chunklets, assignment)
        position, shared = assignment.position[k], assignment.sizes[k] > size * 1.0000001
        if shared:
            update_chunklet(k, scratch, u, -1.0, chunklets, model, assignment)
            assignment.active[position] = scratch
        else:
            close_row(k, assignment)
        n_clusters = assignment.n_clusters[0]
        if n_clusters == assignment.active.size:
            return -1.0
        log_likelihood_in(u, assignment.active, n_clusters, chunklets, model, assignment, scores)
        for t in range(n_clusters):
            m = assignment.sizes[assignment.active[t]]
            scores[t] += log_joining(m, size, params, weights)
        scores[n_clusters] = weights.new[n_clusters] + log_cluster(size, params, weights) + log_alone[u]
        for p in range(chunklets.neighbor_start[u], chunklets.neighbor_start[u + 1]):
            row = row_of(chunklets.neighbor[p], chunklets, assignment)
            scores[assignment.position[row]] += chunklets.log_odds[p]
        chosen, spread = pick(scores, n_clusters + 1, rng)
        entropy += spread
        if shared:
            assignment.active[position] = k
        is_new = chosen == n_clusters
        target = open_row(assignment) if is_new else assignment.active[chosen]
        stays, changed = target == k, False
        if moves_alone(u, chunklets):
            joined = empty if is_new else scratch if stays else target
            changed = redraw_item(model, chunklets.items[chunklets.start[u]], joined, rng)
        if stays and not changed:
            continue
        if shared:
            copy_row(model, scratch, k)
            assignment.sizes[k] = assignment.sizes[scratch]
        if is_new:
            reset_row(target, model, assignment)
        update_chunklet(target, target, u, 1.0, chunklets, model, assignment)
        place_chunklet(u, target, chunklets, assignment)
    return entropy
