"""The contract of engines.

Items stay where they are, in blocks, with their labels. Parameters go out to them and sums come back:
``engine.open(labels, precisions)`` gives an `Allocation` whose every method makes one pass over the blocks.

Random numbers are counted, not drawn one after the other: the number of an item in a pass is a function of the pass's
key and of the item alone (SplitMix64; Steele, Lea and Flood 2014), so that labels do not depend on how items are spread
over blocks, threads or machines. Sums are taken in double precision, block after block in a fixed order.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from ..._kernels.samplers.counter_random import random_bits
from ..._typing import AnyArray, FloatArray, IntArray


class Sums(NamedTuple):
    """What a pass sends home, one row or entry per cluster."""

    features: FloatArray  # (n_clusters, width) weighted sums
    sizes: FloatArray  # (n_clusters,) sums of the weights
    counts: IntArray  # (n_clusters,) items of positive weight
    log_probability: float  # of the labels, given weights and parameters
    entropy: float  # of the distributions they come from, summed


def no_sums(n_clusters: int, width: int) -> Sums:
    """Sums over no items."""
    return Sums(np.zeros((n_clusters, width)), np.zeros(n_clusters), np.zeros(n_clusters, np.int64), 0.0, 0.0)


class Pair(NamedTuple):
    """The items of one or two clusters, but for two anchors."""

    clusters: tuple[int, int]
    anchors: tuple[int, int]
    share: float  # of the items that take part
    key: int  # says which


NO_ANCHORS = (-1, -1)


class Item(NamedTuple):
    """One item as it is now."""

    number: int
    label: int
    weight: float
    features: FloatArray


class Allocation(Protocol):
    """Items of a chain with their labels and precisions."""

    def sums(self, n_clusters: int) -> Sums:
        """Sums over the clusters as they are."""
        ...

    def draw_labels(self, natural: FloatArray, log_weights: FloatArray, key: int) -> Sums:
        """Draw all labels at once, to be kept or not."""
        ...

    def keep_labels(self) -> None:
        """Let the labels last drawn be the labels."""
        ...

    def draw_sides(self, pair: Pair, natural: FloatArray, log_weights: FloatArray, key: int) -> Sums:
        """Draw for the items of a pair on which of two sides they are, to be kept or not."""
        ...

    def weigh_sides(self, pair: Pair, natural: FloatArray, log_weights: FloatArray) -> Sums:
        """The sides on which they are now: those of the second cluster are on the second side."""
        ...

    def keep_split(self, pair: Pair, label: int) -> None:
        """Let the items last drawn to be on the second side, and the second anchor, have a new label."""
        ...

    def merge(self, kept: int, gone: int, last: int) -> None:
        """Give cluster ``gone`` the label ``kept``, and cluster ``last`` the label that is then free."""
        ...

    def members(self, places: list[tuple[int, int]]) -> list[Item]:
        """The items that are so many-th in their clusters, of those of positive weight: ``(cluster, number)`` each."""
        ...

    def items(self, numbers: list[int]) -> list[Item]:
        """Some items."""
        ...

    def move(self, item: int, label: int) -> None:
        """Give an item a label."""
        ...

    def tail_scores(self, form: int, natural: FloatArray, log_shares: FloatArray) -> FloatArray:
        """Log density of the items given parameters and labels for each of several tails, precisions summed out."""
        ...

    def draw_precisions(self, form: int, log_share: FloatArray, key: int) -> None:
        """Draw the precisions of all items under the parameters last scored and their prior probabilities."""
        ...

    def labels(self) -> IntArray:
        """All labels."""
        ...

    def precisions(self) -> list[FloatArray]:
        """Precisions of all items, for each form that has them."""
        ...


class Engine(Protocol):
    """Items in natural form, ready for any number of chains."""

    def open(self, labels: IntArray, precisions: list[FloatArray]) -> Allocation:
        """The items with these labels."""
        ...


def uniforms(xp: Any, key: int, items: Any) -> Any:
    """A number between 0 and 1 for each item, a function of the key and the item's number.

    ``items`` are whole numbers of 64 bits, whose products wrap around in any array library.

    Examples
    --------
    >>> import numpy as np
    >>> uniforms(np, 7, np.arange(3)).round(3)
    array([0.39 , 0.017, 0.901])
    """
    return xp.astype(random_bits(key, items), xp.float64) * 2.0**-53


def host_array(values: Any) -> AnyArray:
    """An array of any library as one of numpy's."""
    return values if isinstance(values, np.ndarray) else values.cpu().numpy()
