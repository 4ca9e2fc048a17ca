"""Bayesian mixtures with an unknown number of clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from .._check import FloatArray, IntArray, check_count, check_rng
from .._kernels.chain import renew_prior
from .._kernels.gibbs import seat_all
from .._kernels.predictive import add_draw
from .._parallel import run_parallel
from .._progress import Progress
from ..components import Component, check_component, encode_new
from ..diagnostics import diagnose
from ..estimate import estimate_partition
from ..hyperpriors import Gamma
from ..posterior import PartitionPosterior
from ..priors import DirichletProcess, PartitionPrior
from ..samplers.mixture import (
    MOVES,
    Chain,
    State,
    block_size,
    density_alone,
    init,
    make_clusters,
    make_prior,
    make_problem,
    make_seating,
    sample,
    without_warmup,
)
from ..samplers.starts import overdispersed_starts

MOST_PREDICTIVE = 200  # draws that speak about new items


class BayesianMixture(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Posterior over partitions from a mixture model with an unknown number of clusters.

    Parameters
    ----------
    component : str or Component
        What one cluster contributes to the likelihood: ``"gaussian-diagonal"``, ``"gaussian-full"``,
        ``"gaussian-spherical"``, ``"bernoulli"``, ``"categorical"``, ``"poisson"``, ``"product"`` (columns of different
        kinds), or a component with hyperparameters such as ``Gaussian(strength=0.5)``.
    prior : DirichletProcess, PitmanYor, MixtureOfFiniteMixtures or FiniteDirichlet, optional
        Prior on partitions; by default a Dirichlet process with a ``Gamma(1, 1)`` concentration.
    n_chains, n_draws, n_warmup : int
        Chains, and draws of each kept after those of the warm-up.
    loss : str or Loss
        What the estimate minimises.
    n_jobs : int
        Threads; -1 for all cores. Draws do not depend on it.
    random_state : int, Generator or None
        Seed.

    Attributes
    ----------
    posterior_ : PartitionPosterior
        The draws.
    estimate_ : PartitionEstimate
        The partition with least expected loss.
    labels_ : ndarray of int64, shape (n_items,)
        Its labels.
    n_clusters_ : int
        Its number of clusters.
    log_posterior_, concentration_ : ndarray of float, shape (n_chains * n_draws,)
        Log posterior density of each draw, up to a constant, and its concentration.
    diagnostics_ : Diagnostics
        Whether the chains agree.

    Examples
    --------
    >>> import partita as pt
    >>> X, truth = pt.datasets.make_quadrants(n_items=60)
    >>> mixture = pt.BayesianMixture(n_chains=2, n_draws=200, n_warmup=200).fit(X)
    >>> mixture.posterior_
    PartitionPosterior: 400 draws of 60 items, ... clusters, 2 chains
    >>> mixture.predict_proba([[2.0, 2.0]]).sum().round(6)
    np.float64(1.0)
    """

    def __init__(
        self,
        component: str | Component = "gaussian-diagonal",
        prior: PartitionPrior | None = None,
        *,
        n_chains: int = 4,
        n_draws: int = 1000,
        n_warmup: int = 1000,
        loss: Any = "vi",
        n_jobs: int = -1,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.component = component
        self.prior = prior
        self.n_chains = n_chains
        self.n_draws = n_draws
        self.n_warmup = n_warmup
        self.loss = loss
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> BayesianMixture:  # noqa: ARG002
        """Draw from the posterior and estimate the partition.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_items, n_columns)
            The data. The index of a DataFrame names the items. NaN is missing and integrated over, except for full and
            spherical covariances.
        y : ignored
        """
        for name in ("n_chains", "n_draws"):
            check_count(name, getattr(self, name))
        check_count("n_warmup", self.n_warmup, least=0)
        self._encoded = check_component(self.component).encode(X)
        self.n_features_in_ = len(self._encoded.columns)
        prior = DirichletProcess(Gamma(1, 1)) if self.prior is None else self.prior
        self._problem = make_problem(self._encoded, prior)
        chains = self._run_chains()
        self.posterior_ = PartitionPosterior(
            np.concatenate([chain.draws for chain in chains]),
            chains=np.repeat(np.arange(self.n_chains), self.n_draws),
            items=_item_names(X),
        )
        self.log_posterior_ = np.concatenate([chain.log_posterior for chain in chains])
        self.concentration_ = np.concatenate([chain.concentration for chain in chains])
        self.estimate_ = estimate_partition(self.posterior_, self.loss)
        self.labels_ = self.estimate_.labels
        self.n_clusters_ = self.estimate_.n_clusters
        self.diagnostics_ = diagnose(self.posterior_, self.estimate_, self.log_posterior_)
        return self

    def _run_chains(self) -> list[Chain]:
        *rngs, start_rng = check_rng(self.random_state).spawn(self.n_chains + 1)
        starts = overdispersed_starts(self._encoded.table, self.n_chains, start_rng)
        n_blocks = self.n_chains * -(-(self.n_warmup + self.n_draws) // block_size(self._problem.n_items))
        with Progress("Sampling", n_blocks) as progress:

            def hear(state: State) -> None:
                progress.advance(1, f"{state.labels.max() + 1} clusters")

            def run(number: int) -> Chain:
                state = init(self._problem, starts[number], rngs[number])
                chain = sample(self._problem, state, self.n_warmup + self.n_draws, MOVES["both"], hear)
                return without_warmup(chain, self.n_warmup)

            return run_parallel(run, range(self.n_chains), self.n_jobs)

    def predict(self, X: Any) -> IntArray:
        """Most probable cluster of the estimate for each new row."""
        return self.predict_proba(X)[:, :-1].argmax(axis=1)

    def predict_proba(self, X: Any) -> FloatArray:
        """Probability that a new row joins each cluster of the estimate and, in the last column, none of them."""
        return self._predictive(X)[1]

    def score_samples(self, X: Any) -> FloatArray:
        """Log posterior predictive density of each new row."""
        return self._predictive(X)[0]

    def _predictive(self, X: Any) -> tuple[FloatArray, FloatArray]:
        """Log density of new rows, and the probabilities that they join each cluster, averaged over draws."""
        check_is_fitted(self, "posterior_")
        table, hyper, n_items = encode_new(self._encoded, X), self._encoded.hyper, self.posterior_.n_items
        n_rows, alone = len(table.numbers), density_alone(table, hyper)
        log_density, joins = np.full(n_rows, -np.inf), np.zeros((n_rows, self.n_clusters_ + 1))
        n_draws = min(self.posterior_.n_draws, MOST_PREDICTIVE)
        picked = np.linspace(0, self.posterior_.n_draws - 1, n_draws).astype(int)
        for m in picked:
            labels = self.posterior_.draws[m].astype(np.int64)
            capacity = int(labels.max()) + 2
            clusters, seating = make_clusters(capacity, hyper), make_seating(n_items, capacity)
            prior, work = make_prior(n_items, capacity), np.empty(table.numbers.shape[1] + 1)
            # The weights of an item that comes after all the others.
            renew_prior(self._problem.law, float(self.concentration_[m]), n_items + 1, prior)
            seat_all(labels, self._encoded.table, hyper, clusters, seating, work)
            share = np.zeros((capacity, self.n_clusters_))
            np.add.at(share, (labels, self.labels_), 1.0)
            share /= np.maximum(share.sum(axis=1, keepdims=True), 1.0)
            scores = np.empty(capacity + 1)
            add_draw(n_rows, alone, prior, share, table, hyper, clusters, seating, work, scores, log_density, joins)
        return log_density - np.log(n_draws), joins / n_draws


def _item_names(X: Any) -> list[str] | None:
    """Names of the items, where the table has an index that names them."""
    index = getattr(X, "index", None)
    if index is None or callable(index) or list(index) == list(range(len(index))) or not index.is_unique:
        return None
    return [str(name) for name in index]
