"""A path of draws from the center of a credible ball to one of its bounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._typing import FloatArray, IntArray, LabelRows
from ..decide import CredibleBall
from ..decide.credible_ball import ROUNDING
from ..partitions import complete_labels
from ..plot.palette import match_colors
from ..posterior import PartitionPosterior

N_STEPS = 12  # from the center to the bound


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
