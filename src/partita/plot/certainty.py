"""Certainty of each item, on a scatter of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._validation import check_choice
from ..decide import PartitionEstimate, assess_certainty
from ..decide.certainty import DOUBT
from .arrangement import project, project_draws
from .canvas import check_axes, set_title
from .partition import name_clusters, scatter_clusters
from .subject import read_subject

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_certainty(
    result: Any,
    X: Any = None,
    estimate: PartitionEstimate | ArrayLike | None = None,
    *,
    show: str = "alpha",
    ax: Axes | None = None,
) -> Axes:
    """A scatter of the items, the doubtful ones pale or small.

    Parameters
    ----------
    result : PartitionPosterior, fitted model or Pipeline
        Draws of partitions, or a model with ``posterior_``.
    X : array-like or DataFrame, shape (n_items, n_columns), optional
        The data, drawn as by :func:`plot_partition`. Without it items are placed by how often they are together.
    estimate : PartitionEstimate or array-like of int, optional
        The partition: that of the model, or the one with least expected variation of information, when left out.
    show : {"alpha", "size"}
        Whether doubt makes points pale or small.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_partition : without certainty.
    partita.assess_certainty : the numbers.

    Examples
    --------
    >>> import partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=30)
    >>> ax = pt.plot.plot_certainty([truth] * 9 + [[0] * 30], X, truth)
    >>> print(ax.get_title(loc="left"))
    0 of 30 items are in doubt
    """
    check_choice("show", show, ("alpha", "size"))
    posterior, labels = read_subject(result, estimate)
    layout = project_draws(posterior) if X is None else project(X, posterior.n_items)
    margins = assess_certainty(posterior, labels).by_item("margin")
    sure = np.maximum(margins, 0.0)
    ax = check_axes(ax)
    if show == "alpha":
        scatter_clusters(ax, layout, labels, alphas=0.2 + 0.75 * sure)
    else:
        scatter_clusters(ax, layout, labels, sizes=6 + 44 * sure)
    set_title(ax, f"{(margins < DOUBT).sum()} of {labels.size} items are in doubt")
    name_clusters(ax, labels)
    return ax
