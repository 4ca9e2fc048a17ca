"""Local maxima of the probability of a label function, for very many points."""

import numpy as np

from .._jit import apart_kernel
from .._lean import lean
from .hill_climb import GAIN
from .label_gains import (
    fill_gains,
    fill_posteriors,
    flip_point,
    join_gain,
    leave_gain,
    prior_gain,
    swap_gain,
)
from .label_prior import are_known


@apart_kernel
def polish_flips(X, labels, tables, max_sweeps, posteriors, gains):
    """Visit the points in turn and flip each to its most probable label, until a sweep flips none."""
    X, labels, tables, posteriors, gains = lean((X, labels, tables, posteriors, gains))
    fill_posteriors(X, labels, posteriors, tables)
    for _ in range(max_sweeps):
        flipped = False
        for p in range(labels.size):
            fill_gains(X, p, labels[p], posteriors, tables, gains)
            best = labels[p]
            for i in range(gains.size):
                if gains[i] > (GAIN if best == labels[p] else gains[best]):
                    best = i
            if best != labels[p]:
                flip_point(X, p, best, labels, posteriors, tables)
                flipped = True
        if not flipped:
            return
        fill_posteriors(X, labels, posteriors, tables)


@apart_kernel
def swap_down(X, first, second, labels, tables, posteriors):
    """Exchange the labels of points down two rankings while each pair gains; return how many pairs did."""
    X, first, second, labels, tables, posteriors = lean((X, first, second, labels, tables, posteriors))
    fill_posteriors(X, labels, posteriors, tables)
    for t in range(min(first.size, second.size)):
        if not swap_gain(X, first[t], second[t], labels, posteriors, tables) > GAIN:
            swap_gain(X, first[t], second[t], labels, posteriors, tables)
            return t
    return min(first.size, second.size)


@apart_kernel
def flip_pairs(X, labels, tables, posteriors):
    """Visit the points in turn and flip each with the partner that gains most, if any does; return how many did.

    With known sizes, the two exchange their labels.
    """
    X, labels, tables, posteriors = lean((X, labels, tables, posteriors))
    fill_posteriors(X, labels, posteriors, tables)
    n_labels, sized, n, n_flipped = tables.nu.size, are_known(tables.label_prior), labels.size, 0
    for p in range(n):
        own = labels[p]
        best, best_a, best_q, best_b = GAIN, 0, -1, 0
        for a in range(n_labels):
            if a == own or (sized and a < own):  # the partner's turn finds the same exchange
                continue
            first = leave_gain(X, p, own, posteriors, tables)
            first += join_gain(X, p, a, posteriors, tables)
            first += prior_gain(own, a, posteriors, tables)
            if not first > -np.inf:
                continue
            flip_point(X, p, a, labels, posteriors, tables)
            for q in range(n):
                if q == p or (sized and labels[q] != a):
                    continue
                then = first + leave_gain(X, q, labels[q], posteriors, tables)
                for b in range(n_labels):
                    if b == labels[q] or (sized and b != own):
                        continue
                    value = then + join_gain(X, q, b, posteriors, tables)
                    value += prior_gain(labels[q], b, posteriors, tables)
                    if value > best:
                        best, best_a, best_q, best_b = value, a, q, b
            flip_point(X, p, own, labels, posteriors, tables)
        if best_q >= 0:
            flip_point(X, p, best_a, labels, posteriors, tables)
            flip_point(X, best_q, best_b, labels, posteriors, tables)
            n_flipped += 1
    return n_flipped
