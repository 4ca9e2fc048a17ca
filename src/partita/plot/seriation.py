"""Seriation of the similarity matrix: similar clusters side by side, items along the main axis of their cluster."""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray, IntArray
from ..posterior import PartitionPosterior
from .projection import memberships, similarity_axes

MOST_TURNED = 200  # clusters; the time grows with their cube


def seriate(posterior: PartitionPosterior, labels: IntArray) -> IntArray:
    """Items cluster after cluster."""
    axis = np.zeros(labels.size)
    for cluster in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == cluster)
        if members.size > 2:
            axis[members] = similarity_axes(posterior.subset(members), 1)[:, 0]
    place = np.argsort(order_clusters(_cluster_distances(posterior, labels)))
    return np.lexsort((axis, place[labels]))


def order_clusters(distances: FloatArray) -> IntArray:
    """Order of clusters by the leaves of a linkage tree, optimal where they are few."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(distances) < 3:
        return np.arange(len(distances))
    condensed = squareform(distances, checks=False)
    tree = linkage(condensed, "average", optimal_ordering=len(distances) <= MOST_TURNED)
    return leaves_list(tree).astype(np.int64)


def _cluster_distances(posterior: PartitionPosterior, labels: IntArray) -> FloatArray:
    """Distances between the clusters' mean memberships."""
    from scipy.sparse import csr_array

    n_items, sizes = labels.size, np.bincount(labels)
    means = csr_array((1 / sizes[labels], (labels, np.arange(n_items)))) @ memberships(posterior)
    products = (means @ means.T).toarray()
    squares = np.diag(products)
    return np.sqrt(np.maximum(squares[:, np.newaxis] + squares - 2 * products, 0.0))


def block_edges(labels: IntArray, order: IntArray) -> IntArray:
    """Where, in this order, one cluster ends and the next begins; 0 and the number of items included."""
    changes = np.flatnonzero(np.diff(labels[order])) + 1
    return np.concatenate([[0], changes, [labels.size]]).astype(np.int64)


def similarity_image(posterior: PartitionPosterior, order: IntArray, most_pixels: int) -> FloatArray:
    """The similarity matrix in this order, averaged over blocks of items where there are more items than pixels."""
    sorted_posterior = posterior.subset(order)
    if order.size <= most_pixels:
        return sorted_posterior.similarity().astype(float)
    pixel = np.arange(order.size) * most_pixels // order.size
    starts = np.flatnonzero(np.diff(pixel, prepend=-1))
    image = np.zeros((most_pixels, most_pixels))
    for rows, block in sorted_posterior.similarity_blocks():
        known = np.nan_to_num(block, copy=False)  # two items that no draw holds look as if apart
        np.add.at(image, pixel[rows], np.add.reduceat(known.astype(float), starts, axis=1))
    counts = np.bincount(pixel)
    return image / np.outer(counts, counts)
