"""Type aliases, spelled once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
LabelRows = NDArray[
    np.integer[Any]
]  # one canonical partition per row, in the smallest unsigned type; signed, with -1, for items left out
FloatArray = NDArray[np.float64]
Float32Array = NDArray[np.float32]
BoolArray = NDArray[np.bool_]
AnyArray = NDArray[Any]
RandomState = int | np.random.Generator | None  # what a user passes: a seed, a generator, or nothing
