"""What is computed on threads and again on processes or a Dask cluster: ``python parallel_work.py loky``.

Run as a program of its own, which a test can end whatever its workers do. It prints what came out the same.
"""

import sys
from contextlib import ExitStack

import joblib
import numpy as np
from sklearn.cluster import KMeans

import partita as pt
from partita._parallel import uses_threads

X, _ = pt.datasets.make_quadrants(n_items=60)
PROCESS = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [2, 2]], 1, 4, 1.0)


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


def ensembles():
    return [pt.ensemble(KMeans(3, n_init=1), X, n_runs=8, vary={"n_clusters": [2, 3]}, n_jobs=2).draws]


def own_costs():
    """Costs written as functions, which other processes know only by value."""
    quartic = pt.costs.Bregman(lambda x: (x**4).sum(), lambda x: 4 * x**3)
    farthest = pt.costs.Dissimilarity(lambda x, y: abs(x - y).max())
    short = dict(n_chains=2, n_draws=20, n_warmup=10, n_jobs=2)
    drawn = [pt.GeneralizedBayesClustering(3, cost=cost, rate=0.1, **short).fit(X) for cost in (quartic, farthest)]
    found = pt.BregmanKMeans(3, cost=quartic, n_init=3, n_jobs=2).fit(X)
    return [found.labels_, *(model.posterior_.draws for model in drawn)]


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
    ensembles,
    own_costs,
]


def start(backend, stack):
    """What the backend needs before it is asked for."""
    if backend == "dask":
        from distributed import Client, LocalCluster

        cluster = stack.enter_context(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
        stack.enter_context(Client(cluster))


def compare(backend):
    """Compute everything on threads and on the backend."""
    with ExitStack() as stack:
        start(backend, stack)
        for work in WORK:
            with joblib.parallel_config(backend="threading"):
                assert uses_threads()
                expected = work()
            with joblib.parallel_config(backend=backend):
                assert not uses_threads()
                found = work()
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)
            print(work.__name__, flush=True)


if __name__ == "__main__":
    compare(sys.argv[1])
