"""The Bayes clusterer: exact search against plain Walsh-Hadamard transforms, very many points against linkage.

python benchmarks/pointprocess.py [--quick]
"""

import sys
from functools import partial

import numpy as np
from measure import peak_megabytes, row, seconds

import partita as pt

QUICK = "--quick" in sys.argv
SIMULATION_3 = {"means": [[0, 0], [1.5, 1.5]], "nu": [1, 2], "kappa": [2, 3], "psi": 0.5}


def process(sizes=None):
    return pt.GaussianPointProcess.normal_inverse_wishart(**SIMULATION_3, sizes=sizes)


def plain_transform(values):
    values, half = values.copy(), 1
    while half < values.size:
        pairs = values.reshape(-1, 2, half)
        total = pairs[:, 0] + pairs[:, 1]
        pairs[:, 1] = pairs[:, 0] - pairs[:, 1]
        pairs[:, 0] = total
        half *= 2
    return values


def exact():
    values = np.random.default_rng(0).random(2**19)
    plain = 3 * seconds(lambda: plain_transform(values))
    for name, sizes in [("sizes 10:10", [10, 10]), ("sizes free", None)]:
        X, _ = pt.datasets.sample_point_process(process(sizes), 20, random_state=1)
        for n_jobs in (1, 2):
            time = seconds(partial(pt.BayesClusterer(process(sizes), "exact", n_jobs=n_jobs).fit, X), 3)
            what = f"exact, n = 20, {name}, {n_jobs} thread(s) / three plain transforms of 2^19"
            row(what, f"{time / plain:.2f}x", "<= 2x")


def exact_once(n_points):
    X, _ = pt.datasets.sample_point_process(process(), n_points, random_state=1)
    pt.BayesClusterer(process(), "exact", n_jobs=2).fit(X)


def exact_memory():
    for n_points in (22, 24) if QUICK else (22, 24, 26):
        row(f"exact, n = {n_points}: peak memory", f"{peak_megabytes(exact_once, n_points):.0f} MB", "< 3 GB at n = 26")


def large():
    from sklearn.cluster import AgglomerativeClustering

    n = 10_000
    for name, sizes in [("sizes known", [n // 2, n // 2]), ("sizes free", None)]:
        X, truth = pt.datasets.sample_point_process(process(sizes), n, random_state=3)
        ours = pt.BayesClusterer(process(sizes), "pseed-faster", n_jobs=2)
        linkage = AgglomerativeClustering(2, linkage="complete")
        time, peer = seconds(partial(ours.fit, X), 1), seconds(partial(linkage.fit, X), 1)
        row(f"pseed-faster, n = 10 000, {name}: complete linkage / ours", f"{peer / time:.1f}x", "> 1x")
        error, theirs = (pt.Misclassification().between(truth, c.labels_) for c in (ours, linkage))
        row("  points misplaced, ours and linkage", f"{error:.3f}, {theirs:.3f}")


def large_once(n_points):
    X, _ = pt.datasets.sample_point_process(process(), n_points, random_state=3)
    pt.BayesClusterer(process(), "pseed-faster", n_jobs=2).fit(X)


def large_memory():
    base = peak_megabytes(large_once, 200)
    for n_points in (100_000,) if QUICK else (100_000, 1_000_000):
        row(
            f"pseed-faster, n = {n_points}: peak above that at n = 200",
            f"{peak_megabytes(large_once, n_points) - base:.0f} MB",
        )


if __name__ == "__main__":
    exact()
    exact_memory()
    large()
    large_memory()
