"""Posterior inclusion probabilities of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation import shorten
from ..decide.words import inclusion_in_words
from ..posterior.fitted import final_model
from .canvas import COLORS, PALE, check_axes, despine, set_title, shorten_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SHOWN = 40  # columns; those most likely to be relevant


def plot_inclusion(model: Any, ax: Axes | None = None) -> Axes:
    """Posterior probability that each column is relevant to the clusters, as bars, the largest first.

    Parameters
    ----------
    model : BayesianMixture or Pipeline
        Fitted with ``select_columns``.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on; of more than 40 columns the 40 most probable.

    See Also
    --------
    partita.BayesianMixture : ``column_inclusion_`` has the numbers.
    plot_profiles : how clusters differ in the columns.

    Examples
    --------
    >>> import numpy as np
    >>> import partita as pt
    >>> X = np.random.default_rng(0).normal(size=(40, 3)) + np.repeat([[0, 0, 0], [6, 0, 0]], 20, axis=0)
    >>> mixture = pt.BayesianMixture(select_columns=True, n_chains=1, n_draws=50, n_warmup=50).fit(X)
    >>> print(pt.plot.plot_inclusion(mixture).get_title(loc="left"))
    1 of 3 columns is relevant with probability above one half: 0
    """
    table = getattr(final_model(model), "column_inclusion_", None)
    if table is None:
        raise ValueError(f"model must be a mixture fitted with select_columns=True: got {shorten(model)}.")
    shown = table["inclusion"].sort_values(ascending=False, kind="stable").head(MOST_SHOWN)
    ax = check_axes(ax, 4.6, 1.0 + 0.22 * len(shown))
    places = np.arange(len(shown))
    ax.barh(places, shown, color=[COLORS[0] if value > 0.5 else PALE for value in shown])
    ax.set_yticks(places, [shorten_name(name) for name in shown.index], parse_math=False)
    ax.invert_yaxis()
    ax.axvline(0.5, color="0.6", linewidth=0.8, linestyle=":")
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability that the column is relevant")
    despine(ax)
    set_title(ax, inclusion_in_words(table["inclusion"]))
    return ax
