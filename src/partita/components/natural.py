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

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Expected features of an item under natural parameters, a row each.

        Of what parameters do not say, presence of entries and precisions, there is as much as in ``average``, the
        average features of items.
        """
        raise NotImplementedError

    def admit(self, part: Any, sums: FloatArray) -> FloatArray | None:
        """Sums near these, given which parameters have a posterior; None where there are none, in any row.

        Sums that were computed, not added up over items, need be no items' sums.
        """
        raise NotImplementedError

    def statistics_block(self) -> Block:
        """The same family with one row of data: what statistics need to know of the columns."""
        return replace(self.block, x=self.block.x[:1])
