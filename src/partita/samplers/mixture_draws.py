"""The draws of a fitted mixture, and what they say about rows: new ones, each item given the others, whole tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from .._progress import Progress
from .._typing import FloatArray, IntArray, LabelRows
from .._validation import check_memory
from ..components import Encoded
from .collapsed import Chain, Problem
from .fusing import draw_misfit, draw_opinion, fuse_draw
from .overlap import component_overlaps
from .predictive import FittedDraw, fit_one_draw, leave_one_out, sample_row, score_rows
from .replicates import sample_new_table

MOST_PREDICTIVE = 200  # draws that speak about new items
MOST_MISFIT = 100  # draws that speak about whether components fit


def evenly(n_draws: int, most: int) -> IntArray:
    """Numbers of at most so many draws, evenly spaced."""
    return np.linspace(0, n_draws - 1, min(n_draws, most)).astype(np.int64)


def check_room(encoded: Encoded, n_draws: int) -> None:
    """Refuse more draws than memory holds, with what is recorded beside each."""
    n_items, beside = encoded.n_items, 8 * (3 + encoded.hyper.size) + 4 * encoded.latent.size
    check_memory(n_draws * (n_items + beside), f"The {n_draws} draws of {n_items} items", "Take fewer draws.")


@dataclass(frozen=True)
class MixtureDraws:
    """Draws of components, with what was drawn beside them."""

    problem: Problem
    chain: Chain

    def __len__(self) -> int:
        return len(self.chain.draws)

    def labels(self, m: int) -> IntArray:
        """Components of the items in a draw."""
        return self.chain.draws[m].astype(np.int64)

    def beside(self, m: int) -> dict[str, Any]:
        """What was drawn beside the labels."""
        chain = self.chain
        return {
            "concentration": float(chain.concentration[m]),
            "hyper": chain.hyper[m],
            "latent": chain.latent[m].astype(float),
        }

    def fit(self, m: int, estimate: IntArray | None = None) -> FittedDraw:
        """A draw with its components' statistics, and their shares in the clusters of an estimate or in themselves."""
        labels = self.labels(m)
        return fit_one_draw(self.problem, labels, **self.beside(m), estimate=labels if estimate is None else estimate)

    def score(self, X: Any, estimate: IntArray) -> tuple[FloatArray, FloatArray]:
        """Log predictive density of new rows, and the probabilities that they join each cluster or none of them."""
        picked = evenly(len(self), MOST_PREDICTIVE)
        return score_rows(self.problem, X, (self.fit(m, estimate) for m in picked))

    def log_densities(self, X: Any, picked: Iterable[int]) -> FloatArray:
        """Log density of new rows in each of some draws, one per row of the result."""
        return np.array([score_rows(self.problem, X, [self.fit(m)])[0] for m in picked])

    def uncoarsened(self) -> MixtureDraws:
        """The same draws, with the likelihood at its full power."""
        hyper = self.chain.hyper.copy()
        hyper[:, self._powers] = 1.0
        return replace(self, chain=self.chain._replace(hyper=hyper))

    @property
    def _powers(self) -> IntArray:
        """Places of the likelihood's power among the hyperparameters, one in each block."""
        return np.cumsum([0, *(block.hyper.size for block in self.problem.encoded.blocks)])[:-1]

    def sample_rows(self, picked: IntArray, estimate: IntArray, rng: np.random.Generator) -> tuple[list[Any], IntArray]:
        """A new row from each of these draws, and its cluster in the estimate (-1: none)."""
        drawn = [sample_row(self.problem, self.fit(int(m), estimate), rng) for m in picked]
        return [row for row, _ in drawn], np.array([label for _, label in drawn])

    def sample_table(self, m: int, n_rows: int, rng: np.random.Generator) -> list[list[Any]]:
        """A table of new items from a draw: rows that share their parameters."""
        return sample_new_table(self.problem, self.labels(m), n_rows, rng, **self.beside(m))

    @property
    def is_plain(self) -> bool:
        """Whether every item that counts counts once, moves alone and has its whole likelihood."""
        chunklets = self.problem.chunklets
        powers = [block.hyper[0] for block in self.problem.encoded.blocks]
        alone = chunklets.items.size == chunklets.size.size and chunklets.neighbor.size == 0
        return bool(alone and (chunklets.size == 1).all() and np.all(np.array(powers) == 1.0))

    def log_likelihood(self) -> FloatArray:
        """Log density of each item given all others in each draw, its own component summed out."""
        n_draws, n_items = len(self), self.problem.n_items
        check_memory(8 * n_draws * n_items, f"Densities of {n_items} items in {n_draws} draws", "Take fewer draws.")
        out = np.empty((n_draws, n_items))
        with Progress("Leaving items out", n_draws) as progress:
            for m in range(n_draws):
                out[m] = self.leave_one_out(m)
                progress.advance(1)
        return out

    def leave_one_out(self, m: int) -> FloatArray:
        """The same in one draw."""
        return leave_one_out(self.problem, self.labels(m), **self.beside(m))

    def fused(self) -> LabelRows:
        """The draws with the components that one cluster needed fused."""
        fused = np.empty_like(self.chain.draws)
        with Progress("Fusing", len(self)) as progress, threadpool_limits(1, "blas"):
            some = self._with_statistics(evenly(len(self), MOST_MISFIT))
            misfit = np.mean([draw_misfit(self.problem, drawn, labels) for labels, drawn in some], axis=0)
            for m, (labels, drawn) in enumerate(self._with_statistics(range(len(self)))):
                fused[m] = fuse_draw(self.problem, drawn, labels, draw_opinion(m), misfit)
                progress.advance(1)
        return fused

    def overlap(self) -> FloatArray:
        """Mean over some draws of the overlap of the components of each two items, as far as those do not fit."""
        if self.problem.chunklets.neighbor.size:
            raise ValueError("the model must be fitted without cannot-links to fuse components: got some.")
        n_items, picked = self.problem.n_items, evenly(len(self), MOST_MISFIT)
        check_memory(16 * n_items**2, f"The overlaps of {n_items} items", "Take fewer items.")
        total = np.zeros((n_items, n_items))
        with Progress("Overlaps", len(picked)) as progress, threadpool_limits(1, "blas"):
            some = self._with_statistics(picked)
            misfit = np.mean([draw_misfit(self.problem, drawn, labels) for labels, drawn in some], axis=0)
            for labels, drawn in self._with_statistics(picked):
                total += component_overlaps(self.problem, drawn, labels, misfit)[np.ix_(labels, labels)]
                progress.advance(1)
        return np.clip(total / len(picked), 0.0, 1.0)

    def _with_statistics(self, picked: Iterable[int]) -> Iterator[tuple[IntArray, FittedDraw]]:
        for m in picked:
            yield self.labels(m), self.fit(m)
