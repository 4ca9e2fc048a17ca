"""The algebra of label vectors: a partition is an array of labels, of which only equality matters."""

from .algebra import canonical, hasse_edges, join, meet, merges, refines, sizes, splits
from .enumeration import all_partitions, bell_number, stirling_number
from .matching import match_labels

__all__ = [
    "all_partitions",
    "bell_number",
    "canonical",
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
