"""The Hasse diagram of the partitions of a few items, heights by a distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, LabelRows
from .._validation import check_choice, check_count
from ..losses import Binder, VariationOfInformation
from ..partitions import bell_number, hasse_edges
from ..posterior import PartitionPosterior, check_complete
from .canvas import INK, PALE, SEQUENCE, check_axes, despine, set_title
from .subject import read_posterior

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ITEMS = 6  # Bell's number of 7 is 877, too many to see
FIGURES = {1: (3, 3), 2: (3, 3), 3: (4, 4), 4: (6.5, 5), 5: (10, 7), 6: (16, 11)}  # inches
HEIGHTS = {"vi": VariationOfInformation(), "binder": Binder()}


def plot_hasse(result: Any, stretch: str = "vi", ax: Axes | None = None) -> Axes:
    """Hasse diagram of all partitions of a few items, each as high as its distance from one cluster.

    Parameters
    ----------
    result : PartitionPosterior, fitted model, Pipeline or int
        Draws of partitions of at most six items, whose probabilities color the nodes; or a number of items.
    stretch : {"vi", "binder"}
        The distance.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. A line joins two partitions where one merges two clusters of the other; along such lines
        distances add up. Clusters are separated by bars: ``12|34``.

    See Also
    --------
    partita.hasse_edges : the diagram as arrays.
    partita.merges, partita.splits : its edges at one partition.

    References
    ----------
    Wade and Ghahramani (2015), figures 2 and 3.

    Examples
    --------
    >>> import partita as pt
    >>> ax = pt.plot.plot_hasse([[0, 0, 1, 1]] * 3 + [[0, 0, 1, 2]])
    >>> print(ax.get_title(loc="left"))
    12|34 has the highest probability, 0.75, of 15 partitions
    """
    loss = HEIGHTS[check_choice("stretch", stretch, HEIGHTS)]
    posterior = None
    if not isinstance(result, (int, np.integer)):
        posterior = check_complete(read_posterior(result), "a Hasse diagram")
    n_items = check_count("n_items", result if posterior is None else posterior.n_items)
    if n_items > MOST_ITEMS:
        raise ValueError(f"result must have at most {MOST_ITEMS} items to draw all partitions: got {n_items}.")
    partitions, edges = hasse_edges(n_items)
    one = np.zeros(n_items, np.int64)
    heights = np.array([loss.between(one, row) for row in partitions])
    places = np.column_stack([_spread(heights, partitions), heights])
    ax = check_axes(ax, *FIGURES[n_items])
    ax.plot(*places[edges].transpose(2, 1, 0), color=PALE, linewidth=0.8, zorder=1)
    chances = np.zeros(len(partitions)) if posterior is None else _chances(posterior, partitions)
    nodes = ax.scatter(
        places[:, 0], places[:, 1], c=chances, cmap=SEQUENCE, vmin=0, s=_node_sizes(chances), edgecolors=INK, zorder=2
    )
    _name_nodes(ax, places, partitions, _node_sizes(chances))
    ax.invert_yaxis()
    ax.set_xticks([])
    ax.spines["bottom"].set_visible(False)
    ax.margins(x=0.08, y=0.1)
    despine(ax)
    ax.set_ylabel(f"{'bits' if stretch == 'vi' else 'Binder distance'} from one cluster")
    if posterior is None:
        set_title(ax, f"The {bell_number(n_items)} partitions of {n_items} items")
        return ax
    ax.get_figure(root=True).colorbar(nodes, ax=ax, shrink=0.6, label="probability")  # type: ignore[union-attr]
    best = _spell(partitions[chances.argmax()])
    set_title(ax, f"{best} has the highest probability, {chances.max():.2f}, of {len(partitions)} partitions")
    return ax


def _spread(heights: FloatArray, partitions: LabelRows) -> FloatArray:
    """Places from left to right, those of equal height and number of clusters side by side around the middle."""
    x = np.empty(heights.size)
    levels = np.unique(heights.round(9), return_inverse=True)[1]
    widest = np.bincount(levels).max()
    for level in range(levels.max() + 1):
        members = np.flatnonzero(levels == level)
        members = members[np.lexsort((members, partitions[members].max(axis=1)))]
        step = 1.0 if members.size == widest else widest / (members.size + 1)
        x[members] = (np.arange(members.size) - (members.size - 1) / 2) * step
    return x


def _chances(posterior: PartitionPosterior, partitions: LabelRows) -> FloatArray:
    row_of = {row.tobytes(): i for i, row in enumerate(partitions)}
    rows = [row_of[row.astype(partitions.dtype).tobytes()] for row in posterior.draws]
    return np.bincount(rows, weights=posterior.probabilities(), minlength=len(partitions)).astype(float)


def _node_sizes(chances: FloatArray) -> FloatArray:
    return 30 + 270 * chances / max(float(chances.max()), 1e-12)


def _name_nodes(ax: Axes, places: FloatArray, partitions: LabelRows, areas: FloatArray) -> None:
    size, turned = (9, 0) if len(partitions) <= 15 else (7, 0) if len(partitions) <= 52 else (5, 90)
    for place, labels, area in zip(places, partitions, areas, strict=True):
        style: dict[str, Any] = {"fontsize": size, "ha": "center", "va": "bottom", "rotation": turned, "color": INK}
        ax.annotate(_spell(labels), place, xytext=(0, 4 + np.sqrt(area) / 2), textcoords="offset points", **style)


def _spell(labels: ArrayLike) -> str:
    """``12|34``: items of a cluster together, counted from one."""
    values = np.asarray(labels)
    return "|".join("".join(str(item + 1) for item in np.flatnonzero(values == k)) for k in range(values.max() + 1))
