"""Split and merge proposals by sequential allocation: Dahl (2005), Dahl and Newcomb (2022).

Two chunklets, the anchors, are picked. Were they apart, their clusters may merge; were they together, their cluster may
split around them: the others join one of the two sides, one after the other in random order, by their predictive
probabilities given those already there. The probability of that allocation enters the acceptance. It is at most one, so
a merge that would be refused even then is refused before any allocation.

Anchors are picked near each other, on several scales, by the Bayes factor of being together: clusters that may merge
are neighbors. The choice does not depend on the partition, so it cancels from the acceptance.
"""

import math
from typing import NamedTuple

import numpy as np

from .._jit import inlined, inner
from ..components.family import copy_row, log_marginal
from .assignment import (
    close_row,
    log_likelihood_given,
    open_row,
    place_chunklet,
    reset_row,
    row_of,
    update_chunklet,
)
from .prior import log_cluster, log_joining

N_SCALES = 9  # of distances from the first anchor to the second
N_NEAR = (2**N_SCALES - 1) / N_SCALES  # chunklets among which the second is sought, on average
TINY = 1e-100  # products are turned into logarithms before they are smaller
BARRIER = 30.0  # how much a forbidden pair weighs in proposals, where something must be possible


class Proposal(NamedTuple):
    """Scratch space of a proposal."""

    members: np.ndarray  # (n_chunklets,) the two chunklets picked, then the others of their clusters in random order
    side: np.ndarray  # (n_chunklets,) 0 or 1 for each chunklet that was allocated, otherwise -1
    rows: np.ndarray  # (2,) rows of the two sides
    scores: np.ndarray  # (2,)


@inlined
def below(n, rng):
    """A whole number from 0 to n - 1."""
    return int(rng.random() * n)


@inner
def find_members(i, j, chunklets, assignment, proposal, rng):
    """List the chunklets of the clusters of ``i`` and ``j``, those two first; return how many they are."""
    a, b = row_of(i, chunklets, assignment), row_of(j, chunklets, assignment)
    members = proposal.members
    members[0], members[1] = i, j
    n_members = 2
    for u in range(chunklets.size.size):
        row = row_of(u, chunklets, assignment)
        if (row == a or row == b) and u != i and u != j:
            t = 2 + below(n_members - 1, rng)  # the inside-out shuffle
            members[n_members] = members[t]
            members[t] = u
            n_members += 1
    return n_members


@inner
def log_cluster_weight(k, params, weights, model, assignment):
    """What the cluster in row ``k`` contributes to the log posterior."""
    return log_cluster(assignment.sizes[k], params, weights) + log_marginal(model, k)


@inner
def log_odds_across(n_members, chunklets, proposal):
    """Sum of the log odds of pairs of members on different sides."""
    total = 0.0
    for t in range(n_members):
        u = proposal.members[t]
        for p in range(chunklets.neighbor_start[u], chunklets.neighbor_start[u + 1]):
            if proposal.side[u] == 0 and proposal.side[chunklets.neighbor[p]] == 1:
                total += chunklets.log_odds[p]
    return total


@inner
def log_odds_of_second(u, rows, chunklets, params, weights, model, assignment, proposal):
    """Log odds that chunklet ``u`` is on side 1 rather than on side 0, given the others on the two sides."""
    scores, size = proposal.scores, chunklets.size[u]
    log_likelihood_given(u, rows, 2, chunklets, model, assignment, scores)
    odds = scores[1] - scores[0]
    for s in range(2):
        m = assignment.sizes[rows[s]]
        odds += (2 * s - 1) * log_joining(m, size, params, weights)
    for p in range(chunklets.neighbor_start[u], chunklets.neighbor_start[u + 1]):
        other = proposal.side[chunklets.neighbor[p]]
        if other >= 0:
            odds += (2 * other - 1) * max(chunklets.log_odds[p], -BARRIER)
    return odds


@inner
def allocate(n_members, second_row, chunklets, params, weights, model, assignment, proposal, rng):
    """Allocate the members to two sides one after the other; return the log probability of the outcome.

    Where ``second_row`` is not negative the outcome is the present split: side 1 is the cluster in that row.
    """
    rows, log_q, q = proposal.rows, 0.0, 1.0
    for s in range(2):
        reset_row(rows[s], model, assignment)
    for t in range(n_members):
        u, side = proposal.members[t], min(t, 1)
        if t >= 2:
            odds = log_odds_of_second(u, rows, chunklets, params, weights, model, assignment, proposal)
            likelier, less = int(odds > 0.0), math.exp(-abs(odds))
            share = 1.0 / (1.0 + less)  # of the likelier side
            side = int(row_of(u, chunklets, assignment) == second_row)
            if second_row < 0:
                side = likelier if rng.random() < share else 1 - likelier
            if side == likelier:
                q *= share
            elif less > TINY:
                q *= share * less
            else:
                log_q -= abs(odds)
            if q < TINY:  # a logarithm now and then, not one per member
                log_q += math.log(q)
                q = 1.0
        proposal.side[u] = side
        update_chunklet(rows[side], rows[side], u, 1.0, chunklets, model, assignment)
    return log_q + math.log(q)


