"""What priors on partitions say of the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation import check_count
from ..clusterers.prior_sensitivity import name_priors
from .canvas import check_axes, cluster_color, cluster_marker, despine, set_title, shorten_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ITEMS = 50_000


def plot_prior(priors: Any, n_items: int, ax: Axes | None = None) -> Axes:
    """Prior distribution of the number of clusters among so many items, a line for each prior.

    Parameters
    ----------
    priors : prior, sequence of priors, or mapping from name to prior
        Priors on partitions.
    n_items : int
        Number of items.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on; numbers that are less likely than one in a hundred are cut off.

    See Also
    --------
    plot_n_clusters : prior against posterior.
    partita.DirichletProcess.n_clusters_pmf : the numbers.

    Examples
    --------
    >>> import partita as pt
    >>> ax = pt.plot.plot_prior(pt.DirichletProcess(1.0), n_items=100)
    >>> print(ax.get_title(loc="left"))
    5.2 clusters are expected of 100 items
    """
    named = name_priors(priors)
    n_items = check_count("n_items", n_items, most=MOST_ITEMS)
    ax, furthest = check_axes(ax), 1
    for number, (name, prior) in enumerate(named.items()):
        pmf = prior.n_clusters_pmf(n_items)
        furthest = max(furthest, int(np.searchsorted(pmf.cumsum(), 0.99)))
        shown = np.arange(1, n_items + 1)
        label = shorten_name(name).replace("$", r"\$")
        style: dict[str, Any] = {
            "color": cluster_color(number),
            "marker": cluster_marker(number),
            "markersize": 4,
            "linewidth": 1,
        }
        ax.plot(shown, pmf[1:], label=label, **style)
    ax.set_xlim(0.5, furthest + 0.5)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("number of clusters")
    ax.set_ylabel("prior probability")
    ax.locator_params(axis="x", integer=True)
    if len(named) > 1:
        ax.legend(frameon=False, fontsize=8)
    despine(ax)
    means = [prior.expected_clusters(n_items) for prior in named.values()]
    set_title(ax, f"{' or '.join(f'{mean:.1f}' for mean in means)} clusters are expected of {n_items} items")
    return ax
