"""Families as exponential families: log density of an item = natural parameters · features of the item.

Features add up: those of a cluster's items, weighted, are its sufficient statistics. So a label step is one matrix
product, and all that a cluster sends home is one sum. Factors that no cluster changes are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._typing import FloatArray
from .base import Block


@dataclass(frozen=True)
class NaturalForm:
    """A block of columns in natural form."""

    block: Block

    @property
    def width(self) -> int:
        """Number of features."""
        raise NotImplementedError

    @property
    def has_precisions(self) -> bool:
        """Whether each item has a precision of its own, drawn with its label."""
        return False

    def features(self, x: Any, precision: Any, out: Any) -> None:
        """Write the features of encoded rows to ``out``, shape (n_rows, width); arrays of any array library.

        ``precision`` is that of each row, or None.
        """
        raise NotImplementedError

    def fill_rows(self, part: Any, sums: FloatArray) -> None:
        """Let the first rows of ``part`` hold the statistics of clusters with these sums of features."""
        raise NotImplementedError

    def draw(self, part: Any, n_clusters: int, rng: np.random.Generator) -> FloatArray:
        """Parameters of the clusters in the first rows, from their posterior, as natural parameters.

        The power of the likelihood is in them.
        """
        raise NotImplementedError

    def statistics_block(self) -> Block:
        """The same family with one row of data: what statistics need to know of the columns."""
        return replace(self.block, x=self.block.x[:1])
