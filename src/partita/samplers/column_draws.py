"""The draws of a mixture that selects columns, and what they say about rows.

Each draw has two parts that are independent of each other: a mixture over its relevant columns, and one component that
all items share over the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._typing import BoolArray, FloatArray, IntArray
from ..priors import FiniteDirichlet
from .collapsed import Problem, make_problem
from .mixture_draws import MOST_PREDICTIVE, MixtureDraws, evenly
from .predictive import fit_one_draw, leave_one_out, sample_row, score_rows
from .replicates import sample_new_table
from .select_columns import Chain, ColumnProblem

SHARED = FiniteDirichlet(1, 1.0)  # all items in one cluster


@dataclass(frozen=True)
class ColumnDraws(MixtureDraws):
    """Draws of components and relevant columns, with what was drawn beside them."""

    problem: ColumnProblem
    chain: Chain  # type: ignore[assignment]

    def relevant(self, m: int) -> BoolArray:
        """Which columns are relevant in a draw."""
        return np.asarray(self.chain.relevant[m] > 0.5)

    def halves(self, m: int) -> tuple[tuple[Problem, IntArray, dict[str, Any]], ...]:
        """Problem, labels and what is beside them, of the relevant columns of a draw and of the others."""
        relevant, beside = self.relevant(m), self.beside(m)
        inside, read = self.problem.restricted(relevant)
        outside, given = self.problem.restricted(~relevant)
        shared = make_problem(outside.encoded, SHARED, self.problem.chunklets, self.problem.uncounted)
        start = self.problem.encoded.hyper
        start[self._powers] = beside["hyper"][self._powers]
        labels = self.labels(m)
        return (
            (inside, labels, beside | {"hyper": beside["hyper"][read]}),
            (shared, np.zeros_like(labels), beside | {"hyper": start[given], "concentration": 1.0}),
        )

    def score(self, X: Any, estimate: IntArray) -> tuple[FloatArray, FloatArray]:
        """Log predictive density of new rows, and the probabilities that they join each cluster or none of them."""
        scored = [self._score_draw(m, X, estimate) for m in evenly(len(self), MOST_PREDICTIVE)]
        log_density = np.logaddexp.reduce([one for one, _ in scored], axis=0) - np.log(len(scored))
        return log_density, np.mean([joins for _, joins in scored], axis=0)

    def log_densities(self, X: Any, picked: Iterable[int]) -> FloatArray:
        """Log density of new rows in each of some draws, one per row of the result."""
        return np.array([self._score_draw(m, X, self.labels(m))[0] for m in picked])

    def _score_draw(self, m: int, X: Any, estimate: IntArray) -> tuple[FloatArray, FloatArray]:
        """Log density of new rows in a draw, and the probabilities of the clusters they join."""
        (inside, labels, beside), (outside, together, start) = self.halves(m)
        log_density, joins = score_rows(inside, X, [fit_one_draw(inside, labels, **beside, estimate=estimate)])
        shared = fit_one_draw(outside, together, **start, estimate=together)
        return log_density + score_rows(outside, X, [shared])[0], joins

    def overlap(self) -> FloatArray:
        """Refuse: whether components overlap in columns that are not relevant says nothing."""
        raise ValueError(
            "select_columns must be False where components are fused by their overlap: got columns selected."
        )

    def sample_rows(self, picked: IntArray, estimate: IntArray, rng: np.random.Generator) -> tuple[list[Any], IntArray]:
        """A new row from each of these draws, and its cluster in the estimate (-1: none)."""
        rows, labels = [], []
        for m in picked:
            (inside, own, beside), (outside, together, start) = self.halves(int(m))
            row, label = sample_row(inside, fit_one_draw(inside, own, **beside, estimate=estimate), rng)
            shared, _ = sample_row(outside, fit_one_draw(outside, together, **start, estimate=together), rng)
            rows.append(self._joined(int(m), row, shared))
            labels.append(label)
        return rows, np.array(labels)

    def sample_table(self, m: int, n_rows: int, rng: np.random.Generator) -> list[list[Any]]:
        """A table of new items from a draw: rows that share their parameters."""
        tables = [sample_new_table(part, labels, n_rows, rng, **beside) for part, labels, beside in self.halves(m)]
        return [self._joined(m, row, shared) for row, shared in zip(*tables, strict=True)]

    def _joined(self, m: int, row: list[Any], shared: list[Any]) -> list[Any]:
        """Entries of the relevant columns from one row, all others from another."""
        kept = {j for block in self.problem.restricted(self.relevant(m))[0].encoded.blocks for j in block.columns}
        return [row[j] if j in kept else shared[j] for j in range(len(row))]

    def leave_one_out(self, m: int) -> FloatArray:
        """Log density of each item given all others in a draw, its own component summed out."""
        parts = [leave_one_out(part, labels, **beside) for part, labels, beside in self.halves(m)]
        return np.asarray(sum(parts))
