"""How stable an item would be at each place of the plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from .._typing import FloatArray
from .._validation import check_kind
from ..stability import ScaleDistribution, StabilityResult, pointwise_stability
from ..stability._validation import check_data, check_theta
from ..stability.scale_distributions import DISTRIBUTIONS
from .arrangement import project
from .canvas import INK, check_axes, set_title
from .partition import label_axes, scatter_clusters

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_STEPS = 160  # places along a side
MARGIN = 0.08


def plot_stability_map(
    report: StabilityResult,
    X: Any,
    *,
    centers: ArrayLike | None = None,
    distribution: ScaleDistribution | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The stability that an item would have at each place of the plane, behind the items.

    Parameters
    ----------
    report : StabilityResult
        From :func:`partita.assess_stability` on distances to centers.
    X : array-like or DataFrame, shape (n_items, 2)
        The data, of two columns.
    centers : array-like of float, shape (n_clusters, 2), optional
        The centers that distances were measured to; the clusters' means when left out.
    distribution : ScaleDistribution, optional
        Distribution of the scales, where the report was made with one that has no name.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_stability : item by item.
    partita.assess_stability : the numbers.

    References
    ----------
    Koepke (2008), figure 2.1.

    Examples
    --------
    >>> import partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=60)
    >>> report = pt.assess_stability(pt.center_distances(X, truth), truth)
    >>> ax = pt.plot.plot_stability_map(report, X)
    >>> len(ax.images), len(ax.collections) > 3
    (1, True)
    """
    check_kind("report", report, StabilityResult)
    data = check_data(X)
    if data.shape[1] != 2:
        raise ValueError(f"X must have two columns to draw the plane: got {data.shape[1]}.")
    if len(data) != len(report.phi):
        raise ValueError(f"X must hold the {len(report.phi)} items of the report: got {len(data)}.")
    means = _means(data, report) if centers is None else check_data(centers)
    if len(means) != report.phi.shape[1]:
        raise ValueError(f"centers must be {report.phi.shape[1]}, one for each cluster: got {len(means)}.")
    low, high = data.min(axis=0), data.max(axis=0)
    low, high = low - MARGIN * (high - low), high + MARGIN * (high - low)
    ax = check_axes(ax, 5.4, 4.4)
    picture = ax.imshow(
        _stability_at(low, high, means, report, distribution),
        cmap="Greys_r",  # so that the colors of clusters are seen on it
        vmin=0,
        vmax=1,
        origin="lower",
        extent=(low[0], high[0], low[1], high[1]),
        aspect="auto",
        interpolation="bilinear",
    )
    layout = project(X, len(data))
    scatter_clusters(ax, layout, report.labels, sizes=np.full(len(data), 16.0))
    for points in ax.collections:
        points.set(edgecolor="white", linewidth=0.4, alpha=1.0)
    ax.scatter(means[:, 0], means[:, 1], marker="+", s=90, c=INK, linewidths=2)
    label_axes(ax, layout)
    ax.get_figure(root=True).colorbar(picture, ax=ax, shrink=0.8, label="stability")  # type: ignore[union-attr]
    set_title(
        ax, f"{(report.pointwise < 0.5).mean():.0%} of the items lie where stability is below 0.5".replace("%", " %")
    )
    return ax


def _means(data: FloatArray, report: StabilityResult) -> FloatArray:
    sums = np.zeros((report.phi.shape[1], 2))
    np.add.at(sums, report.labels, data)
    return sums / np.bincount(report.labels, minlength=len(sums))[:, np.newaxis]


def _stability_at(
    low: FloatArray,
    high: FloatArray,
    means: FloatArray,
    report: StabilityResult,
    distribution: ScaleDistribution | None,
) -> FloatArray:
    """Stability of items on a grid, each in the cluster of its nearest center."""
    chosen = distribution or DISTRIBUTIONS.get(report.distribution)
    if chosen is None:
        raise ValueError(f"distribution must be given for a report made with {report.distribution}: got None.")
    x, y = np.meshgrid(*(np.linspace(low[i], high[i], N_STEPS) for i in range(2)))
    distances = cdist(np.column_stack([x.ravel(), y.ravel()]), means)
    phi = chosen.phi(distances, check_theta(report.theta, len(means)))
    return pointwise_stability(phi, distances.argmin(axis=1)).reshape(x.shape)
