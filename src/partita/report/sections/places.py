"""The estimate on the data."""

from __future__ import annotations

from ...plot.partition import count_items
from ..answer import DOUBT
from ..section import Section, scatter_chart, shown_items
from ..study import Study


def make(study: Study) -> Section:
    """A scatter of the items, the doubtful ones pale."""
    layout = study.layout
    chart = scatter_chart(study, layout.points[:, 0], layout.points[:, 1], layout.x_label, layout.y_label)
    doubtful = int((study.margins() < DOUBT).sum())
    lead = f"{count_items(study.labels)}; {doubtful} of {study.labels.size} items are in doubt."
    note = "Pale items are in doubt. Point at one to see how often it is with its cluster. Click a cluster to hide it."
    if not study.on_data:
        note += " Without the data, items that are often together are drawn near each other."
    if (shown := shown_items(study).size) < study.labels.size:
        note += f" {shown} of {study.labels.size} items are drawn."
    return Section("places", "The clusters", lead, data=chart, text={"note": note})
