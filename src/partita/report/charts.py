"""What a section of the report hands to the page: words, tables, and charts as the scripts read them."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any, NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray
from ..plot.canvas import MARKERS, SEQUENCE, cluster_color, cluster_marker, shorten_name
from ..plot.flow import Flow
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
    """Plotly's name of a cluster's marker."""
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
            "type": "scatter",
            "mode": "markers",
            "name": f"cluster {k} ({content.summary.estimate.sizes[k]})",
            "x": x[members],
            "y": y[members],
            "text": [words[i] for i in members.tolist()],
            "hovertemplate": "%{text}<extra></extra>",
            "marker": {"size": 9, "opacity": 0.35 + 0.6 * sure[members], **_look(labels[members], few)},
        }
        for k, members in enumerate(groups)
    ]
    if shown.size < labels.size and np.isfinite(x).all():
        traces.insert(0, _density(x, y))
    return {"data": traces, "layout": {"xaxis": axis(x_label), "yaxis": axis(y_label), "showlegend": few}}


def _density(x: FloatArray, y: FloatArray) -> dict[str, Any]:
    """How many items lie where, below the points that are shown of them."""
    counts, x_edges, y_edges = np.histogram2d(x, y, bins=N_BINS)
    shades = [[round(float(np.log10(n)), 2) if n else None for n in row] for row in counts.T]
    middles = {"x": (x_edges[1:] + x_edges[:-1]) / 2, "y": (y_edges[1:] + y_edges[:-1]) / 2}
    look = {"colorscale": "Greys", "reversescale": False, "showscale": False, "opacity": 0.5, "hoverinfo": "skip"}
    return {"type": "heatmap", "z": shades, "showlegend": False, **middles, **look}


def flow_chart(flow: Flow, names: tuple[str, ...]) -> dict[str, Any]:
    """Clusterings side by side, and bands as wide as the items they carry are many."""
    clusters = [(column, int(k)) for column, order in enumerate(flow.order) for k in order]
    number = {cluster: node for node, cluster in enumerate(clusters)}
    links: dict[str, list[Any]] = {"source": [], "target": [], "value": [], "color": []}
    for step, table in enumerate(flow.tables):
        for one, other in zip(*np.nonzero(table), strict=True):
            links["source"].append(number[step, int(one)])
            links["target"].append(number[step + 1, int(other)])
            links["value"].append(round(float(table[one, other]) * flow.labels[0].size))
            links["color"].append(cluster_color(int(one)) + "59")
    nodes = {
        "label": [f"{names[column]}: {cluster}" for column, cluster in clusters],
        "color": [cluster_color(cluster) for _, cluster in clusters],
        "pad": 8,
        "thickness": 14,
    }
    trace = {"type": "sankey", "orientation": "h", "node": nodes, "link": links, "valueformat": ",d"}
    return {"data": [trace], "layout": {"showlegend": False}}


def _look(labels: IntArray, same: bool) -> dict[str, Any]:
    """Color and symbol of points: of all, where they are of one cluster, or of each."""
    colors, symbols = [cluster_color(k) for k in labels], [cluster_symbol(k) for k in labels]
    return {"color": colors[0], "symbol": symbols[0]} if same and colors else {"color": colors, "symbol": symbols}


def axis(label: str, **more: Any) -> dict[str, Any]:
    """An axis with a title; without one, its numbers mean nothing and are left out."""
    return {"title": {"text": for_chart(shorten_name(label))}, "showticklabels": bool(label), **more}


def describe_items(content: Content, items: IntArray) -> list[str]:
    """What a chart says of each of these items."""
    columns = [
        content.summary.certainty.by_item(name)[items]
        for name in ("cluster", "certainty", "runner_up", "runner_up_probability")
    ]
    return [
        f"<b>{for_chart(shorten_name(name))}</b><br>cluster {cluster}, with its members {own:.2f}"
        + (f"<br>with those of cluster {rival} {other:.2f}" if rival >= 0 else "")
        for name, cluster, own, rival, other in zip((content.names[i] for i in items), *columns, strict=True)
    ]


def for_chart(text: str) -> str:
    """Text as plotly reads it: it takes some markup for its own."""
    return escape(text, quote=False)


def picture(values: FloatArray) -> str:
    """Numbers from 0 to 1 as the address of a picture, a byte a pixel, that needs no file."""
    from matplotlib import colormaps
    from PIL import Image

    image = Image.fromarray((np.clip(values, 0, 1) * 255).round().astype(np.uint8), mode=None)
    colors = (colormaps[SEQUENCE](np.arange(256))[:, :3] * 255).round().astype(np.uint8)
    image = image.convert("P")
    image.putpalette(colors.tobytes())
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
