"""The section on other readings of the posterior, where one partition hides some."""

from __future__ import annotations

import numpy as np

from ..decide.words import distance, percentages, plural
from ..plot.canvas import COLORS, match_colors, shorten_name
from .charts import SYMBOLS, Section, axis
from .content import Content

MOST_NAMED = 30  # items on which readings differ
MOST_SIZES = 8  # clusters whose sizes are listed


def readings_section(content: Content) -> Section | None:
    """Each reading on the items, its probability, clusters and sizes, and the items on which they differ."""
    modes = content.summary.modes
    if modes is None:
        return None
    rows = [
        [
            f"{percent}\xa0%",
            str(mode.estimate.n_clusters),
            ", ".join(map(str, mode.estimate.sizes[:MOST_SIZES]))
            + (", …" if mode.estimate.n_clusters > MOST_SIZES else ""),
            distance(mode.ball.metric, mode.ball.radius),
        ]
        for percent, mode in zip(percentages(modes.weights), modes.modes, strict=True)
    ]
    differing = np.flatnonzero(modes.differs)
    lead = f"{modes.title}; they differ on {differing.size} of {plural(modes.differs.size, 'item')}."
    named = ", ".join(shorten_name(content.names[i]) for i in differing[:MOST_NAMED])
    more = f" and {differing.size - MOST_NAMED} more" if differing.size > MOST_NAMED else ""
    note = (
        "Draws form groups, each around a partition of its own; the estimate is the best single partition for all of "
        f"them. Items that change their cluster between readings, ringed above: {named}{more}."
    )
    if content.summary.diagnostics is not None and not content.summary.diagnostics.mixed:
        note += " Chains disagree: the shares say where chains stayed, not how probable a reading is."
    shown, layout = content.shown, content.layout
    first = match_colors(modes.labels[0], content.labels)  # as on the other charts
    chart = {
        "labels": [match_colors(labels, first)[shown] for labels in modes.labels],
        "names": [shorten_name(content.names[i]) for i in shown],
        "x": layout.points[shown, 0],
        "y": layout.points[shown, 1],
        "layout": {"xaxis": axis(layout.x_label), "yaxis": axis(layout.y_label)},
        "colors": COLORS,
        "symbols": list(SYMBOLS.values()),
        "words": [mode.words for mode in modes.modes],
    }
    head = ["probability", "clusters", "sizes", f"{100 * modes.modes[0].ball.level:g}\xa0% ball, given the reading"]
    text = {"head": head, "rows": rows, "note": note, "readings": [row[0] for row in rows]}
    return Section("readings", "Other readings", lead, "readings.html", chart, text)
