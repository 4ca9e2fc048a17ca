"""The blocked sampler beside the collapsed one: sweeps, threads, and an answer at many items.

    python benchmarks/scale.py [sweeps] [dask] [memory] [merges] [fit] [peer] [file] [csv] [--million]

Per sweep, 20 clusters, in one run: the blocked label step (parameters, all labels, sums) against a collapsed Gibbs
sweep, two threads against one, 10 times the items against once, two processes of a Dask cluster against two threads.
Then merges; a whole fit; scikit-learn's mixture beside ours; and `partita cluster` from a parquet or csv file to its
report: time, memory, clusters, agreement with the labels that the true mixture would give. All of it where nothing is
named.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from measure import peak_megabytes, row, seconds
from sklearn.cluster import MiniBatchKMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import BayesianGaussianMixture

import partita as pt
from partita.samplers import blocked, collapsed
from partita.samplers.collapsed import SCHEDULES
from partita.samplers.engines.threads import ThreadsEngine
from partita.samplers.run import run_chain

N_CLUSTERS, PRIOR = 20, pt.MixtureOfFiniteMixtures()


def make_data(n_items, d, apart=1.6, seed=0, n_clusters=N_CLUSTERS):
    """Normal clusters whose neighbors overlap a little; labels, and those of the most probable cluster."""
    rng = np.random.default_rng(seed)
    means = apart * rng.normal(size=(n_clusters, d)) * np.sqrt(8 / d)
    labels = rng.integers(n_clusters, size=n_items)
    X = means[labels] + rng.normal(size=(n_items, d))
    best = np.concatenate(
        [(part @ means.T - 0.5 * (means**2).sum(axis=1)).argmax(axis=1) for part in np.array_split(X, 100)]
    )
    return X, labels, best


def label_step(encoded, labels, n_threads):
    """Seconds of a sweep of all labels."""
    base = collapsed.make_problem(encoded, PRIOR)
    problem = blocked.make_problem(base, lambda *rest: ThreadsEngine(*rest, n_threads=n_threads))
    config = blocked.configure(problem, blocked.init(problem, labels, np.random.default_rng(0)))
    with blocked.one_blas_thread():
        return seconds(lambda: blocked.draw_labels(problem, config))


def collapsed_sweep(encoded, labels):
    """Seconds of a collapsed Gibbs sweep."""
    problem = collapsed.make_problem(encoded, PRIOR, schedule=SCHEDULES["gibbs"]._replace(learn=False))
    state = collapsed.init(problem, labels, np.random.default_rng(0))
    return seconds(lambda: collapsed.sweep(problem, state, 1), repeats=1)


def sweeps(n_items):
    """One row per dimension and covariance."""
    for d in (8, 32):
        X, labels, _ = make_data(n_items, d)
        for covariance in ("diagonal", "full"):
            encoded = pt.Gaussian(covariance, scale="variance").encode(X)
            start = pt.canonical(labels)
            one, two = (label_step(encoded, start, n_threads) for n_threads in (1, 2))
            few = label_step(pt.Gaussian(covariance, scale="variance").encode(X[::10]), pt.canonical(labels[::10]), 1)
            serial = collapsed_sweep(encoded, start)
            name = f"n = {n_items}, d = {d}, {covariance}"
            row(
                f"{name}: blocked / collapsed sweep ({1e3 * one:.0f} / {1e3 * serial:.0f} ms)",
                f"{one / serial:.3f}",
                "<= 0.3",
            )
            row("... two threads / one", f"{two / one:.2f}", "<= 0.6")
            row("... per item, against a tenth of the items", f"{one / few / 10:.2f}", "about 1")


def few_draws(n_items, n_draws):
    """A chain from the true labels."""
    X, labels, _ = make_data(n_items, 8)
    problem = blocked.make_problem(collapsed.make_problem(pt.Gaussian("full").encode(X), PRIOR))
    return blocked.sweep(problem, blocked.init(problem, pt.canonical(labels), np.random.default_rng(0)), n_draws)


def memory(n_items):
    """Megabytes of a run beyond those of one on few items, against those of the table."""
    most, few = peak_megabytes(few_draws, n_items, 3), peak_megabytes(few_draws, 1000, 3)
    row(f"n = {n_items}, d = 8: memory of a chain / of its table", f"{(most - few) / (64 * n_items / 2**20):.1f}")


def whole_fit(n_items):
    """A fit with its default component, of clusters that are apart: neighbors that overlap have no one right answer."""
    X, _, best = make_data(n_items, 8, apart=3.0)
    start = time.perf_counter()
    model = pt.BayesianMixture(n_chains=2, n_draws=100, fuse=False).fit(X)
    took = time.perf_counter() - start
    found = np.unique(model.posterior_.n_clusters())
    row(f"n = {n_items}, d = 8: seconds of a fit, 2 chains of 100 draws ({model.sampler_})", f"{took:.0f}")
    row("... numbers of clusters drawn (20 made); R-hat", f"{found}, {model.diagnostics_.table.r_hat.max():.2f}")
    row("... agreement with the most probable clusters", f"{adjusted_rand_score(best, model.labels_):.4f}", ">= 0.99")


def merges(n_items, n_draws=100):
    """Chains that start from too many clusters: how many are left."""
    X, labels, _ = make_data(n_items, 8)
    problem = blocked.make_problem(collapsed.make_problem(pt.Gaussian("full").encode(X), PRIOR))
    halves = [2 * labels + (np.random.default_rng(seed).random(n_items) < 0.5) for seed in range(1, 6)]
    pieces = [MiniBatchKMeans(24, n_init=3, random_state=seed).fit_predict(X) for seed in range(1, 4)]
    for name, starts in (("every cluster cut in two at random", halves), ("24 pieces by k-means", pieces)):
        chains = []
        for start in starts:
            state, counts = blocked.init(problem, pt.canonical(start), np.random.default_rng(2)), []
            while sum(map(len, counts)) < n_draws:
                state, chain = blocked.sweep(problem, state, 5)
                counts.append(chain.draws.max(axis=1) + 1)
            chains.append(np.concatenate(counts))
        for after in (10, 30, n_draws):
            left = [int(chain[after - 1]) for chain in chains]
            row(f"n = {n_items}, from {name}: clusters left after {after} draws", f"{left}", "20")


def pace(sweep, labels, problem, n_draws, n_chains, at_once):
    """Seconds per draw of chains of which several run at once."""
    states = [blocked.init(problem, labels, rng) for rng in np.random.default_rng(0).spawn(n_chains)]
    with ThreadPoolExecutor(at_once) as pool:
        states = list(pool.map(lambda state: sweep(state, 1)[0], states))
        start = time.perf_counter()
        list(pool.map(lambda state: run_chain(sweep, state, n_draws, keep=False), states))
        return (time.perf_counter() - start) / (n_chains * n_draws)


def on_dask(n_items, n_processes=2, n_chains=4):
    """Draws on two processes against two threads, as a fit of four chains runs them: label steps alone, whole draws.

    On threads two chains run at a time, a thread each; on Dask all four do.
    """
    import dask
    from distributed import Client, LocalCluster

    from partita.cli.blocks import ALLOCATOR, KEPT
    from partita.samplers.chains_on_dask import is_small, sweep_on_workers
    from partita.samplers.engines.dask import DaskEngine

    dask.config.set({f"distributed.nanny.pre-spawn-environ.{name}": KEPT for name in ALLOCATOR})
    options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": logging.CRITICAL}
    for d in (8, 32):
        X, labels, _ = make_data(n_items, d)
        encoded, start = pt.Gaussian("full", scale="variance").encode(X), pt.canonical(labels)
        base, n_draws = collapsed.make_problem(encoded, PRIOR), max(10, 3_000_000 // n_items)
        for name, schedule in (("label steps", blocked.Schedule(0, 0, 0, 1)), ("whole draws", blocked.EACH)):
            shared = blocked.make_problem(base, ThreadsEngine, schedule)
            with LocalCluster(n_workers=n_processes, processes=True, **options) as cluster, Client(cluster) as client:
                if is_small(encoded):
                    sweep = sweep_on_workers(base, client, schedule)
                else:
                    spread = blocked.make_problem(base, partial(DaskEngine, client=client), schedule)
                    sweep = partial(blocked.sweep, spread)
                processes = pace(sweep, start, shared, n_draws, n_chains, n_chains)
            threads = pace(partial(blocked.sweep, shared), start, shared, n_draws, n_chains, n_processes)
            what = f"n = {n_items}, d = {d}, full, {name}: Dask on two processes / two threads"
            times = f"({1e3 * processes:.0f} / {1e3 * threads:.0f} ms)"
            row(f"{what} {times}", f"{processes / threads:.2f}", "<= 1.3")


def peer(n_items=100_000, d=10):
    """scikit-learn's variational mixture (40 components, 100 iterations) beside a short fit of ours."""
    X, _, best = make_data(n_items, d, apart=3.0)
    start = time.process_time()
    peer = BayesianGaussianMixture(n_components=40, covariance_type="diag", max_iter=100, random_state=0).fit(X)
    found = peer.predict(X)
    row(f"n = {n_items}, d = {d}: CPU seconds of BayesianGaussianMixture", f"{time.process_time() - start:.0f}")
    row("... clusters with items; agreement", f"{np.unique(found).size}, {adjusted_rand_score(best, found):.3f}")
    start = time.process_time()
    options = {"n_chains": 2, "n_draws": 20, "n_warmup": 10, "fuse": False}
    ours = pt.BayesianMixture(pt.Gaussian("diagonal"), **options).fit(X)
    row("... CPU seconds of ours, 40 draws of 2 chains after 10 each", f"{time.process_time() - start:.0f}", "less")
    row("... clusters; agreement", f"{ours.n_clusters_}, {adjusted_rand_score(best, ours.labels_):.3f}", "20, >= 0.99")


