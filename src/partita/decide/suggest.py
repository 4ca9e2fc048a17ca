"""Active learning of constraints: the pairs of items whose co-clustering is most uncertain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray, RandomState
from .._validation import as_array, check_count, check_labels, check_rng
from ..posterior import PartitionPosterior, as_posterior
from .estimate import choose_estimate
from .result import PartitionEstimate

if TYPE_CHECKING:
    import pandas as pd

MOST_ITEMS = 5000  # among which all pairs are looked at
N_PROBES, MOST_DRAWS = 32, 200  # items and draws by which those are chosen where there are more


def suggest_pairs(
    posterior: PartitionPosterior | Any,
    n_pairs: int = 10,
    *,
    labels: ArrayLike | None = None,
    random_state: RandomState = 0,
) -> pd.DataFrame:
    """Pairs of items whose co-clustering is most uncertain: the ones to ask an expert about next.

    Pairs are ranked by the posterior variance of being together, ``p (1 - p)``, which is what an answer takes away from
    the expected Binder loss of the pair itself. They are spread: no item comes twice, and the more pairs two clusters
    already have, the less another one counts. What an answer says about other pairs is not weighed.

    Parameters
    ----------
    posterior : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        Draws of partitions, or a model with ``posterior_``.
    n_pairs : int
        Pairs wanted; fewer come back where fewer are uncertain.
    labels : array-like of int, shape (n_items,), optional
        The clusters over which pairs are spread: by default those of the fitted model, or of
        :func:`estimate_partition`.
    random_state : int, Generator or None
        Seed. With more than 5000 items, those whose similarities to some random items vary most are looked at.

    Returns
    -------
    pairs : DataFrame
        One row per pair, the best first: ``first`` and ``second`` item (names, or indices), their ``similarity``
        (probability of being together) and its ``variance``, and ``first_cluster`` and ``second_cluster``, numbered as
        in ``labels``.

    See Also
    --------
    Constraints.from_table : takes the table back with a column ``link`` of answers.

    Notes
    -----
    Greedy: the pair with the largest posterior variance of being together, divided by one more than the pairs already
    taken from the same two clusters.

    References
    ----------
    Basu, Banerjee and Mooney (2004). Active semi-supervision for pairwise constrained clustering. SDM.

    Examples
    --------
    >>> from partita import Constraints, PartitionPosterior
    >>> post = PartitionPosterior([[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]], items="abcd")
    >>> pairs = suggest_pairs(post, n_pairs=1)
    >>> pairs[["first", "second", "similarity"]]
      first second  similarity
    0     a      b         0.5
    >>> Constraints.from_table(pairs.assign(link="must"), items="abcd")
    Constraints: 1 must-link and 0 cannot-links on 4 items, 3 chunklets
    """
    n_pairs = check_count("n_pairs", n_pairs)
    chosen, posterior = choose_estimate(posterior, labels), as_posterior(posterior)
    given = as_array(chosen.labels if isinstance(chosen, PartitionEstimate) else chosen, "labels")
    clusters = check_labels(given, n_items=posterior.n_items)
    items = _uncertain_items(posterior, check_rng(random_state))
    first, second, similarity = _best_partners(posterior.subset(items), clusters[items])
    ends, variance = np.sort([items[first], items[second]], axis=0), similarity * (1 - similarity)
    chosen = _spread(variance, ends, clusters, n_pairs)
    return _as_table(posterior, given, ends[:, chosen], similarity[chosen])


def _uncertain_items(posterior: PartitionPosterior, rng: np.random.Generator) -> IntArray:
    """All items, or those whose similarities to a few random items vary most."""
    n = posterior.n_items
    if n <= MOST_ITEMS:
        return np.arange(n)
    step = -(-posterior.n_draws // MOST_DRAWS)
    draws, shares = posterior.draws[::step], posterior.probabilities()[::step]
    variance = np.zeros(n)
    for probe in rng.choice(n, N_PROBES, replace=False):
        if posterior.partial:
            both = (draws >= 0) & (draws[:, [probe]] >= 0)
            together = (shares @ (both & (draws == draws[:, [probe]]))) / np.maximum(shares @ both, 1e-12)
        else:
            together = (shares @ (draws == draws[:, [probe]])) / shares.sum()
        variance += together * (1 - together)
    return np.sort(np.argsort(-variance, kind="stable")[:MOST_ITEMS])


def _best_partners(posterior: PartitionPosterior, clusters: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """For each item and each cluster, the member of most uncertain co-clustering, and their similarity."""
    members = [np.flatnonzero(clusters == k) for k in np.unique(clusters)]
    found = []
    for rows, similarity in posterior.similarity_blocks():
        np.nan_to_num(similarity, copy=False)  # of two items that no draw holds, nothing is to be asked
        first, variance = np.arange(rows.start, rows.stop), similarity * (1 - similarity)
        for group in members:
            second = group[variance[:, group].argmax(axis=1)]
            found.append((first, second, similarity[np.arange(len(first)), second]))
    first, second, together = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return first, second, together.astype(float)


def _spread(variance: FloatArray, ends: IntArray, clusters: IntArray, n_pairs: int) -> list[int]:
    """Greedy choice by variance, divided by one more than the pairs chosen from the same two clusters."""
    low, high = np.sort(clusters[ends], axis=0)
    cell = np.unique(low * (clusters.max() + 1) + high, return_inverse=True)[1]
    worth, taken = variance.copy(), np.zeros(cell.max() + 1, np.int64)
    chosen: list[int] = []
    while len(chosen) < n_pairs and worth.max() > 0:
        best = int(worth.argmax())
        chosen.append(best)
        taken[cell[best]] += 1
        worth[cell == cell[best]] *= taken[cell[best]] / (taken[cell[best]] + 1)
        worth[np.isin(ends, ends[:, best]).any(axis=0)] = 0
    return chosen


def _as_table(
    posterior: PartitionPosterior, clusters: IntArray, ends: IntArray, similarity: FloatArray
) -> pd.DataFrame:
    """Pairs by name."""
    import pandas as pd

    names = ends if posterior.items is None else np.array(posterior.items, object)[ends]
    return pd.DataFrame(
        {
            "first": names[0],
            "second": names[1],
            "similarity": similarity,
            "variance": similarity * (1 - similarity),
            "first_cluster": clusters[ends[0]],
            "second_cluster": clusters[ends[1]],
        }
    )
