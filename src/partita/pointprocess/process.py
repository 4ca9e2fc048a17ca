"""Random labeled point processes with Gaussian clusters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._kernels.pointprocess.gaussian import Tables
from .._typing import FloatArray, IntArray
from .._validation import check_count, check_numbers
from ._validation import check_centers, check_label_prior, check_matrices, check_per_label, check_points
from .likelihood import bind, flip_gains, label_tables, log_probabilities

CountPrior = Callable[[IntArray], float]


@dataclass(frozen=True, eq=False)
class GaussianPointProcess:
    """Point sets that fall into labeled Gaussian clusters, whose parameters may be uncertain.

    Build one with :meth:`known`, :meth:`gaussian_means` or :meth:`normal_inverse_wishart`: models 0, 1 and 2 of
    Dalton et al. (2015), or with :meth:`from_data` where nothing is known but the points. Each label has
    hyperparameters of its own; one number or matrix stands for all labels.

    Parameters
    ----------
    means : ndarray, shape (n_labels, d)
        Mean of each label's cluster, or prior mean of that mean.
    nu : ndarray, shape (n_labels,)
        How many points the prior mean is worth; infinite where means are known, 0 for an improper flat prior.
    kappa : ndarray, shape (n_labels,), or None
        Degrees of freedom of the inverse-Wishart prior; None where covariances are known.
    scale : ndarray, shape (n_labels, d, d)
        Covariances, or scale matrices of the inverse-Wishart prior (zero for the improper prior).
    sizes : ndarray of int, shape (n_labels,), or None
        Known cluster sizes. Which label has which size is not known.
    weights : ndarray, shape (n_labels,), or None
        Probability of each label, for points labeled independently. Equal when left out.
    label_prior : callable or None
        Logarithm of the prior probability of a label function, given its number of points with each label.

    See Also
    --------
    BayesClusterer : the partition that misplaces fewest points.
    BayesLabeler : the labels that are wrong least often.
    partita.datasets.sample_point_process : draws from it.

    Notes
    -----
    Improper priors make sense for label functions with enough points: at least one with each label when nu = 0, and
    with psi = 0 at least d + 1 (d when nu > 0) in general position with kappa + n > d - 1. All others have
    probability zero.

    References
    ----------
    Dalton, Benalcázar, Brun and Dougherty (2015). Analytic representation of Bayes labeling and Bayes clustering
    operators for random labeled point processes. IEEE Transactions on Signal Processing 63.

    Examples
    --------
    >>> process = GaussianPointProcess.normal_inverse_wishart([[0, 0], [3, 3]], nu=1, kappa=4, psi=1.0)
    >>> process.n_labels, process.dimension
    (2, 2)
    >>> X = [[0.0, 0.1], [0.2, 0.0], [3.0, 3.1], [2.9, 3.0]]
    >>> bool(process.log_probability(X, [0, 0, 1, 1]) > process.log_probability(X, [0, 1, 0, 1]))
    True
    """

    means: FloatArray
    nu: FloatArray
    kappa: FloatArray | None
    scale: FloatArray
    sizes: IntArray | None = None
    weights: FloatArray | None = None
    label_prior: CountPrior | None = None

    @classmethod
    def known(
        cls,
        means: ArrayLike,
        covariances: ArrayLike,
        sizes: ArrayLike | None = None,
        *,
        weights: ArrayLike | None = None,
        label_prior: CountPrior | None = None,
    ) -> GaussianPointProcess:
        """Known means and covariances (model 0).

        Parameters
        ----------
        means : array-like, shape (n_labels, d)
            Mean of each cluster.
        covariances : array-like
            One matrix per label, one for all, or a number that stands for that multiple of the identity.
        sizes, weights, label_prior
            Label prior, at most one of the three: see :class:`GaussianPointProcess`.

        Examples
        --------
        >>> process = GaussianPointProcess.known([[0], [3]], covariances=1.0, sizes=[2, 1])
        >>> float(process.log_probability([[0.0], [0.5], [3.0]], [0, 0, 1]).round(4))
        -4.6736
        """
        centers = check_centers(means)
        scale = check_matrices("covariances", covariances, centers, zero_is_allowed=False)
        prior = check_label_prior(len(centers), sizes, weights, label_prior)
        return cls(centers, np.full(len(centers), np.inf), None, scale, *prior)

    @classmethod
    def gaussian_means(
        cls,
        means: ArrayLike,
        nu: ArrayLike,
        covariances: ArrayLike,
        sizes: ArrayLike | None = None,
        *,
        weights: ArrayLike | None = None,
        label_prior: CountPrior | None = None,
    ) -> GaussianPointProcess:
        """Gaussian means and known covariances (model 1).

        Parameters
        ----------
        means : array-like, shape (n_labels, d)
            Prior mean of each cluster's mean, whose prior covariance is the cluster's covariance over ``nu``.
        nu : array-like
            Number per label, or one for all; 0 for an improper flat prior.
        covariances, sizes, weights, label_prior
            As for :meth:`known`.

        Examples
        --------
        >>> flat = GaussianPointProcess.gaussian_means(np.zeros((2, 1)), nu=0, covariances=1.0)
        >>> X = np.array([[0.0], [0.5], [3.0]])
        >>> near, far = flat.log_probability(X, [0, 0, 1]), flat.log_probability(X + 1e4, [0, 0, 1])
        >>> bool(np.isclose(near, far))
        True
        """
        centers = check_centers(means)
        scale = check_matrices("covariances", covariances, centers, zero_is_allowed=False)
        prior = check_label_prior(len(centers), sizes, weights, label_prior)
        return cls(centers, check_per_label("nu", nu, len(centers), least=0.0), None, scale, *prior)

    @classmethod
    def normal_inverse_wishart(
        cls,
        means: ArrayLike,
        nu: ArrayLike,
        kappa: ArrayLike,
        psi: ArrayLike,
        sizes: ArrayLike | None = None,
        *,
        weights: ArrayLike | None = None,
        label_prior: CountPrior | None = None,
    ) -> GaussianPointProcess:
        """Gaussian means and inverse-Wishart covariances (model 2).

        Parameters
        ----------
        means, nu
            As for :meth:`gaussian_means`.
        kappa : array-like
            Degrees of freedom, greater than d - 1 where ``psi`` is not zero.
        psi : array-like
            Scale matrices, given like covariances; 0 for an improper prior.
        sizes, weights, label_prior
            As for :meth:`known`.

        Examples
        --------
        >>> free = GaussianPointProcess.normal_inverse_wishart(np.zeros((2, 1)), nu=0, kappa=0, psi=0)
        >>> float(free.log_probability([[0.0], [0.5], [3.0], [3.3]], [0, 0, 0, 1]))  # two points per label are needed
        -inf
        """
        centers = check_centers(means)
        scale = check_matrices("psi", psi, centers, zero_is_allowed=True)
        degrees = check_per_label("kappa", kappa, len(centers), least=-np.inf)
        least = centers.shape[1] - 1
        low = scale.any(axis=(1, 2)) & (degrees <= least)
        if low.any():
            raise ValueError(
                f"kappa must be greater than d - 1 = {least} where psi is not zero: got {degrees[low][0]:g}. "
                "The improper prior with psi = 0 takes any kappa."
            )
        prior = check_label_prior(len(centers), sizes, weights, label_prior)
        return cls(centers, check_per_label("nu", nu, len(centers), least=0.0), degrees, scale, *prior)

    @classmethod
    def from_data(cls, X: ArrayLike, n_labels: int, sizes: ArrayLike | None = None) -> GaussianPointProcess:
        """Means and covariances as uncertain as the points let them be: model 2 with a weak prior from the points.

        All labels have the prior of Fraley and Raftery (2007) for mixtures: the mean of the points, worth 0.01 points;
        d + 2 degrees of freedom, and the covariance of the points divided by ``n_labels ** (2 / d)``, so that as many
        clusters fill the volume that the points fill.

        Parameters
        ----------
        X : array-like, shape (n_points, d)
            Points.
        n_labels : int
            Number of labels.
        sizes : array-like of int, optional
            Known cluster sizes.

        References
        ----------
        Fraley and Raftery (2007). Bayesian regularization for normal mixture estimation and model-based clustering.
        Journal of Classification 24, 155-181.

        Examples
        --------
        >>> X = [[0.0], [0.5], [0.9], [7.0], [7.7], [8.1]]
        >>> process = GaussianPointProcess.from_data(X, n_labels=2)
        >>> process.means.ravel().round(3), process.scale.ravel().round(3)
        (array([4.033, 4.033]), array([3.868, 3.868]))
        """
        k = check_count("n_labels", n_labels)
        columns = check_numbers("X", X)
        points = check_points(columns, k, columns.shape[-1] if columns.ndim == 2 else 1)
        d = points.shape[1]
        spread = np.atleast_2d(np.cov(points.T))
        if len(points) <= d or np.linalg.matrix_rank(spread) < d:
            rule = "X must hold more points than columns, and no column that others determine"
            raise ValueError(
                f"{rule}: got {len(points)} points and {d} columns of rank {np.linalg.matrix_rank(spread)}."
            )
        means = np.tile(points.mean(axis=0), (k, 1))
        return cls.normal_inverse_wishart(means, 0.01, d + 2.0, spread / k ** (2 / d), sizes)

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return int(self.means.shape[0])

    @property
    def dimension(self) -> int:
        """Number of coordinates of a point."""
        return int(self.means.shape[1])

    def log_probability(self, X: ArrayLike, labels: ArrayLike) -> FloatArray:
        """Log probability of label functions together with the points, equation (42).

        Over all label functions of the same points it is the posterior up to a constant. Improper priors leave out a
        constant of their own.

        Parameters
        ----------
        X : array-like, shape (n_points, d)
            Points.
        labels : array-like of int, shape (n_points,) or (n_functions, n_points)
            Labels 0 to n_labels - 1: which label a point carries matters.

        Returns
        -------
        log_probability : float, or ndarray of shape (n_functions,)
        """
        points, tables = self.bind(X)
        return self._log_rows(points, labels, label_tables(tables))

    def log_partition_probability(self, X: ArrayLike, labels: ArrayLike) -> FloatArray:
        """Log probability of partitions together with the points: the sum over their labelings, equation (17).

        Parameters are those of :meth:`log_probability`; which label a cluster carries does not matter.

        Examples
        --------
        >>> process = GaussianPointProcess.known([[0], [3]], covariances=1.0)
        >>> X = [[0.0], [0.5], [3.0]]
        >>> both = np.logaddexp(process.log_probability(X, [0, 0, 1]), process.log_probability(X, [1, 1, 0]))
        >>> bool(np.isclose(process.log_partition_probability(X, [0, 0, 1]), both))
        True
        """
        points, tables = self.bind(X)
        return self._log_rows(points, labels, tables)

    def log_flips(self, X: ArrayLike, labels: ArrayLike) -> FloatArray:
        """Change in log probability when each point, alone, takes each label: a rank-one formula, for all at once.

        Parameters
        ----------
        X : array-like, shape (n_points, d)
            Points.
        labels : array-like of int, shape (n_points,)
            A label function of positive probability.

        Returns
        -------
        changes : ndarray, shape (n_points, n_labels)
            0 for the label that a point has, -inf where the flip has no probability.

        Examples
        --------
        >>> process = GaussianPointProcess.known([[0], [3]], covariances=1.0)
        >>> process.log_flips([[0.0], [0.5], [2.0]], [0, 0, 0])
        array([[ 0. , -4.5],
               [ 0. , -3. ],
               [ 0. ,  1.5]])
        """
        if self.log_probability(X, labels) == -np.inf:
            raise ValueError("labels must have positive probability: got a label function that has none.")
        points, tables = self.bind(X)
        now = np.asarray(labels, np.int64)
        counts = np.bincount(now, minlength=self.n_labels)
        steps = np.eye(self.n_labels, dtype=np.int64)
        moves = [[self._log_counts(counts - leaves + joins) for joins in steps] for leaves in steps]
        return flip_gains(points, now, label_tables(tables)) + np.array(moves)[now] - self._log_counts(counts)

    def bind(self, X: ArrayLike) -> tuple[FloatArray, Tables]:
        """Checked and centered points, and the process as arrays for the kernels."""
        points = check_points(X, self.n_labels, self.dimension)
        origin = points.mean(axis=0)
        return points - origin, bind(self, origin, len(points))

    def _log_counts(self, counts: IntArray) -> float:
        """What the label prior says about all counts together."""
        if self.sizes is not None:
            return 0.0 if (np.sort(counts) == np.sort(self.sizes)).all() else -np.inf
        return 0.0 if self.label_prior is None or counts.min() < 0 else self.label_prior(counts)

    def _log_rows(self, points: FloatArray, labels: ArrayLike, tables: Tables) -> FloatArray:
        rows = np.asarray(labels)
        if rows.shape[-1:] != (len(points),) or rows.ndim > 2 or rows.dtype.kind not in "iu":
            raise ValueError(f"labels must hold one whole number per point, {len(points)} in all: got {labels!r}.")
        if rows.min() < 0 or rows.max() >= self.n_labels:
            raise ValueError(f"labels must lie between 0 and {self.n_labels - 1}: got {rows.min()} to {rows.max()}.")
        out = log_probabilities(points, tables, np.atleast_2d(rows))
        return out if rows.ndim == 2 else out[0]
