"""Reallocation of items between the clusters of a candidate, with its expected loss updated after every move.

``counts[cell, k]`` is the number of items of candidate cluster ``k`` in a cell, a cell being one cluster of one draw
(cluster ``c`` of draw ``m`` is cell ``offsets[m] + c``). The counts of one cell lie side by side, so an item meets
all candidate clusters with one look per draw. The column after the last cluster is empty: a cluster of one's own.

What is moved is an item of draws that hold all items, or a unit: one item, or several that are together in every draw,
of draws that may leave items out. The loss of such a draw is taken over the items it holds, so that the candidate has a
sum of its own for every draw. The type of the cells says which; functions are chosen by it when a kernel is compiled.
"""

from typing import NamedTuple

import numpy as np

from .._jit import by_type, inner, inner_options, plain_kernel
from .._lean import lean

# How the loss follows from the sums over draws, over the candidate and over both.
LINEAR, ADJUSTED_RAND, NVI, ID, NID = 0, 1, 2, 3, 4


class Cells(NamedTuple):
    """The draws, laid out by item."""

    by_item: np.ndarray  # (n_items, n_draws) labels
    offsets: np.ndarray  # (n_draws,) first cell of each draw
    weights: np.ndarray  # (n_draws,)
    truth: np.ndarray  # (n_draws,) sum of phi over the clusters of each draw


class UnitCells(NamedTuple):
    """The draws, laid out by unit."""

    by_item: np.ndarray  # (n_units, n_draws) labels, negative for a unit that the draw leaves out
    offsets: np.ndarray
    weights: np.ndarray
    truth: np.ndarray  # (n_draws,) scaled sum of phi over the clusters of each draw
    unit_sizes: np.ndarray  # (n_units,) number of items
    scale: np.ndarray  # (n_draws,) factor of a draw's sums of phi, for the number of items it holds


class Candidate(NamedTuple):
    """A candidate partition and its contingency tables with the draws."""

    labels: np.ndarray  # (n_items,), -1 for an item not yet placed
    sizes: np.ndarray  # (capacity,) number of items
    counts: np.ndarray  # (n_cells, capacity)
    totals: np.ndarray  # (n_draws, capacity) number of items that the draw holds; no rows where it holds all
    joint: np.ndarray  # (n_draws,) sum of phi over the cells of each draw's table
    own: np.ndarray  # (1,) or (n_draws,) sum of phi over the clusters, as each draw holds them


class Rule(NamedTuple):
    """The loss, as a kernel reads it."""

    code: int
    phi: np.ndarray  # (n_items + 1,)
    gain: np.ndarray  # (n_items,) phi[count + 1] - phi[count]
    size_weight: float  # weight of the candidate's own sum, for LINEAR
    max_clusters: int


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
def score_linear(i, n_candidates, cells, candidate, rule, scores):
    """The scores of an item where the loss is linear in the sums, but for a term that all have in common."""
    own = candidate.labels[i]
    before = own if own >= 0 else n_candidates
    offsets, weights, labels = cells.offsets, cells.weights, cells.by_item[i]
    counts, sizes, gain = candidate.counts, candidate.sizes, rule.gain
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
def score_general(i, n_candidates, cells, candidate, rule, terms, scores):
    """The scores of an item, which is placed, under other losses."""
    own = candidate.labels[i]
    offsets, weights, labels, truth = cells.offsets, cells.weights, cells.by_item[i], cells.truth
    counts, sizes, gain, joint, code = candidate.counts, candidate.sizes, rule.gain, candidate.joint, rule.code
    without = candidate.own[0] - gain[sizes[own] - 1]
    for k in range(n_candidates):
        terms[k] = without + gain[sizes[k] - (k == own)]
    for m in range(weights.size):
        row, weight, drawn = counts[offsets[m] + labels[m]], weights[m], truth[m]
        rest = joint[m] - gain[row[own] - 1]
        for k in range(n_candidates):
            both = joint[m] if k == own else rest + gain[row[k]]
            scores[k] += weight * draw_loss(code, drawn, terms[k], both)


def score_item(cells, i, n_candidates, candidate, rule, terms, scores):
    """Scores of an item."""
    if rule.code == LINEAR:
        score_linear(i, n_candidates, cells, candidate, rule, scores)
    else:
        score_general(i, n_candidates, cells, candidate, rule, terms, scores)


