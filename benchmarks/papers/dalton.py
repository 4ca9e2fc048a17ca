"""Section IX of Dalton et al. (2015): small, moderate and large point sets, beside our reference values.

python benchmarks/papers/dalton.py [--quick] [small | rms | moderate | large]

Reference values in brackets come from an independent enumeration of 400 point sets per simulation (small), 150 sets
(moderate) and 300 sets (large); "paper" values are read off the text. Sizes 12:8 are shared out at random.
"""

import sys
import time
from functools import partial

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans

import partita as pt
from partita._parallel import run_parallel
from partita.pointprocess.enumeration import all_known
from partita.pointprocess.error_models import BallBounds

QUICK = "--quick" in sys.argv
PART = next((a for a in sys.argv[1:] if not a.startswith("-")), None)
CENTERS = [[0, 0], [1.5, 1.5]]
GPP, LOSS = pt.GaussianPointProcess, pt.Misclassification()
REFERENCE = {  # Bayes error, then empirical errors: optimal, most probable, k-means, FCM, complete, single, random
    1: (0.134, 0.135, 0.137, 0.182, 0.161, 0.218, 0.421, 0.413),
    2: (0.079, 0.079, 0.080, 0.104, 0.089, 0.132, 0.308, 0.414),
    3: (0.050, 0.046, 0.054, 0.177, 0.169, 0.222, 0.310, 0.413),
    4: (0.144, 0.142, 0.148, 0.196, 0.168, 0.226, 0.379, 0.410),
    5: (0.087, 0.084, 0.089, 0.109, 0.094, 0.132, 0.300, 0.412),
    6: (0.054, 0.056, 0.061, 0.180, 0.173, 0.220, 0.280, 0.413),
}
NAMES = ("Bayes error", "optimal", "pmax h=0", "k-means", "FCM", "complete", "single", "random")
MORE = ("pmax h=2", "pseed h=0", "pseed h=2", "pseed h=4")


def simulation(number):
    sizes = [10, 10] if number <= 3 else [12, 8]
    if number in {1, 4}:
        return GPP.known(CENTERS, 1.0, sizes=sizes)
    if number in {2, 5}:
        return GPP.gaussian_means(CENTERS, [1, 2], 0.5, sizes=sizes)
    return GPP.normal_inverse_wishart(CENTERS, [1, 2], [2, 3], 0.5, sizes=sizes)


def rivals(X, rng):
    seed = int(rng.integers(2**31))
    return {
        "k-means": KMeans(2, init="random", n_init=1, random_state=seed).fit_predict(X),
        "FCM": pt.FuzzyCMeans(2, random_state=seed).fit_predict(X),
        "complete": AgglomerativeClustering(2, linkage="complete").fit_predict(X),
        "single": AgglomerativeClustering(2, linkage="single").fit_predict(X),
        "random": rng.integers(2, size=len(X)),
    }


def small_set(process, rng):
    """Bayes error, theoretical error of k-means, and empirical errors of all clusterers on one point set."""
    X, truth = pt.datasets.sample_point_process(process, random_state=rng)
    everything = all_known(process, X, None, 1)
    errors = everything.errors()
    found = {"optimal": everything.labels(int(errors.argmin())), "pmax h=0": everything.mode(), **rivals(X, rng)}
    found["pmax h=2"] = everything.within(found["pmax h=0"], 2).best()
    for h in (0, 2, 4):
        found[f"pseed h={h}"] = pt.BayesClusterer(process, "pseed", radius=h).fit_predict(X)
    empirical = {name: LOSS.between(truth, labels) for name, labels in found.items()}
    return [errors.min(), errors[everything.code(found["k-means"])], *(empirical[name] for name in NAMES[1:] + MORE)]


