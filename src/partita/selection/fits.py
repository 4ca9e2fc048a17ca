"""What the methods share: the data, one clustering for each number of clusters, one set of nulls.

Every job has a generator of its own, named by what it is for: results do not depend on threads, on which other methods
run, or on which other numbers of clusters are tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from .._parallel import run_parallel
from .._progress import Progress
from .._typing import FloatArray
from ..stability import LocationExponential
from ..stability.baselines import UniformBox
from ..stability.tuning import Curve, stability_curve
from .clustering import Clustering, cluster

DATA, NULL, PERMUTED, SAME_CENTERS, DRAWS, FOLDS, SIZES = range(7)

Value = tuple[float, float]
"""Value, larger is better, and its standard deviation."""


@dataclass(frozen=True, eq=False)
class Bench:
    """The data and what is computed from it at most once."""

    X: FloatArray
    ks: tuple[int, ...]
    clusterer: Any
    n_baselines: int
    root: int
    n_jobs: int
    made: dict[str, Any] = field(default_factory=dict)

    def rng(self, purpose: int, *which: int) -> np.random.Generator:
        """The generator of one job."""
        return np.random.default_rng([self.root, purpose, *which])

    def run(self, what: str, function: Callable[[Any], Any], jobs: list[Any]) -> dict[Any, Any]:
        """Results by job, in parallel."""
        with Progress(what, len(jobs)) as progress:

            def step(job: Any) -> Any:
                result = function(job)
                progress.advance(1)
                return result

            return dict(zip(jobs, run_parallel(step, jobs, self.n_jobs), strict=True))

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What ``make`` returns, made at the first call."""
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def cluster(self, X: FloatArray, k: int, rng: np.random.Generator) -> Clustering:
        """Cluster any data with the one clusterer."""
        return cluster(X, k, self.clusterer, int(rng.integers(2**31)))

    @cached_property
    def clusterings(self) -> dict[int, Clustering]:
        """The data clustered, by number of clusters."""
        return self.run("Clustering", lambda k: self.cluster(self.X, k, self.rng(DATA, k)), list(self.ks))

    @cached_property
    def box(self) -> UniformBox:
        """The box around the data."""
        return UniformBox.around(self.X)

    @cached_property
    def nulls(self) -> dict[tuple[int, int], tuple[float, Curve]]:
        """Uniform data clustered again: log within-cluster sum of squares and stability, by (k, baseline)."""

        def one(job: tuple[int, int]) -> tuple[float, Curve]:
            k, b = job
            null = self.box.sample(self.rng(NULL, b))  # the same data for every k
            found = self.cluster(null, k, self.rng(NULL, b, k))
            return found.within(null), nearest_curve(found.distances(null))

        return self.run("Nulls", one, [(k, b) for k in self.ks for b in range(self.n_baselines)])


def nearest_curve(distances: FloatArray) -> Curve:
    """Average stability of the assignment to the nearest cluster, as a function of theta."""
    return stability_curve(LocationExponential(), distances, np.full(len(distances), -1))