def score_unit(cells, i, n_candidates, candidate, rule, terms, scores):
    """Scores of a unit, over the draws that hold it."""
    own, size, phi = candidate.labels[i], cells.unit_sizes[i], rule.phi
    for m in range(cells.weights.size):
        label = cells.by_item[i, m]
        if label < 0:
            continue
        row, total = candidate.counts[cells.offsets[m] + label], candidate.totals[m]
        weight, scale = cells.weights[m], cells.scale[m]
        both, mine = candidate.joint[m], candidate.own[m]
        if own >= 0:
            both -= scale * (phi[row[own]] - phi[row[own] - size])
            mine -= scale * (phi[total[own]] - phi[total[own] - size])
        for k in range(n_candidates):
            before, held = np.int64(row[k]), np.int64(total[k])
            if k == own:
                before, held = before - size, held - size
            in_both, in_own = phi[before + size] - phi[before], phi[held + size] - phi[held]
            if rule.code == LINEAR:
                scores[k] += weight * scale * (rule.size_weight * in_own - 2 * in_both)
            else:
                scores[k] += weight * draw_loss(
                    rule.code, cells.truth[m], mine + scale * in_own, both + scale * in_both
                )


@by_type({Cells: score_item, UnitCells: score_unit}.__getitem__, **inner_options)
def add_scores(cells, i, n_candidates, candidate, rule, terms, scores):
    """Add to ``scores[k]`` the expected loss, up to a constant, if item ``i`` were in cluster ``k``."""


def move_item(cells, i, new, candidate, rule):
    """Move an item."""
    own, gain = candidate.labels[i], rule.gain
    for m in range(cells.weights.size):
        row = candidate.counts[cells.offsets[m] + cells.by_item[i, m]]
        if own >= 0:
            row[own] -= 1
            candidate.joint[m] -= gain[row[own]]
        if new >= 0:
            candidate.joint[m] += gain[row[new]]
            row[new] += 1
    if own >= 0:
        candidate.sizes[own] -= 1
        candidate.own[0] -= gain[candidate.sizes[own]]
    if new >= 0:
        candidate.own[0] += gain[candidate.sizes[new]]
        candidate.sizes[new] += 1
    candidate.labels[i] = new


def move_unit(cells, i, new, candidate, rule):
    """Move a unit, in the draws that hold it."""
    own, size, phi = candidate.labels[i], cells.unit_sizes[i], rule.phi
    for m in range(cells.weights.size):
        label = cells.by_item[i, m]
        if label < 0:
            continue
        row, total, scale = candidate.counts[cells.offsets[m] + label], candidate.totals[m], cells.scale[m]
        if own >= 0:
            candidate.joint[m] -= scale * (phi[row[own]] - phi[row[own] - size])
            candidate.own[m] -= scale * (phi[total[own]] - phi[total[own] - size])
            row[own] -= size
            total[own] -= size
        if new >= 0:
            candidate.joint[m] += scale * (phi[row[new] + size] - phi[row[new]])
            candidate.own[m] += scale * (phi[total[new] + size] - phi[total[new]])
            row[new] += size
            total[new] += size
    if own >= 0:
        candidate.sizes[own] -= size
    if new >= 0:
        candidate.sizes[new] += size
    candidate.labels[i] = new


@by_type({Cells: move_item, UnitCells: move_unit}.__getitem__, **inner_options)
def move(cells, i, new, candidate, rule):
    """Put item ``i`` into cluster ``new``, out of the cluster it is in; -1 is no cluster."""


def _own_of_all(cells, m):
    return 0


def _own_of_draw(cells, m):
    return m


@by_type({Cells: _own_of_all, UnitCells: _own_of_draw}.__getitem__, **inner_options)
def own_index(cells, m):
    """Which of the candidate's own sums is that of draw ``m``."""


def _same_scale(cells, m):
    return 1.0


def _scale_of_draw(cells, m):
    return cells.scale[m]


@by_type({Cells: _same_scale, UnitCells: _scale_of_draw}.__getitem__, **inner_options)
def scale_of(cells, m):
    """Factor of the sums of phi of draw ``m``."""


def _sizes_of_all(cells, m, candidate):
    return candidate.sizes


def _sizes_in_draw(cells, m, candidate):
    return candidate.totals[m]


