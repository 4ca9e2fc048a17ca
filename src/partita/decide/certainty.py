"""Posterior certainty of an estimate: of each item, of each cluster, and of many items jointly (the joint core)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.decide.certainty import add_item, agreeing_weight, mean_co_members, mean_held_members
from .._typing import FloatArray, IntArray
from .._validation import check_labels, check_level, check_memory
from ..posterior import PartitionPosterior, as_posterior, held_weight
from .estimate import choose_estimate
from .result import PartitionEstimate

if TYPE_CHECKING:
    import pandas as pd

DOUBT = 0.5  # a smaller margin between an item's cluster and the runner-up is doubt


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


@dataclass(frozen=True, eq=False)
class Certainty:
    """Posterior certainty of an estimate, item by item and cluster by cluster.

    Attributes
    ----------
    items : DataFrame
        One row per item, most doubtful first: its ``cluster``; ``certainty``, the mean probability that it is with
        another member of that cluster (for a singleton: that it is alone); the ``runner_up`` cluster and the mean
        probability of being with one of its members; their difference ``margin``.
    clusters : DataFrame
        One row per cluster: its ``size``; ``within``, the mean probability that two of its members are together; the
        ``nearest`` other cluster and the mean probability that members of both are together.
    between : DataFrame
        Mean probability that an item of one cluster is with an item of the other, for each pair of clusters.
    joint_core : JointCore
        Items that are clustered among themselves as in the estimate with probability ``level`` or more.
    item_numbers : ndarray of int64, shape (n_items,)
        Number of the item in each row of ``items``.

    See Also
    --------
    assess_certainty : makes one.

    Examples
    --------
    >>> import partita as pt
    >>> pt.assess_certainty([[0, 0, 1]] * 3 + [[0, 1, 1]], [0, 0, 1], level=0.7)
    Certainty: 0 of 3 items in doubt (margin below 0.5); 3 of 3 items are clustered like this with probability 0.750
    """

    items: pd.DataFrame
    clusters: pd.DataFrame
    between: pd.DataFrame
    joint_core: JointCore
    item_numbers: IntArray

    @property
    def n_doubtful(self) -> int:
        """Number of items in doubt: those with a margin below 0.5."""
        return int((self.items["margin"] < DOUBT).sum())

    def by_item(self, column: str) -> Any:
        """A column of ``items`` in the order of the items.

        Examples
        --------
        >>> import partita as pt
        >>> pt.assess_certainty([[0, 0, 1]] * 3 + [[0, 1, 1]], [0, 0, 1]).by_item("margin")
        array([0.75 , 0.5  , 0.625])
        """
        values = self.items[column].to_numpy()
        return values[np.argsort(self.item_numbers)]

    def __repr__(self) -> str:
        doubt = f"{self.n_doubtful} of {len(self.items)} items in doubt (margin below {DOUBT})"
        return f"Certainty: {doubt}; {str(self.joint_core).split(': ')[1]}"


def assess_certainty(
    posterior: PartitionPosterior | Any, estimate: PartitionEstimate | ArrayLike | None = None, level: float = 0.95
) -> Certainty:
    """Posterior certainty of an estimate: mean co-clustering probabilities by item and by cluster, and the joint core.

    Parameters
    ----------
    posterior : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        Draws of partitions, weighted or not, or a model with ``posterior_``.
    estimate : PartitionEstimate or array-like of int, shape (n_items,), optional
        The partition in question. When left out, that of the fitted model, or the one with least expected variation of
        information.
    level : float
        Probability, strictly between 0 and 1, of the joint pattern of the core.

    Returns
    -------
    certainty : Certainty
        Tables for items and clusters, and the joint core. No matrix of all pairs is formed.

    See Also
    --------
    credible_ball : certainty of the partition as a whole.
    summarize : both, with the estimate and diagnostics.
    diagnose : whether the draws can be trusted.
    compare_certainty : certainty beside stability.

    Notes
    -----
    Means of the posterior similarity matrix over the clusters of the estimate, without forming the matrix. The joint
    core is found greedily: the item that leaves most draws in agreement with the estimate is added next. Where draws
    leave items out, each pair of items counts as often as draws hold both, and a draw agrees with the core if the
    items of the core that it holds are clustered as in the estimate.

    References
    ----------
    Wade and Ghahramani (2015). Bayesian cluster analysis: point estimation and credible balls. Bayesian Analysis 13
    (2018), 559-626.

    Fritsch and Ickstadt (2009). Improved criteria for clustering based on the posterior similarity matrix. Bayesian
    Analysis 4, 367-391.

    Examples
    --------
    >>> import partita as pt
    >>> posterior = pt.PartitionPosterior([[0, 0, 1, 1]] * 9 + [[0, 0, 1, 0]], items=["ant", "bee", "cat", "dog"])
    >>> result = pt.assess_certainty(posterior, [0, 0, 1, 1])
    >>> result.items
          cluster  certainty  runner_up  runner_up_probability  margin
    item
    dog         1        0.9          0                   0.10    0.80
    cat         1        0.9          0                   0.00    0.90
    ant         0        1.0          1                   0.05    0.95
    bee         0        1.0          1                   0.05    0.95
    >>> result.clusters
             size  within  nearest  nearest_probability
    cluster
    0           2     1.0        1                 0.05
    1           2     0.9        0                 0.05
    """
    estimate, posterior = choose_estimate(posterior, estimate), as_posterior(posterior)
    labels = estimate.labels if isinstance(estimate, PartitionEstimate) else estimate
    canonical_labels = check_labels(labels, "estimate", posterior.n_items)
    level = check_level(level)
    labels = np.asarray(labels) if isinstance(estimate, PartitionEstimate) else canonical_labels
    together = _mean_probabilities(posterior, labels)
    items, between = _item_table(posterior, labels, together), _between(labels, together)
    margins = items["margin"].to_numpy()
    most_certain_first, doubtful_first = np.argsort(-margins, kind="stable"), np.argsort(margins, kind="stable")
    return Certainty(
        items=items.iloc[doubtful_first],
        clusters=_cluster_table(labels, between),
        between=_square(between),
        joint_core=find_joint_core(posterior, labels, most_certain_first, level),
        item_numbers=doubtful_first,
    )


def _mean_probabilities(posterior: PartitionPosterior, labels: IntArray) -> FloatArray:
    """Mean co-clustering probability of each item with the other members of each cluster.

    For a singleton and its own cluster, the probability of being alone.
    """
    sizes = np.bincount(labels)
    check_memory(8 * labels.size * sizes.size, "Certainty of each item about each cluster", "Merge small clusters.")
    shared = np.zeros((labels.size, sizes.size))
    weights = posterior.probabilities()
    mean_co_members(posterior.draws, weights, labels, sizes.size, posterior.n_labels, shared)
    items = np.arange(labels.size)
    held = held_weight(posterior)
    shared[items, labels] -= held
    shared /= np.maximum(_mean_others(posterior, labels, sizes, held), 1e-12)
    for item in np.flatnonzero(sizes[labels] == 1):
        alone = (posterior.draws == posterior.draws[:, [item]]).sum(axis=1) == 1
        here = posterior.draws[:, item] >= 0
        shared[item, labels[item]] = weights[alone & here].sum() / max(weights[here].sum(), 1e-12)
    return np.clip(shared, 0.0, 1.0, out=shared)


def _mean_others(
    posterior: PartitionPosterior, labels: IntArray, sizes: IntArray, held: FloatArray
) -> FloatArray | IntArray:
    """Mean number of other members of each cluster beside each item, over the draws that hold it."""
    if not posterior.partial:
        return sizes - (labels[:, None] == np.arange(sizes.size))
    others = np.zeros((labels.size, sizes.size))
    mean_held_members(posterior.draws, posterior.probabilities(), labels, sizes.size, others)
    others[np.arange(labels.size), labels] -= held
    return others


def _runner_up(labels: IntArray, together: FloatArray) -> tuple[IntArray, FloatArray]:
    """Second-best cluster of each item, and the mean probability of being with its members."""
    items, others = np.arange(labels.size), together.copy()
    others[items, labels] = -1.0
    second = others.argmax(axis=1)
    return second, np.maximum(others[items, second], 0.0)


def _item_table(posterior: PartitionPosterior, labels: IntArray, together: FloatArray) -> pd.DataFrame:
    import pandas as pd

    own = together[np.arange(labels.size), labels]
    runner_up, second = _runner_up(labels, together)
    return pd.DataFrame(
        {
            "cluster": labels,
            "certainty": own,
            "runner_up": runner_up if together.shape[1] > 1 else -1,
            "runner_up_probability": second,
            "margin": own - second,
        },
        index=pd.Index(range(labels.size) if posterior.items is None else posterior.items, name="item"),
    )


def _between(labels: IntArray, together: FloatArray) -> FloatArray:
    """Mean of the items' probabilities over each cluster."""
    sums = np.zeros((together.shape[1], together.shape[1]))
    np.add.at(sums, labels, together)
    return sums / np.bincount(labels)[:, None]


def _square(between: FloatArray) -> pd.DataFrame:
    import pandas as pd

    clusters = pd.RangeIndex(len(between), name="cluster")
    return pd.DataFrame(between, index=clusters, columns=clusters)


def _cluster_table(labels: IntArray, between: FloatArray) -> pd.DataFrame:
    import pandas as pd

    n_clusters = len(between)
    others = between - 2 * np.eye(n_clusters)
    nearest = others.argmax(axis=1)
    return pd.DataFrame(
        {
            "size": np.bincount(labels),
            "within": np.diag(between),
            "nearest": np.where(n_clusters > 1, nearest, -1),
            "nearest_probability": np.maximum(others[np.arange(n_clusters), nearest], 0.0),
        },
        index=pd.RangeIndex(n_clusters, name="cluster"),
    )


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
