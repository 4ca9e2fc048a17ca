"""The posterior similarity matrix as a heat map."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import IntArray
from ..decide import PartitionEstimate
from ..decide.words import plural
from .arrangement import block_edges, sample_items, seriate, similarity_image
from .canvas import SEQUENCE, check_axes, cluster_color, set_title
from .subject import read_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PIXELS = 1000  # along a side
MOST_ITEMS = 5000  # above that, a sample is shown


def plot_similarity(result: Any, estimate: PartitionEstimate | ArrayLike | None = None, ax: Axes | None = None) -> Axes:
    """Heat map of the posterior similarity matrix (PSM), with the estimate's clusters outlined.

    Parameters
    ----------
    result : PartitionPosterior, fitted model or Pipeline
        Draws of partitions, or a model with ``posterior_``.
    estimate : PartitionEstimate or array-like of int, optional
        The partition whose blocks are outlined: that of the model, or the one with least expected variation of
        information, when left out.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_coclustering : two partitions, pair by pair.
    partita.PartitionPosterior.similarity : the numbers.

    Notes
    -----
    Items are sorted by cluster, similar clusters side by side, and within clusters along the main axis of their
    similarities. Above a thousand items, each pixel shows the mean over a block; above five thousand, a sample of them
    is shown, spread evenly over the clusters.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, _ = pt.datasets.make_noisy_draws(n_items=30, n_clusters=3)
    >>> ax = pt.plot.plot_similarity(posterior)
    >>> print(ax.get_title(loc="left"))
    Two items of one cluster are together with probability 0.87, of two clusters with 0.06
    """
    posterior, labels = sample_items(*read_subject(result, estimate), MOST_ITEMS)
    ax = check_axes(ax, 5.4, 4.6)
    order = seriate(posterior, labels)
    image = similarity_image(posterior, order, MOST_PIXELS)
    n_items = labels.size
    picture = ax.imshow(image, cmap=SEQUENCE, vmin=0, vmax=1, extent=(0, n_items, n_items, 0), interpolation="nearest")
    outline_blocks(ax, labels, order)
    bar = ax.get_figure(root=True).colorbar(picture, ax=ax, shrink=0.8)  # type: ignore[union-attr]
    bar.set_label("probability of sharing a cluster")
    ax.set_xlabel(f"{plural(n_items, 'item')}, sorted")
    ax.set_xticks([])
    ax.set_yticks([])
    set_title(ax, _in_words(image, labels[order]))
    return ax


def outline_blocks(ax: Axes, labels: IntArray, order: IntArray) -> None:
    """A frame around each cluster's items, in its color."""
    from matplotlib.patches import Rectangle

    edges = block_edges(labels, order)
    for start, end in pairwise(edges.tolist()):
        size = (end - start, end - start)
        color = cluster_color(int(labels[order[start]]))
        ax.add_patch(Rectangle((start, start), *size, fill=False, edgecolor="white", linewidth=3.2))
        ax.add_patch(Rectangle((start, start), *size, fill=False, edgecolor=color, linewidth=1.6))


def _in_words(image: Any, labels: IntArray) -> str:
    """Mean similarity within and between clusters, from the pixels, each taken for the cluster at its middle."""
    middles = ((np.arange(len(image)) + 0.5) * labels.size / len(image)).astype(np.int64)
    together = labels[middles][:, np.newaxis] == labels[middles]
    apart, within = image[~together], image[together & ~np.eye(len(image), dtype=bool)]
    if not within.size:
        return f"No two items share a cluster; two items are together with probability {apart.mean():.2f}"
    inside = f"Two items of one cluster are together with probability {within.mean():.2f}"
    return f"{inside}, of two clusters with {apart.mean():.2f}" if apart.size else inside
