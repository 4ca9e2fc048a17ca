"""Losses between partitions, and their expectation over a posterior."""

from .base import (
    LOSSES,
    AdjustedRand,
    Binder,
    InformationDistance,
    Loss,
    Misclassification,
    NormalizedInformationDistance,
    NormalizedVariationOfInformation,
    VariationOfInformation,
    VariationOfInformationBound,
    ZeroOne,
    check_loss,
)

__all__ = [
    "LOSSES",
    "AdjustedRand",
    "Binder",
    "InformationDistance",
    "Loss",
    "Misclassification",
    "NormalizedInformationDistance",
    "NormalizedVariationOfInformation",
    "VariationOfInformation",
    "VariationOfInformationBound",
    "ZeroOne",
    "check_loss",
]
