"""Expected error of any partition of the points, as far as a search has come to know their posterior.

Every model offers ``error(labels)``, the expected share of misplaced points with bounds, and ``refine()``, the same
model after more computation, or itself when there is no more to compute.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp

from .._kernels.pointprocess.gaussian import Tables, known_sizes
from .._kernels.pointprocess.label_prior import IndependentLabels
from .._typing import FloatArray, IntArray
from ..decide.result import LossPerDraw
from ..losses import Misclassification
from ..posterior import PartitionPosterior
from .ball import ball, ball_size
from .bounds import PartitionError, bound_error, largest_cost
from .draws import sample_label_functions
from .likelihood import label_tables, log_predictives, log_probabilities
from .process import GaussianPointProcess
from .search.gray_codes import BinaryPartitions
from .search.partition_table import PartitionTable

LARGEST_BALL = 5_000_000


class ErrorModel(Protocol):
    """The interface of an error model."""

    def error(self, labels: IntArray) -> PartitionError:
        """Expected share of misplaced points of a partition."""
        ...

    def refine(self) -> ErrorModel:
        """The model after more computation, or itself when there is no more to compute."""
        ...


def most_misplaced(labels: IntArray, n_labels: int) -> float:
    """Largest share of misplaced points of a partition against any into at most ``n_labels`` clusters."""
    return largest_cost(labels.size, max(n_labels, int(labels.max()) + 1))


@dataclass(frozen=True, eq=False)
class ExactError:
    """Exact error, or exact bounds on it, from the posterior probabilities of all partitions, or of some."""

    partitions: BinaryPartitions | PartitionTable

    def error(self, labels: IntArray) -> PartitionError:
        """Equations (38) and (40)."""
        known, most = self.partitions.known, most_misplaced(labels, self.partitions.n_labels)
        return bound_error(self.partitions.cost(labels), known, most)

    def refine(self) -> ErrorModel:
        """Itself: nothing more can be computed."""
        return self


@dataclass(frozen=True, eq=False)
class BallBounds:
    """Bounds from the partitions in a ball around a seed, whose probabilities are known up to a constant."""

    points: FloatArray
    tables: Tables
    seed: IntArray
    radius: int

    @cached_property
    def _log_weights(self) -> tuple[PartitionTable, float]:
        """The ball with weights that sum to one, and the logarithm of their sum before that."""
        n_labels = self.tables.nu.size
        rows = ball(self.seed, self.radius, n_labels, known_sizes(self.tables))
        log_p = log_probabilities(self.points, self.tables, rows)
        total = float(logsumexp(log_p))
        return PartitionTable(rows, np.exp(log_p - total), n_labels), total

    @property
    def partitions(self) -> PartitionTable:
        """The ball, its probabilities scaled as if there were no other partitions."""
        return self._log_weights[0]

    @cached_property
    def share(self) -> float | None:
        """Posterior probability of the ball, where the normalizing constant is known; None elsewhere."""
        n, n_labels = self.seed.size, self.tables.nu.size
        if self.radius >= round(largest_cost(n, n_labels) * n):
            return 1.0
        if not np.isinf(self.tables.nu).all() or not isinstance(self.tables.label_prior, IndependentLabels):
            return None
        evidence = logsumexp(log_predictives(self.points, self.seed[:0], label_tables(self.tables)), axis=1).sum()
        return float(np.exp(self._log_weights[1] - evidence))

    def error(self, labels: IntArray) -> PartitionError:
        """Equation (40), and (38) where the probability of the ball is known."""
        most, partial = most_misplaced(labels, self.tables.nu.size), self.partitions.cost(labels)
        if self.share is None:
            return PartitionError(partial, 0.0, most)
        return bound_error(partial * self.share, self.share, most)

    def best(self) -> IntArray:
        """The partition of the ball with least error, as if there were no other partitions.

        With two labels and a radius of at most a quarter of the points, no two partitions of the ball differ in more
        than half of the points: their cost is the number of points that one of them flips and the other does not,
        and the errors of all are linear in the probabilities of the flips.
        """
        near = self.partitions
        if near.n_labels != 2 or 4 * self.radius > self.seed.size:
            return near.best_among(near.rows)
        flips = near.rows != self.seed
        flips[flips.sum(axis=1) > self.radius] ^= True  # rows begin with label 0, the seed may not
        costs = flips @ (1 - 2 * (near.probabilities @ flips))
        return near.rows[costs.argmin()].astype(np.int64)

    def proves(self, labels: IntArray) -> bool:
        """Whether ``labels`` is proven to have the least error among all partitions."""
        if self.share is None:
            return False
        weighed = self.partitions
        return replace(weighed, probabilities=weighed.probabilities * self.share).proves(labels)

    def refine(self) -> ErrorModel:
        """The ball with a radius larger by one, unless that is everything or too much."""
        n, n_labels = self.seed.size, self.tables.nu.size
        too_large = ball_size(n, self.radius + 1, n_labels) > LARGEST_BALL
        if too_large or self.radius >= round(largest_cost(n, n_labels) * n):
            return self
        return BallBounds(self.points, self.tables, self.seed, self.radius + 1)


@dataclass(frozen=True, eq=False)
class MonteCarloError:
    """Monte Carlo estimate of the error from draws of the posterior."""

    process: GaussianPointProcess
    X: FloatArray
    posterior: PartitionPosterior
    rng: np.random.Generator
    n_jobs: int

    def error(self, labels: IntArray) -> PartitionError:
        """Mean over draws. No bound but the largest cost is certain."""
        estimate = Misclassification().expected(labels, self.posterior)
        return PartitionError(estimate, 0.0, most_misplaced(labels, self.process.n_labels))

    def standard_error(self, labels: IntArray) -> float:
        """Monte Carlo standard error of the estimate."""
        return LossPerDraw.of(Misclassification().per_draw(labels, self.posterior), self.posterior).standard_error()

    def refine(self) -> ErrorModel:
        """Twice as many draws."""
        n_chains = self.posterior.n_chains
        n_draws = self.posterior.n_draws // n_chains
        more = sample_label_functions(self.process, self.X, n_draws, n_chains, rng=self.rng, n_jobs=self.n_jobs)
        return replace(
            self, posterior=PartitionPosterior.concatenate([self.posterior, more.partitions(self.posterior.items)])
        )


@dataclass(frozen=True, eq=False)
class PlugInError:
    """Plug-in estimate from the membership probabilities of each point given all other labels, as if independent."""

    shares: FloatArray

    def error(self, labels: IntArray) -> PartitionError:
        """Expected share misplaced under the best matching of clusters with labels."""
        table = np.zeros((int(labels.max()) + 1, self.shares.shape[1]))
        np.add.at(table, labels, self.shares)
        matched = table[linear_sum_assignment(table, maximize=True)].sum()
        return PartitionError(float(1 - matched / labels.size), 0.0, most_misplaced(labels, self.shares.shape[1]))

    def refine(self) -> ErrorModel:
        """Itself: nothing more can be computed."""
        return self
