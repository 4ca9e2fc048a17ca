"""Flow of items between the clusters of successive clusterings (an alluvial diagram)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray
from .._validation import check_same_items, shorten
from ..decide.result import read_labels
from ..decide.words import plural
from ..losses import Misclassification
from .canvas import INK, check_axes, cluster_color, match_colors, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, GAP = 0.08, 0.02  # of a column, and between clusters, as shares
N_CURVE = 40  # points along a ribbon's edge


class Flow(NamedTuple):
    """Clusterings side by side: clusters in the order they are stacked, and the items that go between them."""

    labels: list[IntArray]  # numbered, and so colored, like those before
    order: list[IntArray]  # clusters of each clustering from bottom to top
    tables: list[FloatArray]  # share of the items between clusters of each clustering and the next


class Ribbon(NamedTuple):
    """Items that go from a cluster to one of the next clustering: where the band begins and ends, and its width."""

    step: int
    one: int
    other: int
    low: float
    high: float
    share: float


def arrange_flow(partitions: Sequence[Any], anchor: int = 0) -> Flow:
    """Number clusters like those of the next clustering toward the anchor, and stack them by where items come from."""
    if not isinstance(partitions, (Sequence, np.ndarray)) or getattr(partitions, "ndim", 1) == 0:
        raise TypeError(f"partitions must be a list of clusterings: got {shorten(partitions)}.")
    if len(partitions) < 2:
        raise ValueError(f"partitions must be at least two clusterings of the same items: got {len(partitions)}.")
    labels = [read_labels(part) for part in partitions]
    for number, part in enumerate(labels[1:], start=1):
        check_same_items(**{"partitions[0]": labels[0], f"partitions[{number}]": part})
    for number in range(anchor + 1, len(labels)):
        labels[number] = match_colors(labels[number], labels[number - 1])
    for number in range(anchor - 1, -1, -1):
        labels[number] = match_colors(labels[number], labels[number + 1])
    order, tables = [np.unique(labels[0])], []
    for one, other in pairwise(labels):
        rows, columns = int(one.max()) + 1, int(other.max()) + 1
        table = np.bincount(one * columns + other, minlength=rows * columns).reshape(rows, columns) / one.size
        place = np.zeros(rows)
        place[order[-1]] = np.arange(order[-1].size)
        present = np.unique(other)
        center = (place @ table)[present] / table.sum(axis=0)[present]
        order.append(present[np.argsort(center, kind="stable")])
        tables.append(table)
    return Flow(labels, order, tables)


def plot_flow(partitions: Sequence[Any], names: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Where the items of each cluster go, from one clustering to the next.

    Parameters
    ----------
    partitions : sequence of PartitionEstimate or array-like of int, shape (n_items,)
        Two or more clusterings of the same items, in the order to show: resolutions, times, methods.
    names : sequence of str, optional
        Name of each clustering.
    ax : matplotlib Axes, optional
        Where to draw; a figure of its own when left out.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    See Also
    --------
    partita.compare_partitions : the numbers.

    Notes
    -----
    A cluster has the color of the one before it that it shares most items with, as matched one to one; ribbons are as
    wide as the items they carry are many.

    Examples
    --------
    >>> import partita as pt
    >>> ax = pt.plot.plot_flow([[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 2, 3]])
    >>> print(ax.get_title(loc="left"))
    2 to 4 clusters; 1 of 6 items (17 %) change their cluster at the largest step
    """
    flow = arrange_flow(partitions)
    if names is not None and (not np.iterable(names) or len(list(names)) != len(flow.labels)):
        raise ValueError(f"names must name each of the {len(flow.labels)} clusterings: got {shorten(names)}.")
    called = [str(name) for name in (range(len(flow.labels)) if names is None else names)]
    ax = check_axes(ax, 1.6 + 1.4 * len(flow.labels), 4.0)
    bottoms = stack_clusters(flow)
    for ribbon in ribbons(flow, bottoms):
        _draw_ribbon(ax, ribbon)
    for column, (labels, order) in enumerate(zip(flow.labels, flow.order, strict=True)):
        sizes = np.bincount(labels) / labels.size
        for cluster in order.tolist():
            low = bottoms[column][cluster]
            ax.bar(column, sizes[cluster], WIDTH, low, color=cluster_color(cluster), edgecolor="white", linewidth=0.5)
    ax.set_xticks(range(len(flow.labels)), called)
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, colors=INK)
    set_title(ax, flow_in_words(flow))
    return ax


def flow_in_words(flow: Flow) -> str:
    """How many clusters there are, and how many items move at the largest step."""
    counts, n_items = [order.size for order in flow.order], flow.labels[0].size
    moved = max(Misclassification().between(one, other) for one, other in pairwise(flow.labels))
    between = plural(counts[0], "cluster") if min(counts) == max(counts) else f"{min(counts)} to {max(counts)} clusters"
    share = f"{moved:.0%}".replace("%", " %")
    return f"{between}; {round(moved * n_items)} of {n_items} items ({share}) change their cluster at the largest step"


def stack_clusters(flow: Flow) -> list[dict[int, float]]:
    """Where each cluster of each clustering begins, as a share of the items, gaps between them."""
    return [_stack(labels, order) for labels, order in zip(flow.labels, flow.order, strict=True)]


def _stack(labels: IntArray, order: IntArray) -> dict[int, float]:
    sizes, bottoms, at = np.bincount(labels) / labels.size, {}, 0.0
    for cluster in order.tolist():
        bottoms[cluster] = at
        at += float(sizes[cluster]) + GAP
    return bottoms


def ribbons(flow: Flow, bottoms: list[dict[int, float]]) -> Iterator[Ribbon]:
    """Bands from the clusters of each clustering to those of the next, on both sides in the order of the other."""
    for step, table in enumerate(flow.tables):
        left, right = dict(bottoms[step]), dict(bottoms[step + 1])
        for one in flow.order[step].tolist():
            for other in flow.order[step + 1].tolist():
                share = float(table[one, other])
                if share > 0:
                    yield Ribbon(step, one, other, left[one], right[other], share)
                    left[one] += share
                    right[other] += share


def _draw_ribbon(ax: Axes, ribbon: Ribbon) -> None:
    t = np.linspace(0, 1, N_CURVE)
    low = ribbon.low + (3 * t**2 - 2 * t**3) * (ribbon.high - ribbon.low)
    x = ribbon.step + WIDTH / 2 + t * (1 - WIDTH)
    ax.fill_between(x, low, low + ribbon.share, color=cluster_color(ribbon.one), alpha=0.35, linewidth=0)