@by_type({Cells: _sizes_of_all, UnitCells: _sizes_in_draw}.__getitem__, **inner_options)
def sizes_in(cells, m, candidate):
    """Sizes of the candidate's clusters as draw ``m`` holds them."""


@inner
def close_gap(k, last, candidate):
    """Let the last cluster take the place of the empty cluster ``k``."""
    if k != last:
        for table in (candidate.counts, candidate.totals):
            for row in range(table.shape[0]):
                table[row, k] = table[row, last]
                table[row, last] = 0
        candidate.sizes[k] = candidate.sizes[last]
        candidate.sizes[last] = 0
        for i in range(candidate.labels.size):
            if candidate.labels[i] == last:
                candidate.labels[i] = k


@plain_kernel
def place_items(labels, gap, last, cells, candidate, rule):
    """Move every item to its cluster in ``labels`` (-1: to none), and let the last cluster fill the gap this left."""
    labels, cells, candidate, rule = lean((labels, cells, candidate, rule))
    for i in range(labels.size):
        if candidate.labels[i] != labels[i]:
            move(cells, i, labels[i], candidate, rule)
    close_gap(gap, last, candidate)


@plain_kernel
def reallocate(order, position, quiet, n_visits, n_clusters, cells, candidate, rule, terms, scores):
    """Visit items in turn, each moving to its best cluster, until none has moved for a whole round.

    Returns where the walk stands: position, visits without a move, number of clusters, visits made. It also stops
    after ``n_visits`` visits, and when there is no column left for a new cluster. ``terms`` and ``scores`` are working
    space, with an entry per column.
    """
    order, cells, candidate, rule, terms, scores = lean((order, cells, candidate, rule, terms, scores))
    capacity, n_done = candidate.sizes.size, 0
    while quiet < order.size and n_done < n_visits and n_clusters < capacity:
        i = order[position]
        own = candidate.labels[i]
        n_candidates = n_clusters + (n_clusters < rule.max_clusters)
        for k in range(n_candidates):
            scores[k] = 0.0
        add_scores(cells, i, n_candidates, candidate, rule, terms, scores)
        best = own if own >= 0 else 0
        for k in range(n_candidates):
            if scores[k] < scores[best] - 1e-10:
                best = k
        quiet += 1
        if best != own:
            quiet = 0
            move(cells, i, best, candidate, rule)
            n_clusters = max(n_clusters, best + 1)
            if own >= 0 and candidate.sizes[own] == 0:
                n_clusters -= 1
                close_gap(own, n_clusters, candidate)
        position = (position + 1) % order.size
        n_done += 1
    return position, quiet, n_clusters, n_done


@inner
def expected_loss(own, joint, cells, rule):
    """Expected loss, up to a constant, from the candidate's own sums and the joint sum of each draw."""
    total = 0.0
    for m in range(joint.size):
        mine = own[own_index(cells, m)]
        if rule.code == LINEAR:
            total += cells.weights[m] * (rule.size_weight * mine - 2 * joint[m])
        else:
            total += cells.weights[m] * draw_loss(rule.code, cells.truth[m], mine, joint[m])
    return total


@plain_kernel
def merge_changes(a, others, cells, candidate, rule, own, joint, changes):
    """Fill ``changes`` with how the expected loss changes if cluster ``a`` and each of the others were one.

    Returns the expected loss of the candidate, up to a constant. ``own`` and ``joint`` are working space.
    """
    others, cells, candidate, rule, own, joint, changes = lean((others, cells, candidate, rule, own, joint, changes))
    phi, before = rule.phi, expected_loss(candidate.own, candidate.joint, cells, rule)
    for t in range(others.size):
        b = others[t]
        for m in range(joint.size):
            last = cells.offsets[m + 1] if m + 1 < joint.size else candidate.counts.shape[0]
            gained = 0.0
            for cell in range(cells.offsets[m], last):
                one, other = candidate.counts[cell, a], candidate.counts[cell, b]
                if one > 0 and other > 0:
                    gained += phi[one + other] - phi[one] - phi[other]
            joint[m] = candidate.joint[m] + scale_of(cells, m) * gained
        for s in range(own.size):
            sizes = sizes_in(cells, s, candidate)
            gained = phi[sizes[a] + sizes[b]] - phi[sizes[a]] - phi[sizes[b]]
            own[s] = candidate.own[s] + scale_of(cells, s) * gained
        changes[t] = expected_loss(own, joint, cells, rule) - before
    return before
