"""The posterior of a fitted model, of a pipeline that ends in one, or of anything else that holds draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._typing import FloatArray
from .._validation import shorten
from .posterior import PartitionPosterior


def final_model(source: Any) -> Any:
    """The last step of a scikit-learn pipeline, which is the model; anything else comes back as it is."""
    while callable(getattr(source, "fit", None)) and isinstance(getattr(source, "steps", None), list):
        source = source.steps[-1][1]
    return source


def as_posterior(source: Any, name: str = "posterior") -> PartitionPosterior:
    """The posterior of a fitted model or of a pipeline that ends in one, or whatever ``from_any`` makes of the source.

    Parameters
    ----------
    source : PartitionPosterior, fitted model, Pipeline, or anything ``PartitionPosterior.from_any`` takes
        A fitted model is anything with ``posterior_``.
    name : str
        The argument in errors.

    Returns
    -------
    posterior : PartitionPosterior
        The draws.

    Examples
    --------
    >>> as_posterior([[0, 0, 1], [0, 1, 1]])
    PartitionPosterior: 2 draws of 3 items, 2 to 2 clusters
    """
    if isinstance(source, PartitionPosterior):
        return source
    model = final_model(source)
    if callable(getattr(model, "fit", None)) and not hasattr(model, "posterior_"):
        raise ValueError(f"{name} must be fitted and have draws, as posterior_: got {shorten(source)}.")
    return PartitionPosterior.from_any(getattr(model, "posterior_", model))


def held_weight(posterior: PartitionPosterior) -> FloatArray:
    """Probability that a draw holds each item: 1 where none may be missing."""
    if not posterior.partial:
        return np.ones(posterior.n_items)
    weight = np.zeros(posterior.n_items)
    for share, draw in zip(posterior.probabilities(), posterior.draws, strict=True):
        weight += share * (draw >= 0)
    return weight


def check_complete(posterior: PartitionPosterior, what: str) -> PartitionPosterior:
    """The posterior, unless some draw leaves an item out, of which ``what`` can make nothing."""
    if posterior.partial:
        n_partial = int((posterior.n_held() < posterior.n_items).sum())
        raise ValueError(
            f"posterior must hold every item in every draw for {what}: got {n_partial} that leave some out."
        )
    return posterior
