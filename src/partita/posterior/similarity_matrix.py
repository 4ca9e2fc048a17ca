"""A posterior similarity matrix without the draws behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._typing import Float32Array
from .._validation import as_array, check_names
from .clusterings import looks_like_similarity


@dataclass(frozen=True, init=False, eq=False, repr=False)
class SimilarityMatrix:
    """A posterior similarity matrix (PSM) without draws: enough for Binder's loss and for the VI bound.

    Parameters
    ----------
    similarity : array-like of float, shape (n_items, n_items)
        Probability that two items are together: symmetric, ones on the diagonal.
    items : sequence of str, optional
        Name of each item.

    See Also
    --------
    PartitionPosterior.similarity : makes one from draws.
    estimate_partition : takes one, with loss "binder" or "vi-bound".

    Examples
    --------
    >>> import partita as pt
    >>> psm = pt.SimilarityMatrix([[1, 0.9, 0.2], [0.9, 1, 0.1], [0.2, 0.1, 1]])
    >>> pt.estimate_partition(psm, loss="binder").labels
    array([0, 0, 1])
    """

    matrix: Float32Array
    items: tuple[str, ...] | None = None

    def __init__(self, similarity: ArrayLike, items: Iterable[Any] | None = None) -> None:
        values = as_array(similarity, "similarity")
        if values.ndim != 2 or values.shape[0] != values.shape[1] or values.size == 0:
            raise ValueError(f"similarity must be a square matrix: got shape {values.shape}.")
        if (
            values.dtype.kind not in "biuf"
            or not np.isfinite(values).all()
            or values.min() < 0
            or values.max() > 1.0001
        ):
            raise ValueError("similarity must hold probabilities, from 0 to 1: got others.")
        if not np.allclose(values, values.T, atol=1e-5) or not np.allclose(np.diag(values), 1, atol=1e-5):
            raise ValueError("similarity must be symmetric, with ones on the diagonal: got one that is not.")
        object.__setattr__(self, "matrix", np.ascontiguousarray(values, np.float32))
        object.__setattr__(self, "items", None if items is None else check_names(items, len(values)))

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.matrix)

    def __repr__(self) -> str:
        return f"SimilarityMatrix: {self.n_items} items"


def as_similarity(source: Any) -> SimilarityMatrix | None:
    """A similarity matrix, where the source is one; None for draws and for models."""
    if isinstance(source, SimilarityMatrix):
        return source
    if not looks_like_similarity(source):
        return None
    names = getattr(source, "index", None)
    return SimilarityMatrix(source, None if names is None else [str(name) for name in names])
