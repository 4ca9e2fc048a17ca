"""A distribution over partitions, its similarity matrix, and the ways in and out of files and other libraries.

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
