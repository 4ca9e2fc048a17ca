"""Log probabilities of all partitions into two clusters, by a Gray walk.

This repeats the arithmetic of ``gaussian.py`` in one function without calls: for a step that takes a tenth of a
microsecond, a call that passes a dozen arrays costs more than the step. The tests hold it to ``log_rows``.
"""

import numpy as np

from .._jit import kernel
from .gaussian import SINGULAR, fill_moments
from .partition_likelihood import AFRESH


@kernel
def log_codes(X, tables, first, last, out):
    """Log probability of the two-cluster partitions ``first`` to ``last - 1`` of a Gray walk, by code.

    Bit i of a partition's code says whether point i is apart from the last point. Step s of the walk is at code
    s XOR s / 2, and the next step moves one point.
    """
    fixed, base, nu, centers, scale, inverse, kappa, sizes, joint, orders, log_ways = tables
    n_points, d = X.shape
    counts, means, scatters = np.zeros(2, np.int64), np.zeros((2, d)), np.zeros((2, d, d))
    terms, work = np.empty((2, 2)), np.empty((d, d))
    labels = np.zeros(n_points, np.int64)
    alike, sized = orders.shape[0] == 1, sizes.size > 0
    for step in range(first, last):
        code = step ^ (step >> 1)
        if step % AFRESH == 0 or step == first:
            for i in range(n_points - 1):
                labels[i] = (code >> i) & 1
            fill_moments(X, labels, counts, means, scatters)
        else:
            i = 0
            while (step >> i) & 1 == 0:
                i += 1
            for leaves in (True, False):  # leave one cluster, then join the other
                k = labels[i]
                n = counts[k]
                after = n - 1 if leaves else n + 1
                counts[k] = after
                share = 0.0 if after == 0 else (-n / after if leaves else n / after)
                pace = 0.0 if after == 0 else (-1.0 / after if leaves else 1.0 / after)
                for a in range(d):
                    for b in range(a + 1):
                        scatters[k, a, b] += share * (X[i, a] - means[k, a]) * (X[i, b] - means[k, b])
                        if after == 0:
                            scatters[k, a, b] = 0.0
                for a in range(d):
                    means[k, a] += pace * (X[i, a] - means[k, a])
                    if after == 0:
                        means[k, a] = 0.0
                if leaves:
                    labels[i] = 1 - k
        if sized and counts[0] != sizes[0] and counts[0] != sizes[1]:
            out[code] = -np.inf
            continue
        for k in range(2):
            n = counts[k]
            for label in range(2):
                if alike and label != k:
                    continue
                if base[label, n] == -np.inf:
                    terms[k, label] = -np.inf
                    continue
                pull = 0.0 if n == 0 or nu[label] == 0.0 else n / (1.0 + n / nu[label])
                total, product = 0.0, 1.0
                for a in range(d):
                    for b in range(a + 1):
                        shift = (means[k, a] - centers[label, a]) * (means[k, b] - centers[label, b])
                        work[a, b] = scatters[k, a, b] + pull * shift
                        if fixed:
                            total += inverse[label, a, b] * work[a, b] * (1.0 if a == b else 2.0)
                        else:
                            work[a, b] += scale[label, a, b]
                if fixed:
                    terms[k, label] = base[label, n] - total / 2
                    continue
                for j in range(d):  # Cholesky pivots, as in log_determinant
                    diagonal = work[j, j]
                    for m in range(j):
                        work[j, j] -= work[j, m] * work[j, m]
                    product *= work[j, j]
                    if not work[j, j] > SINGULAR * diagonal:
                        product = 0.0
                        break
                    if not 1e-150 < product < 1e150:
                        total += np.log(product)
                        product = 1.0
                    root = np.sqrt(work[j, j])
                    for a in range(j + 1, d):
                        for m in range(j):
                            work[a, j] -= work[a, m] * work[j, m]
                        work[a, j] /= root
                if product == 0.0:
                    terms[k, label] = -np.inf
                else:
                    terms[k, label] = base[label, n] - (kappa[label] + n) / 2 * (total + np.log(product))
        ways = log_ways[2] if counts[1] > 0 else log_ways[1]
        straight = terms[0, 0] + terms[1, 1] + (joint[counts[0]] if joint.size > 0 else 0.0)
        if alike:
            out[code] = straight + ways
            continue
        crossed = terms[0, 1] + terms[1, 0] + (joint[counts[1]] if joint.size > 0 else 0.0)
        high, low = max(straight, crossed), min(straight, crossed)
        out[code] = high if low == -np.inf else high + np.log1p(np.exp(low - high))
        out[code] += ways
