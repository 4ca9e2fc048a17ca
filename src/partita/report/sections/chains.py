"""Convergence diagnostics."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...decide import Diagnostics
from ...decide.diagnostics import WORDS
from ...plot.palette import COLORS
from ..content import Content
from ..section import Section, axis

MOST_DRAWS = 400  # of each chain on the chart


def make(content: Content) -> Section:
    """The verdict, the table it rests on, and the number of clusters draw by draw."""
    found = content.summary.diagnostics
    if found is None:
        lead = "The draws are weighted: there are no chains to compare."
        return Section("chains", "Did the chains agree", lead, "table.html", text={"head": [], "rows": [], "note": ""})
    text = {"good": found.mixed and content.summary.posterior.n_chains > 1, **_table(found)}
    return Section("chains", "Did the chains agree", found.verdict, "chains.html", _traces(content), text)


def _table(found: Diagnostics) -> dict[str, Any]:
    rows = [
        [_without_article(WORDS.get(str(name), str(name))), *(_number(row[c]) for c in ("r_hat", "ess_bulk", "mean"))]
        for name, row in found.table.iterrows()
    ]
    return {"head": ["quantity", "R-hat", "effective draws", "mean"], "rows": rows}


def _traces(content: Content) -> dict[str, Any]:
    """Number of clusters over time, a line for each chain."""
    ids, counts = content.summary.posterior.chain_ids(), content.summary.posterior.n_clusters()
    traces = []
    for number, chain in enumerate(np.unique(ids)):
        values = counts[ids == chain]
        kept = np.unique(np.linspace(0, values.size - 1, min(values.size, MOST_DRAWS)).astype(np.int64))
        line = {"color": COLORS[number % len(COLORS)], "width": 1}
        traces.append(
            {"type": "scatter", "mode": "lines", "name": f"chain {chain}", "x": kept, "y": values[kept], "line": line}
        )
    return {"data": traces, "layout": {"xaxis": axis("draw"), "yaxis": axis("clusters")}}


def _without_article(words: str) -> str:
    return words.removeprefix("the ")


def _number(value: float) -> str:
    if not np.isfinite(value):
        return "–"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
