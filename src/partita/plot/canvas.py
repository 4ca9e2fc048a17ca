"""What figures are drawn on: axes that the user passed, or a figure of their own, never pyplot's."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._validation import shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, PALE = "#3b4252", "#d5dae1"  # what is read, and what only guides the eye
LETTERS_PER_INCH = 15  # of a title
LONGEST_NAME = 50


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


def shorten_name(name: Any) -> str:
    """A name cut to a length that fits a figure."""
    text = str(name)
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def _flat(axes: Any) -> list[Any]:
    return [ax for part in axes for ax in (_flat(part) if hasattr(part, "__len__") else [part])]
