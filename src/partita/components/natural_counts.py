"""Categories, counts and waiting times in natural form.

Categories: one indicator per category. Counts and waiting times, by column: (value, presence). A missing entry has
features of zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._typing import FloatArray
from .categorical import CategoryBlock
from .exponential import TimeBlock
from .natural import NaturalForm
from .poisson import CountBlock


@dataclass(frozen=True)
class CategoryForm(NaturalForm):
    """Columns of categories: Dirichlet."""

    block: CategoryBlock

    @property
    def width(self) -> int:
        """Number of features."""
        return sum(map(len, self.block.levels))

    def features(self, x: Any, precision: Any, out: Any) -> None:
        """Indicators of the categories."""
        start = 0
        for j, names in enumerate(self.block.levels):
            for t in range(start, start + len(names)):
                out[:, t] = x[:, j] == t
            start += len(names)

    def fill_rows(self, part: Any, sums: FloatArray) -> None:
        """Counts, and their sums by column."""
        starts = np.cumsum([0, *map(len, self.block.levels)])[:-1]
        part.rows[: len(sums)] = np.hstack([sums, np.add.reduceat(sums, starts, axis=1)])

    def draw(self, part: Any, n_clusters: int, rng: np.random.Generator) -> FloatArray:
        """Logarithms of probabilities; those of weights near zero are drawn on the log scale."""
        power, weights = part.hyper[0], part.hyper[1 : 1 + self.width]
        shapes = weights + power * part.rows[:n_clusters, : self.width]
        logs = np.log(rng.standard_gamma(shapes + 1.0)) + np.log(rng.random(shapes.shape)) / shapes
        start = 0
        for names in self.block.levels:
            here = logs[:, start : start + len(names)]
            here -= np.logaddexp.reduce(here, axis=1, keepdims=True)
            start += len(names)
        return power * logs

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Probabilities, of what is present."""
        lengths = [len(names) for names in self.block.levels]
        present = np.add.reduceat(average, np.cumsum([0, *lengths])[:-1])
        return np.exp(natural / float(self.block.hyper[0])) * np.repeat(present, lengths)

    def admit(self, part: Any, sums: FloatArray) -> FloatArray | None:
        """These sums with no count below zero."""
        return np.maximum(sums, 0.0)


@dataclass(frozen=True)
class CountForm(NaturalForm):
    """Columns of counts: gamma–Poisson."""

    block: CountBlock

    @property
    def width(self) -> int:
        """Number of features."""
        return 2 * self.block.x.shape[1]

    def features(self, x: Any, precision: Any, out: Any) -> None:
        """Values and presence."""
        present_values(x, out)

    def fill_rows(self, part: Any, sums: FloatArray) -> None:
        """Presence and sum, column by column."""
        part.rows[: len(sums)] = sums.reshape(len(sums), 2, -1)[:, ::-1].transpose(0, 2, 1).reshape(len(sums), -1)

    def draw(self, part: Any, n_clusters: int, rng: np.random.Generator) -> FloatArray:
        """Rates."""
        present, totals, power, shapes, rates = by_column(part, n_clusters)
        means = rng.gamma(shapes + power * totals, 1 / (rates + power * present))
        return power * np.hstack([np.log(np.maximum(means, 1e-300)), -means])

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Rates, of what is present."""
        return self._of_present(-natural[:, natural.shape[1] // 2 :] / float(self.block.hyper[0]), average)

    def _of_present(self, means: FloatArray, average: FloatArray) -> FloatArray:
        present = average[means.shape[1] :]
        return np.hstack([means * present, np.broadcast_to(present, means.shape)])

    def admit(self, part: Any, sums: FloatArray) -> FloatArray | None:
        """These sums with no sum below zero."""
        return np.maximum(sums, 0.0)


@dataclass(frozen=True)
class TimeForm(CountForm):
    """Columns of waiting times: gamma–exponential."""

    block: TimeBlock  # type: ignore[assignment]

    def draw(self, part: Any, n_clusters: int, rng: np.random.Generator) -> FloatArray:
        """Rates."""
        present, totals, power, shapes, rates = by_column(part, n_clusters)
        drawn = rng.gamma(shapes + power * present, 1 / (rates + power * totals))
        return power * np.hstack([-drawn, np.log(np.maximum(drawn, 1e-300))])

    def expected(self, natural: FloatArray, average: FloatArray) -> FloatArray:
        """Means, of what is present."""
        return self._of_present(-float(self.block.hyper[0]) / natural[:, : natural.shape[1] // 2], average)


def present_values(x: Any, out: Any) -> None:
    """Values, and whether they are present; both zero where NaN is."""
    d = x.shape[1]
    missing = x != x
    out[:, :d], out[:, d:] = x, 1.0
    out[:, :d][missing] = 0.0
    out[:, d:][missing] = 0.0


def by_column(part: Any, n_clusters: int) -> tuple[FloatArray, FloatArray, float, FloatArray, FloatArray]:
    """Presence and sums of each cluster, and power, shapes and rates of the gamma prior."""
    present, totals = part.rows[:n_clusters].reshape(n_clusters, -1, 2).transpose(2, 0, 1)
    return present, totals, float(part.hyper[0]), *np.split(part.hyper[1:], 2)
