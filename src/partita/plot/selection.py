"""The criterion of a selection against the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._validation import check_choice, check_kind
from ..decide.words import plural
from ..selection import Selection
from .canvas import COLORS, INK, check_axes, despine, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_selection(selection: Selection, method: str | None = None, ax: Axes | None = None) -> Axes:
    """The value of each number of clusters with error bars of a standard deviation, and the choice.

    Parameters
    ----------
    selection : Selection
        From :func:`partita.select_n_clusters`.
    method : str, optional
        Which of its methods; the first when left out.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    partita.select_n_clusters : the values and the choice.

    Examples
    --------
    >>> import partita as pt
    >>> X, _ = pt.datasets.make_quadrants(n_items=80)
    >>> selection = pt.select_n_clusters(X, range(2, 7), "silhouette")
    >>> ax = pt.plot.plot_selection(selection)
    >>> print(ax.get_title(loc="left"))
    4 clusters, by silhouette
    """
    check_kind("selection", selection, Selection)
    name = next(iter(selection.choices)) if method is None else check_choice("method", method, selection.choices)
    rows = selection.table[selection.table["method"] == name]
    chosen = selection.choices[name]
    ax = check_axes(ax)
    ax.axvline(chosen, color=COLORS[1], linewidth=6, alpha=0.35)
    k, value, sd = (rows[column].to_numpy() for column in ("n_clusters", "value", "sd"))
    ax.errorbar(k, value, sd, color=COLORS[0], marker="o", capsize=3, linewidth=1.4)
    height = float(value[k == chosen][0])
    ax.plot(chosen, height, marker="o", markersize=10, color=COLORS[1], markeredgecolor=INK, zorder=5)
    ax.set_xlabel("number of clusters")
    ax.set_ylabel(f"{name} (more is better)")
    ax.locator_params(axis="x", integer=True)
    despine(ax)
    set_title(ax, f"{plural(chosen, 'cluster')}, by {name}")
    return ax