def small():
    start = time.perf_counter()
    for number, reference in REFERENCE.items():
        n_sets = (40 if QUICK else 1000) if number in {1, 4} else (40 if QUICK else 500)
        process = simulation(number)
        results = run_parallel(partial(small_set, process), np.random.default_rng(number).spawn(n_sets), 2)
        mean, std = np.mean(results, axis=0), np.std(results, axis=0) / np.sqrt(n_sets)
        print(f"\nSimulation {number}, {n_sets} sets: mean (standard error) [reference]")
        shown = np.delete(mean, 1), np.delete(std, 1)
        for i, name in enumerate(NAMES + MORE):
            known = f"[{reference[i]:.3f}]" if i < len(reference) else ""
            print(f"  {name:<12} {shown[0][i]:.3f} ({shown[1][i]:.3f}) {known}", flush=True)
        print(f"  k-means, theoretical under the model {mean[1]:.3f} ({std[1]:.3f})")
    print(f"\nAll six simulations: {time.perf_counter() - start:.0f} s on 2 threads")


def rms_set(process, radii, rng):
    """Estimated minus exact error over h, for the optimal, FCM and k-means partitions."""
    X, _ = pt.datasets.sample_point_process(process, random_state=rng)
    everything = all_known(process, X, None, 1)
    errors = everything.errors()
    labels = [everything.labels(int(errors.argmin())), *(rivals(X, rng)[name] for name in ("FCM", "k-means"))]
    exact = errors[[everything.code(row) for row in labels]]
    pseed = pt.BayesClusterer(process, "pseed", radius=0).fit(X)
    balls = [BallBounds(*process.bind(X), pseed.labels_, h).partitions for h in radii]
    return [[near.cost(pt.canonical(row)) - e for row, e in zip(labels, exact, strict=True)] for near in balls]


def rms():
    n_sets, radii = (30, (0, 2, 4, 6)) if QUICK else (300, (0, 2, 4, 6, 8, 10))
    streams = np.random.default_rng(7).spawn(n_sets)
    gaps = np.array(run_parallel(partial(rms_set, simulation(1), radii), streams, 2))
    print(f"\nFig. 4, Simulation 1, {n_sets} sets: RMS of estimated minus exact error, by h")
    for h, (optimal, fcm, kmeans) in zip(radii, np.sqrt((gaps**2).mean(axis=0)), strict=True):
        print(f"  h = {h:<3} optimal {optimal:.3f}   FCM {fcm:.3f}   k-means {kmeans:.3f}", flush=True)


def averages(process, clusterers, n_sets, n_points=None):
    table = pt.compare_clusterers(process, clusterers, n_sets, n_points=n_points, bayes_search=None, random_state=1)
    for name, line in table.iterrows():
        print(f"  {name:<14} {line.empirical:.3f} ({line.empirical_std:.3f})   {line.seconds:.2f} s", flush=True)


def moderate():
    n_sets = 10 if QUICK else 150
    process = GPP.normal_inverse_wishart([[0, 0], [6, 6]], 2, [2, 3], 3.0, sizes=[35, 35])
    print(f"\nn = 70, {n_sets} sets [reference: maximum probability .021, FCM .122; paper: close to .1]")
    pseed = {f"pseed h={h}": pt.BayesClusterer(process, "pseed", radius=h) for h in (0, 2)}
    averages(process, {**pseed, "FCM": pt.FuzzyCMeans(2), "k-means": KMeans(2, n_init=1, random_state=0)}, n_sets)


def large():
    for n, n_sets in [(1000, 20), (10_000, 3)] if QUICK else [(1000, 300), (10_000, 50)]:
        process = GPP.normal_inverse_wishart(CENTERS, [1, 2], [2, 3], 0.5, sizes=[n // 2, n // 2])
        print(f"\nn = {n}, {n_sets} sets [reference at n = 1000: pseed .051, k-means .186, FCM .180, complete .285]")
        clusterers = {name: pt.BayesClusterer(process, name) for name in ("pseed-faster", "pseed-fast")}
        clusterers |= {"k-means": KMeans(2, n_init=1, random_state=0), "FCM": pt.FuzzyCMeans(2)}
        averages(process, clusterers | {"complete": AgglomerativeClustering(2, linkage="complete")}, n_sets)


if __name__ == "__main__":
    for name, part in {"small": small, "rms": rms, "moderate": moderate, "large": large}.items():
        if PART in {None, name}:
            part()
