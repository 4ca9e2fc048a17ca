"""The blocked sampler on a Dask cluster, a worker killed in the middle: ``python blocked_on_dask.py``.

Run as a program of its own, which a test can end whatever its workers do. It prints what came out the same.
"""

import logging
import os
import signal
from functools import partial

import joblib
import numpy as np
from distributed import Client, LocalCluster

import partita as pt
from partita.samplers import blocked, chains_on_dask, collapsed
from partita.samplers.chains_on_dask import sweep_on_workers
from partita.samplers.engines.dask import DaskEngine
from partita.samplers.engines.threads import ThreadsEngine

N_ITEMS, BLOCK = 700, 150
rng = np.random.default_rng(0)
LABELS = rng.integers(0, 3, N_ITEMS)
X = rng.normal(size=(N_ITEMS, 2)) + 5.0 * LABELS[:, None]
BASE = collapsed.make_problem(pt.Student().encode(X), pt.DirichletProcess(1.0))


def draws(client=None, kill=None):
    """Draws of a short chain on a cluster, or on threads; ``kill`` is a worker's process that ends after the second."""
    engine = ThreadsEngine if client is None else partial(DaskEngine, client=client, block=BLOCK)
    problem = blocked.make_problem(BASE, engine)
    state = blocked.init(problem, pt.canonical(LABELS // 2), np.random.default_rng(1))
    found = []
    for number in range(6):
        if kill is not None and number == 2:
            os.kill(kill, signal.SIGKILL)
        state, chain = blocked.sweep(problem, state, 1)
        found.append((chain.draws[0], chain.log_posterior[0]))
    return [np.array(values) for values in zip(*found, strict=True)]


def fitted(engine):
    """What a fit draws with an engine."""
    short = dict(n_chains=2, n_draws=3, n_warmup=2, n_jobs=2, fuse=False)
    model = pt.BayesianMixture(pt.Gaussian("diagonal"), sampler="blocked", engine=engine, **short).fit(X)
    return [model.posterior_.draws]


def chain_of_a_worker(client, kill=False):
    """Draws of a short chain that a worker makes as a whole; all that have the table are killed after the second."""
    state = blocked.init(blocked.make_problem(BASE), pt.canonical(LABELS // 2), np.random.default_rng(1))
    sweep, found = sweep_on_workers(BASE, client), []
    _, problem = sweep.args
    for number in range(6):
        if kill and number == 2:
            pids = client.run(os.getpid)
            for worker in client.who_has([problem])[problem.key]:
                os.kill(pids[worker], signal.SIGKILL)
        state, chain = sweep(state, 1)
        found.append((chain.draws[0], chain.log_posterior[0]))
    return [np.array(values) for values in zip(*found, strict=True)]


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


if __name__ == "__main__":
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    options = dict(threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL)
    with LocalCluster(n_workers=4, **options) as cluster, Client(cluster) as client:
        four = draws(client)
        pid = next(iter(client.run(os.getpid).values()))
        killed = draws(client, pid)
        with joblib.parallel_config(backend="loky"):
            on_cluster = fitted("dask")
        chains_on_dask.SMALL = 0
        by_blocks = fitted("dask")
        whole = [chain_of_a_worker(client, kill) for kill in (False, True)]
    with LocalCluster(n_workers=1, **options) as cluster, Client(cluster) as client:
        one = draws(client)
    print("workers" if same(four, one) else f"workers differ: {four} {one}")
    print("killed" if same(four, killed) else f"killed differ: {four} {killed}")
    found = draws()
    print("threads" if np.array_equal(found[0], four[0]) else f"threads differ: {(found[0] != four[0]).sum()}")
    print("chains" if all(same(found, each) for each in whole) else f"chains differ: {found} {whole}")
    on_threads = fitted("threads")
    print("fit" if same(on_cluster, on_threads) and same(by_blocks, on_threads) else "fits differ")
