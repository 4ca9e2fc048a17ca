"""Table of partitions with their probabilities, and the search for the candidate with least expected error.

Theorems 1 and 2 of Dalton et al. (2015) say which candidates cannot be best before their errors are computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..._kernels.partitions.assignment import matched_items
from ..._typing import FloatArray, IntArray, LabelRows
from ...partitions import canonical
from ..ball import ball, ball_size
from ..bounds import TIE, largest_cost

MOST_CANDIDATES = 4_000_000
MOST_COSTS = 10**11


@dataclass(frozen=True, eq=False)
class PartitionTable:
    """Partitions into at most ``n_labels`` clusters and their probabilities, which need not sum to one."""

    rows: LabelRows
    probabilities: FloatArray
    n_labels: int

    @property
    def n_points(self) -> int:
        """Number of points."""
        return int(self.rows.shape[1])

    @property
    def known(self) -> float:
        """Total probability of the partitions that are known."""
        return float(self.probabilities.sum())

    @cached_property
    def ranked(self) -> PartitionTable:
        """The same partitions, most probable first, without those of probability zero."""
        order = np.argsort(-self.probabilities, kind="stable")[: np.count_nonzero(self.probabilities)]
        return PartitionTable(self.rows[order], self.probabilities[order], self.n_labels)

    def mode(self) -> IntArray:
        """Most probable partition."""
        return self.rows[self.probabilities.argmax()].astype(np.int64)

    def misplaced(self, labels: IntArray) -> IntArray:
        """Number of misplaced points of ``labels`` against each partition."""
        n_clusters = int(labels.max()) + 1
        return self.n_points - matched_items(self.rows, labels, n_clusters, self.n_labels)

    def cost(self, labels: IntArray) -> float:
        """Cost of any partition against the known ones, weighted by their probabilities."""
        return float(self.misplaced(labels) @ self.probabilities) / self.n_points

    def within(self, labels: IntArray, radius: int) -> PartitionTable:
        """The partitions that misplace at most ``radius`` points of ``labels``."""
        near = self.misplaced(labels) <= radius
        return PartitionTable(self.rows[near], self.probabilities[near], self.n_labels)

    def best(self) -> IntArray:
        """The partition with least error among all, as if partitions that are not listed had no probability."""
        ranked, radius = self.ranked, self._certain_radius(self.known)
        n_candidates = ball_size(self.n_points, radius, self.n_labels)
        if n_candidates > MOST_CANDIDATES:
            raise ValueError(
                f'search must not be "exact" here: the best partition may differ from the most probable one in '
                f'{radius} points, and {n_candidates:.1e} candidates are left. Use search="pseed" or "posterior".'
            )
        return ranked.best_among(ball(ranked.mode(), radius, self.n_labels))

    def best_among(self, candidates: LabelRows) -> IntArray:
        """The candidate with least error, as if partitions that are not listed had no probability."""
        n_costs = len(candidates) * len(self.rows)
        if n_costs > MOST_COSTS:
            raise ValueError(
                f"radius must be smaller: got {len(candidates)} candidates and {len(self.rows)} references, "
                f"{n_costs:.0e} costs to compute."
            )
        left, partial = self._survivors(candidates, unlisted=0.0)
        return left[partial.argmin()].astype(np.int64)

    def proves(self, labels: IntArray) -> bool:
        """Whether ``labels`` has least error among all partitions, whatever the probabilities of those not listed."""
        radius = self._certain_radius(1.0)
        if ball_size(self.n_points, radius, self.n_labels) > MOST_CANDIDATES // 10:
            return False
        candidates = ball(self.ranked.mode(), radius, self.n_labels)
        left = self._survivors(candidates, unlisted=max(0.0, 1 - self.known))[0]
        return len(left) == 1 and bool((canonical(left[0]) == canonical(labels)).all())

    def _survivors(self, candidates: LabelRows, unlisted: float) -> tuple[LabelRows, FloatArray]:
        """Candidates that may be best, and their costs: references are added, most probable first.

        A candidate is dropped when its cost so far exceeds the least by more than the references to come can make
        up for: equation (34).
        """
        ranked, most = self.ranked, largest_cost(self.n_points, self.n_labels)
        partial, done, step = np.zeros(len(candidates)), 0, 16
        while done < len(ranked.rows) and len(candidates) > 1:
            some = slice(done, min(done + step, len(ranked.rows)))
            partial += expected_costs(candidates, ranked.rows[some], ranked.probabilities[some], self.n_labels)
            done, step = some.stop, 2 * step
            missing = ranked.probabilities[done:].sum() + unlisted
            keep = partial <= partial.min() + most * missing + TIE
            candidates, partial = candidates[keep], partial[keep]
        return candidates, partial

    def _certain_radius(self, total: float) -> int:
        """Radius of a ball around the most probable partition that holds the best one for sure: Theorem 2.

        Probabilities are shares of ``total``. The weaker test (32) needs no costs but those of the center. The
        sharper one (31) compares all partitions of the ball and is tried while they are few.
        """
        ranked, n = self.ranked, self.n_points
        most = largest_cost(n, self.n_labels) * n
        near = ranked.misplaced(ranked.mode())
        mass = np.bincount(near, weights=ranked.probabilities, minlength=n + 1) / total
        for d in range(round(most)):
            k = np.arange(d + 1)
            if (most + d + 1 - 2 * k) @ mass[: d + 1] > most + TIE:  # (32), all on one side
                return d
            inside = near <= d
            if ball_size(n, d, self.n_labels) * int(inside.sum()) < 10**6:
                candidates = ball(ranked.mode(), d, self.n_labels)
                weights = ranked.probabilities[inside] / total
                least = n * expected_costs(candidates, ranked.rows[inside], weights, self.n_labels).min()
                if (most + d + 1 - k) @ mass[: d + 1] - least > most + TIE:  # (31)
                    return d
        return round(most)


def expected_costs(candidates: LabelRows, rows: LabelRows, weights: FloatArray, n_labels: int) -> FloatArray:
    """Weighted cost of each candidate against the rows."""
    if n_labels > 2:
        matched = [matched_items(rows, row, row.max() + 1, n_labels) @ weights for row in candidates.astype(np.int64)]
        return weights.sum() - np.array(matched) / rows.shape[1]
    n = rows.shape[1]
    signs, costs = 1 - 2 * rows.astype(np.float32), np.empty(len(candidates))
    block = max(1, 2**24 // len(rows))
    for start in range(0, len(candidates), block):
        agreement = np.abs((1 - 2 * candidates[start : start + block].astype(np.float32)) @ signs.T)
        costs[start : start + block] = (n - agreement) @ weights / (2 * n)
    return costs
