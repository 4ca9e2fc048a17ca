"""The lattice of partitions on label vectors: a partition is an array of labels, of which only equality matters.

Modules import only from layers with a smaller number:

    0  completion, enumeration, matching
    1  algebra
"""

from .algebra import canonical, hasse_edges, join, meet, merges, refines, sizes, splits
from .completion import complete_labels
from .enumeration import all_partitions, bell_number, stirling_number
from .matching import match_labels

__all__ = [
    "all_partitions",
    "bell_number",
    "canonical",
    "complete_labels",
    "hasse_edges",
    "join",
    "match_labels",
    "meet",
    "merges",
    "refines",
    "sizes",
    "splits",
    "stirling_number",
]
