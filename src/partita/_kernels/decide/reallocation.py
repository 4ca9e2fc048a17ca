"""Reallocation of items between the clusters of a candidate, with its expected loss updated after every move.

``counts[cell, k]`` is the number of items of candidate cluster ``k`` in a cell, a cell being one cluster of one draw
(cluster ``c`` of draw ``m`` is cell ``offsets[m] + c``). The counts of one cell lie side by side, so an item meets
all candidate clusters with one look per draw. The column after the last cluster is empty: a cluster of one's own.
"""

from typing import NamedTuple

import numpy as np

from .._jit import inner, kernel, plain_kernel

# How the loss follows from the sums over draws, over the candidate and over both.
LINEAR, ADJUSTED_RAND, NVI, ID, NID = 0, 1, 2, 3, 4


class Cells(NamedTuple):
    """The draws, laid out by item."""

    by_item: np.ndarray  # (n_items, n_draws) labels
    offsets: np.ndarray  # (n_draws,) first cell of each draw
    weights: np.ndarray  # (n_draws,)
    truth: np.ndarray  # (n_draws,) sum of phi over the clusters of each draw


class Candidate(NamedTuple):
    """A candidate partition and its contingency tables with the draws."""

    labels: np.ndarray  # (n_items,), -1 for an item not yet placed
    sizes: np.ndarray  # (capacity,)
    counts: np.ndarray  # (n_cells, capacity)
    joint: np.ndarray  # (n_draws,) sum of phi over the cells of each draw's table


class Rule(NamedTuple):
    """The loss, as a kernel reads it."""

    code: int
    phi: np.ndarray  # (n_items + 1,)
    gain: np.ndarray  # (n_items,) phi[count + 1] - phi[count]
    origin: float  # what a sum of phi begins with
    size_weight: float  # weight of the candidate's own sum, for LINEAR
    max_clusters: int


@inner
def score_linear(i, n_candidates, cells, candidate, rule, scores):
    """Fill ``scores[k]`` with the expected loss, up to a constant, if item ``i`` were in cluster ``k``."""
    own = candidate.labels[i]
    before = own if own >= 0 else n_candidates
    offsets, weights, labels = cells.offsets, cells.weights, cells.by_item[i]
    counts, sizes, gain = candidate.counts, candidate.sizes, rule.gain
    for k in range(n_candidates):
        scores[k] = 0.0
    for m in range(weights.size):
        row, weight = counts[offsets[m] + labels[m]], weights[m]
        for k in range(before):
            scores[k] += weight * gain[row[k]]
        if own >= 0:
            scores[own] += weight * gain[row[own] - 1]
        for k in range(before + 1, n_candidates):
            scores[k] += weight * gain[row[k]]
    for k in range(n_candidates):
        scores[k] = rule.size_weight * gain[sizes[k] - (k == own)] - 2 * scores[k]


@inner
def draw_loss(code, drawn, own, both):
    """The loss of one draw from the draw's term, the candidate's and their joint one.

    Terms are shares of item pairs for ADJUSTED_RAND and entropies, with their signs turned, for the others.
    """
    if code == ADJUSTED_RAND:
        mean = 0.5 * (drawn + own)
        whole = mean - drawn * own
        return (mean - both) / whole if whole > 1e-12 else 0.0
    if code == NVI:
        return 2 - (drawn + own) / both if both < -1e-12 else 0.0
    shared = max(drawn, own) - both
    if code == ID:
        return shared
    return -shared / min(drawn, own) if min(drawn, own) < -1e-12 else 0.0


@inner
def score_general(i, n_candidates, in_estimate, cells, candidate, rule, terms, scores):
    """Fill ``scores[k]`` with the expected loss if item ``i`` were in cluster ``k``.

    ``in_estimate`` is the sum of phi over the candidate's clusters without the item.
    """
    own = candidate.labels[i]
    offsets, weights, labels, truth = cells.offsets, cells.weights, cells.by_item[i], cells.truth
    counts, sizes, gain, joint, code = candidate.counts, candidate.sizes, rule.gain, candidate.joint, rule.code
    for k in range(n_candidates):
        scores[k] = 0.0
        terms[k] = in_estimate + gain[sizes[k] - (k == own)]
    for m in range(weights.size):
        row, weight, drawn = counts[offsets[m] + labels[m]], weights[m], truth[m]
        rest = joint[m] - gain[row[own] - 1]
        for k in range(n_candidates):
            both = joint[m] if k == own else rest + gain[row[k]]
            scores[k] += weight * draw_loss(code, drawn, terms[k], both)


