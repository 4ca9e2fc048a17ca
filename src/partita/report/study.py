"""What a report is about: everything its sections read, computed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray
from ..decide import (
    Certainty,
    CredibleBall,
    Diagnostics,
    PartitionEstimate,
    assess_certainty,
    credible_ball,
    diagnose,
    estimate_partition,
)
from ..decide.result import evaluate_labels
from ..losses import Loss
from ..plot.projection import Layout, project, project_draws
from ..plot.subject import read_labels, read_posterior
from ..posterior import PartitionPosterior
from ..stability import StabilityResult, assess_stability, center_distances

NO_MATTER = ("n_jobs", "checkpoint", "resume")  # settings that change no answer
MOST_STABILITY = 200_000  # distances of items to clusters that are perturbed unasked


@dataclass(frozen=True, eq=False)
class Study:
    """A posterior, its estimate, and what was asked of both."""

    posterior: PartitionPosterior
    estimate: PartitionEstimate
    ball: CredibleBall
    certainty: Certainty
    diagnostics: Diagnostics | None
    layout: Layout
    on_data: bool
    stability: StabilityResult | None
    title: str
    command: str | None = None
    seed: Any = None
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> IntArray:
        """Cluster of each item."""
        return self.estimate.labels

    @property
    def names(self) -> list[str]:
        """Name, or number, of each item."""
        return [str(name) for name in self.posterior.items or range(self.posterior.n_items)]

    def item_column(self, name: str) -> Any:
        """A column of the table of certainty, in the order of the items."""
        table = self.certainty.items
        index: list[Any] = list(self.posterior.items or range(self.posterior.n_items))
        return table.loc[index, name].to_numpy()

    def margins(self) -> FloatArray:
        """Lead of each item's cluster over the second best."""
        return np.asarray(self.item_column("margin"), dtype=float)


def make_study(
    result: Any,
    *,
    data: Any = None,
    estimate: PartitionEstimate | ArrayLike | None = None,
    stability: StabilityResult | None = None,
    level: float = 0.95,
    metric: str | Loss = "vi",
    title: str | None = None,
    command: str | None = None,
) -> Study:
    """Compute what is missing."""
    posterior = read_posterior(result)
    chosen = _read_estimate(getattr(result, "estimate_", None) if estimate is None else estimate, posterior)
    if stability is not None and stability.phi.shape[0] != posterior.n_items:
        n_items = stability.phi.shape[0]
        raise ValueError(f"stability must be about the same {posterior.n_items} items: got {n_items}.")
    settings = result.get_params(deep=False) if hasattr(result, "get_params") else {}
    settings = {name: value for name, value in settings.items() if name not in NO_MATTER}
    return Study(
        posterior=posterior,
        estimate=chosen,
        ball=credible_ball(posterior, chosen, level, metric),
        certainty=assess_certainty(posterior, chosen, level),
        diagnostics=_diagnose(result, posterior, chosen),
        layout=_unnamed(project_draws(posterior)) if data is None else project(data, posterior.n_items),
        on_data=data is not None,
        stability=_stability(data, chosen) if stability is None else stability,
        title=f"Clusters of {posterior.n_items} items" if title is None else str(title),
        command=command,
        seed=settings.get("random_state"),
        settings={"estimator": type(result).__name__, **settings} if settings else {},
    )


def _unnamed(layout: Layout) -> Layout:
    """Without words on the axes: those of the page say what they would."""
    return Layout(layout.points, "", "")


def _read_estimate(estimate: PartitionEstimate | ArrayLike | None, posterior: PartitionPosterior) -> PartitionEstimate:
    """The estimate as it came, computed, or made of bare labels."""
    if estimate is None:
        return estimate_partition(posterior)
    labels = read_labels(estimate, posterior.n_items)
    return estimate if isinstance(estimate, PartitionEstimate) else evaluate_labels(labels, posterior)


def _diagnose(result: Any, posterior: PartitionPosterior, estimate: PartitionEstimate) -> Diagnostics | None:
    """What is known of the chains; weighted draws have none."""
    if posterior.weights is not None:
        return None
    return getattr(result, "diagnostics_", None) or diagnose(posterior, estimate)


def _stability(data: Any, estimate: PartitionEstimate) -> StabilityResult | None:
    """Stability of distances to the clusters' means, where data are numbers and not too many."""
    if data is None or estimate.n_clusters < 2 or estimate.labels.size * estimate.n_clusters > MOST_STABILITY:
        return None
    try:
        numbers = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        return None
    if numbers.ndim != 2 or not np.isfinite(numbers).all():
        return None
    return assess_stability(center_distances(numbers, estimate.labels), estimate.labels)
