"""Average stability as a function of theta, in one pass over the distances.

Under the location-exponential distribution with one theta, nearest cluster first, r_k = d_1 / d_k and B_k their running
sums, summation by parts turns an item's stability into

    sign * (1 - sum_k a_k exp(-theta s_k)),    s_k = sum_{l<k} (d_k / d_l - 1) = r-weighted distance already passed,

with a_k >= 0 that do not depend on theta: a Laplace transform. All items together are a measure over s, kept in bins of
relative width 1/128 with three moments each, after which any theta costs the number of bins and not n K.
"""

import numpy as np

from .._jit import inlined, inner, kernel
from .sorted_distances import FARTHEST, FEW, sort_pairs

FIRST_OCTAVE = -40  # exp(-theta s) is one below 2**-40 and zero above 2**20 for every theta searched
LAST_OCTAVE = 20
MANTISSA_BITS = 7
TINY = 1e-290


@inlined
def sorted_into(row, out, order, spare, spare_order):
    """Write a row to ``out`` in ascending order; the other arrays are scratch."""
    if row.size > FEW:
        for t in range(row.size):
            out[t] = row[t]
        sort_pairs(row.size, out, order, spare, spare_order)
        return
    for t in range(row.size):
        value, at = row[t], t
        while at > 0 and out[at - 1] > value:
            out[at] = out[at - 1]
            at -= 1
        out[at] = value


@inner
def zero_stability(d, own):
    """Stability of an item at distance zero from some cluster, whatever theta."""
    n_zeros = 0
    while n_zeros < d.size and d[n_zeros] == 0.0:
        n_zeros += 1
    if own > 0.0:
        return -1.0 / n_zeros
    return 1.0 if n_zeros == 1 else 0.0


@kernel
def add_spectrum(distances, labels, centers, moments):
    """Add every item's terms to ``moments`` (n_bins, 3), about the bins' ``centers``; return the sum of the signs.

    An item labeled -1 belongs to its nearest cluster.
    """
    n_items, n_clusters = distances.shape
    first_bin, shift, last = (FIRST_OCTAVE + 1023) << MANTISSA_BITS, 52 - MANTISSA_BITS, 2.0**LAST_OCTAVE
    d, s, spare = np.empty(n_clusters), np.zeros(n_clusters), np.empty(n_clusters)
    order, spare_order = np.zeros(n_clusters, np.int64), np.zeros(n_clusters, np.int64)
    bits = s.view(np.int64)
    constant = 0.0
    for i in range(n_items):
        sorted_into(distances[i], d, order, spare, spare_order)
        own = d[0] if labels[i] < 0 else distances[i, labels[i]]
        if n_clusters == 1:
            constant += 1.0
            continue
        if d[0] == 0.0:
            constant += zero_stability(d, own)
            continue
        if d[0] < TINY:  # so that one over the least distance is a number
            own = min(own / TINY, FARTHEST)
            for k in range(n_clusters):
                d[k] = min(d[k] / TINY, FARTHEST)
        # Of the competitor, when the item is with its nearest cluster; of its own cluster, when it is not.
        rank, sign = 1, 1.0 if own == d[0] else -1.0
        while sign < 0.0 and d[rank] < own:
            rank += 1
        constant += sign
        rival, scale = d[0] / d[rank], 1.0 / d[0]
        rate, one_over = 1.0, 1.0
        for k in range(1, n_clusters):
            s[k] = s[k - 1] + (d[k] - d[k - 1]) * scale * rate
            if s[k] >= last:
                break
            near, before = d[0] / d[k], one_over
            rate += near
            one_over = 1.0 / rate
            a = near * before * one_over * (1.0 if k <= rank else 1.0 - rival)
            if k == rank:
                a += rival * one_over
            place = max((bits[k] >> shift) - first_bin, 0)
            off = s[k] - centers[place]
            moments[place, 0] += sign * a
            moments[place, 1] += sign * a * off
            moments[place, 2] += sign * a * off * off
    return constant
