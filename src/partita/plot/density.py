"""The density of a fitted mixture over the data, with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import FloatArray
from .._validation import as_table, check_level
from .canvas import COLORS, INK, SEQUENCE, check_axes, cluster_color, cluster_marker, despine, set_title, shorten_name
from .ppc import can_be_binned, column_names, pick_columns, read_mixture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_POINTS, N_GRID = 240, 60  # points on a line, and on each side of a square
MOST_DRAWS = 100  # densities that a band is made of
MOST_RUGS = 2000


def plot_density(
    model: Any, X: Any, columns: Sequence[Any] | None = None, level: float = 0.95, ax: Axes | None = None
) -> Axes:
    """Density of one column with a credible band over its histogram, or of two columns as contours over the items.

    Parameters
    ----------
    model : BayesianMixture or Pipeline
        A fitted mixture.
    X : array-like or DataFrame, shape (n_items, n_columns)
        What it was fitted to.
    columns : sequence of one or two, optional
        Columns of numbers, by name or number; by default the only one, or the first two. The others are integrated
        over.
    level : float
        Probability of the band.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Contours are those of the posterior mean density.

    See Also
    --------
    plot_ppc : each column against replicated tables.
    partita.BayesianMixture : `score_samples` gives the log density.

    Notes
    -----
    In each of up to 100 draws the density of a new item is computed with parameters integrated out; line and band are
    its mean and quantiles over draws.

    References
    ----------
    Escobar and West (1995). Bayesian density estimation and inference using mixtures. Journal of the American
    Statistical Association 90, 577-588.

    Examples
    --------
    >>> import partita as pt
    >>> X = pt.datasets.load_galaxies()
    >>> mixture = pt.BayesianMixture(n_chains=1, n_draws=50, n_warmup=50).fit(X)
    >>> pt.plot.plot_density(mixture, X).get_ylabel()
    'density'
    """
    mixture, level = read_mixture(model), check_level(level)
    values, names = as_table(X), column_names(X)
    shown = pick_columns(columns, names)
    shown = shown[:2] if columns is None else shown
    if len(shown) > 2:
        raise ValueError(f"columns must be one or two columns of X: got {len(shown)}.")
    points = _numbers(values[:, shown])
    ax = check_axes(ax)
    ax.set_xlabel(shorten_name(names[shown[0]]), parse_math=False)
    if len(shown) == 1:
        grid = _grid(points[:, 0], N_POINTS)
        _draw_band(ax, points[:, 0], grid, _densities(mixture, grid[:, np.newaxis], shown, values.shape[1]), level)
    else:
        ax.set_ylabel(shorten_name(names[shown[1]]), parse_math=False)
        _draw_contours(ax, mixture, points, shown, values.shape[1])
    return ax


def _draw_band(ax: Axes, x: FloatArray, grid: FloatArray, densities: FloatArray, level: float) -> None:
    low, high = np.quantile(densities, [(1 - level) / 2, (1 + level) / 2], axis=0)
    present = x[~np.isnan(x)]
    if can_be_binned(present):
        ax.hist(present, bins=30, density=True, color="0.85")
    ax.fill_between(grid, low, high, color=COLORS[0], alpha=0.35, linewidth=0, label=f"{level:.0%} of draws")
    ax.plot(grid, densities.mean(axis=0), color=COLORS[0], linewidth=1.5, label="posterior mean")
    if present.size <= MOST_RUGS:
        ax.plot(present, np.zeros(present.size), "|", color=INK, markersize=6, alpha=0.5)
    ax.set_ylabel("density")
    ax.legend(frameon=False, fontsize=8)
    despine(ax)
    peaks = int(((np.diff(np.sign(np.diff(densities.mean(axis=0))))) < 0).sum())
    set_title(ax, f"The mean density has {peaks} peak{'s' if peaks != 1 else ''}")


def _draw_contours(ax: Axes, mixture: Any, points: FloatArray, shown: list[int], n_columns: int) -> None:
    first, second = (_grid(column, N_GRID) for column in points.T)
    grid = np.column_stack([part.ravel() for part in np.meshgrid(first, second)])
    density = _densities(mixture, grid, shown, n_columns).mean(axis=0).reshape(N_GRID, N_GRID)
    for k in range(mixture.n_clusters_):
        inside = points[mixture.labels_ == k]
        ax.plot(*inside.T, cluster_marker(k), color=cluster_color(k), markersize=3, alpha=0.6)
    ax.contour(first, second, density, levels=_mass_levels(density), cmap=SEQUENCE, linewidths=1)
    despine(ax)
    set_title(ax, "Contours hold 90, 70, 50, 30 and 10 % of new items")


def _mass_levels(density: FloatArray) -> FloatArray:
    """Heights above which 90, 70, ... 10 % of the mass on the grid lies."""
    heights = np.sort(density.ravel())[::-1]
    mass = np.cumsum(heights) / heights.sum()
    return np.unique(heights[np.searchsorted(mass, [0.9, 0.7, 0.5, 0.3, 0.1])])


def _densities(mixture: Any, points: FloatArray, shown: list[int], n_columns: int) -> FloatArray:
    """Density of points in some columns, the others missing, in each of some draws."""
    rows = np.full((len(points), n_columns), np.nan)
    rows[:, shown] = points
    draws = mixture._draws
    picked = np.linspace(0, len(draws) - 1, min(len(draws), MOST_DRAWS)).astype(int)
    return np.exp(draws.log_densities(rows, picked))


def _grid(x: FloatArray, n_points: int) -> FloatArray:
    low, high = np.nanmin(x), np.nanmax(x)
    margin = 0.15 * (high - low) or 1.0
    return np.linspace(low - margin, high + margin, n_points)


def _numbers(values: Any) -> FloatArray:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("columns must hold numbers for a density: got text.") from None
