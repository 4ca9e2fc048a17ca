"""What all selection methods share: one clustering of the data per number of clusters, and one set of null data sets.

Every job has a random generator of its own, seeded by its purpose: results do not depend on the number of workers, on
which other methods run, or on which other numbers of clusters are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from .._parallel import run_parallel
from .._typing import FloatArray
from ..stability import LocationExponential
from ..stability.baselines import UniformBox
from ..stability.tuning import Curve, stability_curve
from .clustering import Clustering, cluster

DATA, NULL, PERMUTED, SAME_CENTERS, DRAWS, FOLDS, SIZES = range(7)

Value = tuple[float, float]
"""Value of a clustering, larger is better, and its standard deviation."""


class Setting(NamedTuple):
    """Data, clusterer and seed: all that a job needs, and what is sent to each worker."""

    X: FloatArray
    clusterer: Any
    seed: int

    def rng(self, purpose: int, *which: int) -> np.random.Generator:
        """The generator of one job."""
        return np.random.default_rng([self.seed, purpose, *which])

    def fit(self, X: FloatArray, k: int, rng: np.random.Generator) -> Clustering:
        """Cluster any data with the one clusterer."""
        return cluster(X, k, self.clusterer, int(rng.integers(2**31)))


@dataclass(frozen=True, eq=False)
class SharedFits:
    """Clusterings of the data and of null data sets, each computed at most once, for all methods."""

    setting: Setting
    n_clusters: tuple[int, ...]
    n_baselines: int
    n_jobs: int
    made: dict[str, Any] = field(default_factory=dict)

    @property
    def X(self) -> FloatArray:  # noqa: N802
        """The data."""
        return self.setting.X

    def run(self, description: str, function: Callable[[Any], Any], jobs: Sequence[Any]) -> dict[Any, Any]:
        """Results by job, in parallel."""
        return dict(zip(jobs, run_parallel(function, jobs, self.n_jobs, description), strict=True))

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What ``make`` returns, made at the first call."""
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    @cached_property
    def clusterings(self) -> dict[int, Clustering]:
        """Clustering of the data, by number of clusters."""
        return self.run("Clustering", partial(_cluster_data, self.setting), self.n_clusters)

    @cached_property
    def nulls(self) -> dict[tuple[int, int], tuple[float, Curve]]:
        """Uniform data clustered again: log within-cluster sum of squares and stability curve, by (k, baseline)."""
        jobs = [(k, b) for k in self.n_clusters for b in range(self.n_baselines)]
        return self.run("Nulls", partial(_cluster_null, self.setting, UniformBox.around(self.X)), jobs)


def _cluster_data(setting: Setting, k: int) -> Clustering:
    return setting.fit(setting.X, k, setting.rng(DATA, k))


def _cluster_null(setting: Setting, box: UniformBox, job: tuple[int, int]) -> tuple[float, Curve]:
    k, b = job
    null = box.sample(setting.rng(NULL, b))  # the same data for every k
    found = setting.fit(null, k, setting.rng(NULL, b, k))
    return found.within(null), nearest_curve(found.distances(null))


def nearest_curve(distances: FloatArray) -> Curve:
    """Average stability of the assignment to the nearest cluster, as a function of theta."""
    return stability_curve(LocationExponential(), distances, np.full(len(distances), -1))
