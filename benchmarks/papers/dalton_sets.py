"""Point sets of Section IX of Dalton et al. (2015), and what clusterers make of one of them."""

import multiprocessing
import re
import time
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans

import partita as pt
from partita.pointprocess.enumeration import all_known

CENTERS = [[0, 0], [1.5, 1.5]]
GPP, LOSS = pt.GaussianPointProcess, pt.Misclassification()
RADII = (0, 2, 4, 6)  # with known sizes points change sides in pairs: an odd radius holds what the even one below holds
WIDE = (0, 2, 4, 6, 8, 10)
SMALL = ("optimal", *(f"pmax h={h}" for h in RADII), *(f"pseed h={h}" for h in RADII))
RIVALS = ("FCM", "k-means", "complete", "single", "random")


def simulation(number):
    """The point process of a row of Table I."""
    sizes = [10, 10] if number <= 3 else [12, 8]
    if number in {1, 4}:
        return GPP.known(CENTERS, 1.0, sizes=sizes)
    if number in {2, 5}:
        return GPP.gaussian_means(CENTERS, [1, 2], 0.5, sizes=sizes)
    return GPP.normal_inverse_wishart(CENTERS, [1, 2], [2, 3], 0.5, sizes=sizes)


def moderate_process():
    """The process of Fig. 5, with 70 points."""
    return GPP.normal_inverse_wishart([[0, 0], [6, 6]], 2, [2, 3], 3.0, sizes=[35, 35])


def large_process(n):
    """The process of Fig. 6: that of Simulation 3 with n points."""
    return GPP.normal_inverse_wishart(CENTERS, [1, 2], [2, 3], 0.5, sizes=[n // 2, n // 2])


def rivals(X, rng):
    """Partitions by clusterers that know nothing of the process."""
    seed = int(rng.integers(2**31))
    return {
        "FCM": pt.FuzzyCMeans(2, random_state=seed).fit_predict(X),
        "k-means": KMeans(2, init="random", n_init=1, random_state=seed).fit_predict(X),
        "complete": AgglomerativeClustering(2, linkage="complete").fit_predict(X),
        "single": AgglomerativeClustering(2, linkage="single").fit_predict(X),
        "random": rng.integers(2, size=len(X)),
    }


def linear_classifier(X):
    """The clusters of the best classifier under Model 0: which of the two known means is nearer."""
    return (X @ np.array([1.5, 1.5]) > 2.25).astype(int)


def small_set(process, rng):
    """Of one set of 20 points: Bayes error, whether the seed is the mode, theoretical and empirical errors by name."""
    X, truth = pt.datasets.sample_point_process(process, random_state=rng)
    everything = all_known(process, X, None, 1)
    errors, mode = everything.errors(), everything.mode()
    found = {"optimal": everything.labels(int(errors.argmin()))}
    found |= {f"pmax h={h}": everything.within(mode, h).best() for h in RADII}
    found |= {f"pseed h={h}": pt.BayesClusterer(process, "pseed", radius=h).fit_predict(X) for h in RADII}
    found |= rivals(X, rng)
    if process.kappa is None and np.isinf(process.nu).all():
        found["classifier"] = linear_classifier(X)
    same = everything.code(found["pseed h=0"]) == everything.code(mode)
    theory = {name: errors[everything.code(labels)] for name, labels in found.items()}
    return errors.min(), same, theory, {name: LOSS.between(truth, labels) for name, labels in found.items()}


def rms_set(process, rng):
    """Estimated minus exact error of each partition, for every radius of the ball around the seed (Fig. 4)."""
    X, _ = pt.datasets.sample_point_process(process, random_state=rng)
    everything = all_known(process, X, None, 1)
    errors = everything.errors()
    seed = pt.BayesClusterer(process, "pseed", radius=0).fit_predict(X)
    found = {"optimal": everything.labels(int(errors.argmin())), "pseed h=0": seed, **rivals(X, rng)}
    codes = [everything.code(labels) for labels in found.values()]
    balls = [everything.within(seed, h) for h in WIDE]
    return [near.errors()[codes] / near.known - errors[codes] for near in balls]


def moderate_set(process, radii, rng):
    """Of one set of 70 points: empirical errors, and the error that each radius estimates, by name."""
    X, truth = pt.datasets.sample_point_process(process, random_state=rng)
    fits = {h: pt.BayesClusterer(process, "pseed", radius=h).fit(X) for h in radii}
    found = {f"pseed h={h}": fit.labels_ for h, fit in fits.items()} | rivals(X, rng)
    empirical = {name: LOSS.between(truth, labels) for name, labels in found.items()}
    estimated = {h: {n: fit.partition_error(labels).estimate for n, labels in found.items()} for h, fit in fits.items()}
    return empirical, estimated


def large_clusterers(process):
    """The clusterers of Fig. 6 by name."""
    bayes = {name: pt.BayesClusterer(process, name) for name in ("pseed-fast", "pseed-faster")}
    linkage = {name: AgglomerativeClustering(2, linkage=name) for name in ("complete", "single")}
    return bayes | {"FCM": pt.FuzzyCMeans(2), "k-means": KMeans(2, n_init=1, random_state=0)} | linkage


def peak_memory(name, n):
    """Megabytes beyond those of a warm process that a clusterer takes at most for n points (Linux)."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak_memory, (name, n))


def _peak_memory(name, n):
    few, process = large_process(100), large_process(n)
    large_clusterers(few)[name].fit_predict(pt.datasets.sample_point_process(few, random_state=0)[0])
    X, _ = pt.datasets.sample_point_process(process, random_state=1)
    Path("/proc/self/clear_refs").write_text("5")  # the highest so far becomes what there is now
    before = _kilobytes("VmRSS")
    large_clusterers(process)[name].fit_predict(X)
    return (_kilobytes("VmHWM") - before) / 1024


def _kilobytes(entry):
    return int(re.search(rf"{entry}:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))[1])


def timed(what):
    """Seconds that a call takes."""
    start = time.perf_counter()
    what()
    return time.perf_counter() - start


def warm_up():
    """Compile whatever is to be timed."""
    few = large_process(100)
    X, _ = pt.datasets.sample_point_process(few, random_state=0)
    for clusterer in large_clusterers(few).values():
        timed(partial(clusterer.fit_predict, X))
