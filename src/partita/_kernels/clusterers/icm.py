"""Iterated conditional modes: points assigned one by one, with a penalty for every violated pair."""

from .._jit import kernel


@kernel
def icm(order, costs, penalties, bounds, others, pairs, must, labels, n_sweeps):
    """Assign each point to its cheapest cluster given the others, until none moves; return the number of sweeps.

    Breaking pair ``p`` in clusters ``a`` and ``b`` costs half of ``penalties[p, a] + penalties[p, b]``: for a must-link
    in two clusters, for a cannot-link in one. A point labeled -1 is not placed yet and breaks nothing.
    """
    n_clusters = costs.shape[1]
    for sweep in range(n_sweeps):
        moved = False
        for i in order:
            best, least = -1, 0.0
            for k in range(n_clusters):
                total = costs[i, k]
                for e in range(bounds[i], bounds[i + 1]):
                    other, p = labels[others[e]], pairs[e]
                    if other >= 0 and (other == k) != must[p]:
                        total += 0.5 * (penalties[p, k] + penalties[p, other])
                if best < 0 or total < least:
                    best, least = k, total
            moved = moved or labels[i] != best
            labels[i] = best
        if not moved:
            return sweep + 1
    return n_sweeps
