"""Credible balls of partitions: the smallest ball around an estimate with a given posterior probability, its bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_labels, check_level
from ..losses import Loss, check_loss
from ..partitions import complete_labels
from ..partitions.algebra import distinct_rows
from ..posterior import PartitionPosterior, as_posterior
from .estimate import choose_estimate
from .result import PartitionEstimate
from .words import loss_name

if TYPE_CHECKING:
    import pandas as pd

ROUNDING = 1e-9  # distances that differ by less are equal


@dataclass(frozen=True, eq=False)
class CredibleBall:
    """A credible ball: the partitions within a radius of the estimate, with posterior probability ``level`` or more.

    Attributes
    ----------
    center : ndarray of int64, shape (n_items,)
        The estimate.
    radius : float
        Smallest distance within which the posterior has probability ``level`` or more, in the metric's units.
    level, mass : float
        Probability asked for, and probability the ball holds.
    upper, lower, horizontal : ndarray, shape (n_bounds, n_items)
        Drawn partitions at the edges of the ball, all ties kept: *upper*, with fewest clusters and of those the most
        distant; *lower*, with most clusters and of those the most distant; *horizontal*, the most distant.
    metric : Loss
        The distance.
    distances : ndarray of float, shape (n_draws,)
        Distance of each draw to the center.
    items : tuple of str or None
        Name of each item.

    See Also
    --------
    credible_ball : makes one.

    Examples
    --------
    >>> import partita as pt
    >>> ball = pt.credible_ball([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 2, 3]], [0, 0, 1, 1], level=0.7)
    >>> ball.radius, ball.mass
    (1.0, 1.0)
    >>> ball.upper, ball.lower
    (array([[0, 0, 0, 0]], dtype=uint8), array([[0, 1, 2, 3]], dtype=uint8))
    """

    center: IntArray
    radius: float
    level: float
    mass: float
    upper: LabelRows
    lower: LabelRows
    horizontal: LabelRows
    metric: Loss
    distances: FloatArray
    items: tuple[str, ...] | None = None

    def to_pandas(self) -> pd.DataFrame:
        """One row per item: its label in the center and in every bound."""
        import pandas as pd

        columns: dict[str, Any] = {"center": self.center}
        for name in ("upper", "lower", "horizontal"):
            bounds = getattr(self, name)
            columns |= {name if len(bounds) == 1 else f"{name}{i}": row for i, row in enumerate(bounds)}
        return pd.DataFrame(columns, index=self.items)

    def __repr__(self) -> str:
        bounds = ", ".join(f"{kind} {getattr(self, kind).max() + 1}" for kind in ("upper", "lower", "horizontal"))
        reach = f"{self.mass:.1%} of the posterior within {loss_name(self.metric)} distance {self.radius:.4g}"
        return f"CredibleBall: {reach} of {self.center.max() + 1} clusters; clusters at the bounds: {bounds}"


def credible_ball(
    posterior: PartitionPosterior | Any,
    estimate: PartitionEstimate | ArrayLike | None = None,
    level: float = 0.95,
    metric: str | Loss = "vi",
) -> CredibleBall:
    """The smallest ball around an estimate with posterior probability ``level`` or more.

    Parameters
    ----------
    posterior : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        Draws of partitions, weighted or not, or a model with ``posterior_``.
    estimate : PartitionEstimate or array-like of int, shape (n_items,), optional
        Center of the ball. When left out, the estimate of the fitted model, or the partition with least expected
        distance in this metric.
    level : float
        Probability, strictly between 0 and 1.
    metric : str or Loss
        Distance: ``"vi"`` (in bits), ``"binder"``, ``"misclassification"`` or any loss that is a metric.

    Returns
    -------
    ball : CredibleBall
        Radius and bounds. Bounds are sought among the draws.

    See Also
    --------
    assess_certainty : certainty of single items and clusters.
    summarize : both, with the estimate and diagnostics.
    estimate_partition : the center.
    partita.plot.plot_credible_ball : the bounds on the data.

    Notes
    -----
    The radius is the smallest distance within which the draws have the level's share of the weight, the surface
    included. The distance of a draw that leaves items out is over the items it holds; as a bound, such a draw is shown
    with each of those items beside most of its fellows in the center.

    Examples
    --------
    >>> import partita as pt
    >>> posterior, _ = pt.datasets.make_noisy_draws(n_items=30, n_clusters=3, random_state=2)
    >>> pt.credible_ball(posterior)
    CredibleBall: 95.1% of the posterior within vi distance 1.257 of 3 clusters; clusters at the bounds: upper 3, lower 3, horizontal 3

    References
    ----------
    Wade and Ghahramani (2015), section 5.
    """  # noqa: E501
    metric, level = check_loss(metric, "metric"), check_level(level)
    estimate, posterior = choose_estimate(posterior, estimate, metric), as_posterior(posterior)
    labels = estimate.labels if isinstance(estimate, PartitionEstimate) else estimate
    center = check_labels(labels, "estimate", posterior.n_items)
    distances = metric.per_draw(center, posterior)
    radius, mass = _radius(distances, posterior.probabilities(), level)
    inside = np.flatnonzero(distances <= radius + ROUNDING)
    n_clusters = posterior.n_clusters()[inside]
    return CredibleBall(
        center=np.asarray(labels) if isinstance(estimate, PartitionEstimate) else center,
        radius=radius,
        level=level,
        mass=mass,
        upper=_most_distant(posterior, inside[n_clusters == n_clusters.min()], distances, center),
        lower=_most_distant(posterior, inside[n_clusters == n_clusters.max()], distances, center),
        horizontal=_most_distant(posterior, inside, distances, center),
        metric=metric,
        distances=distances,
        items=posterior.items,
    )


def _radius(distances: FloatArray, weights: FloatArray, level: float) -> tuple[float, float]:
    """Weighted quantile of the distances at the level, and the posterior probability within it."""
    order = np.argsort(distances, kind="stable")
    held = np.cumsum(weights[order])
    at = int(np.searchsorted(held, level - 1e-12))
    radius = float(distances[order[min(at, order.size - 1)]])
    return radius, float(weights[distances <= radius + ROUNDING].sum())


def _most_distant(posterior: PartitionPosterior, draws: IntArray, distances: FloatArray, center: IntArray) -> LabelRows:
    """The distinct partitions, among these draws, at the largest distance from the center."""
    furthest = draws[distances[draws] >= distances[draws].max() - ROUNDING]
    if not posterior.partial:
        return distinct_rows(posterior.draws[furthest])[0]
    smallest = np.min_scalar_type(posterior.n_labels + int(center.max()) + 1)
    completed = (complete_labels(posterior.draws[m], center).astype(smallest) for m in furthest)
    distinct = {row.tobytes(): row for row in completed}  # one by one, for many may be the same
    return distinct_rows(np.stack(list(distinct.values())))[0]
