"""Losses between partitions, and their expectation over a posterior.

``loss.between(truth, estimate)`` is the loss of reporting ``estimate`` when the partition is ``truth``. Most losses
are formulas on three sums over the contingency table of the two: of ``phi(size)`` over the clusters of the truth,
over those of the estimate, and of ``phi(count)`` over the cells. Information is in bits unless a base says otherwise.

Modules import only from layers with a smaller number:

    0  base
    1  information, misclassification, pairs, table
    2  choose
"""

from .base import Loss, TableSumLoss, declared_search
from .choose import LOSSES, check_loss
from .information import (
    InformationDistance,
    NormalizedInformationDistance,
    NormalizedVariationOfInformation,
    VariationOfInformation,
    VariationOfInformationBound,
)
from .misclassification import Misclassification, ZeroOne
from .pairs import AdjustedRand, Binder
from .table import TableLoss

__all__ = [
    "LOSSES",
    "AdjustedRand",
    "Binder",
    "InformationDistance",
    "Loss",
    "Misclassification",
    "NormalizedInformationDistance",
    "NormalizedVariationOfInformation",
    "TableLoss",
    "TableSumLoss",
    "VariationOfInformation",
    "VariationOfInformationBound",
    "ZeroOne",
    "check_loss",
    "declared_search",
]
