"""Expected errors of all partitions into at most two clusters, by Gray codes and Walsh-Hadamard transforms.

A partition is coded by n - 1 bits: bit i says whether point i is apart from the last point. The share of misplaced
points between two partitions then depends on the bits in which their codes differ alone, so the errors of all
candidates are an XOR convolution of that cost with the probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..._kernels.pointprocess.gaussian import Tables, make_moments
from ..._kernels.pointprocess.partition_likelihood import log_codes
from ..._kernels.pointprocess.walsh import hadamard
from ..._parallel import run_parallel
from ..._typing import FloatArray, IntArray
from ..._validation import check_memory
from ...losses import Misclassification
from ...posterior import PartitionPosterior
from ..bounds import TIE, largest_cost

CHUNK = 1 << 20
MOST_POINTS = 30


@dataclass(frozen=True, eq=False)
class BinaryPartitions:
    """Probability of every partition of ``n_points`` points into at most two clusters, by code."""

    probabilities: FloatArray
    n_points: int

    n_labels = 2

    @property
    def known(self) -> float:
        """Total probability of the partitions that are known."""
        return float(self.probabilities.sum())

    def labels(self, code: int) -> IntArray:
        """Labels of the partition with this code; the last point has label 0."""
        return np.append((code >> np.arange(self.n_points - 1)) & 1, 0)

    def code(self, labels: IntArray) -> int:
        """Code of a partition into at most two clusters."""
        return int(((labels[:-1] != labels[-1]) << np.arange(self.n_points - 1)).sum())

    def mode(self) -> IntArray:
        """Most probable partition."""
        return self.labels(int(self.probabilities.argmax()))

    def errors(self) -> FloatArray:
        """Error of every candidate, by code: two fast Walsh-Hadamard transforms.

        The third, of the cost, depends on the number of bits alone and is a sum of Krawtchouk polynomials.
        """
        check_memory(8 * self.probabilities.size, "The errors of all candidates", 'Use search="pseed".')
        errors = self.probabilities.copy()
        hadamard(errors)
        factors = _transformed_cost(self.n_points) / self.probabilities.size
        for start, bits in self._bits(0):
            errors[start : start + bits.size] *= factors[bits]
        hadamard(errors)
        return errors

    def best(self) -> IntArray:
        """The partition with least error among all."""
        return self.labels(int(self.errors().argmin()))

    def proves(self, labels: IntArray) -> bool:
        """Whether ``labels`` has least error, whatever the probabilities of partitions that have none here."""
        errors = self.errors()
        own = errors[self.code(labels)]
        errors[self.code(labels)] = np.inf
        missing = max(0.0, 1 - self.known)
        return bool(errors.min() > own + largest_cost(self.n_points, 2) * missing + TIE) if errors.size > 1 else True

    def cost(self, labels: IntArray) -> float:
        """Cost of any partition against the known ones, weighted by their probabilities."""
        if labels.max() > 1:
            return self._cost_of_many_clusters(labels)
        totals = np.zeros(self.n_points)
        for start, bits in self._bits(self.code(labels)):
            part = self.probabilities[start : start + bits.size]
            totals += np.bincount(bits, weights=part, minlength=self.n_points)
        return float(totals @ _cost(self.n_points))

    def within(self, labels: IntArray, radius: int) -> BinaryPartitions:
        """The probabilities of partitions that misplace at most ``radius`` points of ``labels``; zero elsewhere."""
        near = np.zeros_like(self.probabilities)
        for start, bits in self._bits(self.code(labels)):
            inside = np.minimum(bits, self.n_points - bits) <= radius
            near[start : start + bits.size][inside] = self.probabilities[start : start + bits.size][inside]
        return BinaryPartitions(near, self.n_points)

    def _bits(self, code: int) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """Blocks of codes: where each starts, and in how many bits its codes differ from ``code``."""
        low = np.arange(min(CHUNK, self.probabilities.size))
        starts = range(0, self.probabilities.size, CHUNK)
        return ((start, np.bitwise_count((start + low) ^ code)) for start in starts)

    def _cost_of_many_clusters(self, labels: IntArray) -> float:
        """The same for candidates of more than two clusters, which have no code."""
        total = 0.0
        for start in range(0, self.probabilities.size, CHUNK // 4):
            codes = start + np.flatnonzero(self.probabilities[start : start + CHUNK // 4])
            if codes.size:
                rows = np.zeros((codes.size, self.n_points), np.uint8)
                rows[:, :-1] = (codes[:, np.newaxis] >> np.arange(self.n_points - 1)) & 1
                weights = self.probabilities[codes]
                total += Misclassification().expected(labels, PartitionPosterior(rows, weights)) * weights.sum()
        return total


def binary_partitions(points: FloatArray, tables: Tables, n_jobs: int) -> BinaryPartitions:
    """Probabilities of all partitions into at most two clusters, by a Gray walk with rank-one changes."""
    n_points = len(points)
    if n_points > MOST_POINTS:
        raise ValueError(
            f"X must hold at most {MOST_POINTS} points for an exact search with two labels: got {n_points} points, "
            f'{2.0 ** (n_points - 1):.1e} partitions. Use search="pseed" or search="posterior".'
        )
    n_codes = 1 << (n_points - 1)
    check_memory(16 * n_codes, f"The {n_codes:.1e} partitions", 'Use search="pseed" or search="posterior".')
    size = n_codes if n_points < 14 else n_codes // 64
    walk = [step ^ (step >> 1) for step in range(n_codes // size)]  # where the codes of each block of steps begin
    blocks = run_parallel(partial(_block, points, tables, size), range(len(walk)), n_jobs, "Partitions")
    return BinaryPartitions(normalized(np.concatenate([blocks[b] for b in np.argsort(walk)])), n_points)


def _block(points: FloatArray, tables: Tables, size: int, number: int) -> FloatArray:
    """Log probabilities of one block of the walk, by code."""
    log_p = np.empty(size)
    labels, moments = np.zeros(len(points), np.int64), make_moments(tables)
    log_codes(points, tables, number * size, (number + 1) * size, labels, moments, log_p)
    return log_p


def normalized(log_p: FloatArray) -> FloatArray:
    """Probabilities from their logarithms, in place."""
    highest = log_p.max()
    if highest == -np.inf:
        raise ValueError("X must have a partition with positive probability under this process: got none.")
    log_p -= highest
    np.exp(log_p, out=log_p)
    log_p /= log_p.sum()
    return log_p


def _cost(n_points: int) -> FloatArray:
    """Share of misplaced points by the number of bits in which two codes differ."""
    bits = np.arange(n_points)
    return np.minimum(bits, n_points - bits) / n_points


def _transformed_cost(n_points: int) -> FloatArray:
    """Walsh-Hadamard transform of the cost, by the number of bits of the index: in whole numbers until the end."""
    m = n_points - 1
    misplaced = [min(j, n_points - j) for j in range(n_points)]
    return np.array(
        [
            sum(
                misplaced[j] * (-1) ** i * comb(w, i) * comb(m - w, j - i)
                for j in range(n_points)
                for i in range(j + 1)
            )
            / n_points
            for w in range(n_points)
        ]
    )
