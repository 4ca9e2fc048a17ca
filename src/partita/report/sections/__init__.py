"""The sections of a report, in the order they are read: one per file, each with ``make(content)``.

Modules do not import from each other:

    0  ball, chains, counts, data, items, method, places, similarity, stability
"""

from collections.abc import Callable

from ..content import Content
from ..section import Section
from . import ball, chains, counts, data, items, method, places, similarity, stability

SECTIONS: tuple[Callable[[Content], Section | None], ...] = (
    counts.make,
    places.make,
    items.make,
    ball.make,
    similarity.make,
    stability.make,
    chains.make,
    data.make,
    method.make,
)

__all__ = ["SECTIONS"]
