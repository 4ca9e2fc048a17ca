"""``ensemble``: a clusterer run many times, on parts of the data, from many seeds and with many settings."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._parallel import iterate_parallel
from .._progress import Progress
from .._typing import IntArray
from .._validation import as_array, check_count, check_jobs, item_names, shorten
from ..posterior import PartitionPosterior
from .plan import Run, plan_runs
from .store import RunStore


def ensemble(
    clusterer: Any,
    X: Any,
    n_runs: int = 100,
    resample: str | None = "subsample",
    *,
    fraction: float = 0.8,
    vary: Mapping[str, Iterable[Any]] | None = None,
    weights: ArrayLike | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    n_jobs: int = 1,
    random_state: int = 0,
) -> PartitionPosterior:
    """Many clusterings of the same items by one clusterer, as a distribution over partitions.

    Parameters
    ----------
    clusterer : estimator or callable
        Anything with scikit-learn's ``fit_predict`` or ``fit`` and ``labels_``, or a function from data to labels. It
        gets a seed of its own in each run, as ``random_state``, where it has such a parameter. Items that it labels -1
        (noise) are left out of that run; an item that is noise in every run that holds it is alone there.
    X : array-like, sparse matrix or DataFrame, shape (n_items, n_columns)
        The data; distances between items where the clusterer's ``metric`` is ``"precomputed"``.
    n_runs : int
        Number of clusterings.
    resample : {"subsample", "bootstrap"} or None
        What each run clusters: a share of the items, as many items drawn with replacement, or all of them. Items that
        a run does not hold are missing in it.
    fraction : float
        Share of the items in a subsample.
    vary : dict of str to iterable, optional
        Values to try of the clusterer's parameters, each as often as the others: ``{"n_clusters": range(2, 20)}``.
    weights : array-like of float, shape (n_runs,), optional
        Weight of each clustering; equal when left out.
    checkpoint : path, optional
        An .npy file that keeps the runs that are done: the same call continues where it was interrupted.
    n_jobs : int
        Runs at a time, -1 for all cores: on threads, or as a ``joblib.parallel_config`` around the call says
        (processes, Dask). The answer does not depend on it.
    random_state : int
        Seed.

    Returns
    -------
    posterior : PartitionPosterior
        One draw per run, weighted. Whatever takes a posterior takes it.

    See Also
    --------
    PartitionPosterior.from_any : clusterings that you have already.
    summarize : what they agree on, and which items are stable.
    compare_partitions : one clustering beside another.

    Notes
    -----
    The distribution is that of what *this clusterer* does to *these data* when both are shaken: it measures stability,
    and is no posterior of a model. Settings of which some are senseless (twenty clusters of five) speak as loud as
    others, unless ``weights`` say otherwise.

    References
    ----------
    Strehl and Ghosh (2002). Cluster ensembles: a knowledge reuse framework for combining multiple partitions. Journal
    of Machine Learning Research 3, 583-617.

    Monti, Tamayo, Mesirov and Golub (2003). Consensus clustering. Machine Learning 52, 91-118.

    Examples
    --------
    >>> import numpy as np, partita as pt
    >>> from sklearn.cluster import KMeans
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(center, size=(20, 2)) for center in (0, 6, 12)])
    >>> runs = pt.ensemble(KMeans(n_init=1), X, n_runs=40, vary={"n_clusters": range(2, 6)})
    >>> runs
    PartitionPosterior: 40 draws of 60 items, 2 to 5 clusters, weighted, 20.0% of labels missing
    >>> pt.estimate_partition(runs).n_clusters
    3
    """
    n_runs, n_jobs = check_count("n_runs", n_runs), check_jobs(n_jobs)
    seed = check_count("random_state", random_state, least=0)
    data = X if hasattr(X, "iloc") or hasattr(X, "tocsr") else as_array(X, "X")
    if len(data.shape) < 1 or data.shape[0] == 0:
        raise ValueError(f"X must hold one row per item: got {shorten(X)}.")
    n_items = int(data.shape[0])
    runs = plan_runs(n_items, n_runs, resample, fraction=fraction, vary=vary, seed=seed)
    job = _Clustering(clusterer, data, n_items)
    job.check(runs[0])
    store = None if checkpoint is None else RunStore(checkpoint, n_runs, n_items, _settings(job, runs, n_runs, seed))
    rows = _run_all(job, runs, store, n_jobs)
    empty = (rows < 0).all(axis=1)
    if empty.all():
        raise ValueError(f"clusterer must put items into clusters: got nothing but noise (-1) in all {n_runs} runs.")
    _set_apart(rows, runs)
    shares = np.ones(n_runs) if weights is None else as_array(weights, "weights")
    if shares.shape != (n_runs,):
        raise ValueError(f"weights must hold one number per run, {n_runs} in all: got shape {shares.shape}.")
    return PartitionPosterior(rows[~empty], shares[~empty], items=item_names(X), missing=-1)


class _Clustering:
    """One run, as a job that other processes can do."""

    def __init__(self, clusterer: Any, data: Any, n_items: int) -> None:
        self.clusterer, self.data, self.n_items = clusterer, data, n_items

    @property
    def _is_estimator(self) -> bool:
        return callable(getattr(self.clusterer, "fit", None)) and hasattr(self.clusterer, "get_params")

    def check(self, run: Run) -> None:
        """Refuse what is no clusterer, and parameters that it does not have."""
        if not self._is_estimator and not callable(self.clusterer):
            raise TypeError(f"clusterer must be a clusterer or a function of data: got {shorten(self.clusterer)}.")
        if self._is_estimator and (unknown := set(run.varied) - set(self.clusterer.get_params())):
            there = ", ".join(sorted(self.clusterer.get_params()))
            raise ValueError(f"vary must name parameters of the clusterer, {there}: got {', '.join(sorted(unknown))}.")

    def __call__(self, run: Run) -> IntArray:
        """Labels of all items; -1 for those that the run does not hold, or calls noise."""
        rows = np.arange(self.n_items) if run.rows is None else run.rows
        found = as_array(self._labels_of(self._part(rows), run), "labels")
        if found.shape != rows.shape:
            rule = f"clusterer must give one label for each of the {rows.size} items it gets"
            raise ValueError(f"{rule}: got labels of shape {found.shape} in run {run.number}.")
        codes = found if found.dtype.kind in "iu" else np.unique(found, return_inverse=True)[1]
        labels = np.full(self.n_items, -1)
        labels[rows[::-1]] = np.maximum(codes, -1)[::-1]  # of an item that a bootstrap repeats, the first
        return labels

    def _part(self, rows: IntArray) -> Any:
        data: Any = self.data
        if rows.size == self.n_items and (np.diff(rows) == 1).all():
            return data
        if hasattr(data, "iloc"):
            return data.iloc[rows]
        part = data.tocsr()[rows] if hasattr(data, "tocsr") else data[rows]
        params = self.clusterer.get_params() if self._is_estimator else {}
        return part[:, rows] if "precomputed" in (params.get("metric"), params.get("affinity")) else part

    def _labels_of(self, part: Any, run: Run) -> Any:
        if not self._is_estimator:
            return self.clusterer(
                part, **run.varied, **({"random_state": run.seed} if _takes_seed(self.clusterer) else {})
            )
        from sklearn.base import clone

        model = clone(self.clusterer).set_params(**run.varied)
        if "random_state" in model.get_params():
            model.set_params(random_state=run.seed)
        return model.fit_predict(part) if hasattr(model, "fit_predict") else model.fit(part).labels_


def _takes_seed(function: Callable[..., Any]) -> bool:
    try:
        return "random_state" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def _run_all(job: _Clustering, runs: list[Run], store: RunStore | None, n_jobs: int) -> IntArray:
    """Labels of every run; those in the store are not run again, and others are put there as they come."""
    done = {run.number: kept for run in runs if store is not None and (kept := store.get(run.number)) is not None}
    left = [run for run in runs if run.number not in done]
    with Progress("Clustering", len(left)) as progress:
        for run, labels in zip(left, iterate_parallel(job, left, n_jobs), strict=True):
            done[run.number] = labels
            if store is not None:
                store.put(run.number, labels)
            progress.advance(1)
    return np.stack([done[run.number] for run in runs])


def _set_apart(rows: IntArray, runs: list[Run]) -> None:
    """Give an item that is noise in every run that holds it a cluster of its own there, for it is never with others."""
    for item in np.flatnonzero((rows < 0).all(axis=0)):
        held = [run.number for run in runs if run.rows is None or item in run.rows]
        if not held:
            raise ValueError(f"n_runs must be enough for each item to be in a run: got {len(runs)}, none with {item}.")
        rows[held, item] = rows.max() + 1


def _settings(job: _Clustering, runs: list[Run], n_runs: int, seed: int) -> dict[str, Any]:
    """What an ensemble is made of, to be recognized by."""
    from joblib import hash as joblib_hash

    name = getattr(job.clusterer, "__qualname__", None) or repr(job.clusterer)
    planned = [(run.rows, sorted(run.varied.items()), run.seed) for run in runs]
    return {
        "clusterer": " ".join(name.split()),
        "data": joblib_hash(job.data),
        "n_runs": n_runs,
        "random_state": seed,
        "resampling or varied parameters": joblib_hash(planned),
    }
