"""Stability indices of items, of clusters and of the whole partition (Koepke 2008, section 2.2).

``phi[i, k]`` is the probability that item i is in cluster k under perturbation; ``labels[i]`` is the column it is in
without. All indices lie between -1 and 1: near 1 means stable, 0 a toss-up, below 0 that another cluster is likelier.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray
from ._validation import check_columns, check_shares
from .soft_indices import SoftIndex


def matching_matrix(phi: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Expected number of items of cluster j assigned to cluster k: the sum of ``phi[:, k]`` over the items of j.

    See Also
    --------
    between_stability : pairs of clusters.
    partita.assess_stability : has it in its result.

    Notes
    -----
    Section 2.1.2 of the thesis.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> matching_matrix([[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]], [0, 0, 1])
    array([[1.75, 0.25],
           [0.  , 1.  ]])
    """
    phi = check_shares(phi)
    labels = check_columns(labels, *phi.shape)
    moved = np.zeros((phi.shape[1], phi.shape[1]))
    np.add.at(moved, labels, phi)
    return moved


def pointwise_stability(phi: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Each item's probability of staying, less that of the likeliest other cluster; 1 where there is one cluster.

    See Also
    --------
    clusterwise_stability : means by cluster.
    partita.assess_stability : has it in its result.

    Notes
    -----
    Section 2.2.2 of the thesis.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> pointwise_stability([[1.0, 0.0], [0.75, 0.25], [0.5, 0.5]], [0, 0, 1])
    array([1. , 0.5, 0. ])
    """
    phi = check_shares(phi)
    labels = check_columns(labels, *phi.shape)
    if phi.shape[1] == 1:
        return np.ones(len(phi))
    return phi[np.arange(len(phi)), labels] - _others(phi, labels).max(axis=1)


def clusterwise_stability(phi: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Mean stability of each cluster's items; NaN for a cluster without items.

    See Also
    --------
    pointwise_stability : item by item.
    between_stability : pairs of clusters.
    partita.assess_stability : has it in its result.

    Notes
    -----
    A mean over the cluster's items, which is what equation 2.12 of the thesis means.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> clusterwise_stability([[1.0, 0.0], [0.75, 0.25], [0.5, 0.5]], [0, 0, 1])
    array([0.75, 0.  ])
    """
    phi = check_shares(phi)
    labels = check_columns(labels, *phi.shape)
    totals = np.bincount(labels, weights=pointwise_stability(phi, labels), minlength=phi.shape[1]).astype(float)
    return _ratio(totals, np.bincount(labels, minlength=phi.shape[1]))


def between_stability(phi: ArrayLike, labels: ArrayLike, symmetric: bool = True) -> FloatArray:
    """Separation of each pair of clusters: mean over their items of the probability to stay less that to move across.

    Parameters
    ----------
    phi, labels : array-like
        As for :func:`pointwise_stability`.
    symmetric : bool
        Average over the items of both clusters. Otherwise entry (j, k) is over the items of j alone, and shows which
        of the two gives items away.

    Returns
    -------
    between : ndarray of float, shape (n_clusters, n_clusters)
        Zero on the diagonal; NaN where there are no items.

    See Also
    --------
    clusterwise_stability : cluster by cluster.
    partita.assess_stability : has it in its result.

    Notes
    -----
    A mean over the items of the two clusters, which is what equation 2.14 of the thesis means.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> between_stability([[1.0, 0.0], [0.75, 0.25], [0.5, 0.5]], [0, 0, 1], symmetric=False)
    array([[0.  , 0.75],
           [0.  , 0.  ]])
    """
    moved = matching_matrix(phi, labels)
    sizes = np.bincount(np.asarray(labels, np.int64), minlength=len(moved))
    lead = np.diag(moved)[:, None] - moved
    if not symmetric:
        return _ratio(lead, np.broadcast_to(sizes[:, None], lead.shape))
    return _ratio(lead + lead.T, sizes[:, None] + sizes)


def heatmap_order(phi: ArrayLike, labels: ArrayLike) -> IntArray:
    """Order of the items for a heatmap of ``phi``: by cluster, and in each by decreasing probability of staying.

    See Also
    --------
    partita.plot.plot_stability : uses it.

    Notes
    -----
    By cluster, then by decreasing stability: section 2.2.1 of the thesis.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> heatmap_order([[0.25, 0.75], [0.75, 0.25], [1.0, 0.0]], [1, 0, 0])
    array([2, 1, 0])
    """
    phi = check_shares(phi)
    labels = check_columns(labels, *phi.shape)
    return np.lexsort((-phi[np.arange(len(phi)), labels], labels))


def average_index(labels: IntArray, phi: FloatArray) -> SoftIndex:
    """Mean stability of the items, and its gradient in every entry of ``phi``."""
    gradient = np.zeros(phi.shape)
    if phi.shape[1] == 1:
        return SoftIndex(1.0, gradient)
    items, rival = np.arange(len(phi)), _others(phi, labels).argmax(axis=1)
    gradient[items, labels], gradient[items, rival] = 1 / len(phi), -1 / len(phi)
    return SoftIndex(float((phi[items, labels] - phi[items, rival]).mean()), gradient)


def _others(phi: FloatArray, labels: IntArray) -> FloatArray:
    others = phi.copy()
    others[np.arange(len(phi)), labels] = -np.inf
    return others


def _ratio(totals: FloatArray, counts: IntArray) -> FloatArray:
    return np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0)
