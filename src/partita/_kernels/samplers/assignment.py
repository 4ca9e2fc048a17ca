"""Which item is in which cluster, which rows of statistics are in use, and what moves as one.

Rows of statistics: one per cluster, and four more. The last is the empty cluster, which holds the prior; the three
before it are scratch rows.
"""

from typing import NamedTuple

import numpy as np

from .._jit import inlined, inner
from ..components.family import copy_row, log_conditional, log_marginal, log_predictive, update_stats

N_SCRATCH = 4  # rows beyond those of the clusters


class Assignment(NamedTuple):
    """The partition, as the sampler changes it."""

    labels: np.ndarray  # (n_items,) row of each item's cluster
    active: np.ndarray  # (capacity,) the occupied rows first, the free ones after
    position: np.ndarray  # (capacity,) where a row stands in ``active``
    sizes: np.ndarray  # (capacity + 4,) what the prior counts in each row
    n_clusters: np.ndarray  # (1,)


@inlined
def open_row(assignment):
    """Take the next free row into use."""
    assignment.n_clusters[0] += 1
    return assignment.active[assignment.n_clusters[0] - 1]


@inlined
def close_row(k, assignment):
    """Give row ``k`` back."""
    assignment.n_clusters[0] -= 1
    last, here = assignment.n_clusters[0], assignment.position[k]
    moved = assignment.active[last]
    assignment.active[here], assignment.active[last] = moved, k
    assignment.position[moved], assignment.position[k] = here, last


@inlined
def row_of(u, chunklets, assignment):
    """Row of the cluster that holds chunklet ``u``."""
    return assignment.labels[chunklets.items[chunklets.start[u]]]


@inlined
def update_chunklet(source, target, u, sign, chunklets, model, assignment):
    """Let row ``target`` hold what row ``source`` holds and chunklet ``u`` (``sign`` 1), or all but that (-1)."""
    assignment.sizes[target] = assignment.sizes[source] + sign * chunklets.size[u]
    for p in range(chunklets.start[u], chunklets.start[u + 1]):
        i = chunklets.items[p]
        update_stats(model, source, target, i, sign * chunklets.weight[i])
        source = target


@inner
def place_chunklet(u, row, chunklets, assignment):
    """Write down that chunklet ``u`` is in a row's cluster."""
    for p in range(chunklets.start[u], chunklets.start[u + 1]):
        assignment.labels[chunklets.items[p]] = row


@inner
def reset_row(k, model, assignment):
    """Forget all items of row ``k``."""
    assignment.sizes[k] = 0.0
    copy_row(model, assignment.sizes.size - 1, k)


@inner
def init_assignment(labels, chunklets, model, assignment):
    """Begin with these canonical labels: all statistics are made anew, in the order of the items."""
    for k in range(assignment.active.size):
        assignment.active[k] = assignment.position[k] = k
        reset_row(k, model, assignment)
    for i in range(labels.size):
        assignment.labels[i] = labels[i]
    assignment.n_clusters[0] = 0
    for u in range(chunklets.size.size):
        k = row_of(u, chunklets, assignment)
        assignment.n_clusters[0] = max(assignment.n_clusters[0], k + 1)
        update_chunklet(k, k, u, 1.0, chunklets, model, assignment)


@inlined
def moves_alone(u, chunklets):
    """Whether chunklet ``u`` is one item of weight one."""
    return chunklets.equal and chunklets.start[u + 1] == chunklets.start[u] + 1


@inlined
def log_likelihood_in(u, rows, n_rows, chunklets, model, assignment, out):
    """Fill ``out[t]`` with the log likelihood of chunklet ``u`` given the cluster in row ``rows[t]``.

    What is drawn for single items beside their cluster is summed out where ``u`` is one item.
    """
    for t in range(n_rows):
        out[t] = 0.0
    if moves_alone(u, chunklets):
        log_predictive(model, chunklets.items[chunklets.start[u]], rows, n_rows, out)
    else:
        log_likelihood_of_all(u, rows, n_rows, chunklets, model, assignment, out)


@inlined
def log_likelihood_given(u, rows, n_rows, chunklets, model, assignment, out):
    """The same given what is drawn for its items."""
    for t in range(n_rows):
        out[t] = 0.0
    if moves_alone(u, chunklets):
        log_conditional(model, chunklets.items[chunklets.start[u]], rows, n_rows, out)
    else:
        log_likelihood_of_all(u, rows, n_rows, chunklets, model, assignment, out)


@inner
def log_likelihood_of_all(u, rows, n_rows, chunklets, model, assignment, out):
    """The same for a chunklet of several items, or of one that does not weigh one."""
    trial = assignment.sizes.size - 3
    for t in range(n_rows):
        source = rows[t]
        before = log_marginal(model, source)
        for p in range(chunklets.start[u], chunklets.start[u + 1]):
            i = chunklets.items[p]
            update_stats(model, source, trial, i, chunklets.weight[i])
            source = trial
        out[t] = log_marginal(model, trial) - before
