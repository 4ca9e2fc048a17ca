"""Bayes clusterer: the partition with least expected share of misplaced points under a point process."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin

from .._typing import IntArray, RandomState
from .._validation import check_choice, check_count, check_jobs, check_labels, check_rng, item_names, shorten
from ..decide import diagnose
from ..decide.estimate import find_estimate
from ..posterior import PartitionPosterior
from ..samplers.run import check_counts
from ._validation import check_points
from .ball import ball_size
from .bounds import PartitionError
from .draws import draw_with_settings
from .enumeration import Process, all_known, from_posterior, partition_count
from .error_models import BallBounds, ErrorModel, ExactError, MonteCarloError, PlugInError
from .likelihood import bind, label_tables
from .process import GaussianPointProcess
from .search.pseed import pseed
from .search.pseed_fast import membership_shares, pseed_fast

SEARCHES = ("auto", "exact", "pmax", "pseed", "pseed-fast", "pseed-faster", "posterior")
SMALL_BALL = 10_000
EXACT_POINTS, EXACT_PARTITIONS, DRAWN_POINTS = 22, 10_000, 5_000  # what "auto" takes for quick


class Decision(NamedTuple):
    """Result of a search: labels, a model of their error, and whether they are proven optimal."""

    labels: IntArray
    error_model: ErrorModel
    certified: bool


class BayesClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """The partition with least expected share of misplaced points, and that share.

    Parameters
    ----------
    process : GaussianPointProcess, PartitionPosterior or callable
        Where the points come from. A posterior is taken as the distribution of the partition. A callable is given the
        points and a label function, and returns the logarithm of its probability up to a constant.
    search : str
        ``"exact"``: all partitions. ``"pmax"``: all candidates against partitions near the most probable one.
        ``"pseed"``: partitions near one found by hill climbing, as candidates and as references. ``"pseed-fast"`` and
        ``"pseed-faster"``: a most probable partition of very many points. ``"posterior"``: draws of label functions,
        and the partition that misplaces fewest points over them. ``"auto"`` chooses by the numbers of points and
        labels; see ``search_``.
    radius : int, optional
        For ``"pmax"`` and ``"pseed"``: most points in which references differ from the seed. When left out, the
        largest for which they are at most ten thousand.
    n_starts : int, optional
        Starts of hill climbing: 5 when left out, 10 for very many points.
    n_draws, n_chains : int
        For ``"posterior"``: draws per chain, after half as many that are thrown away, and chains.
    n_labels : int, optional
        Number of labels, needed when the process is a callable.
    n_jobs : int
        Jobs at a time, on threads or what ``joblib.parallel_config`` says. The result does not depend on it.
    random_state : int, Generator or None
        Seed.
    checkpoint, resume : path, bool or "repair"
        For ``"posterior"``: file that keeps the draws as they are made, and whether to go on from it, as for
        :class:`BayesianMixture`.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n_points,)
        Canonical labels of the partition.
    error_ : float
        Expected share of misplaced points: exact or, after an approximate search, estimated. For very many points
        it is estimated as if clusters were known.
    error_bounds_ : tuple of float
        Between which the error lies for sure; equal when it is exact.
    error_std_ : float
        Monte Carlo standard error of ``error_``; nan unless it comes from draws.
    certified_ : bool
        Whether the partition is proven to have the least error of all into at most as many clusters as labels.
    search_ : str
        The search that was made.
    posterior_, diagnostics_ : PartitionPosterior, Diagnostics
        After ``"posterior"`` alone: the partitions of the draws, and whether the chains agree.

    See Also
    --------
    BayesLabeler : labels rather than clusters.
    compare_clusterers : its error beside that of others.
    Misclassification : the same cost as a loss for any draws.

    Notes
    -----
    With two labels the errors of all partitions are one convolution, by the fast Walsh-Hadamard transform; beyond, the
    candidates and references of the paper's algorithms Pmax and Pseed, whose bounds can certify that no other
    partition is better.

    References
    ----------
    Dalton, L. A., Benalcázar, M. E., Brun, M. and Dougherty, E. R. (2015). Analytic representation of Bayes labeling
    and Bayes clustering operators for random labeled point processes. IEEE Transactions on Signal Processing 63.

    Examples
    --------
    >>> from partita import GaussianPointProcess
    >>> process = GaussianPointProcess.known([[0], [3]], covariances=1.0)
    >>> clusterer = BayesClusterer(process).fit([[-0.5], [0.3], [1.4], [2.9], [3.3]])
    >>> clusterer.labels_, clusterer.search_, clusterer.certified_
    (array([0, 0, 0, 1, 1]), 'exact', True)
    >>> round(clusterer.error_, 4)
    0.0947
    >>> round(clusterer.partition_error([0, 0, 1, 1, 1]).estimate, 4)
    0.1245
    """

    def __init__(
        self,
        process: Process,
        search: str = "auto",
        *,
        radius: int | None = None,
        n_starts: int | None = None,
        n_draws: int = 1000,
        n_chains: int = 4,
        n_labels: int | None = None,
        n_jobs: int = 1,
        random_state: RandomState = 0,
        checkpoint: str | Path | None = None,
        resume: bool | str = False,
    ) -> None:
        self.process = process
        self.search = search
        self.radius = radius
        self.n_starts = n_starts
        self.n_draws = n_draws
        self.n_chains = n_chains
        self.n_labels = n_labels
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.resume = resume

    def fit(self, X: ArrayLike | None = None, y: Any = None) -> BayesClusterer:  # noqa: ARG002
        """Cluster the points; ``y`` is ignored, and so are the points when the process is a posterior."""
        self._check_parameters()
        self.search_ = self._choose(X)
        decision = self._decide(X, check_rng(self.random_state))
        self.labels_ = check_labels(decision.labels)
        self.certified_ = decision.certified
        self._error_model = decision.error_model
        self.error_, *bounds = self._error_model.error(self.labels_)
        self.error_bounds_ = tuple(bounds)
        drawn = isinstance(self._error_model, MonteCarloError)
        self.error_std_ = self._error_model.standard_error(self.labels_) if drawn else float("nan")  # type: ignore[attr-defined]
        return self

    def partition_error(self, labels: ArrayLike, seconds: float = 0.0) -> PartitionError:
        """Expected share of misplaced points of any clustering of the points, such as that of k-means.

        Parameters
        ----------
        labels : array-like of int, shape (n_points,)
            Cluster labels.
        seconds : float
            After an approximate search: spend so long, or a little longer, to learn more before answering. What is
            learned is kept.

        Returns
        -------
        error : PartitionError
            ``estimate``, and ``lower`` and ``upper`` bounds that are equal when it is exact.
        """
        labels = check_labels(labels, n_items=self.labels_.size)
        end = time.monotonic() + seconds
        while time.monotonic() < end and (refined := self._error_model.refine()) is not self._error_model:
            self._error_model = refined
        return self._error_model.error(labels)

    def _check_parameters(self) -> None:
        """Check also those that the search to be made does not look at."""
        for name, least in (("n_starts", 1), ("radius", 0), ("n_labels", 1)):
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name), least)
        check_counts(self.n_chains, self.n_draws, 0)
        check_jobs(self.n_jobs)
        process: Any = self.process
        if not isinstance(process, (GaussianPointProcess, PartitionPosterior)) and not callable(process):
            rule = "process must be a GaussianPointProcess, a PartitionPosterior or a function"
            raise TypeError(f"{rule}: got {shorten(process)}.")

    def _choose(self, X: ArrayLike | None) -> str:
        """The search to make: as asked, or by the numbers of points and labels."""
        search = check_choice("search", self.search, SEARCHES)
        if isinstance(self.process, PartitionPosterior):
            n, n_labels, given = self.process.n_items, self.process.n_labels, True
        elif isinstance(self.process, GaussianPointProcess):
            points = check_points(X, self.process.n_labels, self.process.dimension)  # type: ignore[arg-type]
            n, n_labels, given = len(points), self.process.n_labels, False
        else:
            n, n_labels, given = 1, 1, True
        possible = {"exact", "pmax", "posterior"} if isinstance(self.process, PartitionPosterior) else {"exact", "pmax"}
        if given and search not in possible | {"auto"}:
            raise ValueError(f"search must be one of {', '.join(sorted(possible))} for such a process: got {search!r}.")
        if search != "auto":
            return search
        few = n <= EXACT_POINTS if n_labels == 2 else n <= 30 and partition_count(n, n_labels) <= EXACT_PARTITIONS
        return "exact" if few else "posterior" if given or n <= DRAWN_POINTS else "pseed-faster"

    def _decide(self, X: ArrayLike | None, rng: np.random.Generator) -> Decision:
        if self.search_ == "exact":
            return self._exact(X)
        if self.search_ == "pmax":
            return self._near_mode(X)
        if isinstance(self.process, PartitionPosterior):
            labels = find_estimate(self.process, "misclassification", random_state=rng).labels
            return Decision(labels, ExactError(from_posterior(self.process)), False)
        assert isinstance(self.process, GaussianPointProcess)
        points = check_points(X, self.process.n_labels, self.process.dimension)  # type: ignore[arg-type]
        if self.search_ == "pseed":
            return self._near_seed(self.process, points, rng)
        if self.search_ == "posterior":
            return self._from_draws(self.process, points, item_names(X), rng)
        return self._large(self.process, points, rng)

    def _exact(self, X: ArrayLike | None) -> Decision:
        partitions = all_known(self.process, X, self.n_labels, self.n_jobs)
        return Decision(partitions.best(), ExactError(partitions), True)

    def _near_mode(self, X: ArrayLike | None) -> Decision:
        everything = all_known(self.process, X, self.n_labels, self.n_jobs)
        near = everything.within(everything.mode(), self._radius(everything.n_points, everything.n_labels))
        best = near.best()
        return Decision(best, ExactError(near), near.proves(best))

    def _near_seed(self, process: GaussianPointProcess, X: ArrayLike, rng: np.random.Generator) -> Decision:
        points, tables = process.bind(X)
        seed = pseed(process, points, tables, self._starts(5), rng=rng, n_jobs=self.n_jobs)
        error_model = BallBounds(points, tables, seed, self._radius(len(points), process.n_labels))
        best = error_model.best()
        return Decision(best, error_model, error_model.proves(best))

    def _from_draws(
        self, process: GaussianPointProcess, X: Any, items: list[str] | None, rng: np.random.Generator
    ) -> Decision:
        drawn = draw_with_settings(self, X, rng, least_draws=20)
        self.posterior_ = drawn.partitions(items)
        labels = find_estimate(self.posterior_, "misclassification", random_state=rng).labels
        self.diagnostics_ = diagnose(self.posterior_, labels, drawn.log_posterior)
        return Decision(labels, MonteCarloError(process, X, self.posterior_, rng, self.n_jobs), False)

    def _large(self, process: GaussianPointProcess, points: Any, rng: np.random.Generator) -> Decision:
        every_pair = self.search_ == "pseed-fast"
        labels = pseed_fast(process, points, self._starts(10), every_pair, rng=rng, n_jobs=self.n_jobs)
        tables = label_tables(bind(process, np.zeros(process.dimension), len(points)))
        return Decision(labels, PlugInError(membership_shares(points, labels, tables)), False)

    def _radius(self, n_points: int, n_labels: int) -> int:
        if self.radius is not None:
            return check_count("radius", self.radius, least=0)
        return sum(ball_size(n_points, radius, n_labels) <= SMALL_BALL for radius in range(1, n_points))

    def _starts(self, usual: int) -> int:
        return usual if self.n_starts is None else check_count("n_starts", self.n_starts)
