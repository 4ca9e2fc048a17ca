"""Center and bounds of a credible ball, on scatters of the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..decide import CredibleBall
from ..decide.words import distance, plural
from .arrangement import project
from .canvas import check_panels, match_colors, set_title
from .coclustering import BOUNDS
from .partition import scatter_clusters
from .subject import read_ball, read_partition

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_credible_ball(ball: CredibleBall | Any, X: Any, axes: Sequence[Axes] | None = None) -> list[Axes]:
    """The center and the bounds of a credible ball, side by side on the data.

    Parameters
    ----------
    ball : CredibleBall, PartitionPosterior or fitted model
        From :func:`partita.credible_ball`, which is called with its defaults for draws and fitted models. Of several
        bounds of a kind the first is shown.
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data, drawn as by :func:`plot_partition`.
    axes : sequence of matplotlib Axes, optional
        Four axes: the center, then the upper, lower and horizontal bounds. Bounds are colored like the clusters of the
        center that they overlap most.

    Returns
    -------
    axes : list of matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_ball_coclustering : as matrices of pairs.
    partita.credible_ball : the ball.

    Examples
    --------
    >>> import partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=30)
    >>> ball = pt.credible_ball(pt.PartitionPosterior([truth, truth, [0] * 30]), truth)
    >>> axes = pt.plot.plot_credible_ball(ball, X)
    >>> print(axes[0].get_title(loc="left"))
    4 clusters; the 95 % ball reaches 1.89 bits
    """
    ball = read_ball(ball)
    center = read_partition(ball.center)
    layout, panels = project(X, center.size), check_panels(axes, 4, 3.6, 3.2)
    scatter_clusters(panels[0], layout, center)
    clusters = plural(int(center.max()) + 1, "cluster")
    set_title(
        panels[0],
        f"{clusters}; the {ball.level:.0%} ball reaches {distance(ball.metric, ball.radius)}".replace("%", " %"),
    )
    for ax, kind in zip(panels[1:], list(BOUNDS)[1:], strict=True):
        bounds = getattr(ball, kind)
        labels = match_colors(bounds[0], center)
        scatter_clusters(ax, layout, labels)
        clusters = plural(int(bounds[0].max()) + 1, "cluster")
        more = f" (first of {len(bounds)})" if len(bounds) > 1 else ""
        away = distance(ball.metric, ball.metric.between(center, bounds[0]))
        set_title(ax, f"{BOUNDS[kind].capitalize()}: {clusters}, {away} away{more}")
    return panels
