"""What a report shows: the summary of a posterior, and the data, stability and provenance beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import IntArray
from .._validation import as_table
from ..decide import ClusterProfiles, PartitionEstimate, PosteriorSummary, describe_clusters, summarize
from ..losses import Loss
from ..plot.arrangement import Layout, project, project_draws
from ..posterior import as_posterior
from ..posterior.fitted import final_model
from ..stability import StabilityResult, assess_stability, center_distances
from ..tables.blocks import TableBlocks

if TYPE_CHECKING:
    import pandas as pd

MOST_POINTS = 3000  # on a chart
MOST_PLACED = 20_000  # items placed by their draws, all of them
MOST_DESCRIBED = 400_000  # entries of a table that clusters are described by
MOST_STABILITY = 200_000  # distances of items to clusters that are perturbed unasked


@dataclass(frozen=True, eq=False)
class Content:
    """A summary, where its items are drawn, their stability, and what to type to compute it again."""

    summary: PosteriorSummary
    layout: Layout
    on_data: bool
    stability: StabilityResult | None
    profiles: ClusterProfiles | None
    inclusion: Any  # Series: probability that each column is relevant, where columns were selected
    title: str
    command: str | None = None
    seed: Any = None
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> IntArray:
        """Cluster of each item."""
        return self.summary.estimate.labels

    @cached_property
    def names(self) -> list[str]:
        """Name, or number, of each item."""
        posterior = self.summary.posterior
        return [str(name) for name in posterior.items or range(posterior.n_items)]

    @cached_property
    def shown(self) -> IntArray:
        """Items that charts show."""
        return shown_items(self.summary)


def make_content(
    result: Any,
    *,
    data: Any = None,
    estimate: PartitionEstimate | ArrayLike | None = None,
    stability: StabilityResult | None = None,
    level: float = 0.95,
    metric: str | Loss = "vi",
    title: str | None = None,
    command: str | None = None,
    notes: Sequence[str] = (),
) -> Content:
    """Summarize the result, unless it is a summary, and add what a page shows beside it."""
    n_items = (result.posterior if isinstance(result, PosteriorSummary) else as_posterior(result, "result")).n_items
    if stability is not None and stability.phi.shape[0] != n_items:
        raise ValueError(f"stability must be about the same {n_items} items: got {stability.phi.shape[0]}.")
    if not isinstance(result, PosteriorSummary):
        summary = summarize(result, estimate, level=level, metric=metric)
    elif estimate is None:
        summary = result
    else:
        raise ValueError("estimate must be left out for a summary, which has one: got another.")
    return Content(
        summary=summary,
        layout=_place(data, summary),
        on_data=data is not None,
        stability=_stability(data, summary.estimate) if stability is None else stability,
        profiles=_profiles(data, summary),
        inclusion=None
        if (table := getattr(final_model(result), "column_inclusion_", None)) is None
        else table["inclusion"],
        title=f"Clusters of {n_items} items" if title is None else str(title),
        command=command,
        seed=summary.settings.get("random_state"),
        notes=tuple(map(str, notes)),
    )


def _profiles(data: Any, summary: PosteriorSummary) -> ClusterProfiles | None:
    """What distinguishes the clusters, where there are data that say so; of very many rows, some spread evenly."""
    estimate, posterior = summary.estimate, summary.posterior
    if data is None or estimate.n_clusters == 1:
        return None
    n_columns = len(next(iter(data)).T) if isinstance(data, TableBlocks) else as_table(data).shape[1]
    most = max(1, MOST_DESCRIBED // n_columns)
    if isinstance(data, TableBlocks) or posterior.n_items > most:
        items = np.unique(np.linspace(0, posterior.n_items - 1, min(posterior.n_items, most)).astype(np.int64))
        data, posterior = take_rows(data, items), posterior.subset(items)
        estimate = replace(estimate, labels=estimate.labels[items], items=None)
        if np.unique(estimate.labels).size < summary.estimate.n_clusters:
            return None
    try:
        return describe_clusters(posterior, data, estimate, level=summary.ball.level)
    except (TypeError, ValueError):  # columns that describe nothing
        return None


def take_rows(data: Any, items: IntArray) -> pd.DataFrame:
    """Some rows of a table, or of one that comes by blocks, under their names or numbers."""
    import pandas as pd

    if hasattr(data, "iloc"):
        rows: pd.DataFrame = data.iloc[items]
        return rows
    rows = pd.DataFrame(data.take(items) if isinstance(data, TableBlocks) else as_table(data)[items])
    return rows.set_axis(items)


def _place(data: Any, summary: PosteriorSummary) -> Layout:
    """Places of the items on the data; of a table that comes by blocks, those of the items that are shown."""
    n_items = summary.posterior.n_items
    if data is None:
        return _place_by_draws(summary)
    if not isinstance(data, TableBlocks):
        return project(data, n_items, "data")
    if data.n_rows != n_items:
        raise ValueError(f"data must have one row for each of the {n_items} items: got {data.n_rows}.")
    shown, points = shown_items(summary), np.full((n_items, 2), np.nan)
    layout = project(take_rows(data, shown), shown.size, "data")
    points[shown] = layout.points
    return layout._replace(points=points)


def shown_items(summary: PosteriorSummary) -> IntArray:
    """All items, or as many as a browser draws quickly: two thirds evenly spaced, one third the most doubtful."""
    n_items = summary.posterior.n_items
    if n_items <= MOST_POINTS:
        return np.arange(n_items)
    even = np.linspace(0, n_items - 1, MOST_POINTS * 2 // 3).astype(np.int64)
    doubtful = summary.certainty.item_numbers[: min(MOST_POINTS // 3, summary.certainty.n_doubtful)]
    return np.unique(np.concatenate([even, doubtful]))


def _place_by_draws(summary: PosteriorSummary) -> Layout:
    """Items that are often together near each other; of very many, those that are shown.

    Without words on the axes: those of the page say what they would.
    """
    posterior = summary.posterior
    if posterior.n_items <= MOST_PLACED:
        return Layout(project_draws(posterior).points, "", "")
    shown, points = shown_items(summary), np.full((posterior.n_items, 2), np.nan)
    points[shown] = project_draws(posterior.subset(shown)).points
    return Layout(points, "", "")


def _stability(data: Any, estimate: PartitionEstimate) -> StabilityResult | None:
    """Stability of distances to the clusters' means, where data are numbers and not too many."""
    too_many = estimate.labels.size * estimate.n_clusters > MOST_STABILITY
    if data is None or isinstance(data, TableBlocks) or estimate.n_clusters < 2 or too_many:
        return None
    try:
        numbers = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        return None
    if numbers.ndim != 2 or not np.isfinite(numbers).all():
        return None
    return assess_stability(center_distances(numbers, estimate.labels), estimate.labels)
