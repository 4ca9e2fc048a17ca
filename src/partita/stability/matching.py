"""Stability of a partition over draws of partitions: from a posterior, or from data clustered again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.stability.matching import matched_shares
from .._typing import FloatArray, IntArray
from .._validation import check_labels
from ..posterior import PartitionPosterior, as_posterior
from .result import StabilityResult

if TYPE_CHECKING:
    import pandas as pd


def matched_stability(posterior: PartitionPosterior, labels: ArrayLike) -> StabilityResult:
    """Stability of a partition over draws of partitions whose clusters are matched to its own.

    Parameters
    ----------
    posterior : PartitionPosterior
        Draws: from a model, or from clustering perturbed data again and again.
    labels : array-like of int, shape (n_items,)
        The partition to report on, such as an estimate.

    Returns
    -------
    report : StabilityResult
        ``phi[i, k]`` is the probability that item i is in the drawn cluster matched to cluster k. Where some draws have
        clusters without a partner, a last column holds the probability of being in one of those. An item that is alone
        in its cluster stays where it is alone in the draw.

    Notes
    -----
    Each draw's clusters are matched one to one so that most items agree (Koepke 2008, equation 2.7). Clusters that
    share no item are not matched.

    See Also
    --------
    compare_certainty : this beside the stability of distances, item by item.
    assess_stability : from distances.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> from partita import PartitionPosterior
    >>> matched_stability(PartitionPosterior([[0, 0, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0]]), [0, 0, 1, 1]).phi.round(2)
    array([[1.  , 0.  ],
           [1.  , 0.  ],
           [0.33, 0.67],
           [0.  , 1.  ]])
    """
    posterior = as_posterior(posterior)
    columns = check_labels(labels, n_items=posterior.n_items)
    phi = _matched_phi(posterior, columns, int(columns.max()) + 1)
    return StabilityResult(phi, columns, float("nan"), distribution="posterior", baseline="none")


def compare_certainty(report: StabilityResult, posterior: PartitionPosterior) -> pd.DataFrame:
    """Certainty of each item side by side: under perturbed distances, and over draws of a model.

    Parameters
    ----------
    report : StabilityResult
        From :func:`assess_stability`.
    posterior : PartitionPosterior
        Draws for the same items. Their clusters are matched to those of the report.

    Returns
    -------
    table : pandas.DataFrame
        One row per item: its cluster, the two probabilities of staying in it and the two stabilities.

    See Also
    --------
    assess_stability : the one side.
    matched_stability : the other.
    assess_certainty : certainty without matching.

    Notes
    -----
    The clusters of every draw are matched one to one with those of the report, by the assignment problem on the
    contingency table.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> from partita import PartitionPosterior
    >>> from partita.stability import assess_stability
    >>> report = assess_stability([[1.0, 3.0], [1.5, 2.0], [4.0, 1.0]], theta=3.0)
    >>> table = compare_certainty(report, PartitionPosterior([[0, 0, 1], [0, 1, 1]]))
    >>> table[["stability_distances", "stability_posterior"]].round(2)
          stability_distances  stability_posterior
    item
    0                    1.00                  1.0
    1                    0.68                  0.0
    2                    1.00                  0.0
    """
    import pandas as pd

    posterior = as_posterior(posterior)
    if posterior.n_items != len(report.phi):
        raise ValueError(f"posterior must be over the report's {len(report.phi)} items: got {posterior.n_items}.")
    phi = _matched_phi(posterior, report.labels, report.phi.shape[1])
    drawn = StabilityResult(phi, report.labels, float("nan"), distribution="posterior", baseline="none")
    items = np.arange(len(phi))
    columns = {
        "cluster": report.labels,
        "stay_distances": report.phi[items, report.labels],
        "stay_posterior": phi[items, report.labels],
        "stability_distances": report.pointwise,
        "stability_posterior": drawn.pointwise,
    }
    return pd.DataFrame(columns, index=pd.Index(posterior.items or items, name="item"))


def _matched_phi(posterior: PartitionPosterior, labels: IntArray, n_clusters: int) -> FloatArray:
    phi = np.zeros((posterior.n_items, n_clusters + 1))
    matched_shares(posterior.draws, posterior.probabilities(), labels, n_clusters, posterior.n_labels, phi)
    phi /= phi.sum(axis=1, keepdims=True)
    for item in np.flatnonzero(np.bincount(labels, minlength=n_clusters)[labels] == 1):
        alone = (posterior.draws == posterior.draws[:, [item]]).sum(axis=1) == 1
        stays = posterior.probabilities()[alone].sum()
        phi[item, -1] += phi[item, labels[item]] - stays
        phi[item, labels[item]] = stays
    return phi if phi[:, -1].any() else np.ascontiguousarray(phi[:, :-1])
