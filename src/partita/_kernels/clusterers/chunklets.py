"""Greedy placement of chunklets under cannot-links, singly or two neighbors at a time, and Kempe-chain swaps."""

import numpy as np

from .._jit import SharedKernel, kernel


@SharedKernel
def two_cheapest(costs, blocked):
    """The two cheapest clusters that are not blocked, -1 where there are none."""
    first, second = -1, -1
    for k in range(costs.size):
        if blocked[k]:
            continue
        if first < 0 or costs[k] < costs[first]:
            first, second = k, first
        elif second < 0 or costs[k] < costs[second]:
            second = k
    return first, second


@SharedKernel
def cheapest_apart(u, v, costs, blocked):
    """Cheapest clusters of two chunklets that differ and are not blocked, -1 and -1 where there are none."""
    a, next_a = two_cheapest(costs[u], blocked[u])
    b, next_b = two_cheapest(costs[v], blocked[v])
    if a < 0 or b < 0 or a != b:
        return (a, b) if a >= 0 and b >= 0 else (-1, -1)
    if next_a < 0 and next_b < 0:
        return -1, -1
    if next_b < 0 or (next_a >= 0 and costs[u, next_a] + costs[v, b] < costs[u, a] + costs[v, next_b]):
        return next_a, b
    return a, next_b


@kernel
def place_chunklets(turns, costs, bounds, others, labels):
    """Fill ``labels`` of the chunklets in turn; return how many turns found every choice blocked.

    A turn places a chunklet and a neighbor of it, or -1, jointly. Where all choices are blocked it ignores those
    placed before, and keeps only the two of the turn apart.
    """
    blocked = np.zeros(costs.shape, np.bool_)
    free = np.zeros(costs.shape, np.bool_)
    n_conflicts = 0
    for t in range(turns.shape[0]):
        u, v = turns[t]
        if v < 0:
            a, b = two_cheapest(costs[u], blocked[u])[0], -1
        else:
            a, b = cheapest_apart(u, v, costs, blocked)
        if a < 0:
            n_conflicts += 1
            if v < 0:
                a = two_cheapest(costs[u], free[u])[0]
            else:
                a, b = cheapest_apart(u, v, costs, free)
        labels[u] = a
        for e in range(bounds[u], bounds[u + 1]):
            blocked[others[e], a] = True
        if v >= 0:
            labels[v] = b
            for e in range(bounds[v], bounds[v + 1]):
                blocked[others[e], b] = True
    return n_conflicts


@kernel
def swap_chains(costs, bounds, others, labels):
    """Swap two clusters along chains of chunklets that must be apart, until no swap lowers the cost.

    A chain holds all chunklets of two clusters that edges connect (a Kempe chain), so that a swap sets no neighbors in
    one cluster. A chunklet without such neighbors is a chain of its own and moves alone.
    """
    n_chunklets, n_clusters = costs.shape
    chain, found = np.empty(n_chunklets, np.int64), np.zeros(n_chunklets, np.int64)
    mark, improved = 0, True
    while improved:
        improved = False
        for a in range(n_clusters):
            for b in range(a):
                mark += 1
                for start in range(n_chunklets):
                    if found[start] == mark or (labels[start] != a and labels[start] != b):
                        continue
                    found[start], chain[0], size, gain, t = mark, start, 1, 0.0, 0
                    while t < size:
                        u = chain[t]
                        t += 1
                        gain += costs[u, labels[u]] - costs[u, a + b - labels[u]]
                        for e in range(bounds[u], bounds[u + 1]):
                            v = others[e]
                            if found[v] != mark and (labels[v] == a or labels[v] == b):
                                found[v], chain[size] = mark, v
                                size += 1
                    if gain > 1e-12 * abs(costs[start, labels[start]]):
                        for t in range(size):
                            labels[chain[t]] = a + b - labels[chain[t]]
                        improved = True
