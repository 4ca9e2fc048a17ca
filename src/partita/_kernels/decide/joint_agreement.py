"""Which draws cluster a growing set of items as a partition does.

``owner[m, c]`` is the cluster of the partition whose members, of those taken so far, cluster c of draw m holds, and
``home[m, k]`` the cluster of draw m that holds the members of k; -1 for none.
"""

from .._jit import kernel


@kernel
def agreeing_weight(by_item, weights, agree, owner, home, cluster):
    """Weight of the draws that still agree once an item of this cluster, with these drawn labels, is taken."""
    total = 0.0
    for m in range(weights.size):
        if agree[m]:
            held = owner[m, by_item[m]]
            if held == cluster or (held < 0 and home[m, cluster] < 0):
                total += weights[m]
    return total


@kernel
def take_item(by_item, agree, owner, home, cluster):
    """Take an item into the set."""
    for m in range(agree.size):
        if agree[m]:
            held = owner[m, by_item[m]]
            if held == cluster:
                continue
            if held < 0 and home[m, cluster] < 0:
                owner[m, by_item[m]] = cluster
                home[m, cluster] = by_item[m]
            else:
                agree[m] = False
