"""The readings of a posterior, one above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..decide import PartitionModes, summarize_modes
from ..decide.words import percentages
from .canvas import INK, check_axes, cluster_color, despine, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP = 0.02  # between readings, as a share of the height


def plot_modes(modes: PartitionModes | Any, ax: Axes | None = None) -> Axes:
    """A strip for each reading, as high as it is probable; items from left to right, colored by cluster.

    Parameters
    ----------
    modes : PartitionModes, PartitionPosterior or fitted model
        From :func:`partita.summarize_modes`, which is called with its defaults for draws and fitted models.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Items on which readings differ are marked below.

    See Also
    --------
    partita.summarize_modes : finds the readings.
    plot_flow : where the items of each cluster go from one reading to the next.

    Examples
    --------
    >>> import partita as pt
    >>> modes = pt.summarize_modes([[0, 0, 0, 1, 1, 1]] * 40 + [[0, 0, 1, 1, 2, 2]] * 20)
    >>> print(pt.plot.plot_modes(modes).get_title(loc="left"))
    Two readings, 67 % and 33 %
    """
    from matplotlib.colors import to_rgb

    found = modes if isinstance(modes, PartitionModes) else summarize_modes(modes)
    order = np.lexsort(found.labels[::-1])
    colors = np.array([to_rgb(cluster_color(k)) for k in range(int(found.labels.max()) + 1)])
    ax = check_axes(ax, 6.4, 1.6 + 0.7 * found.n_modes)
    top, middles = 1.0, []
    for weight, labels in zip(found.weights, found.labels, strict=True):
        extent = (0.0, float(labels.size), top - weight, top - GAP)
        ax.imshow(colors[labels[order]][np.newaxis], aspect="auto", interpolation="nearest", extent=extent)
        middles.append(top - (weight + GAP) / 2)
        top -= weight
    moved = np.flatnonzero(found.differs[order]) + 0.5
    ax.plot(moved, np.full(moved.size, -0.04), "|", color=INK, markersize=6)
    ax.set_xlim(0, order.size)
    ax.set_ylim(-0.08, 1.0)
    ax.set_yticks(middles, [f"{percent} %" for percent in percentages(found.weights)])
    ax.set_xlabel("items; those marked change their cluster" if found.n_modes > 1 else "items")
    despine(ax)
    set_title(ax, found.title)
    return ax