@inner
def try_split(a, n_members, chunklets, params, weights, model, assignment, proposal, rng):
    """Propose to split the cluster in row ``a``; return whether it was accepted."""
    rows, n_clusters, drawn = proposal.rows, assignment.n_clusters[0], -chunklets.size.size
    log_q = allocate(n_members, drawn, chunklets, params, weights, model, assignment, proposal, rng)
    ratio = weights.new[n_clusters] - log_cluster_weight(a, params, weights, model, assignment) - log_q
    ratio -= log_odds_across(n_members, chunklets, proposal)
    for s in range(2):
        ratio += log_cluster_weight(rows[s], params, weights, model, assignment)
    if math.log(rng.random()) >= ratio:
        return False
    for _ in range(2):
        open_row(assignment)
    for t in range(n_members):
        u = proposal.members[t]
        place_chunklet(u, rows[proposal.side[u]], chunklets, assignment)
    close_row(a, assignment)
    return True


@inner
def try_merge(a, b, n_members, chunklets, params, weights, model, assignment, proposal, rng):
    """Propose to merge the clusters in rows ``a`` and ``b``; return whether it was accepted."""
    merged, n_clusters = assignment.sizes.size - 4, assignment.n_clusters[0]
    copy_row(model, a, merged)
    assignment.sizes[merged] = assignment.sizes[a]
    for t in range(n_members):
        u = proposal.members[t]
        proposal.side[u] = int(row_of(u, chunklets, assignment) == b)
        if proposal.side[u] == 1:
            update_chunklet(merged, merged, u, 1.0, chunklets, model, assignment)
    ratio = log_cluster_weight(merged, params, weights, model, assignment) - weights.new[n_clusters - 1]
    ratio -= log_cluster_weight(a, params, weights, model, assignment)
    ratio -= log_cluster_weight(b, params, weights, model, assignment)
    ratio += log_odds_across(n_members, chunklets, proposal)
    log_u = math.log(rng.random())
    if log_u >= ratio:
        return False
    for t in range(n_members):
        proposal.side[proposal.members[t]] = -1
    ratio += allocate(n_members, b, chunklets, params, weights, model, assignment, proposal, rng)
    if log_u >= ratio:
        return False
    copy_row(model, merged, a)
    assignment.sizes[a] = assignment.sizes[merged]
    for t in range(n_members):
        place_chunklet(proposal.members[t], a, chunklets, assignment)
    close_row(b, assignment)
    return True


@inner
def pick_anchors(log_alone, chunklets, model, assignment, proposal, rng):
    """A chunklet at random and, of 1, 2, 4, ... or 256 others at random, the one most likely to be with it."""
    n_chunklets, rows, scores = chunklets.size.size, proposal.rows, proposal.scores
    i = below(n_chunklets, rng)
    reset_row(rows[0], model, assignment)
    update_chunklet(rows[0], rows[0], i, 1.0, chunklets, model, assignment)
    nearest, best = -1, -np.inf
    for _ in range(1 << below(N_SCALES, rng)):
        j = below(n_chunklets - 1, rng)
        j += j >= i
        log_likelihood_given(j, rows, 1, chunklets, model, assignment, scores)
        if nearest < 0 or scores[0] - log_alone[j] > best:
            nearest, best = j, scores[0] - log_alone[j]
    return i, nearest


@inlined
def size_term(size):
    """What a cluster of this size adds to the sum of sizes times their logarithms: the entropy of the partition."""
    return size * math.log(size) if size > 0.0 else 0.0


@inner
def split_or_merge(log_alone, chunklets, params, weights, model, assignment, proposal, rng):
    """Propose to split or to merge the clusters of two chunklets; return by how much that moved the entropy's sum.

    Zero where the proposal was refused.
    """
    for s in range(2):
        proposal.rows[s] = assignment.active[assignment.n_clusters[0] + s]
    i, j = pick_anchors(log_alone, chunklets, model, assignment, proposal, rng)
    a, b = row_of(i, chunklets, assignment), row_of(j, chunklets, assignment)
    n_members, jump = find_members(i, j, chunklets, assignment, proposal, rng), 0.0
    if a == b:
        accepted = try_split(a, n_members, chunklets, params, weights, model, assignment, proposal, rng)
    else:
        accepted = try_merge(a, b, n_members, chunklets, params, weights, model, assignment, proposal, rng)
    first, second = 0.0, 0.0
    for t in range(n_members):
        u = proposal.members[t]
        if proposal.side[u] == 0:
            first += chunklets.size[u]
        else:
            second += chunklets.size[u]
        proposal.side[u] = -1
    if accepted:
        jump = size_term(first + second) - size_term(first) - size_term(second)
    return jump