def from_a_file(n_items, engine="threads", suffix="parquet"):
    """`partita cluster` from a file to 200 kept draws, estimate, certainty and report, on two threads."""
    import pandas as pd

    X, _, best = make_data(n_items, 8, apart=3.0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, path = pd.DataFrame(X, columns=[f"x{j}" for j in range(8)]), folder / f"data.{suffix}"
        table.to_parquet(path) if suffix == "parquet" else table.to_csv(path, index=False)
        del X, table
        options = ["--draws", "50", "--jobs", "2", "--engine", engine, "--quiet", "--json"]
        command = [sys.executable, "-m", "partita", "cluster", str(path), "-o", str(folder / "out")]
        start, load = time.perf_counter(), os.getloadavg()[0]
        process = subprocess.Popen([*command, *options], stdout=(folder / "answer").open("w"))
        _, status, usage = os.wait4(process.pid, 0)
        took = time.perf_counter() - start
        if status:
            raise SystemExit(f"{command} failed")
        answer = json.loads((folder / "answer").read_text())
        labels = pd.read_csv(folder / "out" / "labels.csv")["cluster"].to_numpy()
        posterior = pt.PartitionPosterior.load(folder / "out" / "draws.npz")
        size = (folder / "out" / "report.html").stat().st_size / 1e6
    where = f"n = {n_items}, d = 8, {suffix} to report, {engine}"
    row(f"{where}: minutes (load {load:.0f} before)", f"{took / 60:.1f}", "< 20 at 10^6")
    row(
        "... CPU minutes; peak memory",
        f"{(usage.ru_utime + usage.ru_stime) / 60:.1f}, {usage.ru_maxrss / 1024:.0f} MB",
        "< 6144 MB",
    )
    by_chain = [np.unique(posterior.chain(c).n_clusters()).tolist() for c in range(4)]
    row("... clusters of the estimate; of each chain's draws (20 made)", f"{answer['n_clusters']}, {by_chain}")
    row("... smallest clusters of the estimate", f"{sorted(answer['sizes'])[:3]}")
    row("... chains agree; size of the report", f"{answer['diagnostics']['mixed']}, {size:.1f} MB")
    row("... agreement with the most probable clusters", f"{adjusted_rand_score(best, labels):.4f}", ">= 0.99")


PARTS = {
    "sweeps": lambda: sweeps(100_000),
    "dask": lambda: on_dask(100_000),
    "memory": lambda: memory(100_000),
    "merges": lambda: merges(100_000),
    "fit": lambda: whole_fit(100_000),
    "peer": peer,
    "file": lambda: from_a_file(100_000),
    "csv": lambda: from_a_file(100_000, suffix="csv"),
}
AT_A_MILLION = {
    "sweeps": lambda: sweeps(1_000_000),
    "dask": lambda: on_dask(1_000_000),
    "merges": lambda: merges(1_000_000),
    "file": lambda: from_a_file(1_000_000),
    "csv": lambda: from_a_file(1_000_000, suffix="csv"),
    "blocks": lambda: from_a_file(1_000_000, "dask"),
}

if __name__ == "__main__":
    parts = AT_A_MILLION if "--million" in sys.argv else PARTS
    for name in [word for word in sys.argv[1:] if not word.startswith("-")] or parts:
        parts[name]()
