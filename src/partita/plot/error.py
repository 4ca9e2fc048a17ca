"""Expected misclassification of clusterings, with proven bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._validation import shorten
from ..pointprocess import PartitionError
from .canvas import COLORS, check_axes, despine, set_title, shorten_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_error(errors: Any, ax: Axes | None = None) -> Axes:
    """Expected share of misplaced points of clusterings, with the bounds it lies between.

    Parameters
    ----------
    errors : BayesClusterer, PartitionError, or mapping of str to PartitionError
        A fitted clusterer, or errors by the name of each clustering, from
        :meth:`partita.BayesClusterer.partition_error`.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on. Where bounds are equal the error is exact and no bar shows.

    See Also
    --------
    partita.BayesClusterer : errors and bounds.
    partita.compare_clusterers : errors averaged over point sets.

    Examples
    --------
    >>> import partita as pt
    >>> process = pt.GaussianPointProcess.known([[0.0], [3.0]], 1.0)
    >>> bayes = pt.BayesClusterer(process).fit([[-0.5], [0.3], [1.4], [2.9], [3.3]])
    >>> rivals = {"Bayes": bayes.partition_error(bayes.labels_), "halves": bayes.partition_error([0, 0, 1, 1, 1])}
    >>> ax = pt.plot.plot_error(rivals)
    >>> print(ax.get_title(loc="left"))
    Bayes misplaces the fewest points: 9.5 % expected
    """
    named = _read_errors(errors)
    estimates, lower, upper = np.array([tuple(error) for error in named.values()], dtype=float).T
    ax = check_axes(ax, 4.4 + 0.08 * max(map(len, named)), 1.2 + 0.5 * len(named))
    places = np.arange(len(named))
    best = int(estimates.argmin())
    reach = np.maximum([estimates - lower, upper - estimates], 0.0)
    ax.errorbar(estimates, places, xerr=reach, fmt="none", ecolor=COLORS[0], capsize=4, elinewidth=1.6)
    ax.scatter(estimates, places, s=60, c=[COLORS[1] if i == best else COLORS[0] for i in places], zorder=3)
    ax.set_yticks(places, list(named), parse_math=False)
    ax.set_ylim(len(named) - 0.5, -0.5)
    ax.set_xlim(0, max(float(upper.max()) * 1.1, 0.01))
    ax.xaxis.set_major_formatter(lambda share, _: f"{share:.0%}".replace("%", " %"))
    ax.set_xlabel("expected share of misplaced points")
    despine(ax)
    set_title(ax, _in_words(list(named), estimates, lower, upper, best))
    return ax


def _read_errors(errors: Any) -> dict[str, PartitionError]:
    if hasattr(errors, "error_bounds_"):
        return {"Bayes clusterer": PartitionError(errors.error_, *errors.error_bounds_)}
    if isinstance(errors, PartitionError):
        return {"clustering": errors}
    if not isinstance(errors, Mapping) or not errors:
        raise TypeError(f"errors must be a fitted BayesClusterer or errors by name: got {shorten(errors)}.")
    if (odd := next((e for e in errors.values() if not isinstance(e, PartitionError)), None)) is not None:
        raise TypeError(f"errors must each be a PartitionError: got {shorten(odd)}.")
    return {shorten_name(name): error for name, error in errors.items()}


def _in_words(names: list[str], estimates: Any, lower: Any, upper: Any, best: int) -> str:
    share = f"{100 * estimates[best]:.1f} % expected"
    known = "" if lower[best] == upper[best] else f", for sure {100 * lower[best]:.1f} to {100 * upper[best]:.1f} %"
    if len(names) == 1:
        return f"{100 * estimates[best]:.1f} % of the points misplaced, as expected{known}"
    return f"{names[best]} misplaces the fewest points: {share}{known}"
