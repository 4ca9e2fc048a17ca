"""What a search leaves behind: the means to say how wrong any partition is.

Every judge has ``error(labels)`` and ``grown()``, a judge that knows more or, when there is no more to know, itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import logsumexp

from .._kernels.pointprocess.gaussian import Tables
from .._kernels.pointprocess.label_gains import log_scores
from .._kernels.pointprocess.partition_likelihood import log_rows
from .._typing import FloatArray, IntArray
from ..losses import Misclassification
from ..posterior import PartitionPosterior
from .ball import ball, ball_size
from .bounds import PartitionError, bound_error, largest_cost
from .draws import sample_label_functions, standard_error
from .likelihood import label_level
from .process import GaussianPointProcess
from .search.gray_codes import BinaryPartitions
from .search.partition_table import ListedPartitions

LARGEST_BALL = 5_000_000


class Judge(Protocol):
    """What every judge offers."""

    def error(self, labels: IntArray) -> PartitionError:
        """Error of any partition of the points."""
        ...

    def grown(self) -> Judge:
        """A judge that knows more, or this one when there is no more to know."""
        ...


def most_misplaced(labels: IntArray, n_labels: int) -> float:
    """Largest share of misplaced points of a partition against any into at most ``n_labels`` clusters."""
    return largest_cost(labels.size, max(n_labels, int(labels.max()) + 1))


@dataclass(frozen=True, eq=False)
class Enumerated:
    """Partitions with their true probabilities: all of them, or some."""

    partitions: BinaryPartitions | ListedPartitions

    def error(self, labels: IntArray) -> PartitionError:
        """Equations (38) and (40)."""
        known, most = self.partitions.known, most_misplaced(labels, self.partitions.n_labels)
        return bound_error(self.partitions.cost(labels), known, most)

    def grown(self) -> Judge:
        """All is known that will be."""
        return self


@dataclass(frozen=True, eq=False)
class Ball:
    """Partitions near a seed, whose probabilities are known up to a constant."""

    points: FloatArray
    tables: Tables
    seed: IntArray
    radius: int

    @cached_property
    def _log_weights(self) -> tuple[ListedPartitions, float]:
        """The ball with weights that sum to one, and the logarithm of their sum before that."""
        n_labels, sizes = self.tables.nu.size, self.tables.sizes if self.tables.sizes.size else None
        rows = ball(self.seed, self.radius, n_labels, sizes)
        log_p = np.empty(len(rows))
        log_rows(self.points, rows, self.tables, log_p)
        total = float(logsumexp(log_p))
        return ListedPartitions(rows, np.exp(log_p - total), n_labels), total

    @property
    def partitions(self) -> ListedPartitions:
        """The ball, its probabilities scaled as if there were no other partitions."""
        return self._log_weights[0]

    @cached_property
    def share(self) -> float | None:
        """Probability of the ball among all partitions, where that can be told."""
        n, n_labels = self.seed.size, self.tables.nu.size
        if self.radius >= round(largest_cost(n, n_labels) * n):
            return 1.0
        independent = np.isinf(self.tables.nu).all() and not self.tables.sizes.size and not self.tables.joint.size
        if not independent:
            return None
        evidence = logsumexp(log_scores(self.points, self.seed, 0, label_level(self.tables)), axis=1).sum()
        return float(np.exp(self._log_weights[1] - evidence))

    def error(self, labels: IntArray) -> PartitionError:
        """Equation (40), and (38) where the probability of the ball is known."""
        most, partial = most_misplaced(labels, self.tables.nu.size), self.partitions.cost(labels)
        if self.share is None:
            return PartitionError(partial, 0.0, most)
        return bound_error(partial * self.share, self.share, most)

    def proves(self, labels: IntArray) -> bool:
        """Whether ``labels`` is best among all partitions."""
        if self.share is None:
            return False
        weighed = self.partitions
        return replace(weighed, probabilities=weighed.probabilities * self.share).proves(labels)

    def grown(self) -> Judge:
        """The ball with a radius larger by one, unless that is everything or too much."""
        n, n_labels = self.seed.size, self.tables.nu.size
        too_large = ball_size(n, self.radius + 1, n_labels) > LARGEST_BALL
        if too_large or self.radius >= round(largest_cost(n, n_labels) * n):
            return self
        return Ball(self.points, self.tables, self.seed, self.radius + 1)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Draws of partitions from their posterior."""

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
        return standard_error(Misclassification().per_draw(labels, self.posterior), self.posterior.chain_ids())

    def grown(self) -> Judge:
        """Twice as many draws."""
        n_chains = self.posterior.n_chains
        n_draws = self.posterior.n_draws // n_chains
        more = sample_label_functions(self.process, self.X, n_draws, n_chains, rng=self.rng, n_jobs=self.n_jobs)
        both = PartitionPosterior.concatenate([self.posterior, PartitionPosterior(more[0], chains=more[1])])
        return replace(self, posterior=both)


@dataclass(frozen=True, eq=False)
class Plugged:
    """Membership probabilities of each point given the labels of all others, as if points were independent."""

    shares: FloatArray

    def error(self, labels: IntArray) -> PartitionError:
        """Expected share misplaced under the best matching of clusters with labels."""
        table = np.zeros((int(labels.max()) + 1, self.shares.shape[1]))
        np.add.at(table, labels, self.shares)
        matched = table[linear_sum_assignment(table, maximize=True)].sum()
        return PartitionError(float(1 - matched / labels.size), 0.0, most_misplaced(labels, self.shares.shape[1]))

    def grown(self) -> Judge:
        """Nothing more is known."""
        return self
