"""Do chains agree on who is with whom? The largest difference between their similarities, and what error explains."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .._typing import BoolArray
from ..posterior import PartitionPosterior

LEAST_DRAWS = 8  # per chain: arviz halves chains and fits autocorrelations to the halves
FALSE_ALARMS = 0.01  # share of well-mixed runs in which some similarity may look too different
BLOCK_CELLS = 16_000_000  # similarities held at a time, over all chains


@dataclass(frozen=True)
class Apart:
    """Differences between the similarity matrices of chains, and where the largest is."""

    largest: float
    mean: float
    explained: float
    r_hat: float
    ess: float
    items: tuple[int, int]
    chains: tuple[int, int]
    shares: tuple[float, float]
    n_compared: int


def compare_similarities(posterior: PartitionPosterior, max_items: int) -> Apart | None:
    """Similarities of every two chains, a block of rows at a time; None where there is no pair of items."""
    if posterior.n_items < 2:
        return None
    kept = np.unique(np.linspace(0, posterior.n_items - 1, min(max_items, posterior.n_items)).astype(np.int64))
    source = posterior if kept.size == posterior.n_items else posterior.subset(kept)
    chains = np.unique(source.chain_ids()).tolist()
    largest, sums, place = -1.0, dict.fromkeys(combinations(range(len(chains)), 2), 0.0), (0, 1, 0, 1)
    for first_row, blocks in _rows_by_chain(source, chains):
        for one, other in sums:
            difference = np.abs(blocks[one] - blocks[other])
            sums[one, other] += float(difference.sum(dtype=np.float64))
            row, column = divmod(int(difference.argmax()), kept.size)
            if difference[row, column] > largest and first_row + row != column:
                largest, place = float(difference[row, column]), (one, other, first_row + row, column)
    one, other, i, j = place
    n_pairs = kept.size * (kept.size - 1)
    together = [draws[:, i] == draws[:, j] for draws in (source.chain(c).draws for c in chains)]
    shares = float(together[one].mean()), float(together[other].mean())
    efficiencies = [_efficiency(t) for t in together if t.any() and not t.all()] or [1.0]
    sizes = min(efficiencies) * together[one].size, min(efficiencies) * together[other].size
    return Apart(
        largest=abs(shares[0] - shares[1]),
        mean=max(sums.values()) / n_pairs,
        explained=_explained(shares, sizes, n_pairs // 2 * len(sums)),
        r_hat=_rhat(together),
        ess=float(np.mean(efficiencies)) * source.n_draws,
        items=(int(kept[i]), int(kept[j])),
        chains=(chains[one], chains[other]),
        shares=shares,
        n_compared=kept.size,
    )


def _rows_by_chain(posterior: PartitionPosterior, chains: list[int]) -> Iterator[tuple[int, list[Any]]]:
    """First row and, for each chain, the same block of rows of its similarity matrix."""
    block_size = max(1, min(256, BLOCK_CELLS // (len(chains) * posterior.n_items)))
    for blocks in zip(*(posterior.chain(c).similarity_blocks(block_size) for c in chains), strict=True):
        yield blocks[0][0].start, [block for _, block in blocks]


def _rhat(together: list[BoolArray]) -> float:
    """R-hat of the indicator that two items are together; infinite where each chain stands still, not all alike."""
    from arviz_stats.base.array import array_stats

    shortest = min(t.size for t in together)
    values = np.stack([t[:shortest] for t in together]).astype(float)
    if np.ptp(values) == 0 or shortest < LEAST_DRAWS:
        return 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        r_hat = float(array_stats.rhat(values))
    return r_hat if math.isfinite(r_hat) else math.inf


def _efficiency(together: BoolArray) -> float:
    """Effective sample size, per draw of one chain, of the indicator that two items are together."""
    from arviz_stats.base.array import array_stats

    if together.size < LEAST_DRAWS:
        return 1.0
    return min(float(array_stats.ess(together[np.newaxis].astype(float), method="mean")) / together.size, 1.0)


def _explained(shares: tuple[float, float], sizes: tuple[float, float], n_comparisons: int) -> float:
    """Bonferroni bound to the largest of ``n_comparisons`` differences of shares under equal shares."""
    from scipy.special import ndtri

    pooled = (shares[0] * sizes[0] + shares[1] * sizes[1]) / sum(sizes)
    error = math.sqrt(pooled * (1 - pooled) * (1 / sizes[0] + 1 / sizes[1]))
    return -float(ndtri(FALSE_ALARMS / 2 / max(n_comparisons, 1))) * error
