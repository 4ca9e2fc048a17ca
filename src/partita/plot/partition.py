"""A partition, on a scatter of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray
from ..decide import PartitionEstimate
from ..decide.words import size_range
from .arrangement import Layout, project
from .canvas import check_axes, cluster_color, cluster_marker, despine, set_title, shorten_name
from .subject import read_partition

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NAMED = 12  # clusters in a legend


def plot_partition(labels: PartitionEstimate | ArrayLike | Any, X: Any, ax: Axes | None = None) -> Axes:
    """A scatter of the data, one color and marker for each cluster.

    Parameters
    ----------
    labels : PartitionEstimate, array-like of int of shape (n_items,), or fitted model
        The partition, or a model with ``estimate_``.
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data. One column is drawn as stacked dots, two as they are, more along the two main principal axes of the
        standardized columns.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_certainty : with doubtful items pale.
    partita.estimate_partition : what to plot.

    Examples
    --------
    >>> import partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=40)
    >>> ax = pt.plot.plot_partition(truth, X)
    >>> print(ax.get_title(loc="left"))
    4 clusters of 7 to 13 items
    """
    numbers = read_partition(labels)
    layout, ax = project(X, numbers.size), check_axes(ax)
    scatter_clusters(ax, layout, numbers)
    set_title(ax, size_range(numbers))
    name_clusters(ax, numbers)
    return ax


def scatter_clusters(
    ax: Axes, layout: Layout, labels: IntArray, sizes: FloatArray | None = None, alphas: FloatArray | None = None
) -> None:
    """One collection of points for each cluster, smaller or paler where asked."""
    label_axes(ax, layout)
    for cluster in range(int(labels.max()) + 1):
        members = labels == cluster
        ax.scatter(
            layout.points[members, 0],
            layout.points[members, 1],
            s=28 if sizes is None else sizes[members],
            c=cluster_color(cluster),
            marker=cluster_marker(cluster),
            alpha=0.85 if alphas is None else alphas[members],
            linewidths=0,
        )


def label_axes(ax: Axes, layout: Layout) -> None:
    """Say what the axes mean."""
    ax.set_xlabel(shorten_name(layout.x_label), parse_math=False)
    ax.set_ylabel(shorten_name(layout.y_label), parse_math=False)
    despine(ax)
    if not layout.y_label:
        ax.set(xticks=[], yticks=[])
    elif layout.y_label == "items":
        ax.set_ylim(0, layout.points[:, 1].max() * 1.08 + 1)


def name_clusters(ax: Axes, labels: IntArray) -> None:
    """A legend beside the axes, where there are not too many clusters to read one."""
    from matplotlib.lines import Line2D

    sizes = np.bincount(labels)
    if not 1 < sizes.size <= MOST_NAMED:
        return
    handles = [
        Line2D([], [], linestyle="", marker=cluster_marker(k), color=cluster_color(k), label=f"{k} ({size})")
        for k, size in enumerate(sizes)
    ]
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0), "borderaxespad": 0.0}
    ax.legend(handles=handles, title="cluster (items)", fontsize=8, title_fontsize=8, frameon=False, **place)
