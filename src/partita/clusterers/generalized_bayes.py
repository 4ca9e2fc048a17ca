"""Generalized Bayes: a Gibbs posterior over partitions from the cost of k-means, or from any dissimilarity."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from .._kernels.costs.bregman import RowData
from .._typing import IntArray, RandomState
from .._validation import check_jobs, check_memory, check_rng, item_names
from ..constraints import Constraints, check_constraints
from ..constraints.chunklets import make_chunklets, repair_to
from ..costs import Cost, Precomputed, check_cost
from ..costs.items import BregmanItems, magnitude, total_cost
from ..decide import PartitionEstimate, diagnose
from ..decide.result import evaluate_labels
from ..losses import Loss
from ..partitions import canonical
from ..posterior import PartitionPosterior
from ..priors import Gamma
from ..samplers.checkpoint import open_checkpoint
from ..samplers.fixed_k import Chain, Problem, init, labels_of_chunklets, make_problem, sweep, valid_labels
from ..samplers.records import Format, digest
from ..samplers.run import check_counts, run_chains
from ..samplers.starts import fixed_number_starts
from ._decision import estimate_within
from ._points import read_points
from .least_cost import Found, find_medoids, hartigan, predict_least_cost, search_least_cost

EFFORT = (10, 300)  # searches for the partition with least cost, and most iterations of each


class GeneralizedBayesClustering(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Gibbs posterior over partitions into a given number of clusters, from a cost instead of a likelihood.

    The posterior probability of a partition is proportional to ``exp(-rate * cost)``: the coherent way to be uncertain
    about the best partition when all one believes in is the cost, such as that of k-means.

    Parameters
    ----------
    n_clusters : int
        Number of clusters; none is ever empty.
    cost : str or Cost
        ``"squared-euclidean"``, ``"mahalanobis"``, ``"kullback-leibler"``, ``"itakura-saito"``, ``"logistic"``,
        ``"poisson-deviance"``, ``"manhattan"``, ``"euclidean"``, ``"precomputed"`` (``X`` is then a matrix of
        dissimilarities), or a cost with parameters from :mod:`partita.costs`.
    rate : float, Gamma or None
        How much the cost weighs. A ``Gamma`` prior is met with the data, under squared Euclidean, Mahalanobis and
        Minkowski costs and where dissimilarities are told their dimension. None is ``Gamma(0, 0)`` there, and under
        other costs the rate at which the cost is a negative log likelihood.
    rate_dof : {"items", "residual"}
        Degrees of freedom of the rate, per column and up to a factor of the cost's: the number of items, as in a
        profile likelihood, or that less the number of clusters, which does not overstate the rate when clusters are
        small.
    loss : str or Loss
        What ``labels_`` minimize: ``"map"``, the cost itself, or the expectation of any loss that
        :func:`estimate_partition` takes.
    n_chains, n_draws, n_warmup : int
        Chains, and draws of each kept after those of the warm-up.
    n_jobs : int
        Threads; -1 for all cores. Draws do not depend on it.
    random_state : int, Generator or None
        Seed.
    checkpoint, resume : path, bool or "repair"
        File that keeps the draws as they are made, and whether to go on from it, as for :class:`BayesianMixture`.

    Attributes
    ----------
    posterior_ : PartitionPosterior
        The draws.
    estimate_ : PartitionEstimate
        The partition to report, with its expected loss.
    labels_ : ndarray of int64, shape (n_items,)
        Its labels.
    n_clusters_ : int
        Its number of clusters: ``n_clusters`` unless a loss was named.
    cost_ : float
        What it costs.
    rate_, log_posterior_ : ndarray of float, shape (n_chains * n_draws,)
        Rate of each draw, and its log posterior density up to a constant.
    medoids_ : ndarray of int64, shape (n_clusters,)
        The item at the heart of each cluster.
    cluster_centers_ : ndarray, shape (n_clusters, n_columns)
        Mean of each cluster, shrunk where the cost says so; under pairwise costs the row of its medoid.
    medoid_disagreement_ : ndarray, shape (n_items,)
        Posterior probability that an item is not in one cluster with the medoid of its own.
    constraints_ : Constraints or None
        The pairs that ``fit`` was told about.
    diagnostics_ : Diagnostics
        Whether the chains agree.

    See Also
    --------
    BregmanKMeans, KDissimilarities : the partition with least cost alone.
    cost_table : costs by number of clusters.
    BayesianMixture : with a model, and an unknown number of clusters.

    Notes
    -----
    Gibbs sampling of p(c | X) ∝ exp(-rate Σ_k cost of cluster k) over partitions into exactly ``n_clusters`` clusters,
    with moves that merge two clusters and then split one; a learned rate has a Gamma full conditional.

    References
    ----------
    Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic clustering. Biometrika 110,
    559-578.

    Examples
    --------
    >>> import partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=60)
    >>> found = pt.GeneralizedBayesClustering(n_clusters=4, n_chains=2, n_draws=200, n_warmup=100).fit(X)
    >>> found.posterior_
    PartitionPosterior: 400 draws of 60 items, ... clusters, 2 chains
    >>> found.medoid_disagreement_[found.medoids_]
    array([0., 0., 0., 0.])
    """

    def __init__(
        self,
        n_clusters: int = 2,
        cost: str | Cost = "squared-euclidean",
        rate: float | Gamma | None = None,
        *,
        rate_dof: str = "items",
        loss: str | Loss = "map",
        n_chains: int = 4,
        n_draws: int = 1000,
        n_warmup: int = 1000,
        n_jobs: int = -1,
        random_state: RandomState = 0,
        checkpoint: str | Path | None = None,
        resume: bool | str = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.cost = cost
        self.rate = rate
        self.rate_dof = rate_dof
        self.loss = loss
        self.n_chains = n_chains
        self.n_draws = n_draws
        self.n_warmup = n_warmup
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.resume = resume

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.cost == "precomputed" or isinstance(self.cost, Precomputed)
        return tags

    def fit(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        constraints: Constraints | None = None,
    ) -> GeneralizedBayesClustering:
        """Draw from the posterior and decide on a partition.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_items, n_columns)
            The data, or dissimilarities of all items. The index of a DataFrame names the items.
        y : ignored
        constraints : Constraints, optional
            Pairs of items. Hard pairs hold in every draw; a soft pair adds its log odds to the log posterior of every
            partition in which it is together, and can be out-voted.
        """
        check_counts(self.n_chains, self.n_draws, self.n_warmup)
        check_jobs(self.n_jobs)
        rows = read_points(self, X, ensure_all_finite=False)
        self._items = check_cost(self.cost).encode(rows)
        known = check_constraints(constraints, self._items.n_items, allow_soft=True, items=item_names(X))
        self.constraints_ = None if constraints is None else known
        chunklets = None if constraints is None else make_chunklets(known)
        problem = make_problem(self._items, self.n_clusters, self.rate, self.rate_dof, chunklets=chunklets)
        n_draws, n_items = self.n_chains * self.n_draws, self._items.n_items
        check_memory(n_draws * (n_items + 16), f"The {n_draws} draws of {n_items} items", "Take fewer draws.")
        search_rng, *rngs = check_rng(self.random_state).spawn(self.n_chains + 1)
        found = search_least_cost(self._items, problem.n_clusters, EFFORT, self.n_jobs, search_rng)
        _refuse_costless(problem, found.cost)
        starts = fixed_number_starts(self._items, problem.n_clusters, self.n_chains, search_rng)
        if constraints is not None:
            starts = [repair_to(start, known, problem.n_clusters) for start in starts]
            labels = labels_of_chunklets(problem, repair_to(found.labels, known, problem.n_clusters))
            found = hartigan(problem.data, labels, problem.n_clusters, EFFORT[1])
            found = found._replace(labels=found.labels[known.chunklets])
        chains = self._run_chains(problem, [found.labels, *starts], rngs)
        self.posterior_ = PartitionPosterior(
            np.concatenate([chain.draws for chain in chains]),
            chains=np.repeat(np.arange(self.n_chains), self.n_draws),
            items=item_names(X),
        )
        self.log_posterior_ = np.concatenate([chain.log_posterior for chain in chains])
        self.rate_ = np.concatenate([chain.rate for chain in chains])
        self.estimate_ = self._decide(problem, found, known)
        self.labels_ = self.estimate_.labels
        self._describe()
        return self

    def _run_chains(self, problem: Problem, labels: list[IntArray], rngs: list[np.random.Generator]) -> list[Chain]:
        """Chains from the partition with least cost, from one at random, and from items by their nearest seeds."""
        starts = [init(problem, start, rng) for start, rng in zip(labels, rngs, strict=False)]
        settings: dict[str, Any] = {name: getattr(self, name) for name in ("n_chains", "n_warmup", "n_draws")}
        data = problem.data
        if isinstance(data, RowData):
            data = data._replace(address=0)  # a user's function has another in every run
        settings |= {
            "data": digest(type(problem.data).__name__, *data),
            "model": digest(problem.params, problem.fixed_rate, self.n_clusters),
        }
        form = Format(Chain, partial(valid_labels, problem))
        with open_checkpoint(self.checkpoint, self.resume, starts, form, self.random_state, **settings) as checkpoint:
            drawn = run_chains(
                partial(sweep, problem),
                starts, self.n_warmup, self.n_draws, n_jobs=self.n_jobs, checkpoint=checkpoint
            )  # fmt: skip
        return [chain for chain, _ in drawn]

    def _decide(self, problem: Problem, least: Found, known: Constraints) -> PartitionEstimate:
        """Partition with least cost over the searches and the draws, or with least expected loss."""
        if self.loss != "map":
            return estimate_within(self.posterior_, self.loss, known)
        power = max(problem.params.shape - 1, 0.0)
        costs = (power * np.log(self.rate_) - self.log_posterior_) / self.rate_
        labels = labels_of_chunklets(problem, self.posterior_.draws[costs.argmin()].astype(np.int64))
        nearby = hartigan(problem.data, labels, problem.n_clusters, EFFORT[1], float(self.rate_.mean()))
        nearby = nearby._replace(labels=nearby.labels[known.chunklets])
        found = nearby if known.is_soft else min(least, nearby, key=lambda found: found.cost)
        return evaluate_labels(canonical(found.labels), self.posterior_, search="the partition with least cost")

    def _describe(self) -> None:
        """Set medoids, centers, cost and disagreement with the medoid."""
        labels, draws = self.labels_, self.posterior_.draws
        self.n_clusters_ = int(labels.max()) + 1
        self.cost_ = total_cost(self._items, labels)
        self.medoids_ = find_medoids(self._items, labels)
        if isinstance(self._items, BregmanItems):
            self.cluster_centers_ = self._items.restore(self._items.centers(labels))
        elif self._items.rows.size:
            self.cluster_centers_ = self._items.rows[self.medoids_]
        self.medoid_disagreement_ = np.empty(labels.size)
        for k, medoid in enumerate(self.medoids_):
            apart = draws[:, labels == k] != draws[:, [medoid]]
            self.medoid_disagreement_[labels == k] = apart.mean(axis=0)
        self.diagnostics_ = diagnose(self.posterior_, labels, self.log_posterior_)

    def predict(self, X: Any) -> IntArray:
        """Cluster of ``labels_`` for each new row: of the nearest center, or the one to whose cost it adds least.

        With ``cost="precomputed"`` rows hold the dissimilarities to the items of ``fit``.
        """
        return predict_least_cost(self, X)


def _refuse_costless(problem: Problem, least: float) -> None:
    """Raise where the posterior of the rate would have no finite mass, some partition costing nothing."""
    if problem.params.shape > 0 and problem.params.offset == 0 and least <= 1e-12 * magnitude(problem.data):
        help_ = "Pass a number, or a Gamma with a positive rate."
        got = f"n_samples={problem.n_items} with equal items together in {problem.n_clusters} cluster(s)"
        raise ValueError(f"rate must not be learned where a partition costs nothing: got {got}. {help_}")
