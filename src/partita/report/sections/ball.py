"""The credible ball, from its center to its bounds."""

from __future__ import annotations

from ...decide.words import distance, plural
from ...plot.canvas import shorten_name
from ...plot.palette import COLORS
from ..content import Content
from ..embed import for_chart
from ..path import Step, find_path
from ..section import SYMBOLS, Section, axis, shown_items

WAYS = {"upper": "fewer clusters", "lower": "more clusters", "horizontal": "furthest away"}


def make(content: Content) -> Section:
    """A slider for each kind of bound, from the estimate to it, over the same scatter."""
    shown, ball, layout = shown_items(content), content.summary.ball, content.layout
    ways = []
    for kind, name in WAYS.items():
        steps = find_path(content.summary.posterior, ball, getattr(ball, kind)[0])
        labels = [step.labels[shown] for step in steps]
        ways.append({"name": name, "labels": labels, "words": [_in_words(content, step) for step in steps]})
    chart = {
        "ways": ways,
        "names": [for_chart(shorten_name(content.names[i])) for i in shown],
        "x": layout.points[shown, 0],
        "y": layout.points[shown, 1],
        "layout": {"xaxis": axis(layout.x_label), "yaxis": axis(layout.y_label), "showlegend": False},
        "colors": COLORS,
        "symbols": list(SYMBOLS.values()),
    }
    upper, lower = int(ball.upper.max()) + 1, int(ball.lower.max()) + 1
    percent = f"{100 * ball.level:g}\xa0%"
    reach = f"{percent} of the posterior lies within {distance(ball.metric, ball.radius)} of the estimate"
    lead = f"{reach}; at the edges there are {upper} (fewest) to {lower} (most) clusters."
    return Section("ball", "How different could it be", lead, "ball.html", chart, {"ways": list(WAYS.values())})


def _in_words(content: Content, step: Step) -> str:
    clusters = plural(step.n_clusters, "cluster")
    if step.distance == 0:
        return f"The estimate: {clusters}."
    away = f"{clusters}, {distance(content.summary.ball.metric, step.distance)} from the estimate"
    share = f"{step.nearer:.0%}".replace("%", "\xa0%")
    return f"{away}; {plural(step.moved, 'item')} in another cluster. {share} of the posterior lies as near or nearer."
