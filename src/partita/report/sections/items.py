"""Who is uncertain."""

from __future__ import annotations

from ...plot.canvas import plural, shorten_name
from ...plot.palette import cluster_color
from ..answer import DOUBT
from ..section import Section
from ..study import Study

MOST_ROWS = 20_000


def make(study: Study) -> Section:
    """A table of all items, the most doubtful first."""
    table = study.certainty.items.head(MOST_ROWS)
    columns = [
        {"label": "item", "kind": "text"},
        {"label": "cluster", "kind": "cluster"},
        {"label": "certainty", "kind": "share"},
        {"label": "runner-up", "kind": "cluster"},
        {"label": "its share", "kind": "share"},
        {"label": "margin", "kind": "share"},
    ]
    rows = [[str(name), *values] for name, values in zip(table.index, table.to_numpy().tolist(), strict=True)]
    if study.stability is not None:
        columns.append({"label": "stability", "kind": "share"})
        of = dict(zip(study.names, study.stability.pointwise.tolist(), strict=True))
        rows = [[*row, of[row[0]]] for row in rows]
    colors = [cluster_color(k) for k in range(study.estimate.n_clusters)]
    doubtful = int((study.margins() < DOUBT).sum())
    least = ", ".join(shorten_name(name) for name in table.index[: min(3, doubtful)])
    lead = f"{plural(doubtful, 'item')} in doubt; the least certain: {least}." if doubtful else "No item is in doubt."
    return Section(
        "items", "Who is uncertain", lead, "items.html", {"columns": columns, "rows": rows, "colors": colors}
    )
