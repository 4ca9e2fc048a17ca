"""The joint core: items whose joint clustering has a given posterior probability (*these, like this, with 95 %*)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from .._kernels.decide.joint_agreement import add_item, agreeing_weight
from .._typing import IntArray
from .._validation import check_memory
from ..posterior import PartitionPosterior


@dataclass(frozen=True, eq=False)
class JointCore:
    """Items whose joint clustering, as in the estimate, has at least the posterior probability asked for.

    Attributes
    ----------
    members : ndarray of int64
        The items' numbers.
    probability : float
        Posterior probability that these items are clustered among themselves as in the estimate.
    level : float
        Probability asked for.
    n_items : int
        Number of all items.

    See Also
    --------
    assess_certainty : finds it.

    Examples
    --------
    >>> import partita as pt
    >>> draws = [[0, 0, 1, 1]] * 90 + [[0, 0, 1, 0]] * 10
    >>> pt.assess_certainty(draws, [0, 0, 1, 1], level=0.95).joint_core
    JointCore: 3 of 4 items are clustered like this with probability 1.000
    """

    members: IntArray
    probability: float
    level: float
    n_items: int

    def __repr__(self) -> str:
        size = f"{self.members.size} of {self.n_items} items are clustered like this"
        return f"JointCore: {size} with probability {self.probability:.3f}"


def find_joint_core(posterior: PartitionPosterior, labels: IntArray, order: IntArray, level: float) -> JointCore:
    """A large set of items clustered as in ``labels`` with probability ``level`` or more, found greedily.

    The item that leaves most draws in agreement is added next, ties in the ``order`` given. Taking items only ever
    loses draws, so the value an item had before bounds the value it has now and few values need to be computed again.
    """
    weights, by_item = posterior.probabilities(), np.ascontiguousarray(posterior.draws.T)
    n_clusters, n_labels = int(labels.max()) + 1, posterior.n_labels
    n_bytes = posterior.n_draws * (4 * n_labels + 4 * n_clusters)
    check_memory(n_bytes, "Following every draw's clusters", "Thin the draws.")
    agree = np.ones(posterior.n_draws, np.bool_)
    estimate_of = np.full((posterior.n_draws, n_labels), -1, np.int32)
    drawn_of = np.full((posterior.n_draws, n_clusters), -1, np.int32)
    members, probability = [], 1.0
    queue = [(-1.0, rank, int(item)) for rank, item in enumerate(order)]
    while queue:
        _, rank, item = heapq.heappop(queue)
        value = agreeing_weight(by_item[item], weights, agree, estimate_of, drawn_of, labels[item])
        if queue and (-value, rank) > queue[0][:2]:
            heapq.heappush(queue, (-value, rank, item))
        elif value < level - 1e-12:
            break
        else:
            add_item(by_item[item], agree, estimate_of, drawn_of, labels[item])
            members.append(item)
            probability = value
    return JointCore(np.sort(members), float(probability), level, labels.size)
