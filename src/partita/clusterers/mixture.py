"""Bayesian mixtures with an unknown number of clusters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._typing import FloatArray, IntArray, RandomState
from .._validation import (
    as_table,
    check_count,
    check_jobs,
    check_number,
    check_rng,
    item_names,
)
from ..components import Auto, Component
from ..constraints import Constraints, check_constraints
from ..decide import diagnose
from ..posterior import SimilarityMatrix
from ..priors import MixtureOfFiniteMixtures, PartitionPrior
from ..priors.base import check_prior
from ..samplers.run import check_counts
from ._decision import estimate_within
from ._export import as_fitted_table, cluster_means, mixture_tree
from ._sampling import (
    check_room,
    choose_component,
    column_inclusion,
    draw_chains,
    encode_table,
    make_draws,
    make_posterior,
    make_problem,
    pick_sampler,
    weigh_items,
)

MOST_ROWS = 500  # of a replicated table, unless asked for


class BayesianMixture(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Posterior over partitions from a mixture model with an unknown number of clusters.

    Parameters
    ----------
    component : str or Component
        What one cluster contributes to the likelihood. ``"auto"`` finds out what each column is: numbers form one block
        with a covariance matrix per cluster and tails as heavy as the data show; without numbers, categories and counts
        decide. Others by name: ``"student"``, ``"gaussian-full"``, ``"gaussian-diagonal"``, ``"gaussian-spherical"``,
        ``"categorical"``, ``"bernoulli"``, ``"poisson"``, ``"product"`` (columns of different kinds); or a component
        with hyperparameters such as ``Gaussian("diagonal", scale=1.0)`` or ``Product({...})``.
    prior : MixtureOfFiniteMixtures, DirichletProcess, PitmanYor or FiniteDirichlet, optional
        Prior on partitions; by default a mixture of finite mixtures, under which few clusters are likely.
    sampler : {"auto", "collapsed", "blocked"}
        How chains move: item by item, parameters integrated out, or all labels at once given parameters, which suits
        many items. ``"auto"`` takes the blocked one from 20 000 items on, unless there are constraints, columns of
        angles or compositions, or missing numbers under a covariance matrix. Both draw from the posterior.
    engine : {"threads", "torch", "dask"}
        Where the blocked sampler draws labels: on threads; with torch, on a GPU if there is one; or on the workers of a
        Dask cluster whose ``distributed.Client`` this program has.
    n_chains, n_draws : int
        Chains, and draws of each that are kept.
    n_warmup : int or "auto"
        Draws of each chain left out at its start; ``"auto"`` goes on until the chains agree or a budget is spent, and
        where draws then resemble each other too much keeps one of several sweeps. A checkpoint keeps the end of an
        automatic warm-up, not its middle: cut short, it begins again.
    fuse : bool
        Whether components that do not fit their items, and between which the density has no valley, are one cluster, so
        that a cluster that is not elliptic is not reported in pieces. Components are never fused under constraints, nor
        where columns are selected.
    select_columns : bool or float
        Whether columns, then independent in a cluster, may be irrelevant: distributed alike in all clusters. ``True``
        takes any share of relevant columns to be equally likely; a number is the prior probability of each.
    coarsening : float
        Power of the likelihood, at most 1: smaller values trust the model less, and find fewer clusters where it does
        not fit.
    loss : str or Loss
        What the estimate minimizes.
    n_jobs : int
        Threads; -1 for all cores. Draws do not depend on it. On a Dask cluster all chains run at once.
    random_state : int, Generator or None
        Seed.
    checkpoint : path, optional
        File that keeps the draws as they are made, so that a run that is cut short, at whatever moment, can go on.
    resume : bool or "repair"
        Go on from the checkpoint, if it exists: the draws come out as if the run had never been cut short. A damaged
        file is refused, with what of it is whole; ``"repair"`` keeps that and draws the rest again.

    Attributes
    ----------
    posterior_ : PartitionPosterior
        The draws of the clusters.
    component_posterior_ : PartitionPosterior
        The draws of the components, before any were fused.
    columns_ : tuple of Column or None
        What ``component="auto"`` took each column for, with reasons.
    prior_ : PartitionPrior
        The prior on partitions.
    sampler_ : str
        The sampler that was used.
    n_warmup_, thin_ : int
        Draws of each chain that were left out, and sweeps from one kept draw to the next.
    n_empty_rows_ : int
        Rows without a single entry, which do not count unless they are in some pair.
    estimate_ : PartitionEstimate
        The partition with least expected loss.
    labels_ : ndarray of int64, shape (n_items,)
        Its labels.
    n_clusters_ : int
        Its number of clusters.
    column_inclusion_ : DataFrame or None
        Posterior probability that each column is relevant (``inclusion``), where columns are selected.
    log_posterior_, concentration_ : ndarray of float, shape (n_chains * n_draws,)
        Log posterior density of each draw, up to a constant, and its concentration.
    constraints_ : Constraints or None
        The pairs that ``fit`` was told about.
    diagnostics_ : Diagnostics
        Whether the chains agree.

    See Also
    --------
    summarize : the answer in words and numbers.
    estimate_partition : other estimates from ``posterior_``.
    credible_ball : how sure the estimate is.
    GeneralizedBayesClustering : without a model.
    DirichletProcess, PitmanYor, MixtureOfFiniteMixtures, FiniteDirichlet : priors.
    Gaussian, Categorical, Poisson, Product : components.

    Notes
    -----
    Collapsed Gibbs sampling (Neal's algorithm 3) and split-merge proposals by sequential allocation (Dahl), whose
    anchors are picked near each other: component parameters are integrated out, p(c | X) ∝ p(c) Π_k m(X_k).
    Hyperparameters, heavy tails and missing entries are drawn given the clusters. The concentration is drawn as in
    Escobar and West for a Dirichlet process, by slice sampling for other priors. Chains start from k-means partitions
    into one, four, ten and twenty-five pieces. A column that is not relevant has one marginal likelihood over all
    items; which are relevant is drawn before each sweep. Components are fused by valleys of the density on the ridge
    lines of Ray and Lindsay, with the probability that they do not fit, by Mardia's kurtosis and skewness within them.

    References
    ----------
    Neal (2000). Markov chain sampling methods for Dirichlet process mixture models. Journal of Computational and
    Graphical Statistics 9, 249-265.

    Ray and Lindsay (2005). The topography of multivariate normal mixtures. Annals of Statistics 33, 2042-2065.

    Mardia (1970). Measures of multivariate skewness and kurtosis with applications. Biometrika 57, 519-530.

    Johnson (2007). Bayesian model assessment using pivotal quantities. Bayesian Analysis 2, 719-733.

    Dahl (2005). Sequentially-allocated merge-split sampler for conjugate and nonconjugate Dirichlet process mixture
    models. Technical report, Texas A&M University.

    Escobar and West (1995). Bayesian density estimation and inference using mixtures. Journal of the American
    Statistical Association 90, 577-588.

    Tadesse, Sha and Vannucci (2005). Bayesian variable selection in clustering high-dimensional data. Journal of the
    American Statistical Association 100, 602-617.

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
        component: str | Component = "auto",
        prior: PartitionPrior | None = None,
        *,
        sampler: str = "auto",
        engine: str = "threads",
        n_chains: int = 4,
        n_draws: int = 1000,
        n_warmup: int | str = "auto",
        fuse: bool = True,
        select_columns: bool | float = False,
        coarsening: float = 1.0,
        loss: Any = "vi",
        n_jobs: int = -1,
        random_state: RandomState = 0,
        checkpoint: str | Path | None = None,
        resume: bool | str = False,
    ) -> None:
        self.component = component
        self.prior = prior
        self.sampler = sampler
        self.engine = engine
        self.n_chains = n_chains
        self.n_draws = n_draws
        self.n_warmup = n_warmup
        self.fuse = fuse
        self.select_columns = select_columns
        self.coarsening = coarsening
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
        X : array-like or DataFrame, shape (n_items, n_columns); or a Dask or zarr array, Dask table or delayed blocks
            The data. The index of a DataFrame names the items. NaN is missing and integrated over, except for full and
            spherical covariances. What comes by blocks is never in memory as a whole, nor are its draws.
        y : ignored
        constraints : Constraints, optional
            Pairs of items. Hard pairs hold in every draw; a soft pair adds its log odds to the log posterior of every
            partition in which it is together, and can be out-voted.
        sample_weight : array-like of float, shape (n_items,), optional
            How often each item counts. An item of weight 2 counts as two that are never separated; one of weight 0 is
            placed in a cluster, as a new row would be, and does not count; other weights are powers of the likelihood
            and fractions of an item to the prior.
        """
        check_counts(self.n_chains, self.n_draws, 0 if self.n_warmup == "auto" else self.n_warmup)
        check_number("coarsening", self.coarsening, "be a number above 0, at most 1", lambda value: 0 < value <= 1)
        check_jobs(self.n_jobs)
        component = choose_component(self)
        self._encoded, X = encode_table(self, component, X)
        for block in self._encoded.blocks:
            block.hyper[0] = self.coarsening
        validate_data(self, X, skip_check_array=True)
        self.columns_ = component.describe(X) if isinstance(component, Auto) else None
        self.prior_ = MixtureOfFiniteMixtures() if self.prior is None else check_prior(self.prior)
        names = item_names(X) if self._folder is None else None
        if constraints is not None:
            constraints = check_constraints(constraints, self._encoded.n_items, allow_soft=True, items=names)
        self.constraints_ = constraints
        weights = weigh_items(self, self._encoded, sample_weight)
        self._problem = make_problem(self, self._encoded, constraints, weights)
        self.sampler_ = pick_sampler(self, self._encoded, constraints is not None)
        check_room(self, self._encoded)
        drawn, self.n_warmup_, self.thin_ = draw_chains(self, self._problem, self._empty)
        self._draws = make_draws(self._problem, drawn)
        self.column_inclusion_ = column_inclusion(self) if self.select_columns else None
        numbers = np.repeat(np.arange(self.n_chains), self.n_draws)
        self.component_posterior_ = make_posterior(drawn.draws, numbers, names)
        self.posterior_ = self.component_posterior_
        self.log_posterior_, self.concentration_ = drawn.log_posterior, drawn.concentration
        if self.fuse and constraints is None and not self.select_columns:
            self.posterior_ = make_posterior(self._draws.fused(), numbers, names)
        self.estimate_ = estimate_within(self.posterior_, self.loss, constraints, self._empty)
        self.labels_, self.n_clusters_ = self.estimate_.labels, self.estimate_.n_clusters
        self.diagnostics_ = diagnose(self.posterior_, self.estimate_, self.log_posterior_)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def predict(self, X: Any) -> IntArray:
        """Most probable cluster of the estimate for each new row."""
        return self.predict_proba(X)[:, :-1].argmax(axis=1)

    def predict_proba(self, X: Any) -> FloatArray:
        """Probability that a new row joins each cluster of the estimate and, in the last column, none of them."""
        return self._score(X)[1]

    def score_samples(self, X: Any) -> FloatArray:
        """Log posterior predictive density of each new row."""
        return self._score(X)[0]

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """Mean log posterior predictive density of new rows, by which cross-validation compares models."""
        return float(self.score_samples(X).mean())

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
        rows, labels = self._draws.sample_rows(picked, self.labels_, rng)
        return as_fitted_table(self, rows), labels

    def sample_tables(self, n_tables: int = 50, n_rows: int | None = None, random_state: RandomState = 0) -> list[Any]:
        """Replicated tables: what the model expects another table of new items to look like.

        Parameters
        ----------
        n_tables : int
            How many, from draws spread evenly over the chains.
        n_rows : int, optional
            Rows of each; by default as many as there are items, at most 500.
        random_state : int, Generator or None
            Seed.

        Returns
        -------
        tables : list of ndarray or, if fitted to one, DataFrame, shape (n_rows, n_columns)
            The rows of a table share their clusters and parameters, those of different tables do not.
        """
        check_is_fitted(self, "posterior_")
        n_tables, rng = check_count("n_tables", n_tables), check_rng(random_state)
        n_rows = min(len(self.labels_), MOST_ROWS) if n_rows is None else check_count("n_rows", n_rows)
        picked = np.linspace(0, len(self._draws) - 1, n_tables).astype(int)
        return [as_fitted_table(self, self._draws.sample_table(m, n_rows, rng)) for m in picked]

    def to_arviz(self, log_likelihood: bool = True, n_tables: int = 50, random_state: RandomState = 0) -> Any:
        """The fit in ArviZ's exchange format, for ``loo``, ``compare``, ``summary`` and its figures.

        Parameters
        ----------
        log_likelihood : bool
            Whether to add what ``arviz.loo`` needs; left out under constraints, weights and coarsening.
        n_tables : int
            Replicated tables, as of `sample_tables`, for ``arviz.plot_ppc``; 0 for none.
        random_state : int, Generator or None
            Seed of those.

        Returns
        -------
        tree : DataTree, or InferenceData where ArviZ before 1.0 is installed
            ``posterior``: labels ``z``, ``n_clusters``, ``concentration`` and the learned hyperparameters.
            ``sample_stats``: ``lp``, the log posterior. ``log_likelihood``: ``x``, item by item.
            ``posterior_predictive`` and ``observed_data``: columns by name, categories by number.

        Notes
        -----
        The log likelihood of item i in a draw is log p(x_i | x_j, c_j for all j ≠ i), with the item's own cluster c_i
        and all parameters of components integrated over. Its harmonic mean over draws is exactly p(x_i | all x_j, j ≠
        i), so that ``arviz.loo`` estimates what refits without each item would give. The density of an item in the
        cluster it was drawn into would do so with much larger errors, and that given statistics which count the item
        itself would not. ``p_loo`` and WAIC have no meaning here, since no item is scored by parameters that saw it.
        Hyperparameters that are taken from the columns (means, variances) stay those of the whole table.

        References
        ----------
        Vehtari, Gelman and Gabry (2017). Practical Bayesian model evaluation using leave-one-out cross-validation and
        WAIC. Statistics and Computing 27, 1413-1432.

        Vehtari, Mononen, Tolvanen, Sivula and Winther (2016). Bayesian leave-one-out cross-validation approximations
        for Gaussian latent variable models. Journal of Machine Learning Research 17, 1-38.
        """
        check_is_fitted(self, "posterior_")
        tables = self.sample_tables(n_tables, random_state=random_state) if n_tables else []
        return mixture_tree(self, log_likelihood, tables)

    def overlap(self) -> SimilarityMatrix:
        """Expected overlap of the densities of each two items' components, as far as those do not fit their items."""
        check_is_fitted(self, "posterior_")
        return SimilarityMatrix(self._draws.overlap(), self.posterior_.items)

    @property
    def cluster_weights_(self) -> FloatArray:
        """Share of the items in each cluster of the estimate, by their weights where they have some."""
        check_is_fitted(self, "posterior_")
        shares = np.bincount(self.labels_, self._problem.chunklets.weight)
        return shares / shares.sum()

    @property
    def cluster_means_(self) -> FloatArray:
        """Mean of each column in each cluster of the estimate; NaN for categories and columns left out."""
        check_is_fitted(self, "posterior_")
        return cluster_means(self._encoded, self.labels_, self._problem.chunklets.weight)

    def _score(self, X: Any) -> tuple[FloatArray, FloatArray]:
        check_is_fitted(self, "posterior_")
        as_table(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return self._draws.score(X, self.labels_)
