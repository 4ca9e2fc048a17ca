"""Bayes labeler: the label function with least expected share of wrong labels under a point process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator

from .._typing import FloatArray, IntArray, LabelRows, RandomState
from .._validation import check_choice, check_count, check_jobs, check_rng, shorten
from ..decide import diagnose
from ..posterior import PartitionPosterior
from ..samplers.run import check_counts
from ._validation import check_points
from .draws import draw_with_settings
from .enumeration import Process
from .likelihood import label_tables, log_probabilities
from .process import GaussianPointProcess

MOST_FUNCTIONS, MOST_CALLS, BLOCK = 2**24, 2**20, 2**16


class BayesLabeler(BaseEstimator):  # type: ignore[misc]
    """The label function with least expected share of wrong labels, and that share.

    Labels are not clusters: a label says which of the process's distributions a point came from, and where those
    cannot be told apart no labeling is better than guessing, however clear the clusters.

    Parameters
    ----------
    process : GaussianPointProcess or callable
        Where the points come from. A callable is given the points and a label function, and returns the logarithm of
        its probability up to a constant.
    search : str
        ``"exact"``: all label functions. ``"posterior"``: draws of label functions. ``"auto"``: exact up to a
        million label functions.
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
        Label of each point, numbered as in the process.
    label_probabilities_ : ndarray, shape (n_points, n_labels)
        Marginal probability of each label of each point.
    error_ : float
        Expected share of wrong labels, equation (11).
    search_ : str
        The search that was made.
    posterior_, diagnostics_ : PartitionPosterior, Diagnostics
        After ``"posterior"`` alone: the partitions of the draws, and whether the chains agree.

    See Also
    --------
    BayesClusterer : clusters rather than labels.
    GaussianPointProcess : where points come from.

    Notes
    -----
    The label of largest marginal probability at every point: by enumeration of the label functions, or by Gibbs
    sampling of them.

    References
    ----------
    Dalton, Benalcázar, Brun and Dougherty (2015). Analytic representation of Bayes labeling and Bayes clustering
    operators for random labeled point processes. IEEE Transactions on Signal Processing 63.

    Examples
    --------
    >>> from partita import GaussianPointProcess
    >>> process = GaussianPointProcess.known([[0], [3]], covariances=1.0)
    >>> labeler = BayesLabeler(process).fit([[3.3], [0.3], [1.4]])
    >>> labeler.labels_
    array([1, 0, 0])
    >>> labeler.label_probabilities_.round(3)
    array([[0.004, 0.996],
           [0.973, 0.027],
           [0.574, 0.426]])
    """

    def __init__(
        self,
        process: Process,
        search: str = "auto",
        *,
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
        self.n_draws = n_draws
        self.n_chains = n_chains
        self.n_labels = n_labels
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.resume = resume

    def fit(self, X: ArrayLike, y: Any = None) -> BayesLabeler:  # noqa: ARG002
        """Label the points; ``y`` is ignored."""
        if isinstance(self.process, PartitionPosterior):
            raise TypeError("process must give probabilities to labels: got a PartitionPosterior, which has clusters.")
        if not isinstance(self.process, GaussianPointProcess) and not callable(self.process):
            raise TypeError(f"process must be a GaussianPointProcess or a function: got {shorten(self.process)}.")
        check_counts(self.n_chains, self.n_draws, 0)
        check_jobs(self.n_jobs)
        search = check_choice("search", self.search, ("auto", "exact", "posterior"))
        modeled = isinstance(self.process, GaussianPointProcess)
        if isinstance(self.process, GaussianPointProcess):
            check_points(X, self.process.n_labels, self.process.dimension)
        n_labels = self.process.n_labels if modeled else check_count("n_labels", self.n_labels)  # type: ignore[union-attr]
        n_functions = n_labels ** len(np.asarray(X))
        if search == "auto":
            search = "exact" if not modeled or n_functions <= MOST_CALLS else "posterior"
        if search == "posterior" and not modeled:
            raise ValueError('search must be "exact" for a process without a model: got "posterior".')
        self.search_ = search
        probabilities = self._exact(X, n_labels, n_functions) if search == "exact" else self._drawn(X)
        self.label_probabilities_ = probabilities
        self.labels_ = probabilities.argmax(axis=1)
        self.error_ = float(1 - probabilities.max(axis=1).mean())
        return self

    def fit_predict(self, X: ArrayLike, y: Any = None) -> IntArray:
        """The labels of the points."""
        return self.fit(X, y).labels_

    def _exact(self, X: ArrayLike, n_labels: int, n_functions: int) -> FloatArray:
        """Marginal label probabilities, by enumeration of all label functions."""
        modeled = isinstance(self.process, GaussianPointProcess)
        if n_functions > (MOST_FUNCTIONS if modeled else MOST_CALLS):
            raise ValueError(
                f'X must hold fewer points for search="exact": got {len(np.asarray(X))}, with {n_functions:.1e} label '
                'functions. Use search="posterior".'
            )
        marginals, highest = np.zeros((len(np.asarray(X)), n_labels)), -np.inf
        for rows in _label_functions(len(marginals), n_labels):
            log_p = self._log_probabilities(X, rows)
            top = max(highest, float(log_p.max()))
            if top == -np.inf:
                continue
            p = np.exp(log_p - top)
            marginals = marginals * np.exp(highest - top)
            marginals += np.stack([p @ (rows == k) for k in range(n_labels)], axis=1)
            highest = top
        if highest == -np.inf:
            raise ValueError("X must have a label function with positive probability under this process: got none.")
        return marginals / marginals.sum(axis=1, keepdims=True)

    def _log_probabilities(self, X: ArrayLike, rows: LabelRows) -> FloatArray:
        if not isinstance(self.process, GaussianPointProcess):
            return np.array([self.process(X, row) for row in rows.astype(np.int64)])  # type: ignore[operator]
        points, tables = self.process.bind(X)
        return log_probabilities(points, label_tables(tables), rows)

    def _drawn(self, X: ArrayLike) -> FloatArray:
        """Marginal label probabilities, as frequencies over draws."""
        process: Any = self.process
        points = check_points(X, process.n_labels, process.dimension)
        drawn = draw_with_settings(self, points, check_rng(self.random_state))
        self.posterior_ = drawn.partitions()
        self.diagnostics_ = diagnose(self.posterior_, log_posterior=drawn.log_posterior)
        return np.stack([(drawn.draws == k).mean(axis=0) for k in range(process.n_labels)], axis=1)


def _label_functions(n_points: int, n_labels: int) -> Iterator[LabelRows]:
    """All label functions, in blocks."""
    for start in range(0, n_labels**n_points, BLOCK):
        codes = np.arange(start, min(start + BLOCK, n_labels**n_points))
        yield (codes[:, np.newaxis] // n_labels ** np.arange(n_points)[::-1] % n_labels).astype(np.uint8)
