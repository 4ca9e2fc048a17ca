"""How far to trust a model: the calibration curve of the coarsened posterior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from .._typing import FloatArray
from .._validation import check_numbers
from .mixture import BayesianMixture

POWERS = (1.0, 0.5, 0.25, 0.1, 0.05, 0.02)


@dataclass(frozen=True, eq=False, repr=False)
class CoarseningCurve:
    """Number of clusters and fit of a mixture for several powers of its likelihood.

    Attributes
    ----------
    powers : ndarray of float, shape (n_powers,)
        Values of ``coarsening``, the largest first.
    n_clusters : ndarray of float, shape (n_powers,)
        Posterior mean of the number of components.
    log_density : ndarray of float, shape (n_powers,)
        Mean log density of the rows given the drawn partitions, at full power.
    chosen : float
        The power at the elbow of the curve.

    See Also
    --------
    calibrate_coarsening : makes one.
    partita.plot.plot_coarsening : draws one.

    Examples
    --------
    >>> CoarseningCurve(np.array([1.0, 0.5, 0.1]), np.array([9.0, 3.0, 1.0]), np.array([-2.0, -2.1, -3.0]))
    CoarseningCurve: power 0.5 of 3 tried, with 3.0 clusters on average
    """

    powers: FloatArray
    n_clusters: FloatArray
    log_density: FloatArray

    @property
    def chosen(self) -> float:
        """The power at the elbow: most fit for fewest clusters, as shares of their ranges; of equals the largest."""
        return float(self.powers[np.argmax(_shares(self.log_density) - _shares(self.n_clusters))])

    def __repr__(self) -> str:
        n_clusters = float(self.n_clusters[self.powers == self.chosen][0])
        tried = f"power {self.chosen:g} of {self.powers.size} tried"
        return f"CoarseningCurve: {tried}, with {n_clusters:.1f} clusters on average"


def _shares(values: FloatArray) -> FloatArray:
    """Values from 0, the least, to 1, the greatest; all 0 where they are the same."""
    return (values - values.min()) / max(float(np.ptp(values)), 1e-12)


def calibrate_coarsening(
    X: Any, powers: Sequence[float] = POWERS, *, model: BayesianMixture | None = None
) -> CoarseningCurve:
    """Fit a mixture with several powers of its likelihood, and find the elbow of fit against number of clusters.

    Where a model does not fit, a posterior finds more and more components as items come in, which describe the misfit
    better and better. With a smaller power the likelihood counts for fewer items, and those components vanish before
    the fit suffers.

    Parameters
    ----------
    X : array-like or DataFrame, shape (n_items, n_columns)
        The data.
    powers : sequence of float
        Values of ``coarsening`` to try, each above 0, at most 1.
    model : BayesianMixture, optional
        What is fitted, with ``coarsening`` replaced; the default one when left out.

    Returns
    -------
    curve : CoarseningCurve
        ``.chosen`` is the power to fit with.

    See Also
    --------
    BayesianMixture : takes the power as ``coarsening``.
    partita.plot.plot_coarsening : look before you trust an elbow.

    Notes
    -----
    The components are counted, before any are fused. Chains mix more slowly at smaller powers: leave the warm-up at
    ``"auto"``. At the smallest powers the prior alone decides.

    References
    ----------
    Miller and Dunson (2019). Robust Bayesian inference via coarsening. Journal of the American Statistical Association
    114, 1113-1125.

    Examples
    --------
    >>> import partita as pt
    >>> X, _ = pt.datasets.make_quadrants(n_items=60)
    >>> model = pt.BayesianMixture(n_chains=1, n_draws=50, n_warmup=50)
    >>> curve = pt.calibrate_coarsening(X, [1.0, 0.1], model=model)
    >>> curve.n_clusters[0] >= curve.n_clusters[1]
    np.True_
    """
    tried = np.sort(np.unique(check_numbers("powers", powers)))[::-1]
    if tried.ndim != 1 or tried.size < 2 or not ((tried > 0) & (tried <= 1)).all():
        raise ValueError(f"powers must be two or more numbers above 0, at most 1: got {powers!r}.")
    base = BayesianMixture() if model is None else model
    n_clusters, log_density = np.empty(tried.size), np.empty(tried.size)
    for at, power in enumerate(tried):
        fitted = clone(base).set_params(coarsening=float(power), fuse=False).fit(X)
        n_clusters[at] = fitted.component_posterior_.n_clusters().mean()
        log_density[at] = fitted._draws.uncoarsened().score(X, fitted.labels_)[0].mean()
    return CoarseningCurve(tried, n_clusters, log_density)
