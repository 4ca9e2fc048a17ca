"""Comparison of clusterers on point sets drawn from a process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._parallel import run_parallel
from .._typing import FloatArray, IntArray, RandomState
from .._validation import MOST_RUNS, check_count, check_jobs, check_kind, check_rng
from ..losses import Misclassification
from .clusterer import BayesClusterer
from .process import GaussianPointProcess
from .sampling import sample_point_process

if TYPE_CHECKING:
    import pandas as pd

Clusterer = Any  # an estimator with fit_predict, or a function of the points


def compare_clusterers(
    process: GaussianPointProcess,
    clusterers: Mapping[str, Clusterer],
    n_sets: int = 100,
    *,
    n_points: int | None = None,
    bayes_search: str | None = "auto",
    n_jobs: int = 1,
    random_state: RandomState = 0,
) -> pd.DataFrame:
    """Empirical error, theoretical error and time of clusterers, averaged over point sets.

    Parameters
    ----------
    process : GaussianPointProcess
        From which point sets are drawn, and under which theoretical errors are computed.
    clusterers : mapping
        Name of each clusterer, and an estimator with ``fit_predict`` or a function from points to labels.
    n_sets : int
        Number of point sets.
    n_points : int, optional
        Points per set; left out when the process has known sizes, which say it.
    bayes_search : str or None
        Search of the :class:`BayesClusterer` whose posterior gives theoretical errors; None for no theoretical errors.
    n_jobs : int
        Point sets at a time, on threads or what ``joblib.parallel_config`` says. Times are those of one call each.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    table : pandas.DataFrame
        One row per clusterer: ``empirical``, the mean share of points misplaced against the true labels, and
        ``empirical_std`` its standard error; ``theoretical``, the mean expected share under the process, and
        ``theoretical_std``; ``seconds``, the mean time of a call.

    See Also
    --------
    BayesClusterer : the best of them under the process.
    partita.plot.plot_error : errors as a figure.

    Notes
    -----
    Empirical errors count points misplaced against the labels that the points were drawn with; theoretical ones
    average over the partition given the points, which removes most of the noise.

    References
    ----------
    Dalton, Benalcázar, Brun and Dougherty (2015). Analytic representation of Bayes labeling and Bayes clustering
    operators for random labeled point processes. IEEE Transactions on Signal Processing 63.

    Examples
    --------
    >>> import partita as pt
    >>> process = pt.GaussianPointProcess.known([[0], [4]], covariances=1.0, sizes=[4, 4])
    >>> rivals = {"Bayes": pt.BayesClusterer(process), "guess": lambda X: np.arange(len(X)) % 2}
    >>> table = pt.compare_clusterers(process, rivals, n_sets=20)
    >>> bool(table.loc["Bayes", "theoretical"] < table.loc["guess", "theoretical"])
    True
    """
    import pandas as pd

    check_kind("process", process, GaussianPointProcess)
    check_kind("clusterers", clusterers, Mapping)
    streams = check_rng(random_state).spawn(check_count("n_sets", n_sets, most=MOST_RUNS))
    one_set = partial(_one_set, process, list(clusterers.values()), n_points, bayes_search)
    results = np.array(run_parallel(one_set, streams, check_jobs(n_jobs), "Point sets"))
    mean, std = results.mean(axis=0), results.std(axis=0, ddof=min(1, n_sets - 1)) / np.sqrt(n_sets)
    columns = {"empirical": mean[:, 0], "empirical_std": std[:, 0], "theoretical": mean[:, 1]}
    return pd.DataFrame(
        {**columns, "theoretical_std": std[:, 1], "seconds": mean[:, 2]}, index=pd.Index(clusterers, name="clusterer")
    )


def _one_set(
    process: GaussianPointProcess,
    clusterers: list[Clusterer],
    n_points: int | None,
    bayes_search: str | None,
    rng: np.random.Generator,
) -> list[tuple[float, float, float]]:
    """Results of all clusterers on one point set."""
    X, truth = sample_point_process(process, n_points, rng)
    bayes = None if bayes_search is None else BayesClusterer(process, bayes_search).fit(X)
    return [_one_clusterer(clusterer, X, truth, bayes) for clusterer in clusterers]


def _one_clusterer(
    clusterer: Clusterer, X: FloatArray, truth: IntArray, bayes: BayesClusterer | None
) -> tuple[float, float, float]:
    """Empirical error, theoretical error and time."""
    start = time.perf_counter()
    labels: ArrayLike = _copy(clusterer).fit_predict(X) if hasattr(clusterer, "fit_predict") else clusterer(X)
    seconds = time.perf_counter() - start
    expected = float("nan") if bayes is None else bayes.partition_error(labels).estimate
    return Misclassification().between(truth, labels), expected, seconds


def _copy(clusterer: Any) -> Any:
    """A fresh estimator, so that threads do not share one."""
    from sklearn.base import clone

    return clone(clusterer)
