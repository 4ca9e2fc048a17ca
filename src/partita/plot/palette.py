"""Colors that tell clusters apart, for color-blind eyes too, and on light and dark paper."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._typing import IntArray
from ..partitions import match_labels

# Six colors of Okabe and Ito, and a violet and a brown that stay far from them under every color blindness.
COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8740E8", "#8C4423")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
# Two partitions, pair by pair: apart in both, together in both, together in the reference alone, in the labels alone.
PAIRS = ("#FFFFFF", "#3B4252", "#E69F00", "#0072B2")
SEQUENCE = "viridis"


def cluster_color(cluster: int) -> str:
    """Color of a cluster; the ninth has that of the first, with another marker."""
    return COLORS[cluster % len(COLORS)]


def cluster_marker(cluster: int) -> str:
    """Marker of a cluster: the same for each eight clusters."""
    return MARKERS[cluster // len(COLORS) % len(MARKERS)]


def match_colors(labels: ArrayLike, reference: ArrayLike) -> IntArray:
    """The same partition, numbered, and so colored, like the clusters of ``reference`` that it overlaps most."""
    numbers = np.unique(np.asarray(reference), return_inverse=True)[1].astype(np.int64)
    by_appearance = numbers[np.sort(np.unique(numbers, return_index=True)[1])]
    matched = match_labels(labels, numbers)
    return np.concatenate([by_appearance, np.arange(by_appearance.size, matched.max() + 1)])[matched]
