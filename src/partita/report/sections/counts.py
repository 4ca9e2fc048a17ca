"""Posterior distribution of the number of clusters."""

from __future__ import annotations

from ...plot.n_clusters import count_clusters, in_words
from ...plot.palette import COLORS
from ..content import Content
from ..section import Section, axis


def make(content: Content) -> Section:
    """A bar for each number of clusters."""
    numbers, chances = count_clusters(content.summary.posterior)
    colors = [COLORS[int(number == content.summary.estimate.n_clusters)] for number in numbers]
    bars = {"type": "bar", "x": numbers, "y": chances, "marker": {"color": colors}}
    bars["hovertemplate"] = "%{x} clusters: probability %{y:.3f}<extra></extra>"
    layout = {
        "xaxis": axis("number of clusters", tickformat="d", **({"dtick": 1} if len(numbers) < 10 else {"nticks": 10})),
        "yaxis": axis("probability", rangemode="tozero"),
        "showlegend": False,
    }
    chart = {"data": [bars], "layout": layout}
    chosen = content.summary.estimate.n_clusters
    exactly = float(chances[numbers == chosen].sum())
    lead = f"{in_words(numbers, chances)}. The estimate has {chosen}, with probability {exactly:.2f}."
    note = "Orange: as in the estimate. Draws often set a few items apart; the estimate follows only what most share."
    return Section("counts", "How many clusters", lead, data=chart, text={"note": note})
