"""Certainty of each item."""

from __future__ import annotations

from ...decide.words import plural
from ...plot.canvas import shorten_name
from ...plot.palette import cluster_color
from ..content import Content
from ..section import Section

MOST_ROWS = 20_000


def make(content: Content) -> Section:
    """A table of all items, the most doubtful first."""
    table = content.summary.certainty.items.head(MOST_ROWS)
    columns = [
        {"label": "item", "kind": "text"},
        {"label": "cluster", "kind": "cluster"},
        {"label": "certainty", "kind": "share"},
        {"label": "runner-up", "kind": "cluster"},
        {"label": "its share", "kind": "share"},
        {"label": "margin", "kind": "share"},
    ]
    rows = [[str(name), *values] for name, values in zip(table.index, table.to_numpy().tolist(), strict=True)]
    if content.stability is not None:
        columns.append({"label": "stability", "kind": "share"})
        of = dict(zip(content.names, content.stability.pointwise.tolist(), strict=True))
        rows = [[*row, of[row[0]]] for row in rows]
    colors = [cluster_color(k) for k in range(content.summary.estimate.n_clusters)]
    doubtful = content.summary.certainty.n_doubtful
    least = ", ".join(shorten_name(name) for name in table.index[: min(3, doubtful)])
    lead = f"{plural(doubtful, 'item')} in doubt; the least certain: {least}." if doubtful else "No item is in doubt."
    return Section(
        "items", "Who is uncertain", lead, "items.html", {"columns": columns, "rows": rows, "colors": colors}
    )
