"""The same results on threads, on processes and on a Dask cluster."""

import os
import pickle
import sys
import time

import joblib
import numpy as np
import pytest
from sklearn.cluster import KMeans

import partita as pt
from partita._parallel import Budget, run_parallel, run_threads, uses_threads

X, _ = pt.datasets.make_quadrants(n_items=60)
PROCESS = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [2, 2]], 1, 4, 1.0)


def negative(number):
    return -number


def baselines():
    found = pt.assess_stability(KMeans(4, n_init=2, random_state=0).fit(X), X=X, n_baselines=3, n_jobs=2)
    return [found.phi, found.baseline_averages]


def reclustered():
    clusterer = KMeans(4, n_init=2, random_state=0).fit(X)
    return [pt.assess_stability(clusterer, X=X, baseline="recluster", n_baselines=2, n_jobs=2).baseline_averages]


def selection():
    methods = ["stability", "stability-uniform", "stability-recluster", "gap", "subsample-draws", "subsample-folds"]
    found = pt.select_n_clusters(X, [2, 4], methods, clusterer=KMeans(n_init=1), n_baselines=2, n_jobs=2)
    return [found.table["value"].to_numpy(), found.labels]


def restarts():
    found = pt.BregmanKMeans(4, n_init=3, n_jobs=2).fit(X)
    return [found.labels_, found.cost_]


def searches():
    posterior, _ = pt.datasets.make_noisy_draws(n_items=30, n_draws=60)
    return [pt.estimate_partition(posterior, loss, n_starts=4, n_jobs=2).labels for loss in ("vi", "binder")]


def chains():
    found = pt.BayesianMixture(n_chains=2, n_draws=20, n_warmup=10, n_jobs=2, random_state=1).fit(X)
    return [found.posterior_.draws, found.log_posterior_]


def chains_with_a_fixed_number():
    known = pt.Constraints(must_link=[(0, 1)], cannot_link=[(0, 2)], n_items=60)
    short = dict(n_chains=2, n_draws=20, n_warmup=10, n_jobs=2)
    found = pt.GeneralizedBayesClustering(3, **short).fit(X, constraints=known)
    return [found.posterior_.draws, found.rate_]


def enumeration():
    return [pt.BayesClusterer(PROCESS, "exact", n_jobs=2).fit(X[:14]).error_]


def label_functions():
    found = pt.BayesClusterer(PROCESS, "posterior", n_draws=50, n_chains=2, n_jobs=2).fit(X)
    return [found.labels_, found.error_]


def hill_climbs():
    found = pt.BayesClusterer(PROCESS, "pseed", n_starts=2, radius=1, n_jobs=2).fit(X[:20])
    return [found.labels_, found.error_]


WORK = [
    baselines,
    reclustered,
    selection,
    restarts,
    searches,
    chains,
    chains_with_a_fixed_number,
    enumeration,
    label_functions,
    hill_climbs,
]


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def assert_same(work):
    """On threads, and as configured."""
    with joblib.parallel_config(backend="threading"):
        expected = work()
    for found, known in zip(work(), expected, strict=True):
        np.testing.assert_array_equal(found, known)


@pytest.mark.slow
@pytest.mark.parametrize("work", WORK)
def test_processes_give_the_results_of_threads(work):
    with joblib.parallel_config(backend="loky"):
        assert not uses_threads()
        assert_same(work)


# Worker processes that die take the test with them into an endless wait, so these run only where asked for.
@pytest.mark.skipif("PARTITA_DASK" not in os.environ, reason="set PARTITA_DASK=1 to start a Dask cluster")
@pytest.mark.slow
@pytest.mark.parametrize("work", WORK)
def test_a_dask_cluster_gives_the_results_of_threads(work, cluster):
    with joblib.parallel_config(backend="dask"):
        assert not uses_threads()
        assert_same(work)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_results_come_in_the_order_of_the_jobs(n_jobs, monkeypatch):
    notes = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    jobs = [3, 1, 2]
    assert run_parallel(negative, jobs, n_jobs, "Negating", lambda result: notes.append(result) or "") == [-3, -1, -2]
    assert notes == [-3, -1, -2]
    with joblib.parallel_config(backend="loky"):
        seen = []
        assert run_threads(seen.append, jobs, n_jobs) == [None] * 3
        assert sorted(seen) == [1, 2, 3]
    assert uses_threads()


def test_a_budget_takes_its_time_along():
    budget = pickle.loads(pickle.dumps(Budget(0.05)))
    assert not budget.exhausted
    time.sleep(0.06)
    assert budget.exhausted
    assert not pickle.loads(pickle.dumps(Budget())).exhausted
