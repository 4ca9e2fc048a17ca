"""What a section of the report hands to the page: words, tables, and charts as the scripts read them."""

from __future__ import annotations

import base64
import io
from typing import Any, NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray
from ..decide.words import plural
from ..plot.canvas import MARKERS, SEQUENCE, cluster_color, cluster_marker, shorten_name
from ..plot.flow import Flow, ribbons, stack_clusters
from .content import Content

SYMBOLS = dict(
    zip(
        MARKERS,
        ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x", "star"),
        strict=True,
    )
)
N_BINS = 90  # along each side of a density
MOST_TRACES = 40  # clusters that a legend can name and a browser keep apart


class Section(NamedTuple):
    """A heading, the finding in words, and what its template shows: ``data`` is for scripts, ``text`` for reading."""

    key: str
    title: str
    lead: str
    template: str = "chart.html"
    data: dict[str, Any] = {}  # noqa: RUF012
    text: dict[str, Any] = {}  # noqa: RUF012


def cluster_symbol(cluster: int) -> str:
    """The scripts' name of a cluster's marker."""
    return SYMBOLS[cluster_marker(cluster)]


def scatter_chart(content: Content, x: FloatArray, y: FloatArray, x_label: str, y_label: str) -> dict[str, Any]:
    """Points of each cluster, the doubtful ones pale, with what is known of each item where one points."""
    shown, labels = content.shown, content.labels
    words = dict(zip(shown.tolist(), describe_items(content, shown), strict=True))
    sure = np.clip(content.summary.certainty.by_item("margin"), 0.0, 1.0)
    shown = shown[np.argsort(-sure[shown], kind="stable")]  # a legend looks like the first
    few = content.summary.estimate.n_clusters <= MOST_TRACES
    groups = [shown[labels[shown] == k] for k in range(content.summary.estimate.n_clusters)] if few else [shown]
    traces = [
        {
            "type": "points",
            "name": f"cluster {k} ({content.summary.estimate.sizes[k]})",
            "x": x[members],
            "y": y[members],
            "text": [words[i] for i in members.tolist()],
            "opacity": 0.35 + 0.6 * sure[members],
            **_look(labels[members], few),
        }
        for k, members in enumerate(groups)
    ]
    if shown.size < labels.size and np.isfinite(x).all():
        traces.insert(0, _density(x, y))
    return {"data": traces, "layout": {"xaxis": axis(x_label), "yaxis": axis(y_label), "legend": few}}


def _density(x: FloatArray, y: FloatArray) -> dict[str, Any]:
    """How many items lie where, below the points that are shown of them: a picture, darker where there are more."""
    counts, x_edges, y_edges = np.histogram2d(x, y, bins=N_BINS)
    shades = np.log1p(counts.T[::-1])
    pixels = np.full((*shades.shape, 4), 128, dtype=np.uint8)
    pixels[..., 3] = (shades / max(shades.max(), 1.0) * 150).round()
    return {"type": "image", "href": _address(pixels), "x": x_edges[[0, -1]], "y": y_edges[[0, -1]]}


def flow_chart(flow: Flow, names: tuple[str, ...]) -> dict[str, Any]:
    """Clusterings side by side, and bands as wide as the items they carry are many."""
    n_items, bottoms = flow.labels[0].size, stack_clusters(flow)
    nodes = [
        {
            "column": column,
            "low": low,
            "size": (size := int((flow.labels[column] == cluster).sum())) / n_items,
            "color": cluster_color(cluster),
            "text": f"{names[column]}: cluster {cluster}\n{plural(size, 'item')}",
        }
        for column, lows in enumerate(bottoms)
        for cluster, low in lows.items()
    ]
    bands = [
        {
            "column": ribbon.step,
            "from": ribbon.low,
            "to": ribbon.high,
            "size": ribbon.share,
            "color": cluster_color(ribbon.one),
            "text": f"{plural(round(ribbon.share * n_items), 'item')}\n"
            f"{names[ribbon.step]}: cluster {ribbon.one}\n{names[ribbon.step + 1]}: cluster {ribbon.other}",
        }
        for ribbon in ribbons(flow, bottoms)
    ]
    return {"data": [{"type": "flow", "columns": names, "nodes": nodes, "bands": bands}], "layout": {}}


def _look(labels: IntArray, same: bool) -> dict[str, Any]:
    """Color and symbol of points: of all, where they are of one cluster, or of each."""
    colors, symbols = [cluster_color(k) for k in labels], [cluster_symbol(k) for k in labels]
    return {"color": colors[0], "symbol": symbols[0]} if same and colors else {"color": colors, "symbol": symbols}


def axis(label: str, *, whole: bool = False) -> dict[str, Any]:
    """An axis with a title; without one, its numbers mean nothing and are left out."""
    return {"label": shorten_name(label), "ticks": bool(label), "whole": whole}


def describe_items(content: Content, items: IntArray) -> list[str]:
    """What a chart says of each of these items."""
    columns = [
        content.summary.certainty.by_item(name)[items]
        for name in ("cluster", "certainty", "runner_up", "runner_up_probability")
    ]
    return [
        f"{shorten_name(name)}\ncluster {cluster}, with its members {own:.2f}"
        + (f"\nwith those of cluster {rival} {other:.2f}" if rival >= 0 else "")
        for name, cluster, own, rival, other in zip((content.names[i] for i in items), *columns, strict=True)
    ]


def picture(values: FloatArray) -> str:
    """Numbers from 0 to 1 as the address of a picture that needs no file."""
    from matplotlib import colormaps

    return _address((np.clip(values, 0, 1) * 255).round().astype(np.uint8), colormaps[SEQUENCE](np.arange(256))[:, :3])


def _address(pixels: np.ndarray, palette: FloatArray | None = None) -> str:
    """A picture as an address: colors with their opacity, or a byte a pixel and what color it stands for."""
    from PIL import Image

    image = Image.fromarray(pixels, mode=None)
    if palette is not None:
        image = image.convert("P")
        image.putpalette((palette * 255).round().astype(np.uint8).tobytes())
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
