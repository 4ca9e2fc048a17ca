"""A distribution over partitions, its similarity matrix, and the ways in and out of files and other libraries."""

from .posterior import PartitionPosterior, check_posterior

__all__ = [
    "PartitionPosterior",
    "check_posterior",
]
