"""Stability of a finished clustering under perturbation of its distances."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from .._parallel import run_parallel
from .._typing import FloatArray, IntArray, RandomState
from .._validation import MOST_RUNS, check_choice, check_count, check_jobs, check_memory, check_rng, shorten
from ._validation import check_columns, check_data, check_distances, check_theta
from .baselines import BASELINES, Baseline, Permuted, Reclustered, SameCenters, UniformBox
from .result import StabilityResult
from .scale_distributions import DISTRIBUTIONS, Exponential, LocationExponential, ScaleDistribution
from .tuning import INDICES, PlainCurve, Spectrum, index_curve, stability_curve, tune_theta, tune_thetas

MakeCurve = Callable[[FloatArray, IntArray], Spectrum | PlainCurve]
"""Stability as a function of theta, from distances and labels."""


def assess_stability(
    distances: Any,
    labels: ArrayLike | None = None,
    *,
    distribution: str | ScaleDistribution = "location-exponential",
    theta: str | float | ArrayLike = "tuned",
    tuned_by: str = "average",
    baseline: str = "permutation",
    n_baselines: int = 25,
    random_state: RandomState = 0,
    X: ArrayLike | None = None,
    n_jobs: int = 1,
) -> StabilityResult:
    """Stability of a clustering under random scaling of its distances, compared with null baselines.

    Nothing is clustered again. Each item's distances to the clusters are multiplied by random scales, which are
    integrated out. The result is the averaged assignment matrix, the probability that an item is nearest to each
    cluster, with the stability indices computed from it.

    Parameters
    ----------
    distances : array-like of float, shape (n_items, n_clusters), or clusterer
        Distance of each item to each cluster; or a fitted scikit-learn clusterer with ``cluster_centers_``, together
        with the data ``X``. See :func:`center_distances` and :func:`cluster_distances` for labels from anywhere.
    labels : array-like of int, shape (n_items,), optional
        The column each item is in. The nearest one (the first of several) when left out.
    distribution : {"location-exponential", "exponential", "shifted-gamma"} or ScaleDistribution
        Distribution of the scales.
    theta : "tuned", "tuned-per-cluster", float or array-like of shape (n_clusters,)
        Strength of the perturbation: the larger, the weaker. Tuned, it is the one value for all clusters that tells
        the clustering most clearly from its baselines, or the one value for each.
    tuned_by : {"average", "adjusted-rand", "variation-of-information"}
        The index by which a tuned ``theta`` tells them apart: the average stability, or the agreement of the labels
        with the averaged assignment matrix.
    baseline : {"permutation", "uniform", "recluster"}
        The null: the same distances in random order; items uniform in the box around the data, with the same centers;
        or the same, clustered again. The last two need ``X`` and a clusterer.
    n_baselines : int
        Number of baselines; 0 for none, with a given ``theta``.
    random_state : int, Generator or None
        Seed.
    X : array-like of float, shape (n_items, n_features), optional
        The data that the clusterer was fitted to.
    n_jobs : int
        Jobs at a time, over baselines: threads, or what ``joblib.parallel_config`` says.

    Returns
    -------
    report : StabilityResult
        ``phi``, ``pointwise``, ``clusterwise``, ``between``, ``average``, ``theta`` and tables. An item that is alone
        in its cluster, at distance zero from it, has no stability (NaN).

    See Also
    --------
    select_n_clusters : the same for many numbers of clusters.
    matched_stability : the same report from draws of partitions.

    Notes
    -----
    After Koepke (2008, chapters 2 and 3). Distances are sorted once per item: a change of theta changes no order. Theta
    is found on a grid and then by gradient; one for each cluster by gradient from the best shared one (section 3.8,
    whose gradients are corrected here).

    References
    ----------
    Koepke (2008). Bayesian cluster validation. Thesis, University of British Columbia.

    Koepke and Clarke (2013). A Bayesian criterion for cluster stability. Statistical Analysis and Data Mining 6,
    346-374.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> X = np.random.default_rng(0).normal(size=(90, 2)) + np.repeat([[0, 0], [6, 0], [0, 6]], 30, axis=0)
    >>> report = assess_stability(KMeans(3, random_state=0, n_init=10).fit(X), X=X)
    >>> report
    StabilityResult: 90 items, 3 clusters, average stability 0.898, 0.332 above 25 permutation baselines (sd 0.034)
    >>> report.clusterwise.round(1)
    array([0.9, 0.9, 0.9])
    """
    if isinstance(distribution, str):
        chosen = DISTRIBUTIONS[check_choice("distribution", distribution, DISTRIBUTIONS)]
    else:
        chosen = distribution
        if not hasattr(chosen, "phi"):
            raise TypeError(f"distribution must be a distribution of scales, or its name: got {shorten(distribution)}.")
    d, null = _distances_and_baseline(distances, X, check_choice("baseline", baseline, BASELINES))
    own = np.full(len(d), -1) if labels is None else check_columns(labels, *d.shape)
    tuned = check_choice("theta", theta, ("tuned", "tuned-per-cluster")) if isinstance(theta, str) else ""
    given = np.ones(d.shape[1]) if tuned else check_theta(theta, d.shape[1])
    one_theta = tuned != "tuned-per-cluster" and not np.ptp(given)
    index = check_choice("tuned_by", tuned_by, INDICES)
    summed = one_theta and index == "average"  # such curves add up to one
    make: MakeCurve = partial(stability_curve, chosen) if summed else partial(index_curve, index, chosen)
    rngs = check_rng(random_state).spawn(check_count("n_baselines", n_baselines, int(bool(tuned)), MOST_RUNS))
    kept = 1 if summed and isinstance(chosen, LocationExponential) else max(len(rngs), 1)
    check_memory(
        8 * d.size * kept, f"{kept} baseline(s) of {d.shape[0]} × {d.shape[1]}", "Use fewer baselines or items."
    )
    curves: list[Any] = run_parallel(partial(_baseline_curve, make, null), rngs, check_jobs(n_jobs), "Baselines")
    strength = _tune(chosen, make(d, own), curves, one_theta, d.shape[1]) if tuned and d.shape[1] > 1 else given
    own = d.argmin(axis=1) if labels is None else own
    alone = np.bincount(own, minlength=d.shape[1])[own] == 1
    return StabilityResult(
        phi=chosen.phi(d, strength),
        labels=own,
        theta=float(strength[0]) if one_theta else strength,
        distribution=distribution if isinstance(distribution, str) else repr(distribution),
        baseline=baseline,
        baseline_averages=np.array([curve.average(float(strength[0]) if one_theta else strength) for curve in curves]),
        at_itself=np.flatnonzero(alone & (d[np.arange(len(d)), own] == 0)),
    )


def _distances_and_baseline(source: Any, X: ArrayLike | None, baseline: str) -> tuple[FloatArray, Baseline]:
    """Distances of items to clusters from a matrix or a clusterer, and the null model that goes with them."""
    if not hasattr(source, "fit"):
        if baseline != "permutation":
            raise ValueError(
                f"baseline must be 'permutation' for a distance matrix: got {baseline!r}. Pass a clusterer."
            )
        if X is not None:
            raise ValueError("X must be left out with a distance matrix: got data. Did you mean to pass a clusterer?")
        d = check_distances(source)
        return d, Permuted(d)
    if X is None:
        raise ValueError("X must be the data that the clusterer was fitted to: got None.")
    if not hasattr(source, "cluster_centers_"):
        raise ValueError(f"distances must be a matrix or a fitted clusterer with centers: got {source!r}.")
    data, centers = check_data(X), np.asarray(source.cluster_centers_, dtype=float)
    if data.shape[1] != centers.shape[1]:
        raise ValueError(f"X must have the clusterer's {centers.shape[1]} features: got {data.shape[1]}.")
    d = cdist(data, centers)
    if baseline == "permutation":
        return d, Permuted(d)
    if baseline == "uniform":
        return d, SameCenters.around(data, centers)
    return d, Reclustered(UniformBox.around(data), source)


def _baseline_curve(make: MakeCurve, null: Baseline, rng: np.random.Generator) -> Spectrum | PlainCurve:
    """Stability of one baseline as a function of theta, items assigned to their nearest cluster."""
    distances = null(rng)
    return make(distances, np.full(len(distances), -1))


def _tune(distribution: ScaleDistribution, curve: Any, baselines: list[Any], one_theta: bool, k: int) -> FloatArray:
    """Theta of each of ``k`` clusters: one that all share, or one for each."""
    shared = 1.0 if isinstance(distribution, Exponential) else tune_theta(curve, baselines)  # any is as good there
    return np.full(k, shared) if one_theta else tune_thetas(curve, baselines, shared)
