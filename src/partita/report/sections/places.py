"""The estimate, on a scatter of the data."""

from __future__ import annotations

from ...decide.words import size_range
from ..content import Content
from ..section import Section, scatter_chart, shown_items


def make(content: Content) -> Section:
    """A scatter of the items, the doubtful ones pale."""
    layout = content.layout
    chart = scatter_chart(content, layout.points[:, 0], layout.points[:, 1], layout.x_label, layout.y_label)
    doubtful = content.summary.certainty.n_doubtful
    lead = f"{size_range(content.labels)}; {doubtful} of {content.labels.size} items are in doubt."
    note = "Pale items are in doubt. Point at one to see how often it is with its cluster. Click a cluster to hide it."
    if not content.on_data:
        note += " Without the data, items that are often together are drawn near each other."
    if (shown := shown_items(content).size) < content.labels.size:
        note += f" {shown} of {content.labels.size} items are drawn."
    return Section("places", "The clusters", lead, data=chart, text={"note": note})
