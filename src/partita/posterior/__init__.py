"""Posterior distributions over partitions: draws, similarity matrix (PSM), files and other libraries' formats.

Modules import only from layers with a smaller number:

    0  _validation, similarity, sizes, text
    1  io
    2  posterior
    3  fitted
"""

from .fitted import as_posterior, final_model
from .posterior import PartitionPosterior

__all__ = [
    "PartitionPosterior",
    "as_posterior",
    "final_model",
]
