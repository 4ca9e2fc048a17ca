"""Co-clustering matrices of two partitions, compared pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._typing import IntArray
from .._validation import check_memory
from ..decide import CredibleBall, PartitionEstimate
from ..decide.words import plural
from .canvas import INK, PAIRS, check_axes, check_panels, set_title
from .subject import read_ball, read_partition

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BOUNDS = {"center": "estimate", "upper": "fewest clusters", "lower": "most clusters", "horizontal": "furthest away"}


def plot_coclustering(
    labels: PartitionEstimate | ArrayLike | Any, reference: PartitionEstimate | ArrayLike | Any, ax: Axes | None = None
) -> Axes:
    """Co-clustering matrices of two partitions in one, colored by where they agree.

    Dark: together in both. White: apart in both. Orange: together in the reference alone. Blue: together in the labels
    alone. So orange and blue are where the two disagree, in colors that no color blindness confuses.

    Parameters
    ----------
    labels, reference : PartitionEstimate, array-like of int of shape (n_items,), or fitted model
        The partition to look at, and the one to compare it with, such as the truth.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_similarity : a posterior instead of two partitions.
    plot_ball_coclustering : for the bounds of a ball.

    References
    ----------
    Wade and Ghahramani (2015), figures 11 and 12, which use red, white, green and blue.

    Examples
    --------
    >>> import partita as pt
    >>> ax = pt.plot.plot_coclustering([0, 0, 0, 1], [0, 0, 1, 1])
    >>> print(ax.get_title(loc="left"))
    3 of 6 pairs differ (50 %)
    """
    first = read_partition(labels)
    second = read_partition(reference, first.size)
    ax = check_axes(ax, 4.6, 4.6)
    _draw(ax, first, second, np.lexsort((first, second)))
    set_title(ax, _differences(first, second))
    _explain(ax, "labels", "reference")
    return ax


def plot_ball_coclustering(
    ball: CredibleBall | Any,
    truth: PartitionEstimate | ArrayLike | None = None,
    axes: Sequence[Axes] | None = None,
) -> list[Axes]:
    """Co-clustering matrices of the center and the bounds of a credible ball, against the estimate or a truth.

    Parameters
    ----------
    ball : CredibleBall, PartitionPosterior or fitted model
        From :func:`partita.credible_ball`, which is called with its defaults for draws and fitted models. Of several
        bounds of a kind the first is shown.
    truth : PartitionEstimate or array-like of int, optional
        What to compare with. The center when left out, and then only the three bounds are drawn.
    axes : sequence of matplotlib Axes, optional
        Three axes, or four where there is a truth.

    Returns
    -------
    axes : list of matplotlib Axes
        What was drawn on.

    See Also
    --------
    plot_credible_ball : on the data.
    partita.credible_ball : the ball.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, truth = pt.datasets.make_noisy_draws(n_items=30, n_clusters=3)
    >>> ball = pt.credible_ball(posterior, truth)
    >>> [len(ax.images) for ax in pt.plot.plot_ball_coclustering(ball, truth)]
    [1, 1, 1, 1]
    """
    ball = read_ball(ball)
    center = read_partition(ball.center)
    reference = center if truth is None else read_partition(truth, center.size)
    kinds = [kind for kind in BOUNDS if truth is not None or kind != "center"]
    panels = check_panels(axes, len(kinds), 3.3, 3.6)
    order = np.lexsort((*(getattr(ball, kind)[0] for kind in ("horizontal", "lower", "upper")), center, reference))
    for ax, kind in zip(panels, kinds, strict=True):
        labels = center if kind == "center" else read_partition(getattr(ball, kind)[0])
        _draw(ax, labels, reference, order)
        clusters = plural(int(labels.max()) + 1, "cluster")
        set_title(ax, f"{BOUNDS[kind].capitalize()}: {clusters}; {_differences(labels, reference)}")
    _explain(panels[-1], "this partition", "estimate" if truth is None else "truth")
    return panels


def compare_pairs(labels: IntArray, reference: IntArray) -> NDArray[np.uint8]:
    """0 where both keep two items apart, 1 where both join them, 2 and 3 where the reference or the labels alone do."""
    check_memory(4 * labels.size**2, f"All pairs of {labels.size} items", "Draw some of the items.")
    joined = labels[:, np.newaxis] == labels
    expected = reference[:, np.newaxis] == reference
    return np.select([joined & expected, expected, joined], [1, 2, 3]).astype(np.uint8)


def _draw(ax: Axes, labels: IntArray, reference: IntArray, order: IntArray) -> None:
    from matplotlib.colors import ListedColormap

    pairs = compare_pairs(labels[order], reference[order])
    ax.imshow(pairs, cmap=ListedColormap(list(PAIRS)), vmin=-0.5, vmax=3.5, interpolation="nearest")
    ax.set_xticks([])
    ax.set_yticks([])


def _differences(labels: IntArray, reference: IntArray) -> str:
    differ = int(np.triu(compare_pairs(labels, reference) > 1, 1).sum())
    n_pairs = labels.size * (labels.size - 1) // 2
    return f"{differ} of {n_pairs} pairs differ ({differ / max(n_pairs, 1):.0%})".replace("%", " %")


def _explain(ax: Axes, labels: str, reference: str) -> None:
    """A legend below the axes."""
    from matplotlib.patches import Patch

    meanings = ("apart in both", "together in both", f"only in the {reference}", f"only in {labels}")
    patches = [Patch(facecolor=color, edgecolor=INK, linewidth=0.5) for color in PAIRS]
    figure = ax.get_figure(root=False)
    assert figure is not None
    columns = 4 if figure.bbox.width / figure.dpi > 7 else 2
    figure.legend(patches, meanings, loc="outside lower center", ncols=columns, fontsize=8, frameon=False)
