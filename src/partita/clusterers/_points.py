"""The table that an estimator is fitted to, as scikit-learn reads one."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from .._typing import FloatArray
from .._validation import check_squares, unmasked


def read_points(clusterer: Any, X: Any, **options: Any) -> FloatArray:
    """Rows of numbers, checked by ``validate_data``; masked entries are NaN, and every error names X."""
    try:
        points = np.asarray(validate_data(clusterer, unmasked(X), dtype=np.float64, **options))
    except (TypeError, ValueError) as error:
        if re.search(r"\bX\b", str(error)):
            raise
        raise type(error)(f"X must be a table of numbers: {error}") from None
    check_squares(points)
    return points
