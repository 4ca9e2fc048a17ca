"""Stability and the number of clusters: ratios measured in one run, growth with K, memory.

python benchmarks/stability.py --yardstick PATH/gibbs_yardstick.py

The yardstick is a plain collapsed Gibbs sampler, 11 000 iterations on 200 items; R's easystab takes about eight times
as long as it does for the tuned stability below.
"""

import argparse
import importlib
import sys
import time
from pathlib import Path

import numpy as np
from measure import peak_megabytes, row, seconds
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

import partita as pt
from partita.stability.openmp import one_openmp_thread


def blobs(n_items, n_clusters, n_features=10, seed=0):
    rng = np.random.default_rng(seed)
    centers = 4 * rng.normal(size=(n_clusters, n_features))
    return rng.normal(size=(n_items, n_features)) + centers[rng.integers(n_clusters, size=n_items)], centers


def yardstick_run(path):
    sys.path.insert(0, str(Path(path).parent))
    module = importlib.import_module(Path(path).stem)
    X = blobs(200, 4, 2)[0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return lambda: module.gibbs(X, 11_000, 1.0, 0.0, 0.5, 2.0, 1.0, 1, 60)


def tuned(path):
    X, centers = blobs(20_000, 20)
    distances, reference = cdist(X, centers), yardstick_run(path)
    ours, theirs = [], []
    for _ in range(5):  # in turns: the machine may be shared
        ours.append(seconds(lambda: pt.assess_stability(distances, n_jobs=2), 1))
        theirs.append(seconds(reference, 1))
    ratio = min(ours) / min(theirs)
    row("tuned stability, 20 000 x 20, 25 baselines, two threads: ours / yardstick", f"{ratio:.2f}", "<= 0.8")
    row("  so that easystab (8 yardsticks) / ours is", f"{8 / ratio:.0f}x", ">= 10x")
    row("  seconds: ours, yardstick", f"{min(ours):.2f}, {min(theirs):.2f}")
    one = seconds(lambda: pt.assess_stability(distances), 3)
    row("  one thread / two threads", f"{one / min(ours):.2f}x")


def growth():
    prior, rng = pt.stability.LocationExponential(), np.random.default_rng(0)
    for k in (5, 10, 20, 50, 100, 200, 500, 1000):
        distances = rng.gamma(3, size=(1_000_000 // k // 2, k))
        per_row = seconds(lambda d=distances: prior.phi(d, 3.0), 3) / len(distances)
        short = seconds(lambda d=distances: prior.phi(d, 3.0, error=1e-6), 3) / len(distances)
        label = f"averaged assignment, K = {k}: ns per row / (K log2 K), exact and within 1e-6"
        row(label, f"{per_row / (k * np.log2(k)) * 1e9:.1f}, {short / (k * np.log2(k)) * 1e9:.1f}")


def large(n_items, n_clusters):
    distances = np.random.default_rng(0).gamma(3, size=(n_items, n_clusters))
    pt.assess_stability(distances, n_baselines=2, n_jobs=1).average  # noqa: B018


def memory():
    start = time.perf_counter()
    peak = peak_megabytes(large, 1_000_000, 50)
    row("tuned stability, 1 000 000 x 50, 2 baselines: peak", f"{peak:.0f} MB", "< 2000 MB")
    row("  of which the distances", f"{1_000_000 * 50 * 8 / 2**20:.0f} MB")
    row("  (each baseline is let go before the next) seconds", f"{time.perf_counter() - start:.0f}")


def selection():
    X = pt.datasets.make_anova_mixture(750, 10, 8).X
    ks, clusterer = range(2, 21), KMeans(n_init=3)

    def timed(method):
        start = time.perf_counter()
        pt.select_n_clusters(X, ks, method, clusterer=clusterer, n_jobs=2)
        return time.perf_counter() - start

    timed("silhouette")
    start = time.perf_counter()
    with one_openmp_thread():
        for k in ks:
            KMeans(k, n_init=3, random_state=0).fit(X)
    alone = time.perf_counter() - start
    row("750 x 10, k = 2 ... 20: seconds to cluster alone (k-means, three starts)", f"{alone:.2f}")
    methods = ("stability", "stability-uniform", "stability-recluster", "gap")
    schemes = ("subsample-draws", "subsample-folds", "subsample-sizes", "silhouette")
    for method in (*methods, *schemes, "all"):
        row(f"  select_n_clusters, {method}, with its clusterings", f"{timed(method):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--yardstick", required=True, help="file with the yardstick's gibbs function")
    tuned(parser.parse_args().yardstick)
    growth()
    memory()
    selection()
