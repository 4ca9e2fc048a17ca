"""The algebra of label vectors: a partition is an array of labels, of which only equality matters."""

from .algebra import (
    all_partitions,
    bell_number,
    canonical,
    hasse_edges,
    join,
    match_labels,
    meet,
    merges,
    refines,
    sizes,
    splits,
    stirling_number,
)

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
