"""What figures are drawn on, axes the user passed or a figure of their own, and the colors of clusters."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from .._typing import IntArray
from .._validation import shorten
from ..partitions.matching import number_like

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, PALE = "#3b4252", "#d5dae1"  # what is read, and what only guides the eye
LETTERS_PER_INCH = 15  # of a title
LONGEST_NAME = 50
# Clusters are told apart by color-blind eyes too, and on light and dark paper: six colors of Okabe and Ito, and a
# violet and a brown that stay far from them under every color blindness.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8740E8", "#8C4423")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
# Two partitions, pair by pair: apart in both, together in both, together in the reference alone, in the labels alone.
PAIRS = ("#FFFFFF", "#3B4252", "#E69F00", "#0072B2")
SEQUENCE = "viridis"


def check_axes(ax: Axes | None, width: float = 5.0, height: float = 4.0) -> Axes:
    """The axes to draw on: the user's, or those of a new figure of this size in inches."""
    if ax is None:
        return check_panels(None, 1, width, height)[0]
    if not hasattr(ax, "add_artist"):
        raise TypeError(f"ax must be matplotlib axes: got {shorten(ax)}.")
    return ax


def check_panels(axes: Sequence[Axes] | None, n_panels: int, width: float = 3.2, height: float = 3.2) -> list[Axes]:
    """One axes for each panel: the user's, or those of a new figure, in a row or, from four on, in a grid."""
    if axes is None:
        from matplotlib.figure import Figure

        n_columns = n_panels if n_panels < 4 else math.ceil(math.sqrt(n_panels))
        n_rows = -(-n_panels // n_columns)
        figure = Figure(figsize=(width * n_columns, height * n_rows), layout="constrained")
        panels = figure.subplots(n_rows, n_columns, squeeze=False).ravel().tolist()
        for spare in panels[n_panels:]:
            spare.remove()
        return panels[:n_panels]
    panels = [axes] if hasattr(axes, "add_artist") else _flat(axes)
    if len(panels) < n_panels:
        raise ValueError(f"axes must be {n_panels} axes, one for each panel: got {len(panels)}.")
    return [check_axes(ax) for ax in panels[:n_panels]]


def set_title(ax: Axes, answer: str) -> None:
    """Set the title to the answer in words, wrapped; dollar signs are not read as mathematics."""
    width = ax.get_figure(root=True).get_figwidth() * ax.get_position().width  # type: ignore[union-attr]
    lines = textwrap.fill(answer.replace(" %", "\xa0%"), max(24, int(width * LETTERS_PER_INCH)))
    ax.set_title(lines.replace("\xa0", " "), loc="left", fontsize=10, color=INK, parse_math=False)


def despine(ax: Axes) -> None:
    """Remove the top and right spines."""
    ax.spines[["top", "right"]].set_visible(False)


def cluster_color(cluster: int) -> str:
    """Color of a cluster; the ninth has that of the first, with another marker."""
    return COLORS[cluster % len(COLORS)]


def cluster_marker(cluster: int) -> str:
    """Marker of a cluster: the same for each eight clusters."""
    return MARKERS[cluster // len(COLORS) % len(MARKERS)]


def match_colors(labels: ArrayLike, reference: ArrayLike) -> IntArray:
    """The same partition, numbered, and so colored, like the clusters of ``reference`` that it overlaps most."""
    return number_like(labels, reference)


def shorten_name(name: Any) -> str:
    """A name cut to a length that fits a figure."""
    text = str(name)
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def _flat(axes: Any) -> list[Any]:
    return [ax for part in axes for ax in (_flat(part) if hasattr(part, "__len__") else [part])]
