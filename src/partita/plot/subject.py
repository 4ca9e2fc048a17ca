"""What a figure shows: the posterior, the estimate or the credible ball of a fitted model, or those themselves."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from .._typing import IntArray
from ..decide import CredibleBall, PartitionEstimate, credible_ball
from ..decide.estimate import choose_estimate, own_estimate
from ..decide.result import read_labels
from ..posterior import PartitionPosterior, as_posterior


class Subject(NamedTuple):
    """Draws, and the labels that figures number and color clusters by."""

    posterior: PartitionPosterior
    labels: IntArray


def read_posterior(result: Any) -> PartitionPosterior:
    """The draws of a fitted model, or the draws themselves."""
    return as_posterior(result, "result")


def read_subject(result: Any, estimate: PartitionEstimate | ArrayLike | None = None) -> Subject:
    """The draws, and the estimate: as given, as fitted, or the one with least expected variation of information."""
    posterior = read_posterior(result)
    return Subject(posterior, read_labels(choose_estimate(result, estimate), posterior.n_items))


def read_partition(labels: Any, n_items: int | None = None) -> IntArray:
    """Labels from 0 without gaps, those of a fitted model's estimate where the model is given."""
    own = own_estimate(labels)
    return read_labels(labels if own is None else own, n_items)


def read_ball(ball: Any) -> CredibleBall:
    """A credible ball: as given, or that of a fitted model or of draws."""
    return ball if isinstance(ball, CredibleBall) else credible_ball(ball)
