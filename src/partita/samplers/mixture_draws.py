"""The draws of a fitted mixture, and what they say about rows: new ones, each item given the others, whole tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from .._kernels.constraints.chunklets import single_items
from .._progress import Progress
from .._typing import AnyArray, FloatArray, IntArray, LabelRows
from .._validation import check_memory
from ..components import Encoded
from ..components.gaussian import PRECISIONS
from ..partitions import canonical
from .collapsed import Chain, Problem
from .draw_file import file_like
from .fusing import draw_misfit, draw_opinion, fuse_draw
from .overlap import component_overlaps
from .predictive import FittedDraw, fit_one_draw, leave_one_out, sample_row, score_rows
from .replicates import sample_new_table

MOST_PREDICTIVE = 200  # draws that speak about new items
MOST_MISFIT = 100  # draws that speak about whether components fit
MOST_FUSED = 20_000  # items that do, where all count once


def evenly(n_draws: int, most: int) -> IntArray:
    """Numbers of at most so many draws, evenly spaced."""
    return np.linspace(0, n_draws - 1, min(n_draws, most)).astype(np.int64)


def read_latent(row: AnyArray) -> FloatArray:
    """What was drawn for items in a draw; the blocked sampler keeps the numbers of their precisions, in bytes."""
    return np.asarray(PRECISIONS[row] if row.dtype == np.uint8 else row.astype(float))


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
            "latent": read_latent(chain.latent[m]),
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
        if self.problem.n_items > MOST_FUSED and self._items_are_alike:
            return self._fused_by_some()
        fused = self._like_draws()
        with Progress("Fusing", len(self)) as progress, threadpool_limits(1, "blas"):
            misfit = self._misfit()
            for m, (labels, drawn) in enumerate(self._with_statistics(range(len(self)))):
                fused[m] = fuse_draw(self.problem, drawn, labels, draw_opinion(m), misfit)
                progress.advance(1)
        return fused

    def _like_draws(self) -> LabelRows:
        """Room for as many labels: beside the draws, where those are on disk."""
        draws = self.chain.draws
        return file_like(draws, "fused.npy") if isinstance(draws, np.memmap) else np.empty_like(draws)

    @property
    def _items_are_alike(self) -> bool:
        """Whether all items count once and nothing is missing under a covariance matrix."""
        whole = not any(len(getattr(block, "missing", ())) for block in self.problem.encoded.blocks)
        return bool(whole and self.problem.chunklets.equal and self.problem.uncounted.size == 0)

    def _fused_by_some(self) -> LabelRows:
        """What holds for the components of some items holds for all; a component without any of them stays as it is."""
        items = evenly(self.problem.n_items, MOST_FUSED)
        fused = self._like_draws()
        for row, clusters, out in zip(self.chain.draws, self._of_items(items).fused(), fused, strict=True):
            cluster_of = len(items) + np.arange(int(row.max()) + 1)
            cluster_of[row[items]] = clusters
            out[:] = canonical(cluster_of)[row]  # in canonical form, as components are
        return fused

    def _of_items(self, items: IntArray) -> MixtureDraws:
        """The draws of some items, whose components are numbered anew."""
        encoded, chain = self.problem.encoded, self.chain
        blocks = tuple(replace(block, x=np.ascontiguousarray(block.x[items])) for block in encoded.blocks)
        problem = replace(self.problem, encoded=Encoded(blocks, encoded.n_columns), chunklets=single_items(len(items)))
        draws = np.array([canonical(row[items]) for row in chain.draws])
        latent = chain.latent.reshape(len(self), -1, self.problem.n_items)[:, :, items].reshape(len(self), -1)
        return MixtureDraws(problem, chain._replace(draws=draws, latent=latent))

    def overlap(self) -> FloatArray:
        """Mean over some draws of the overlap of the components of each two items, as far as those do not fit."""
        if self.problem.chunklets.neighbor.size:
            raise ValueError("the model must be fitted without cannot-links to fuse components: got some.")
        n_items, picked = self.problem.n_items, evenly(len(self), MOST_MISFIT)
        check_memory(16 * n_items**2, f"The overlaps of {n_items} items", "Take fewer items.")
        total = np.zeros((n_items, n_items))
        with Progress("Overlaps", len(picked)) as progress, threadpool_limits(1, "blas"):
            misfit = self._misfit()
            for labels, drawn in self._with_statistics(picked):
                total += component_overlaps(self.problem, drawn, labels, misfit)[np.ix_(labels, labels)]
                progress.advance(1)
        return np.clip(total / len(picked), 0.0, 1.0)

    def _misfit(self) -> FloatArray:
        """Shares of items in the evidence that components do not fit, in some draws: (2, n_draws, n_judged)."""
        some = self._with_statistics(evenly(len(self), MOST_MISFIT))
        shares = np.array([draw_misfit(self.problem, drawn, labels) for labels, drawn in some])
        return np.ascontiguousarray(shares.transpose(2, 0, 1))

    def _with_statistics(self, picked: Iterable[int]) -> Iterator[tuple[IntArray, FittedDraw]]:
        for m in picked:
            yield self.labels(m), self.fit(m)
