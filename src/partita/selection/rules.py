"""Rules that choose a number of clusters from values and standard deviations (Koepke 2008, section 5.1.4)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._typing import FloatArray


def best(value: FloatArray, sd: FloatArray) -> int:  # noqa: ARG001
    """Position of the greatest value."""
    return int(np.nanargmax(value))


def std_before_best(value: FloatArray, sd: FloatArray) -> int:
    """First position within one standard deviation of the greatest value."""
    top = int(np.nanargmax(value))
    return int(np.argmax(value >= value[top] - sd[top]))


def gap(value: FloatArray, sd: FloatArray) -> int:
    """First position that the next does not exceed by more than its standard deviation; the last if there is none."""
    levels_off = value[:-1] >= value[1:] - sd[1:]
    return int(np.argmax(levels_off)) if levels_off.any() else value.size - 1


RULES: dict[str, Callable[[FloatArray, FloatArray], int]] = {
    "best": best,
    "std_before_best": std_before_best,
    "gap": gap,
}
