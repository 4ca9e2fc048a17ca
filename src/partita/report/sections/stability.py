"""Stability under perturbation against stability over the posterior."""

from __future__ import annotations

import numpy as np

from ...decide.words import plural
from ...stability import compare_certainty, matched_stability
from ..content import Content
from ..section import Section, scatter_chart

SURE = 0.5


def make(content: Content) -> Section:
    """Stability of each item under perturbed distances against that over the draws."""
    if content.stability is None:
        return _posterior_alone(content)
    table = compare_certainty(content.stability, content.summary.posterior)
    x, y = table["stability_distances"].to_numpy(), table["stability_posterior"].to_numpy()
    chart = scatter_chart(content, x, y, "stability when distances are perturbed", "stability over the draws")
    both, model, metric = ((x >= SURE) & (y >= SURE)).sum(), ((x < SURE) & (y >= SURE)), ((x >= SURE) & (y < SURE))
    lead = (
        f"{both} of {x.size} items are stable on both counts; {model.sum()} only for the model, "
        f"{metric.sum()} only by distance."
    )
    note = (
        "Each point is an item. 1 is certain, 0 a toss-up, below 0 another cluster is likelier. To the right: its "
        "place withstands perturbed distances to the clusters' centers. To the top: the draws agree on its place. "
        f"On average {content.stability.average:.2f} and {np.mean(y):.2f}." + _left_out(content)
    )
    return Section("stability", "Is it real", lead, data=chart, text={"note": note + _against_null(content)})


def _left_out(content: Content) -> str:
    """Items alone in their cluster, which are its center."""
    n = 0 if content.stability is None else content.stability.at_itself.size
    return f" Left out: {plural(n, 'item')} alone in a cluster, which no perturbation moves." if n else ""


def _against_null(content: Content) -> str:
    report = content.stability
    if report is None or not report.baseline_averages.size:
        return ""
    above = f"{report.difference:.2f} above {report.baseline} baselines"
    return f" The first is {above} (standard deviation {report.difference_sd:.2f})."


def _posterior_alone(content: Content) -> Section:
    report = matched_stability(content.summary.posterior, content.labels)
    rows = [
        [str(k), str(size), f"{value:.2f}"] for k, (size, value) in enumerate(_by_cluster(content, report.pointwise))
    ]
    lead = f"Over the draws, items keep their cluster with an average stability of {report.average:.2f}."
    note = "Stability of distances can be set beside this where the data, as numbers without gaps, are given."
    table = {"head": ["cluster", "items", "stability over the draws"], "rows": rows, "note": note}
    return Section("stability", "Is it real", lead, "table.html", text=table)


def _by_cluster(content: Content, pointwise: np.ndarray) -> list[tuple[int, float]]:
    groups = [pointwise[content.labels == k] for k in range(content.summary.estimate.n_clusters)]
    return [(group.size, float(group.mean())) for group in groups]
