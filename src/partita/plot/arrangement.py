"""Where figures put items: a place in the plane for scatters, an order (seriation) for similarity matrices.

Places are columns as they are, principal components, or classical scaling of similarities. In the order similar
clusters are side by side, and items along the main axis of their cluster.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray
from .._validation import as_table, check_count
from ..posterior import PartitionPosterior

N_BINS = 60  # of one column of numbers, whose items are stacked as dots
MOST_DRAWS = 400  # that place the items
ITERATIONS, SPARE = 15, 6  # of subspace iteration
MOST_TURNED = 200  # clusters; the time grows with their cube


class Layout(NamedTuple):
    """A place in the plane for each item, and what the axes mean."""

    points: FloatArray
    x_label: str
    y_label: str


def project(X: Any, n_items: int, name: str = "X") -> Layout:
    """Places for the rows of a table; columns of more than two are standardized, missing entries put at the mean."""
    names, columns = table_numbers(X, name)
    if len(columns) != n_items:
        raise ValueError(f"{name} must have one row for each of the {n_items} items: got {len(columns)}.")
    if columns.shape[1] == 1:
        return Layout(_stack(columns[:, 0]), names[0], "items")
    if columns.shape[1] == 2:
        return Layout(columns, names[0], names[1])
    return _principal_axes(columns)


def project_draws(posterior: PartitionPosterior) -> Layout:
    """Items that are often together are near each other: classical scaling of the similarities."""
    return Layout(similarity_axes(posterior, 2), "items that are often together are near each other", "")


def similarity_axes(posterior: PartitionPosterior, n_axes: int) -> FloatArray:
    """Main axes of the similarity matrix, without forming it: it is the Gram matrix of membership in drawn clusters."""
    members = memberships(posterior)
    n_items = posterior.n_items
    width = min(n_axes + SPARE, n_items)
    basis = np.random.default_rng(0).standard_normal((n_items, width))
    for _ in range(ITERATIONS):
        basis = np.linalg.qr(_times_similarity(members, basis))[0]
    values, vectors = np.linalg.eigh(basis.T @ _times_similarity(members, basis))
    axes = (basis @ vectors)[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0.0))
    axes = np.hstack([axes, np.zeros((n_items, n_axes))])[:, : check_count("n_axes", n_axes)]
    return axes * np.where(axes.sum(axis=0) + axes[0] < 0, -1.0, 1.0)  # a sign that does not depend on rounding


def memberships(posterior: PartitionPosterior) -> Any:
    """Items by clusters of some draws, scaled so that the product with its transpose is their similarity matrix."""
    from scipy.sparse import csr_array

    posterior = posterior.thin(-(-posterior.n_draws // MOST_DRAWS))
    offsets = np.concatenate([[0], np.cumsum(posterior.n_clusters())])
    held = (posterior.draws >= 0).T
    columns = (posterior.draws + offsets[:-1, np.newaxis]).T[held]
    weights = np.broadcast_to(np.sqrt(posterior.probabilities()), held.shape)[held]
    ends = np.concatenate([[0], np.cumsum(held.sum(axis=1))])
    return csr_array((weights, columns, ends), shape=(posterior.n_items, int(offsets[-1])))


def _times_similarity(members: Any, basis: FloatArray) -> FloatArray:
    """The centered similarity matrix times some vectors."""
    product = members @ (members.T @ (basis - basis.mean(axis=0)))
    return product - product.mean(axis=0)


def table_numbers(X: Any, name: str) -> tuple[list[str], FloatArray]:
    """Names of the columns and their numbers; categories become columns of zeros and ones."""
    import pandas as pd

    table = X if isinstance(X, pd.DataFrame) else pd.DataFrame(as_table(X))
    if not isinstance(X, pd.DataFrame):
        table = table.set_axis([f"column {i}" for i in range(table.shape[1])], axis=1)
    if table.shape[1] == 0:
        raise ValueError(f"{name} must have at least one column: got none.")
    wide = pd.get_dummies(table, dtype=float)
    columns = wide.to_numpy(dtype=float, na_value=np.nan, copy=True)
    columns[~np.isfinite(columns)] = np.nan
    known = np.isfinite(columns).any(axis=0)
    if not known.any():
        raise ValueError(f"{name} must have a column with numbers or categories: got none.")
    columns = columns[:, known]
    columns = np.where(np.isnan(columns), np.nanmean(columns, axis=0), columns)
    return [str(name) for name in wide.columns[known]], columns


def _principal_axes(columns: FloatArray) -> Layout:
    scale = columns.std(axis=0)
    standardized = (columns - columns.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    u, s, axes = np.linalg.svd(standardized, full_matrices=False)
    sign = np.where(np.abs(axes[:2]).max(axis=1) == axes[:2].max(axis=1), 1.0, -1.0)
    share = s**2 / max(float((s**2).sum()), np.finfo(float).tiny)
    labels = [f"principal axis {i + 1} ({share[i]:.0%} of the variance)" for i in range(2)]
    return Layout(u[:, :2] * s[:2] * sign, *labels)


def _stack(values: FloatArray) -> FloatArray:
    """Dots of equal numbers, but for the width of a bin, on top of each other."""
    span = float(np.ptp(values)) or 1.0
    bins = np.floor((values - values.min()) / span * N_BINS).astype(np.int64)
    height, seen = np.empty(values.size), np.zeros(N_BINS + 1)
    for item in np.argsort(values, kind="stable"):
        seen[bins[item]] += 1
        height[item] = seen[bins[item]]
    return np.column_stack([values, height])


def seriate(posterior: PartitionPosterior, labels: IntArray) -> IntArray:
    """Items cluster after cluster."""
    axis = np.zeros(labels.size)
    for cluster in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == cluster)
        if members.size > 2:
            axis[members] = similarity_axes(posterior.subset(members), 1)[:, 0]
    place = np.argsort(order_clusters(_cluster_distances(posterior, labels)))
    return np.lexsort((axis, place[labels]))


def sample_items(posterior: PartitionPosterior, labels: IntArray, most: int) -> tuple[PartitionPosterior, IntArray]:
    """All items, or this many of them, spread evenly over the clusters; and their labels."""
    if labels.size <= most:
        return posterior, labels
    by_cluster = np.argsort(labels, kind="stable")
    kept = np.sort(by_cluster[np.linspace(0, labels.size - 1, most).astype(np.int64)])
    return posterior.subset(kept), labels[kept]


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
