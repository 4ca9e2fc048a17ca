"""A loss by its name."""

from __future__ import annotations

from typing import Any

from .._validation import check_choice
from .base import Loss
from .information import (
    InformationDistance,
    NormalizedInformationDistance,
    NormalizedVariationOfInformation,
    VariationOfInformation,
    VariationOfInformationBound,
)
from .misclassification import Misclassification, ZeroOne
from .pairs import AdjustedRand, Binder

LOSSES: dict[str, type[Any]] = {
    loss.name: loss
    for loss in (
        VariationOfInformation,
        Binder,
        VariationOfInformationBound,
        AdjustedRand,
        NormalizedVariationOfInformation,
        InformationDistance,
        NormalizedInformationDistance,
        Misclassification,
        ZeroOne,
    )
}

ALIASES = {"ari": "adjusted-rand", "omari": "adjusted-rand", "vi.lb": "vi-bound"}


def check_loss(loss: str | Loss, name: str = "loss") -> Loss:
    """A loss from its name, or one that other programs have for it, with its default parameters; or the loss itself.

    Examples
    --------
    >>> check_loss("vi")
    VariationOfInformation(a=1.0, base=2.0)
    """
    if isinstance(loss, str):
        return LOSSES[check_choice(name, ALIASES.get(loss.lower(), loss.lower()), LOSSES)]()
    if isinstance(loss, type) or not isinstance(loss, Loss):
        raise TypeError(f"{name} must be a loss or the name of one ({', '.join(LOSSES)}): got {loss!r}.")
    return loss
