"""A target number of clusters, by tuning the asymmetry ``a`` of the loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..._parallel import Budget
from ..._typing import IntArray
from ...losses import Loss

N_STEPS = 30


def tune_asymmetry(
    search: Callable[[Loss], tuple[IntArray, str]], loss: Loss, n_clusters: int, budget: Budget
) -> tuple[IntArray, str, Loss]:
    """Labels with ``n_clusters`` clusters, or the nearest number met, and the loss whose ``a`` gave them.

    Larger ``a`` charges more for splitting what belongs together, so the number of clusters falls as ``a`` grows, and
    the interval that holds the target is halved.
    """
    if not _has_asymmetry(loss):
        raise ValueError(
            f"target_clusters must go with loss 'vi' or 'binder', which have an asymmetry a: got {loss!r}."
        )
    asymmetric: Any = loss
    low, high = 0.0, 2.0
    tried: list[tuple[int, IntArray, str, Loss]] = []
    while len(tried) < N_STEPS:
        tuned = replace(asymmetric, a=(low + high) / 2)
        labels, how = search(tuned)
        found = int(labels.max()) + 1
        tried.append((abs(found - n_clusters), labels, f"a = {tuned.a:.4g} for {n_clusters} clusters, {how}", tuned))
        if found == n_clusters or budget.exhausted:
            break
        low, high = (tuned.a, high) if found > n_clusters else (low, tuned.a)
    _, labels, how, nearest = min(tried, key=lambda one: one[0])
    return labels, how, nearest


def _has_asymmetry(loss: Loss) -> bool:
    return "a" in getattr(loss, "__dataclass_fields__", ())
