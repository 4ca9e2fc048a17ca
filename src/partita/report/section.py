"""What a section of the report hands to the page."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._check import IntArray
from ..plot.palette import COLORS, MARKERS, cluster_color
from .embed import for_chart
from .study import Study

SYMBOLS = dict(
    zip(
        MARKERS,
        ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x", "star"),
        strict=True,
    )
)
MOST_POINTS = 3000  # on a chart


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
    return SYMBOLS[MARKERS[cluster // len(COLORS) % len(MARKERS)]]


def shown_items(study: Study) -> IntArray:
    """Items that charts show: all, or as many as a browser draws quickly, evenly spaced."""
    n_items = study.posterior.n_items
    return np.unique(np.linspace(0, n_items - 1, min(n_items, MOST_POINTS)).astype(np.int64))


def scatter_chart(study: Study, x: Any, y: Any, x_label: str, y_label: str) -> dict[str, Any]:
    """Points of each cluster, the doubtful ones pale, with what is known of each item where one points."""
    shown, labels = shown_items(study), study.labels
    sure = np.clip(study.margins(), 0.0, 1.0)
    words = describe_items(study)
    traces = []
    for cluster in range(study.estimate.n_clusters):
        members = shown[labels[shown] == cluster]
        members = members[np.argsort(-sure[members], kind="stable")]  # a legend looks like the first
        marker = {"color": cluster_color(cluster), "symbol": cluster_symbol(cluster), "size": 9}
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"cluster {cluster} ({study.estimate.sizes[cluster]})",
                "x": np.asarray(x)[members],
                "y": np.asarray(y)[members],
                "text": [words[i] for i in members],
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {**marker, "opacity": 0.2 + 0.75 * sure[members]},
            }
        )
    return {"data": traces, "layout": {"xaxis": axis(x_label), "yaxis": axis(y_label)}}


def axis(label: str, **more: Any) -> dict[str, Any]:
    """An axis with a title; without one, its numbers mean nothing and are left out."""
    return {"title": {"text": for_chart(label)}, "showticklabels": bool(label), **more}


def describe_items(study: Study) -> list[str]:
    """What a chart says of each item."""
    columns = [study.item_column(name) for name in ("cluster", "certainty", "runner_up", "runner_up_probability")]
    return [
        f"<b>{for_chart(name)}</b><br>cluster {cluster}, with its members {own:.2f}"
        + (f"<br>with those of cluster {rival} {other:.2f}" if rival >= 0 else "")
        for name, cluster, own, rival, other in zip(study.names, *columns, strict=True)
    ]
