"""The data: what each column was taken for, what was left out and why."""

from __future__ import annotations

from ..content import Content
from ..section import Section


def make(content: Content) -> Section | None:
    """What is known of how the data were read; nothing where nothing is."""
    if not content.notes:
        return None
    lead = f"{content.summary.posterior.n_items} items, one per row of the table."
    return Section("data", "What went in", lead, "list.html", text={"sentences": list(content.notes)})
