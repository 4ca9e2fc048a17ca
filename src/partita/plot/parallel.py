"""A partition, on parallel coordinates: an axis for each column, a line for each item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray
from .._validation import check_same_items
from ..decide import PartitionEstimate
from .arrangement import table_numbers
from .canvas import check_axes, cluster_color, despine, set_title, shorten_name
from .partition import name_clusters
from .subject import read_partition

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 600  # items that an eye can follow
MOST_COLUMNS = 30  # axes that fit side by side


def plot_parallel(labels: PartitionEstimate | ArrayLike | Any, X: Any, ax: Axes | None = None) -> Axes:
    """Parallel coordinates: a thin line for each item, a thick one for the mean of each cluster.

    Parameters
    ----------
    labels : PartitionEstimate, array-like of int of shape (n_items,), or fitted model
        The partition, or a model with ``estimate_``.
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data. Categories become columns of zeros and ones, missing entries are put at the mean.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_profiles : the same as a table of colors.
    partita.describe_clusters : the same in numbers and words.

    Notes
    -----
    Columns stand in the order of how far apart the clusters' means are, in standard deviations; of more than 30
    the first are drawn, and of more than 600 items evenly spaced ones.

    Examples
    --------
    >>> import partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=40)
    >>> ax = pt.plot.plot_parallel(truth, X)
    >>> print(ax.get_title(loc="left"))
    Clusters differ most in column 1
    """
    numbers = read_partition(labels)
    names, columns = table_numbers(X, "X")
    check_same_items(labels=numbers, X=np.zeros(len(columns), int))
    spread = columns.std(axis=0)
    standardized = (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    means = np.array([standardized[numbers == k].mean(axis=0) for k in range(int(numbers.max()) + 1)])
    order = np.argsort(-np.ptp(means, axis=0), kind="stable")[:MOST_COLUMNS]
    ax = check_axes(ax, 2.0 + 0.9 * order.size)
    _draw_items(ax, standardized[:, order], numbers)
    for cluster, mean in enumerate(means[:, order]):
        ax.plot(mean, color=cluster_color(cluster), linewidth=3, zorder=3)
    turned: dict[str, Any] = {"rotation": 30, "ha": "right"} if order.size > 4 else {}
    ax.set_xticks(range(order.size), [shorten_name(names[j]) for j in order], parse_math=False, **turned)
    ax.set_ylabel("standard deviations from the mean")
    ax.grid(axis="x", alpha=0.4)
    despine(ax)
    set_title(ax, f"Clusters differ most in {shorten_name(names[order[0]])}" if len(means) > 1 else "One cluster")
    name_clusters(ax, numbers)
    return ax


def _draw_items(ax: Axes, columns: FloatArray, labels: np.ndarray) -> None:
    """A pale line for each item, or for evenly spaced ones of many."""
    shown = np.unique(np.linspace(0, labels.size - 1, min(labels.size, MOST_LINES)).astype(np.int64))
    alpha = max(0.08, min(0.5, 30 / shown.size))
    for i in shown:
        ax.plot(columns[i], color=cluster_color(int(labels[i])), linewidth=0.8, alpha=alpha, zorder=2)
