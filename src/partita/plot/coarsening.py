"""The calibration curve of the coarsened posterior."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._validation import check_kind
from ..clusterers import CoarseningCurve
from .canvas import COLORS, INK, check_axes, despine, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_coarsening(curve: CoarseningCurve, ax: Axes | None = None) -> Axes:
    """Fit against the number of clusters for each power of the likelihood, and the elbow.

    Parameters
    ----------
    curve : CoarseningCurve
        From :func:`partita.calibrate_coarsening`.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Each point is a power. To the right of the elbow clusters come at little gain in fit, to the
        left of it fit is lost.

    See Also
    --------
    partita.calibrate_coarsening : the numbers.

    Examples
    --------
    >>> import numpy as np
    >>> import partita as pt
    >>> curve = pt.CoarseningCurve(np.array([1.0, 0.5, 0.1]), np.array([9.0, 3.0, 1.0]), np.array([-2.0, -2.1, -3.0]))
    >>> ax = pt.plot.plot_coarsening(curve)
    >>> print(ax.get_title(loc="left"))
    Power 0.5 is at the elbow, with 3.0 clusters on average
    """
    check_kind("curve", curve, CoarseningCurve)
    ax = check_axes(ax)
    ax.plot(curve.n_clusters, curve.log_density, color=COLORS[0], marker="o", linewidth=1.4)
    for power, x, y in zip(curve.powers, curve.n_clusters, curve.log_density, strict=True):
        ax.annotate(f"{power:g}", (x, y), xytext=(6, -10), textcoords="offset points", color=INK)
    at = int((curve.powers == curve.chosen).argmax())
    n_clusters = float(curve.n_clusters[at])
    ax.plot(
        n_clusters, curve.log_density[at], marker="o", markersize=10, color=COLORS[1], markeredgecolor=INK, zorder=5
    )
    ax.set_xlabel("expected number of clusters")
    ax.set_ylabel("mean log density of a row")
    despine(ax)
    set_title(ax, f"Power {curve.chosen:g} is at the elbow, with {n_clusters:.1f} clusters on average")
    return ax
