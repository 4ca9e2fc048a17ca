"""The blocked sampler beside the collapsed one: sweeps, threads, and an answer at many items.

    python benchmarks/scale.py [--million]

Per sweep, 20 clusters, in one run: the blocked label step (parameters, all labels, sums) against a collapsed Gibbs
sweep, two threads against one, 10 times the items against once. Then merges, and a whole fit: seconds, memory,
clusters, agreement with the labels that the true mixture would give.
"""

import sys
import time

import numpy as np
from measure import peak_megabytes, row, seconds
from sklearn.metrics import adjusted_rand_score

import partita as pt
from partita.samplers import blocked, collapsed
from partita.samplers.collapsed import SCHEDULES
from partita.samplers.engines.threads import ThreadsEngine

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


def merges(n_items):
    """Draws until chains that start from twice as many clusters as there are have merged them."""
    X, labels, _ = make_data(n_items, 8)
    halves = 2 * labels + (np.random.default_rng(1).random(n_items) < 0.5)
    problem = blocked.make_problem(collapsed.make_problem(pt.Gaussian("full").encode(X), PRIOR))
    state, n_draws = blocked.init(problem, pt.canonical(halves), np.random.default_rng(2)), 0
    while state.labels.max() + 1 > N_CLUSTERS and n_draws < 400:
        state, _ = blocked.sweep(problem, state, 1)
        n_draws += 1
    row(f"n = {n_items}, from every cluster cut in two at random: clusters left", int(state.labels.max()) + 1, "20")
    row("... after draws", n_draws)


if __name__ == "__main__":
    sweeps(100_000)
    memory(100_000)
    merges(100_000)
    whole_fit(100_000)
    if "--million" in sys.argv:
        sweeps(1_000_000)
        whole_fit(1_000_000)
