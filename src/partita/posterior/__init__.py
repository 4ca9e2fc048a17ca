"""Posterior distributions over partitions: draws, similarity matrix (PSM), files and other libraries' formats.

Modules import only from layers with a smaller number:

    0  draws, hdf5, text
    1  io, similarity
    2  clusterings
    3  posterior, similarity_matrix
    4  fitted
"""

from .fitted import as_posterior, check_complete, final_model, held_weight
from .posterior import PartitionPosterior
from .similarity_matrix import SimilarityMatrix, as_similarity

__all__ = [
    "PartitionPosterior",
    "SimilarityMatrix",
    "as_posterior",
    "as_similarity",
    "check_complete",
    "final_model",
    "held_weight",
]
