"""The blocked sampler on a Dask cluster, a worker killed in the middle: ``python blocked_on_dask.py``.

Run as a program of its own, which a test can end whatever its workers do. It prints what came out the same.
"""

import logging
import os
import signal
from functools import partial

import numpy as np
from distributed import Client, LocalCluster

import partita as pt
from partita.samplers import blocked, collapsed
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


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


if __name__ == "__main__":
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    options = dict(threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL)
    with LocalCluster(n_workers=4, **options) as cluster, Client(cluster) as client:
        four = draws(client)
        pid = next(iter(client.run(os.getpid).values()))
        killed = draws(client, pid)
        on_cluster = fitted("dask")
    with LocalCluster(n_workers=1, **options) as cluster, Client(cluster) as client:
        one = draws(client)
    print("workers" if same(four, one) else f"workers differ: {four} {one}")
    print("killed" if same(four, killed) else f"killed differ: {four} {killed}")
    found = draws()[0]
    print("threads" if np.array_equal(found, four[0]) else f"threads differ: {(found != four[0]).sum()}")
    print("fit" if same(on_cluster, fitted("threads")) else "fits differ")
