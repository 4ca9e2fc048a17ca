"""A distribution over partitions, its similarity matrix, and the ways in and out of files and other libraries.

Modules import only from layers with a smaller number:

    0  _validation, similarity, sizes, text
    1  io
    2  posterior
"""

from .posterior import PartitionPosterior, check_posterior

__all__ = [
    "PartitionPosterior",
    "check_posterior",
]