@plain_kernel
def move_item(i, new, cells, candidate, rule):
    """Put item ``i`` into cluster ``new``, out of the cluster it is in."""
    own = candidate.labels[i]
    for m in range(cells.weights.size):
        row = candidate.counts[cells.offsets[m] + cells.by_item[i, m]]
        if own >= 0:
            row[own] -= 1
            candidate.joint[m] -= rule.gain[row[own]]
        if new >= 0:
            candidate.joint[m] += rule.gain[row[new]]
            row[new] += 1
    if own >= 0:
        candidate.sizes[own] -= 1
    if new >= 0:
        candidate.sizes[new] += 1
    candidate.labels[i] = new


@plain_kernel
def place_items(labels, cells, candidate, rule):
    """Move every item to its cluster in ``labels`` (-1: to none)."""
    for i in range(labels.size):
        if candidate.labels[i] != labels[i]:
            move_item(i, labels[i], cells, candidate, rule)


@plain_kernel
def close_gap(k, last, candidate):
    """Let the last cluster take the place of the empty cluster ``k``."""
    if k != last:
        for cell in range(candidate.counts.shape[0]):
            candidate.counts[cell, k] = candidate.counts[cell, last]
            candidate.counts[cell, last] = 0
        candidate.sizes[k] = candidate.sizes[last]
        candidate.sizes[last] = 0
        for i in range(candidate.labels.size):
            if candidate.labels[i] == last:
                candidate.labels[i] = k


@inner
def own_sum(n_clusters, candidate, rule):
    """Sum of phi over the candidate's clusters."""
    total = rule.origin
    for k in range(n_clusters):
        total += rule.phi[candidate.sizes[k]] - rule.phi[0]
    return total


@kernel
def reallocate(order, position, quiet, n_visits, n_clusters, cells, candidate, rule):
    """Visit items in turn, each moving to its best cluster, until none has moved for a whole round.

    Returns where the walk stands: position, visits without a move, number of clusters, visits made. It also stops
    after ``n_visits`` visits, and when there is no column left for a new cluster.
    """
    capacity = candidate.sizes.size
    terms, scores = np.empty(capacity), np.empty(capacity)
    in_estimate, n_done = own_sum(n_clusters, candidate, rule), 0
    while quiet < order.size and n_done < n_visits and n_clusters < capacity:
        i = order[position]
        own = candidate.labels[i]
        alone = own >= 0 and candidate.sizes[own] == 1
        rest = in_estimate - (rule.gain[candidate.sizes[own] - 1] if own >= 0 else 0.0)
        n_candidates = n_clusters + (not alone and n_clusters < rule.max_clusters)
        if rule.code == LINEAR:
            score_linear(i, n_candidates, cells, candidate, rule, scores)
        else:
            score_general(i, n_candidates, rest, cells, candidate, rule, terms, scores)
        best = own if own >= 0 else 0
        for k in range(n_candidates):
            if scores[k] < scores[best] - 1e-10:
                best = k
        quiet += 1
        if best != own:
            quiet = 0
            in_estimate = rest + rule.gain[candidate.sizes[best]]
            move_item(i, best, cells, candidate, rule)
            n_clusters = max(n_clusters, best + 1)
            if alone:
                n_clusters -= 1
                close_gap(own, n_clusters, candidate)
        position = (position + 1) % order.size
        n_done += 1
    return position, quiet, n_clusters, n_done


@inner
def loss_of_sums(in_estimate, joint, cells, rule):
    """Expected loss, up to a constant, from the candidate's own sum and the joint sum of each draw."""
    total = 0.0
    if rule.code == LINEAR:
        for m in range(joint.size):
            total -= 2 * cells.weights[m] * joint[m]
        return total + rule.size_weight * in_estimate
    for m in range(joint.size):
        total += cells.weights[m] * draw_loss(rule.code, cells.truth[m], in_estimate, joint[m])
    return total


@plain_kernel
def candidate_loss(n_clusters, cells, candidate, rule):
    """Expected loss of the candidate, up to a constant."""
    return loss_of_sums(own_sum(n_clusters, candidate, rule), candidate.joint, cells, rule)


@plain_kernel
def merge_changes(a, others, n_clusters, cells, candidate, rule, joint, changes):
    """Fill ``changes`` with how the expected loss changes if cluster ``a`` and each of the others were one.

    ``joint`` is working space.
    """
    phi, sizes = rule.phi, candidate.sizes
    apart = own_sum(n_clusters, candidate, rule)
    before = loss_of_sums(apart, candidate.joint, cells, rule)
    for t in range(others.size):
        b = others[t]
        for m in range(joint.size):
            last = cells.offsets[m + 1] if m + 1 < joint.size else candidate.counts.shape[0]
            joint[m] = candidate.joint[m]
            for cell in range(cells.offsets[m], last):
                one, other = candidate.counts[cell, a], candidate.counts[cell, b]
                if one > 0 and other > 0:
                    joint[m] += phi[one + other] - phi[one] - phi[other]
        together = apart + phi[sizes[a] + sizes[b]] - phi[sizes[a]] - phi[sizes[b]]
        changes[t] = loss_of_sums(together, joint, cells, rule) - before
