"""The sections of a report, in the order in which they are read: each a function of its content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray, LabelRows
from ..decide import CredibleBall, Diagnostics
from ..decide.credible_ball import ROUNDING
from ..decide.diagnostics import WORDS
from ..decide.words import count_clusters, distance, inclusion_in_words, n_clusters_in_words, plural, size_range
from ..partitions import complete_labels
from ..plot.arrangement import block_edges, sample_items, seriate, similarity_image
from ..plot.canvas import COLORS, cluster_color, match_colors, shorten_name
from ..plot.flow import arrange_flow
from ..posterior import PartitionPosterior
from ..stability import compare_certainty, matched_stability
from .beforehand import constraint_section, prior_line
from .charts import SYMBOLS, Section, axis, flow_chart, picture, scatter_chart
from .content import Content
from .method import data_section, method_section
from .readings import readings_section

MOST_ROWS = 20_000  # of items in the table
WAYS = {"upper": "fewer clusters", "lower": "more clusters", "horizontal": "furthest away"}
N_STEPS = 12  # on such a way
MOST_FLOWING = 60  # clusters between which items are shown to flow
MOST_PIXELS, MOST_ITEMS, MOST_BLOCKS = 700, 2800, 200  # of the similarity matrix
STABLE = 0.5  # a smaller stability is doubt
MOST_COLUMNS = 100  # bars, one for each column
MOST_DRAWS = 400  # of each chain on the chart


def count_section(content: Content) -> Section:
    """A bar for each number of clusters, and a line for what the prior says of it."""
    numbers, chances = count_clusters(content.summary.posterior)
    colors = [COLORS[int(number == content.summary.estimate.n_clusters)] for number in numbers]
    words = [f"{plural(int(k), 'cluster')}\nprobability {p:.3f}" for k, p in zip(numbers, chances, strict=True)]
    bars = {"type": "bar", "x": numbers, "y": chances, "color": colors, "text": words}
    layout = {"xaxis": axis("number of clusters", whole=True), "yaxis": axis("probability")}
    prior = prior_line(content, numbers)
    chart = {"data": [bars, *prior.traces], "layout": layout}
    chosen = content.summary.estimate.n_clusters
    exactly = float(chances[numbers == chosen].sum())
    lead = f"{n_clusters_in_words(numbers, chances)}. The estimate has {chosen}, with probability {exactly:.2f}."
    note = "Orange: as in the estimate. Draws often set a few items apart; the estimate follows only what most share."
    note += prior.words
    return Section("counts", "How many clusters", lead, data=chart, text={"note": note})


def place_section(content: Content) -> Section:
    """A scatter of the items, the doubtful ones pale."""
    layout = content.layout
    chart = scatter_chart(content, layout.points[:, 0], layout.points[:, 1], layout.x_label, layout.y_label)
    doubtful = content.summary.certainty.n_doubtful
    lead = f"{size_range(content.labels)}; {doubtful} of {content.labels.size} items are in doubt."
    note = "Pale items are in doubt. Point at one to see how often it is with its cluster. Click a cluster to hide it."
    if not content.on_data:
        note += " Without the data, items that are often together are drawn near each other."
    if (shown := content.shown.size) < content.labels.size:
        note += f" {shown} of {content.labels.size} items are drawn, the most doubtful among them"
        note += ", over the density of all." if np.isfinite(layout.points[:, 0]).all() else "."
    return Section("places", "The clusters", lead, data=chart, text={"note": note})


def profile_section(content: Content) -> Section | None:
    """A sentence on each cluster, with its most typical and its most doubtful items."""
    profiles = content.profiles
    if profiles is None:
        return None
    evidence = profiles.evidence
    telling = [shorten_name(str(name)) for name in sorted(evidence, key=lambda n: -evidence[n]) if evidence[name] > 0]
    lead = f"Clusters differ most in {', '.join(telling[:3])}." if telling else "No column tells the clusters apart."
    if (n_described := profiles.labels.size) < content.labels.size:
        lead += f" What follows is about {n_described} of the {content.labels.size} items, spread evenly."
    sentences = []
    for words, typical, doubtful in zip(profiles.words, profiles.exemplars, profiles.borderline, strict=True):
        named = f" Typical: {', '.join(map(shorten_name, typical))}."
        in_doubt = f" Least sure: {', '.join(map(shorten_name, doubtful))}." if doubtful else ""
        sentences.append(words[0].upper() + words[1:] + named + in_doubt)
    return Section("profiles", "What distinguishes them", lead, "list.html", text={"sentences": sentences})


def inclusion_section(content: Content) -> Section | None:
    """A bar for each column: how probably the clusters differ in it."""
    if content.inclusion is None:
        return None
    shown = content.inclusion.sort_values(ascending=False, kind="stable").head(MOST_COLUMNS)
    words = [f"{shorten_name(name)}\nrelevant with probability {p:.3f}" for name, p in shown.items()]
    colors = [COLORS[int(p > 0.5)] for p in shown]
    bars = {"type": "bar", "x": np.arange(1, len(shown) + 1), "y": shown.to_numpy(), "color": colors, "text": words}
    layout = {"xaxis": axis("columns, the most probable first", whole=True), "yaxis": axis("probability")}
    note = (
        "Orange: more probably relevant than not. A column that is not relevant is distributed alike in all clusters."
    )
    lead = f"{inclusion_in_words(content.inclusion)}."
    return Section(
        "inclusion", "Which columns matter", lead, data={"data": [bars], "layout": layout}, text={"note": note}
    )


def item_section(content: Content) -> Section:
    """A table of all items, the most doubtful first."""
    table = content.summary.certainty.items.head(MOST_ROWS)
    columns = [
        {"label": "item", "kind": "text"},
        {"label": "cluster", "kind": "cluster"},
        {"label": "certainty", "kind": "share"},
        {"label": "runner-up", "kind": "cluster"},
        {"label": "its share", "kind": "share"},
        {"label": "margin", "kind": "share"},
    ]
    rows = [[str(name), *values] for name, values in zip(table.index, table.to_numpy().tolist(), strict=True)]
    if content.stability is not None:
        columns.append({"label": "stability", "kind": "share"})
        of = dict(zip(content.names, content.stability.pointwise.tolist(), strict=True))
        rows = [[*row, of[row[0]]] for row in rows]
    colors = [cluster_color(k) for k in range(content.summary.estimate.n_clusters)]
    doubtful = content.summary.certainty.n_doubtful
    least = ", ".join(shorten_name(name) for name in table.index[: min(3, doubtful)])
    lead = f"{plural(doubtful, 'item')} in doubt; the least certain: {least}." if doubtful else "No item is in doubt."
    return Section(
        "items", "Who is uncertain", lead, "items.html", {"columns": columns, "rows": rows, "colors": colors}
    )


def ball_section(content: Content) -> Section:
    """A slider for each kind of bound, from the estimate to it, over the same scatter."""
    shown, ball, layout = content.shown, content.summary.ball, content.layout
    ways = []
    for kind, name in WAYS.items():
        steps = find_path(content.summary.posterior, ball, getattr(ball, kind)[0])
        labels = [step.labels[shown] for step in steps]
        ways.append({"name": name, "labels": labels, "words": [_step_in_words(content, step) for step in steps]})
    chart = {
        "ways": ways,
        "names": [shorten_name(content.names[i]) for i in shown],
        "x": layout.points[shown, 0],
        "y": layout.points[shown, 1],
        "layout": {"xaxis": axis(layout.x_label), "yaxis": axis(layout.y_label)},
        "colors": COLORS,
        "symbols": list(SYMBOLS.values()),
    }
    upper, lower = int(ball.upper.max()) + 1, int(ball.lower.max()) + 1
    percent = f"{100 * ball.level:g}\xa0%"
    reach = f"{percent} of the posterior lies within {distance(ball.metric, ball.radius)} of the estimate"
    lead = f"{reach}; at the edges there are {upper} (fewest) to {lower} (most) clusters."
    return Section("ball", "How different could it be", lead, "ball.html", chart, {"ways": list(WAYS.values())})


def _step_in_words(content: Content, step: Step) -> str:
    clusters = plural(step.n_clusters, "cluster")
    if step.distance == 0:
        return f"The estimate: {clusters}."
    away = f"{clusters}, {distance(content.summary.ball.metric, step.distance)} from the estimate"
    share = f"{step.nearer:.0%}".replace("%", "\xa0%")
    return f"{away}; {plural(step.moved, 'item')} in another cluster. {share} of the posterior lies as near or nearer."


class Step(NamedTuple):
    """A partition on the way, numbered like the center, and how far out it is."""

    labels: IntArray
    n_clusters: int
    distance: float
    nearer: float
    moved: int


def find_path(posterior: PartitionPosterior, ball: CredibleBall, bound: LabelRows) -> list[Step]:
    """Draws inside the ball nearest to equal steps between center and bound."""
    weights, length = posterior.probabilities(), float(ball.metric.between(ball.center, bound))
    inside = np.flatnonzero(ball.distances <= ball.radius + ROUNDING)
    out, back = ball.distances[inside], _to_bound(posterior, ball, bound)[inside]
    targets = np.linspace(0.0, length, N_STEPS + 1)[1:-1]
    drawn = {int(inside[np.argmin(np.abs(out - t) + np.abs(back - (length - t)))]) for t in targets}
    between = sorted((d for d in drawn if ROUNDING < ball.distances[d] < length - ROUNDING), key=ball.distances.item)
    drawn_rows = (posterior[d] for d in between)
    steps = (complete_labels(row, ball.center) for row in drawn_rows) if posterior.partial else drawn_rows
    rows = [ball.center, *steps, bound]
    away = [0.0, *(float(ball.distances[d]) for d in between), length]
    return [_step(row, d, ball, weights) for row, d in zip(rows, away, strict=True)][: 1 if length == 0 else None]


def _to_bound(posterior: PartitionPosterior, ball: CredibleBall, bound: LabelRows) -> FloatArray:
    return ball.metric.per_draw(bound.astype(np.int64), posterior)


def _step(labels: LabelRows | IntArray, distance: float, ball: CredibleBall, weights: FloatArray) -> Step:
    center = np.unique(ball.center, return_inverse=True)[1]
    matched = match_colors(labels, center)
    nearer = float(weights[ball.distances <= distance + ROUNDING].sum())
    return Step(matched, int(np.unique(matched).size), distance, nearer, int((matched != center).sum()))


def flow_section(content: Content) -> Section | None:
    """Bands from the bound with fewest clusters through the estimate to the one with most."""
    ball = content.summary.ball
    if max(int(rows.max()) for rows in (ball.upper, ball.lower, ball.center)) >= MOST_FLOWING:
        return None
    flow = arrange_flow([ball.upper[0], ball.center, ball.lower[0]], anchor=1)
    fewest, own, most = (plural(order.size, "cluster") for order in flow.order)
    lead = f"From {fewest}, the fewest at the edge of the ball, through {own}, the estimate, to {most}, the most."
    note = "Bands carry items from cluster to cluster: point at one to count them."
    chart = flow_chart(flow, ("fewest", "estimate", "most"))
    return Section("flow", "What splits and what merges", lead, data=chart, text={"note": note})


def similarity_section(content: Content) -> Section:
    """The similarity matrix as a picture, in blocks, with the mean of the block that one points at."""
    posterior, labels = sample_items(content.summary.posterior, content.labels, MOST_ITEMS)
    order = seriate(posterior, labels)
    edges = block_edges(labels, order)
    clusters = labels[order[edges[:-1]]]
    between = content.summary.certainty.between.to_numpy()
    data = {
        "edges": edges / labels.size,
        "clusters": clusters,
        "colors": [cluster_color(int(cluster)) for cluster in clusters],
        "between": between[np.ix_(clusters, clusters)] if clusters.size <= MOST_BLOCKS else None,
    }
    image = picture(similarity_image(posterior, order, MOST_PIXELS))
    return Section(
        "similarity", "Who is with whom", _loosest_cluster(content), "similarity.html", data, {"image": image}
    )


def _loosest_cluster(content: Content) -> str:
    within = content.summary.certainty.clusters["within"].to_numpy()
    pairs = np.flatnonzero(content.summary.estimate.sizes > 1)
    if not pairs.size:
        return "No two items share a cluster."
    worst = int(pairs[within[pairs].argmin()])
    return f"The loosest cluster is {worst}: two of its items are together with probability {within[worst]:.2f}."


def stability_section(content: Content) -> Section:
    """Stability of each item under perturbed distances against that over the draws."""
    if content.stability is None:
        return _posterior_alone(content)
    table = compare_certainty(content.stability, content.summary.posterior)
    x, y = table["stability_distances"].to_numpy(), table["stability_posterior"].to_numpy()
    chart = scatter_chart(content, x, y, "stability when distances are perturbed", "stability over the draws")
    by_distance, by_model = x >= STABLE, y >= STABLE
    lead = (
        f"{(by_distance & by_model).sum()} of {x.size} items are stable on both counts; "
        f"{(by_model & ~by_distance).sum()} only for the model, {(by_distance & ~by_model).sum()} only by distance."
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


def chain_section(content: Content) -> Section:
    """The verdict, the table it rests on, and the number of clusters draw by draw."""
    found = content.summary.diagnostics
    if found is None:
        why = "leave items out" if content.summary.posterior.weights is None else "are weighted"
        lead = f"The draws {why}: there are no chains to compare."
        return Section("chains", "Did the chains agree", lead, "table.html", text={"head": [], "rows": [], "note": ""})
    text = {"good": found.mixed and content.summary.posterior.n_chains > 1, **_diagnostics_table(found)}
    return Section("chains", "Did the chains agree", found.verdict, "chains.html", _traces(content), text)


def _diagnostics_table(found: Diagnostics) -> dict[str, Any]:
    rows = [
        [_without_article(WORDS.get(str(name), str(name))), *(_number(row[c]) for c in ("r_hat", "ess_bulk", "mean"))]
        for name, row in found.table.iterrows()
    ]
    note = "R-hat near 1: chains agree. Effective draws: independent draws worth as much as these."
    return {"head": ["quantity", "R-hat", "effective draws", "mean"], "rows": rows, "note": note}


def _traces(content: Content) -> dict[str, Any]:
    """Number of clusters over time, a line for each chain."""
    ids, counts = content.summary.posterior.chain_ids(), content.summary.posterior.n_clusters()
    traces = []
    for number, chain in enumerate(np.unique(ids)):
        values = counts[ids == chain]
        kept = np.unique(np.linspace(0, values.size - 1, min(values.size, MOST_DRAWS)).astype(np.int64))
        color = COLORS[number % len(COLORS)]
        traces.append({"type": "lines", "name": f"chain {chain}", "x": kept, "y": values[kept], "color": color})
    layout = {"xaxis": axis("draw", whole=True), "yaxis": axis("clusters", whole=True), "legend": True}
    return {"data": traces, "layout": layout}


def _without_article(words: str) -> str:
    return words.removeprefix("the ")


def _number(value: float) -> str:
    if not np.isfinite(value):
        return "–"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


SECTIONS: tuple[Callable[[Content], Section | None], ...] = (
    count_section,
    place_section,
    readings_section,
    profile_section,
    inclusion_section,
    item_section,
    ball_section,
    flow_section,
    similarity_section,
    stability_section,
    chain_section,
    constraint_section,
    data_section,
    method_section,
)
