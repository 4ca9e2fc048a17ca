"""Columns of a table as features of items, and the evidence that clusters differ in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from .._typing import AnyArray, BoolArray, FloatArray, IntArray
from .._validation import as_table
from ..components.encoding import is_missing
from ..components.kinds import describe_columns

MOST_LEVELS = 20  # categories of a column that are described


class Feature(NamedTuple):
    """A column of numbers, or one category of a column, as zeros and ones; NaN where missing."""

    column: Any
    level: Any  # the category, or None
    values: FloatArray


def read_features(X: Any, n_items: int) -> tuple[Feature, ...]:
    """Columns of numbers as they are, categories as zeros and ones; columns that say nothing are left out."""
    table = as_table(X)
    if len(table) != n_items:
        raise ValueError(f"X must have a row for each of the {n_items} items: got {len(table)} rows.")
    features: list[Feature] = []
    for column, values in zip(describe_columns(X, table), table.T, strict=True):
        if column.kind in ("number", "count"):
            plain = values.dtype.kind in "iuf"
            numbers = (
                values.astype(float) if plain else np.array([np.nan if is_missing(v) else float(v) for v in values])
            )
            features.append(Feature(column.name, None, numbers))
        elif column.kind == "category" or "category" in column.reason:
            features += _categories(column.name, values)
    if not features:
        raise ValueError("X must have a column that describes items: got constants, names and dates only.")
    return tuple(features)


def _categories(name: Any, values: AnyArray) -> list[Feature]:
    """A feature for each of the most frequent categories of a column."""
    present = np.array([not is_missing(v) for v in values])
    text = np.array([str(v) for v in values])
    levels, counts = np.unique(text[present], return_counts=True)
    kept = sorted(levels[np.argsort(-counts, kind="stable")][:MOST_LEVELS])
    return [Feature(name, level, np.where(present, (text == level).astype(float), np.nan)) for level in kept]


def column_evidence(features: tuple[Feature, ...], labels: IntArray, inside: BoolArray) -> dict[Any, float]:
    """Log Bayes factor, for each column, of a distribution per cluster against one for all items ``inside``."""
    found: dict[Any, float] = {}
    for name in dict.fromkeys(feature.column for feature in features):
        values = np.column_stack([feature.values[inside] for feature in features if feature.column == name])
        groups = labels[inside]
        whole = values.shape[1] > 1 or any(f.level is not None for f in features if f.column == name)
        log_marginal = log_marginal_category if whole else log_marginal_number
        keep = ~np.isnan(values).any(axis=1)
        values, groups = values[keep], groups[keep]
        scale = values.std(axis=0)
        if not whole:
            values = (values - values.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
        apart = sum(log_marginal(values[groups == k]) for k in np.unique(groups))
        found[name] = float(apart - log_marginal(values))
    return found


def log_marginal_number(values: FloatArray) -> float:
    """Log marginal likelihood of a normal column in units of its own mean and spread, under the prior of one item.

    The mean is normal around 0 with the variance of an item, the variance inverse-gamma with shape 1 and scale 1/2.
    """
    n, total = len(values), float(values.sum())
    mean = total / n
    scale = 0.5 + 0.5 * float(((values - mean) ** 2).sum()) + 0.5 * n * mean**2 / (n + 1)
    constant = float(gammaln(1 + n / 2)) - np.log(2.0)
    return float(constant - (1 + n / 2) * np.log(scale) - 0.5 * np.log1p(n) - n / 2 * np.log(2 * np.pi))


def log_marginal_category(values: FloatArray) -> float:
    """Log marginal likelihood of a column of categories, as zeros and ones, under a uniform prior on their shares."""
    counts = values.sum(axis=0)
    if len(counts) == 1:  # present or not
        counts = np.append(counts, len(values) - counts[0])
    return float(gammaln(counts + 1).sum() + gammaln(counts.size) - gammaln(counts.sum() + counts.size))
