"""Two clusterings of the same items beside each other: who went where, and every loss between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._typing import IntArray
from .._validation import as_array, shorten
from ..losses import LOSSES, Misclassification
from .result import PartitionEstimate
from .words import plural

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class PartitionComparison:
    """Two clusterings of the same items beside each other.

    Attributes
    ----------
    table : DataFrame
        Contingency table: number of items in each cluster of ``a`` (rows) and of ``b`` (columns).
    overlap : DataFrame
        One row per cluster of ``a`` and of ``b``: its ``size``; the ``partner``, the cluster of the other clustering
        that shares most items with it; the share of it that lies ``within`` the partner; their ``jaccard`` index; and
        over how many clusters of the other it is spread (``n_parts``).
    losses : DataFrame
        Each loss between the two, and the ``most`` it can be for that many items, where 0 is the same clustering.
    n_items, n_left_out : int
        Items that both hold, and items that one of them leaves out (-1), which are not compared.

    See Also
    --------
    compare_partitions : makes one.
    partita.plot.plot_flow : the same as a figure.

    Examples
    --------
    >>> import partita as pt
    >>> pt.compare_partitions(["T", "T", "B", "B"], [0, 0, 0, 1])
    PartitionComparison: 4 items in 2 and 2 clusters, 1 of them misplaced under the best matching; vi 1.19 of at most 2
    """

    table: pd.DataFrame
    overlap: pd.DataFrame
    losses: pd.DataFrame
    n_items: int
    n_left_out: int

    def __repr__(self) -> str:
        misplaced = round(self.losses["value"][Misclassification.name] * self.n_items)
        vi, most = self.losses.loc["vi"]
        counts = f"{plural(self.n_items, 'item')} in {self.table.shape[0]} and {self.table.shape[1]} clusters"
        return (
            f"PartitionComparison: {counts}, {misplaced} of them misplaced under the best matching; "
            f"vi {vi:.3g} of at most {most:.3g}"
        )


def compare_partitions(a: Any, b: Any) -> PartitionComparison:
    """Contingency table, overlap of each cluster, and every loss between two clusterings of the same items.

    Parameters
    ----------
    a, b : array-like or Series of labels, shape (n_items,), or PartitionEstimate
        Labels may be numbers, text or categories; -1 and empty cells mark items left out, which are not compared.

    Returns
    -------
    comparison : PartitionComparison
        ``.table``, ``.overlap`` and ``.losses``.

    See Also
    --------
    partita.plot.plot_flow : the same as a figure, along any number of clusterings.
    match_labels : clusters numbered alike.

    Notes
    -----
    The greatest value of each loss over all pairs of partitions of N items: log2 N for the variation of information
    and the information distance, 1 - 1/N for Binder's loss and misclassification, 1 for the normalized distances and
    the zero-one loss, and 3/2 for one minus the adjusted Rand index, which some N do not reach [1]_.

    References
    ----------
    .. [1] Chacón and Rastrojo (2023). Minimum adjusted Rand index for two clusterings of a given size. Advances in Data
       Analysis and Classification 17, 125-133.

    Examples
    --------
    >>> import partita as pt
    >>> result = pt.compare_partitions(["T", "T", "B", "B"], [0, 0, 0, 1])
    >>> result.table
    b  0  1
    a
    B  1  1
    T  2  0
    >>> result.losses.loc["binder"].tolist()
    [0.375, 0.75]
    """
    import pandas as pd

    (a_codes, a_names), (b_codes, b_names) = _read("a", a), _read("b", b)
    if a_codes.size != b_codes.size:
        raise ValueError(f"a and b must label the same items: got {a_codes.size} and {b_codes.size} labels.")
    both = (a_codes >= 0) & (b_codes >= 0)
    if not both.any():
        raise ValueError("a and b must hold at least one item in common: got none.")
    table = pd.crosstab(
        pd.Series(np.asarray(a_names, object)[a_codes[both]], name="a"),
        pd.Series(np.asarray(b_names, object)[b_codes[both]], name="b"),
    )
    n_items = int(both.sum())
    return PartitionComparison(
        table=table,
        overlap=pd.concat({"a": _overlap(table), "b": _overlap(table.T)}, names=["clustering", "cluster"]),
        losses=_losses(a_codes[both], b_codes[both]),
        n_items=n_items,
        n_left_out=int(both.size - n_items),
    )


def _read(name: str, labels: Any) -> tuple[IntArray, list[Any]]:
    """Labels as numbers from 0, -1 for items left out, and the name of each cluster."""
    import pandas as pd

    given = labels.labels if isinstance(labels, PartitionEstimate) else labels
    array = as_array(given, name)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must be a vector with one label per item: got {shorten(labels)}.")
    if array.dtype.kind not in "biufOSUT":
        raise ValueError(f"{name} must be numbers or words: got values of type {array.dtype}.")
    if array.dtype.kind == "f" and np.isinf(array).any():
        raise ValueError(f"{name} must be finite labels: got infinity.")
    values = pd.Series(array.astype(array.dtype.newbyteorder("=")))
    left_out = values.isna() | (values.astype(str).isin(["-1", "-1.0"]))
    codes, names = pd.factorize(values.mask(left_out), sort=True)
    whole = values.dtype.kind in "iuf"  # labels that were whole numbers before some were left out
    return codes.astype(np.int64), [int(value) if whole and value == int(value) else value for value in names]


def _overlap(table: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    counts = table.to_numpy()
    partner, shared, sizes = counts.argmax(axis=1), counts.max(axis=1), counts.sum(axis=1)
    return pd.DataFrame(
        {
            "size": sizes,
            "partner": table.columns[partner].to_numpy(dtype=object),
            "within": shared / sizes,
            "jaccard": shared / (sizes + counts.sum(axis=0)[partner] - shared),
            "n_parts": (counts > 0).sum(axis=1),
        },
        index=table.index,
    )


def _losses(a: IntArray, b: IntArray) -> pd.DataFrame:
    """Every loss between two partitions, but the bound, which is the variation of information here."""
    import pandas as pd

    bits, others = math.log2(a.size), 1 - 1 / a.size
    most = {"vi": bits, "id": bits, "binder": others, "misclassification": others, "adjusted-rand": 1.5}
    names = [name for name in LOSSES if name != "vi-bound"]
    values = {name: LOSSES[name]().between(a, b) for name in names}
    return pd.DataFrame(
        {"value": values, "most": {name: most.get(name, 1.0) for name in names}}, index=pd.Index(names, name="loss")
    )
