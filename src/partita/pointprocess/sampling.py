"""Labeled point sets drawn from a point process."""

from __future__ import annotations

import numpy as np

from .._typing import FloatArray, IntArray, RandomState
from .._validation import check_count, check_kind, check_rng
from .process import GaussianPointProcess


def sample_point_process(
    process: GaussianPointProcess,
    n_points: int | None = None,
    random_state: RandomState = 0,
) -> tuple[FloatArray, IntArray]:
    """One labeled point set: labels, then parameters, then points.

    Parameters
    ----------
    process : GaussianPointProcess
        With proper priors.
    n_points : int, optional
        Number of points; left out when the process has known sizes, which say it.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    X : ndarray, shape (n_points, d)
        Points.
    labels : ndarray of int64, shape (n_points,)
        Label of each point. Known sizes are shared out among the labels at random.

    See Also
    --------
    partita.GaussianPointProcess : the process.
    partita.BayesClusterer : the best clusterer for it.

    Notes
    -----
    Labels first, by the process's sizes or at random; then parameters where they are uncertain; then points.

    References
    ----------
    Dalton, Benalcázar, Brun and Dougherty (2015). Analytic representation of Bayes labeling and Bayes clustering
    operators for random labeled point processes. IEEE Transactions on Signal Processing 63.

    Examples
    --------
    >>> import partita as pt
    >>> process = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [3, 3]], nu=1, kappa=4, psi=1.0, sizes=[4, 2])
    >>> X, labels = pt.datasets.sample_point_process(process, random_state=1)
    >>> X.shape, np.sort(np.bincount(labels))
    ((6, 2), array([2, 4]))
    """
    check_kind("process", process, GaussianPointProcess)
    rng = check_rng(random_state)
    proper = (process.nu > 0).all() and process.scale.any(axis=(1, 2)).all()
    if not proper:
        raise ValueError("process must have proper priors to draw from: got nu = 0 or psi = 0.")
    labels = _sample_labels(process, n_points, rng)
    X = np.empty((labels.size, process.dimension))
    for i in range(process.n_labels):
        mean, covariance = _sample_parameters(process, i, rng)
        X[labels == i] = rng.multivariate_normal(mean, covariance, (labels == i).sum(), method="cholesky")
    return X, labels


def _sample_labels(process: GaussianPointProcess, n_points: int | None, rng: np.random.Generator) -> IntArray:
    if process.sizes is not None:
        if n_points not in {None, process.sizes.sum()}:
            raise ValueError(f"n_points must be the sum of the known sizes, {process.sizes.sum()}: got {n_points}.")
        return rng.permutation(np.repeat(np.arange(process.n_labels), rng.permutation(process.sizes)))
    n = check_count("n_points", n_points)
    if process.label_prior is None:
        return rng.choice(process.n_labels, size=n, p=process.weights)
    counts = rng.choice(*_count_probabilities(process, n))
    return rng.permutation(np.repeat(np.arange(process.n_labels), counts))


def _count_probabilities(process: GaussianPointProcess, n: int) -> tuple[IntArray, None, bool, FloatArray]:
    """Every way to share n points among the labels, with its probability, as arguments of ``rng.choice``."""
    from scipy.special import gammaln

    assert process.label_prior is not None
    grid = np.indices((n + 1,) * (process.n_labels - 1)).reshape(process.n_labels - 1, -1).T
    ways = np.column_stack([grid, n - grid.sum(axis=1)])
    ways = ways[ways[:, -1] >= 0]
    log_p = np.array([process.label_prior(counts) for counts in ways]) - gammaln(ways + 1).sum(axis=1)
    p = np.exp(log_p - log_p.max())
    return ways, None, True, p / p.sum()


def _sample_parameters(
    process: GaussianPointProcess, label: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Mean and covariance of one label's cluster."""
    covariance = process.scale[label]
    if process.kappa is not None:
        from scipy.stats import invwishart

        drawn = invwishart.rvs(df=process.kappa[label], scale=covariance, random_state=rng)
        covariance = np.reshape(drawn, process.scale[label].shape)
    mean = process.means[label]
    if np.isfinite(process.nu[label]):
        mean = rng.multivariate_normal(mean, covariance / process.nu[label], method="cholesky")
    return mean, covariance
