"""Reallocation of units between the clusters of a candidate, over draws that may leave items out.

A unit is one item, or several that are together in every draw and so move together. A draw counts the items it holds:
``totals[m, k]`` is the number of items of candidate cluster ``k`` in draw ``m``, and the loss of a draw is taken over
those. Beside that, functions do what those in ``reallocation`` do.
"""

from typing import NamedTuple

import numpy as np

from .._jit import inner, kernel, plain_kernel
from .reallocation import LINEAR, draw_loss


class UnitCells(NamedTuple):
    """The draws, laid out by unit."""

    by_item: np.ndarray  # (n_units, n_draws) labels, negative for a unit that the draw leaves out
    offsets: np.ndarray  # (n_draws,) first cell of each draw
    weights: np.ndarray  # (n_draws,)
    truth: np.ndarray  # (n_draws,) scaled sum of phi over the clusters of each draw
    unit_sizes: np.ndarray  # (n_units,) number of items
    scale: np.ndarray  # (n_draws,) factor of a draw's sums of phi, for the number of items it holds
    origin: np.ndarray  # (n_draws,) what a draw's scaled sums begin with


class UnitCandidate(NamedTuple):
    """A candidate partition and its contingency tables with the draws."""

    labels: np.ndarray  # (n_units,), -1 for a unit not yet placed
    sizes: np.ndarray  # (capacity,) number of items
    counts: np.ndarray  # (n_cells, capacity) number of items
    joint: np.ndarray  # (n_draws,) scaled sum of phi over the cells of each draw's table
    totals: np.ndarray  # (n_draws, capacity) number of items that the draw holds
    own: np.ndarray  # (n_draws,) scaled sum of phi over the totals


@inner
def loss_of_draw(code, size_weight, drawn, own, both):
    """The loss of one draw, up to a constant of the draw where it is linear."""
    return size_weight * own - 2 * both if code == LINEAR else draw_loss(code, drawn, own, both)


@inner
def score_unit(i, n_candidates, cells, candidate, rule, scores):
    """Fill ``scores[k]`` with the expected loss, over draws that hold unit ``i``, if it were in cluster ``k``."""
    own, size, phi = candidate.labels[i], cells.unit_sizes[i], rule.phi
    for k in range(n_candidates):
        scores[k] = 0.0
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


@plain_kernel
def move_unit(i, new, cells, candidate, rule):
    """Put unit ``i`` into cluster ``new``, out of the cluster it is in."""
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


@plain_kernel
def place_units(labels, cells, candidate, rule):
    """Move every unit to its cluster in ``labels`` (-1: to none)."""
    for i in range(labels.size):
        if candidate.labels[i] != labels[i]:
            move_unit(i, labels[i], cells, candidate, rule)


@plain_kernel
def close_unit_gap(k, last, candidate):
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


@kernel
def reallocate_units(order, position, quiet, n_visits, n_clusters, cells, candidate, rule):
    """Visit units in turn, each moving to its best cluster, until none has moved for a whole round."""
    capacity = candidate.sizes.size
    scores, n_done = np.empty(capacity), 0
    while quiet < order.size and n_done < n_visits and n_clusters < capacity:
        i = order[position]
        own = candidate.labels[i]
        alone = own >= 0 and candidate.sizes[own] == cells.unit_sizes[i]
        n_candidates = n_clusters + (not alone and n_clusters < rule.max_clusters)
        score_unit(i, n_candidates, cells, candidate, rule, scores)
        best = own if own >= 0 else 0
        for k in range(n_candidates):
            if scores[k] < scores[best] - 1e-10:
                best = k
        quiet += 1
        if best != own:
            quiet = 0
            move_unit(i, best, cells, candidate, rule)
            n_clusters = max(n_clusters, best + 1)
            if alone:
                n_clusters -= 1
                close_unit_gap(own, n_clusters, candidate)
        position = (position + 1) % order.size
        n_done += 1
    return position, quiet, n_clusters, n_done


@plain_kernel
def unit_candidate_loss(n_clusters, cells, candidate, rule):
    """Expected loss of the candidate, up to a constant."""
    total = 0.0
    for m in range(cells.weights.size):
        total += cells.weights[m] * loss_of_draw(
            rule.code, rule.size_weight, cells.truth[m], candidate.own[m], candidate.joint[m]
        )
    return total


@plain_kernel
def merge_unit_changes(a, others, n_clusters, cells, candidate, rule, joint, changes):
    """Fill ``changes`` with how the expected loss changes if cluster ``a`` and each of the others were one."""
    phi, before = rule.phi, unit_candidate_loss(n_clusters, cells, candidate, rule)
    for t in range(others.size):
        b, total = others[t], 0.0
        for m in range(joint.size):
            last = cells.offsets[m + 1] if m + 1 < joint.size else candidate.counts.shape[0]
            joint[m] = 0.0
            for cell in range(cells.offsets[m], last):
                one, other = candidate.counts[cell, a], candidate.counts[cell, b]
                if one > 0 and other > 0:
                    joint[m] += phi[one + other] - phi[one] - phi[other]
            one, other = candidate.totals[m, a], candidate.totals[m, b]
            own = candidate.own[m] + cells.scale[m] * (phi[one + other] - phi[one] - phi[other])
            both = candidate.joint[m] + cells.scale[m] * joint[m]
            total += cells.weights[m] * loss_of_draw(rule.code, rule.size_weight, cells.truth[m], own, both)
        changes[t] = total - before
