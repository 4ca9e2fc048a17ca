"""Distances of items to clusters, from labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from .._kernels.stability.linkage import linkage_distances
from .._typing import FloatArray, IntArray
from .._validation import check_choice
from ._validation import check_columns, check_data, check_distances

POWERS = {"average": 0, "complete": 1, "single": -1}


def center_distances(X: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Distance of each item to the mean of each cluster.

    Parameters
    ----------
    X : array-like of float, shape (n_items, n_features)
        Data.
    labels : array-like of int, shape (n_items,)
        Clusters, numbered from 0.

    Returns
    -------
    distances : ndarray of float, shape (n_items, n_clusters)
        For :func:`assess_stability`.

    See Also
    --------
    cluster_distances : from distances between items.
    assess_stability : what they are for.

    Notes
    -----
    Euclidean distances, as in k-means.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> center_distances([[0.0], [2.0], [7.0]], [0, 0, 1])
    array([[1., 7.],
           [1., 5.],
           [6., 0.]])
    """
    data = check_data(X)
    columns, sizes = _check_clusters(labels, len(data))
    totals = np.zeros((sizes.size, data.shape[1]))
    np.add.at(totals, columns, data)
    return cdist(data, totals / sizes[:, None])


def cluster_distances(pairwise: ArrayLike, labels: ArrayLike, linkage: str = "average") -> FloatArray:
    """Distance of each item to each cluster, from the distances between items.

    Parameters
    ----------
    pairwise : array-like of float, shape (n_items, n_items)
        Distances between items.
    labels : array-like of int, shape (n_items,)
        Clusters, numbered from 0. For clusters with exemplars, pass ``pairwise[:, exemplars]`` to
        :func:`assess_stability` instead.
    linkage : {"average", "complete", "single"}
        Mean, greatest or least distance to the cluster's items, the item itself left out. An item alone in its cluster
        is at distance zero from it.

    Returns
    -------
    distances : ndarray of float, shape (n_items, n_clusters)
        For :func:`assess_stability`, together with ``labels``: an item need not be nearest to its own cluster.

    See Also
    --------
    center_distances : from data.
    assess_stability : what they are for.

    Notes
    -----
    The linkages of hierarchical clustering, between an item and a cluster.

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Examples
    --------
    >>> points = np.array([0.0, 1, 5, 6])
    >>> cluster_distances(np.abs(points[:, None] - points), [0, 0, 1, 1])
    array([[1. , 5.5],
           [1. , 4.5],
           [4.5, 1. ],
           [5.5, 1. ]])
    """
    pairwise = check_distances(pairwise)
    n_items = len(pairwise)
    if pairwise.shape[1] != n_items:
        raise ValueError(f"pairwise must be square: got shape {pairwise.shape}.")
    columns, sizes = _check_clusters(labels, n_items)
    out = np.empty((n_items, sizes.size))
    linkage_distances(pairwise, columns, sizes, POWERS[check_choice("linkage", linkage, POWERS)], out)
    return out


def _check_clusters(labels: ArrayLike, n_items: int) -> tuple[IntArray, IntArray]:
    """Labels and cluster sizes, none of them zero."""
    columns = check_columns(labels, n_items, n_items)
    sizes = np.bincount(columns)
    if (sizes == 0).any():
        raise ValueError(f"labels must leave no cluster empty: got no item labeled {sizes.argmin()}.")
    return columns, sizes
