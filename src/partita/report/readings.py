"""The section on other readings of the posterior, where one partition hides some."""

from __future__ import annotations

import numpy as np

from ..decide.words import distance, plural
from ..plot.canvas import shorten_name
from .charts import Section
from .content import Content

MOST_NAMED = 30  # items on which readings differ
MOST_SIZES = 8  # clusters whose sizes are listed


def readings_section(content: Content) -> Section | None:
    """Probability, clusters and sizes of each reading, and the items on which they differ."""
    modes = content.summary.modes
    if modes is None:
        return None
    rows = [
        [
            f"{100 * mode.weight:.0f}\xa0%",
            str(mode.estimate.n_clusters),
            ", ".join(map(str, mode.estimate.sizes[:MOST_SIZES]))
            + (", …" if mode.estimate.n_clusters > MOST_SIZES else ""),
            distance(mode.ball.metric, mode.ball.radius),
        ]
        for mode in modes.modes
    ]
    differing = np.flatnonzero(modes.differs)
    lead = f"{modes.title}; they differ on {differing.size} of {plural(modes.differs.size, 'item')}."
    named = ", ".join(shorten_name(content.names[i]) for i in differing[:MOST_NAMED])
    more = f" and {differing.size - MOST_NAMED} more" if differing.size > MOST_NAMED else ""
    note = (
        "Draws form groups, each around a partition of its own; the estimate is the best single partition for all of "
        f"them. Items that change their cluster between readings: {named}{more}."
    )
    if content.summary.diagnostics is not None and not content.summary.diagnostics.mixed:
        note += " Chains disagree: the shares say where chains stayed, not how probable a reading is."
    head = ["probability", "clusters", "sizes", f"{100 * modes.modes[0].ball.level:g}\xa0% ball, given the reading"]
    return Section("readings", "Other readings", lead, "table.html", text={"head": head, "rows": rows, "note": note})
