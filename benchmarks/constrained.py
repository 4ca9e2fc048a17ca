"""Clusterers under constraints: time per iteration against scikit-learn's k-means, and memory.

    python benchmarks/constrained.py [SHARED]

SHARED is the folder that holds ``data/uci`` (not part of this repository). All on one thread.
"""

import sys
import time
import warnings
from pathlib import Path

import numpy as np
from measure import peak_megabytes, row, seconds
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

import partita as pt
from partita.constraints.chunklets import make_chunklets
from partita.samplers.collapsed import SCHEDULES, init, make_problem, sample

SHARED = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
SHORT, LONG = 2, 22


def overlapping(n, d=16, n_clusters=10):
    """Points whose clusters overlap, so that no method stops early."""
    rng = np.random.default_rng(0)
    truth = rng.integers(n_clusters, size=n)
    return rng.normal(size=(n_clusters, d))[truth] + rng.normal(0, 2, size=(n, d)), truth


def per_iteration(fits, rounds=8):
    """Seconds per iteration of each fit: a long run less a short one, the least of rounds in which all take turns."""
    times = {}
    for _ in range(rounds):
        for name, fit in fits.items():
            for max_iter in (SHORT, LONG):
                began = time.perf_counter()
                done = fit(max_iter)
                times.setdefault((name, max_iter), []).append(time.perf_counter() - began)
                if done != max_iter:
                    raise SystemExit(f"{name} stopped after {done} of {max_iter} iterations: nothing to measure")
    return {name: (min(times[name, LONG]) - min(times[name, SHORT])) / (LONG - SHORT) for name in fits}


def iterations(n=100_000, n_clusters=10):
    X, truth = overlapping(n)
    known = pt.sample_constraints(truth, 1000)
    init = X[:n_clusters]

    def k_means(max_iter):
        return KMeans(n_clusters, init=init, n_init=1, max_iter=max_iter, tol=0, algorithm="lloyd").fit(X).n_iter_

    def weighted(max_iter, constraints=None):
        return pt.LocallyWeightedClustering(n_clusters, max_iter=max_iter).fit(X, constraints=constraints).n_iter_

    fits = {"k-means": k_means, "LWC": weighted, "CLWC": lambda max_iter: weighted(max_iter, known)}
    each = per_iteration(fits)
    what = f"n = {n}, d = 16, K = {n_clusters}"
    row(f"k-means of scikit-learn, {what}: ms per iteration", f"{1e3 * each['k-means']:.1f}")
    row("LWC / k-means, time per iteration", f"{each['LWC'] / each['k-means']:.2f}", "<= 2.5")
    row("CLWC with 1000 pairs / LWC, time per iteration", f"{each['CLWC'] / each['LWC']:.2f}", "<= 1.3")


def gibbs_sweeps(n=1000, n_pairs=300, n_draws=300):
    """Seconds of Gibbs sweeps from the truth, with hard pairs, with soft pairs and without."""
    X, truth = pt.datasets.make_quadrants(n)
    truth, encoded, prior = (
        pt.canonical(truth),
        pt.Gaussian("diagonal", scale="variance").encode(X),
        pt.DirichletProcess(1.0),
    )
    hard = pt.sample_constraints(truth, n_pairs)
    soft = pt.Constraints(hard.must_link, hard.cannot_link, n, must_link_weights=2.0, cannot_link_weights=2.0)
    times = {}
    for name, known in {"none": pt.Constraints(n_items=n), "hard": hard, "soft": soft}.items():
        problem = make_problem(encoded, prior, make_chunklets(known), schedule=SCHEDULES["gibbs"])
        times[name] = seconds(
            lambda problem=problem: sample(problem, init(problem, truth, np.random.default_rng(0)), n_draws)
        )
    for name in ("hard", "soft"):
        what = f"Gibbs sweeps with {n_pairs} {name} pairs on {n} items / without, time"
        row(what, f"{times[name] / times['none']:.2f}", "<= 1.2")


def fit_a_million():
    X, _ = overlapping(1_000_000)
    pt.LocallyWeightedClustering(10, max_iter=5).fit(X)


def digits():
    path = SHARED / "data" / "uci" / "digits_389.csv"
    if not path.exists():
        print(f"digits: not in {path.parent}")
        return
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    known = pt.sample_constraints(table[:, -1].astype(int), 500)
    time_ = seconds(lambda: pt.MPCKMeans(3).fit(table[:, :-1], constraints=known))
    row("MPCK-Means, digits (1008 x 16), 500 pairs, 10 starts: seconds", f"{time_:.3f}", "< 1")


def main():
    warnings.simplefilter("ignore")  # k-means says that it was stopped, as it was meant to be
    with threadpool_limits(1):
        iterations()
        digits()
        gibbs_sweeps()
        row("LWC, n = 1 000 000 x 16: peak memory, MB", f"{peak_megabytes(fit_a_million):.0f}", "< 2000")


if __name__ == "__main__":
    main()
