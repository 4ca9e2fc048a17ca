"""Bayesian mixtures with an unknown number of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._typing import FloatArray, IntArray, RandomState
from .._validation import as_table, check_count, check_item_weights, check_jobs, check_rng, item_names
from ..components import Component, check_component
from ..constraints import Constraints, check_constraints
from ..constraints.chunklets import check_feasible, repair, weighted_chunklets
from ..decide import diagnose
from ..posterior import PartitionPosterior
from ..priors import DirichletProcess, FiniteDirichlet, Gamma, PartitionPrior
from ..samplers.checkpoint import digest, open_checkpoint
from ..samplers.collapsed import Chain, init, make_problem, sweep
from ..samplers.predictive import FittedDraw, fit_one_draw, sample_row, score_rows
from ..samplers.run import run_chains
from ..samplers.starts import starts_at_resolutions
from ._decision import estimate_within

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
    checkpoint : path, optional
        File that keeps the draws as they are made, so that a run that is cut short, at whatever moment, can go on.
    resume : bool
        Go on from the checkpoint, if it exists: the draws come out as if the run had never been cut short.

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

    See Also
    --------
    estimate_partition : other estimates from ``posterior_``.
    credible_ball : how sure the estimate is.
    GeneralizedBayesClustering : without a model.
    DirichletProcess, PitmanYor, MixtureOfFiniteMixtures, FiniteDirichlet : priors.
    Gaussian, Categorical, Poisson, Product : components.

    Notes
    -----
    Collapsed Gibbs sampling (Neal's algorithm 3) and split-merge proposals (Jain and Neal) whose launch states are made
    by sequential allocation (Dahl): component parameters are integrated out, p(c | X) ∝ p(c) Π_k m(X_k). The
    concentration is drawn as in Escobar and West for a Dirichlet process, by slice sampling for other priors. Chains
    start from k-means partitions at several resolutions.

    References
    ----------
    Neal (2000). Markov chain sampling methods for Dirichlet process mixture models. Journal of Computational and
    Graphical Statistics 9, 249-265.

    Jain and Neal (2004). A split-merge Markov chain Monte Carlo procedure for the Dirichlet process mixture model.
    Journal of Computational and Graphical Statistics 13, 158-182.

    Dahl (2005). Sequentially-allocated merge-split sampler for conjugate and nonconjugate Dirichlet process mixture
    models. Technical report, Texas A&M University.

    Escobar and West (1995). Bayesian density estimation and inference using mixtures. Journal of the American
    Statistical Association 90, 577-588.

    Miller and Harrison (2018). Mixture models with a prior on the number of components. Journal of the American
    Statistical Association 113, 340-356.

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
        random_state: RandomState = 0,
        checkpoint: str | Path | None = None,
        resume: bool = False,
    ) -> None:
        self.component = component
        self.prior = prior
        self.n_chains = n_chains
        self.n_draws = n_draws
        self.n_warmup = n_warmup
        self.loss = loss
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.resume = resume

    def fit(
        self,
        X: Any,
        y: Any = None,  # noqa: ARG002
        constraints: Constraints | None = None,
        sample_weight: Any = None,
    ) -> BayesianMixture:
        """Draw from the posterior and estimate the partition.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_items, n_columns)
            The data. The index of a DataFrame names the items. NaN is missing and integrated over, except for full and
            spherical covariances.
        y : ignored
        constraints : Constraints, optional
            Pairs of items. Hard pairs hold in every draw; a soft pair adds its log odds to the log posterior of every
            partition in which it is together, and can be out-voted.
        sample_weight : array-like of float, shape (n_items,), optional
            How often each item counts. An item of weight 2 counts as two that are never separated; one of weight 0 is
            placed in a cluster, as a new row would be, and does not count; other weights are powers of the likelihood
            and fractions of an item to the prior.
        """
        for name in ("n_chains", "n_draws"):
            check_count(name, getattr(self, name))
        check_count("n_warmup", self.n_warmup, least=0)
        check_jobs(self.n_jobs)
        self._encoded = check_component(self.component).encode(X)
        validate_data(self, X, skip_check_array=True)
        prior = DirichletProcess(Gamma(1, 1)) if self.prior is None else self.prior
        known = check_constraints(constraints, self._encoded.n_items, allow_soft=True, items=item_names(X))
        weights = check_item_weights(sample_weight, self._encoded.n_items)
        self._problem = make_problem(self._encoded, prior, *weighted_chunklets(known, weights))
        chains = self._run_chains(known, prior)
        self.posterior_ = PartitionPosterior(
            np.concatenate([chain.draws for chain in chains]),
            chains=np.repeat(np.arange(self.n_chains), self.n_draws),
            items=item_names(X),
        )
        self.log_posterior_ = np.concatenate([chain.log_posterior for chain in chains])
        self.concentration_ = np.concatenate([chain.concentration for chain in chains])
        self._hyper = np.concatenate([chain.hyper for chain in chains])
        self._latent = np.concatenate([chain.latent for chain in chains])
        self.estimate_ = estimate_within(self.posterior_, self.loss, known)
        self.labels_ = self.estimate_.labels
        self.n_clusters_ = self.estimate_.n_clusters
        self.diagnostics_ = diagnose(self.posterior_, self.estimate_, self.log_posterior_)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _run_chains(self, known: Constraints, prior: PartitionPrior) -> list[Chain]:
        *rngs, start_rng = check_rng(self.random_state).spawn(self.n_chains + 1)
        labels = starts_at_resolutions(self._encoded, self.n_chains, start_rng)
        most_clusters = prior.n_components if isinstance(prior, FiniteDirichlet) else None
        if most_clusters is not None:
            check_feasible(known, most_clusters)
        labels = [repair(start, known, most_clusters) for start in labels]
        starts = [init(self._problem, start, rng, self.n_warmup) for start, rng in zip(labels, rngs, strict=True)]
        settings: dict[str, Any] = {name: getattr(self, name) for name in ("n_chains", "n_warmup", "n_draws")}
        blocks = self._encoded.blocks
        settings |= {"data": digest(*(block.x for block in blocks))}
        settings |= {"model": digest(*(block.hyper for block in blocks), self._problem.params)}
        settings |= {"constraints": digest(self._problem.chunklets)}
        with open_checkpoint(self.checkpoint, self.resume, starts[0], self.random_state, **settings) as checkpoint:
            return run_chains(
                partial(sweep, self._problem),
                starts, self.n_warmup, self.n_draws, chain=Chain, n_jobs=self.n_jobs, checkpoint=checkpoint
            )  # fmt: skip

    def predict(self, X: Any) -> IntArray:
        """Most probable cluster of the estimate for each new row."""
        return self.predict_proba(X)[:, :-1].argmax(axis=1)

    def predict_proba(self, X: Any) -> FloatArray:
        """Probability that a new row joins each cluster of the estimate and, in the last column, none of them."""
        return self._score(X)[1]

    def score_samples(self, X: Any) -> FloatArray:
        """Log posterior predictive density of each new row."""
        return self._score(X)[0]

    def sample(self, n_rows: int = 1, random_state: RandomState = 0) -> tuple[Any, IntArray]:
        """New rows from the posterior predictive distribution, and their clusters in the estimate (-1: none of them).

        Parameters
        ----------
        n_rows : int
            How many.
        random_state : int, Generator or None
            Seed.

        Returns
        -------
        rows : ndarray or, if fitted to one, DataFrame, shape (n_rows, n_columns)
        labels : ndarray of int64, shape (n_rows,)
        """
        check_is_fitted(self, "posterior_")
        rng = check_rng(random_state)
        picked = rng.integers(self.posterior_.n_draws, size=check_count("n_rows", n_rows))
        drawn = [sample_row(self._problem, draw, rng) for draw in self._fit_draws(picked)]
        rows, labels = [row for row, _ in drawn], np.array([label for _, label in drawn])
        if hasattr(self, "feature_names_in_"):
            import pandas as pd

            return pd.DataFrame(rows, columns=self.feature_names_in_), labels
        return np.array(rows), labels

    def _score(self, X: Any) -> tuple[FloatArray, FloatArray]:
        check_is_fitted(self, "posterior_")
        as_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        n_draws = self.posterior_.n_draws
        picked = np.linspace(0, n_draws - 1, min(n_draws, MOST_PREDICTIVE)).astype(int)
        return score_rows(self._problem, X, self._fit_draws(picked))

    def _fit_draws(self, picked: Iterable[int]) -> Iterator[FittedDraw]:
        """Some draws with their clusters' statistics."""
        for m in picked:
            yield fit_one_draw(
                self._problem,
                self.posterior_.draws[m].astype(np.int64),
                concentration=float(self.concentration_[m]),
                hyper=self._hyper[m],
                latent=self._latent[m].astype(float),
                estimate=self.labels_,
            )
