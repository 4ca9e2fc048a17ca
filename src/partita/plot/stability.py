"""The averaged assignment matrix as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._validation import check_kind
from ..stability import StabilityResult, heatmap_order
from .arrangement import block_edges
from .canvas import SEQUENCE, check_axes, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_stability(report: StabilityResult, ax: Axes | None = None) -> Axes:
    """A heat map of where each item goes under perturbation: items by cluster, the surest first.

    Parameters
    ----------
    report : StabilityResult
        From :func:`partita.assess_stability` or :func:`partita.matched_stability`.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Rows are items, in the blocks of their clusters; columns are clusters. A stable clustering is
        bright in the blocks along the diagonal and dark elsewhere.

    See Also
    --------
    plot_stability_map : over the plane.
    partita.assess_stability : the numbers.

    Examples
    --------
    >>> import partita as pt
    >>> report = pt.assess_stability([[1.0, 5.0], [1.0, 3.0], [4.0, 1.0], [2.0, 1.0]], theta=2.0)
    >>> ax = pt.plot.plot_stability(report)
    >>> print(ax.get_title(loc="left"))
    Cluster 1 is the least stable (0.95), cluster 0 the most (1.00)
    """
    check_kind("report", report, StabilityResult)
    ax = check_axes(ax, 4.6, 5.0)
    order = heatmap_order(report.phi, report.labels)
    n_items, n_clusters = report.phi.shape
    picture = ax.imshow(
        report.phi[order],
        cmap=SEQUENCE,
        vmin=0,
        vmax=1,
        aspect="auto",
        extent=(-0.5, n_clusters - 0.5, n_items, 0),
        interpolation="nearest",
    )
    edges = block_edges(report.labels, order)
    ax.hlines(edges[1:-1], -0.5, n_clusters - 0.5, color="white", linewidth=1.2)
    ax.vlines(np.arange(1, n_clusters) - 0.5, 0, n_items, color="white", linewidth=1.2)
    ax.set_yticks((edges[:-1] + edges[1:]) / 2, [str(report.labels[order[start]]) for start in edges[:-1]])
    ax.set_xticks(np.arange(n_clusters), _column_names(report))
    ax.tick_params(length=0)
    ax.set_ylabel(f"cluster of the {n_items} items")
    ax.set_xlabel("cluster under perturbation" if report.distribution != "posterior" else "cluster in the draws")
    bar = ax.get_figure(root=True).colorbar(picture, ax=ax, shrink=0.8)  # type: ignore[union-attr]
    bar.set_label("probability")
    set_title(ax, _in_words(report))
    return ax


def _column_names(report: StabilityResult) -> list[str]:
    """Numbers, and a name for the column of drawn clusters without a partner."""
    spare = report.distribution == "posterior" and report.phi.shape[1] > report.labels.max() + 1
    numbers = [str(k) for k in range(report.phi.shape[1] - spare)]
    return [*numbers, "other"] if spare else numbers


def _in_words(report: StabilityResult) -> str:
    values = report.clusterwise
    if np.isfinite(values).sum() < 2:
        return f"Average stability {report.average:.2f}"
    least, most = int(np.nanargmin(values)), int(np.nanargmax(values))
    return f"Cluster {least} is the least stable ({values[least]:.2f}), cluster {most} the most ({values[most]:.2f})"
