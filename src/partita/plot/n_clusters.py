"""Posterior distribution of the number of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray
from ..decide import PartitionEstimate
from ..decide.estimate import own_estimate
from ..decide.result import read_labels
from ..decide.words import count_clusters, n_clusters_in_words
from ..posterior.fitted import final_model
from ..priors import PartitionPrior
from .canvas import COLORS, check_axes, despine, set_title
from .subject import read_posterior

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ITEMS = 50_000  # beyond, adding up the prior item by item takes longer than one waits for a figure


def plot_n_clusters(result: Any, estimate: PartitionEstimate | ArrayLike | None = None, ax: Axes | None = None) -> Axes:
    """Posterior distribution of the number of clusters as bars, the estimate's number marked, the prior as a line.

    Parameters
    ----------
    result : PartitionPosterior, fitted model or Pipeline
        Draws of partitions, or a model with ``posterior_``; one with ``prior_`` shows what that says, too.
    estimate : PartitionEstimate or array-like of int, optional
        Its number of clusters is marked; the model's own when left out.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_traces : draw by draw.
    partita.DirichletProcess.n_clusters_pmf : the prior's distribution.
    partita.PartitionPosterior.n_clusters : the numbers.

    Examples
    --------
    >>> import partita as pt
    >>> ax = pt.plot.plot_n_clusters([[0, 0, 1], [0, 1, 1], [0, 1, 2], [0, 0, 0]])
    >>> print(ax.get_title(loc="left"))
    2 clusters with probability 0.50; 1 to 3 with 0.95 or more
    """
    posterior, ax = read_posterior(result), check_axes(ax)
    estimate = own_estimate(result) if estimate is None else estimate
    numbers, probabilities = count_clusters(posterior)
    marked = None if estimate is None else int(read_labels(estimate, posterior.n_items).max()) + 1
    chosen = numbers == marked
    ax.bar(numbers[~chosen], probabilities[~chosen], color=COLORS[0], width=0.8)
    ax.set_xlabel("number of clusters")
    ax.set_ylabel("probability")
    ax.locator_params(axis="x", integer=True)
    despine(ax)
    if chosen.any():
        ax.bar(numbers[chosen], probabilities[chosen], color=COLORS[1], width=0.8, label="as in the estimate")
    prior = getattr(final_model(result), "prior_", None)
    found = None if prior is None else prior_pmf(prior, posterior.n_items, int(numbers[-1]))
    if found is not None:
        ax.plot(*found, color="0.25", marker="o", markersize=3, linewidth=1, label="prior")
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize=8)
    set_title(ax, n_clusters_in_words(numbers, probabilities))
    return ax


def prior_pmf(prior: PartitionPrior, n_items: int, most_drawn: int) -> tuple[IntArray, FloatArray] | None:
    """Numbers of clusters, up to the most drawn and what the prior holds likely, with their prior probabilities.

    None of very many items.
    """
    if n_items > MOST_ITEMS:
        return None
    pmf = prior.n_clusters_pmf(n_items)
    shown = np.arange(1, max(most_drawn, int(np.searchsorted(pmf.cumsum(), 0.99))) + 1)
    return shown, pmf[shown]
