"""Mixture samplers against the yardstick sampler: ratios measured in one run.

    python benchmarks/mixtures.py [SHARED]

SHARED is the folder that holds ``data/wade`` and ``bench/gibbs_yardstick.py`` (not part of this repository).
"""

import sys
import time
from pathlib import Path

import numpy as np
from measure import peak_megabytes, row, seconds

import partita as pt
from partita.samplers.collapsed import SCHEDULES, init, make_problem, sample

SHARED = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
SELDOM = SCHEDULES["both"]._replace(n_proposals=0.5)


def timed(problem, start, n_draws):
    sample(problem, init(problem, start, np.random.default_rng(0)), 20)
    best = np.inf
    for seed in range(3):
        state = init(problem, start, np.random.default_rng(seed))
        began = time.perf_counter()
        sample(problem, state, n_draws)
        best = min(best, time.perf_counter() - began)
    return best


def against_yardstick():
    sys.path.insert(0, str(SHARED / "bench"))
    from gibbs_yardstick import gibbs

    X = np.ascontiguousarray(np.load(SHARED / "data" / "wade" / "ex1.npz")["X"], float)
    n = 11_000
    gibbs(X, 5, 1.0, 0.0, 0.5, 2.0, 1.0, 1, 60)
    yardstick = np.inf
    for seed in range(3):
        began = time.perf_counter()
        gibbs(X, n, 1.0, 0.0, 0.5, 2.0, 1.0, seed, 60)
        yardstick = min(yardstick, time.perf_counter() - began)
    component, start = pt.Gaussian("diagonal", mean=0.0, strength=0.5, shape=2.0, scale=1.0), np.zeros(len(X), np.int64)
    for what, prior, schedule, target in [
        ("Gibbs alone, fixed concentration", pt.DirichletProcess(1.0), SCHEDULES["gibbs"], 0.9),
        ("a split-merge every other draw, concentration sampled", pt.DirichletProcess(pt.Gamma(1, 1)), SELDOM, 0.6),
    ]:
        problem = make_problem(component.encode(X), prior, schedule=schedule)
        ratio = yardstick / timed(problem, start, n)
        row(f"iterations per second / yardstick's, 200 items: {what}", f"{ratio:.2f}", f">= {target}")

    model = pt.BayesianMixture(
        component, pt.DirichletProcess(pt.Gamma(1, 1)), n_chains=1, n_draws=10_000, n_warmup=1_000, fuse=False
    )
    whole = seconds(lambda: model.fit(X), repeats=3) / yardstick
    row("a fit of 11 000 iterations, estimate and diagnosis: time / yardstick's sampling", f"{whole:.2f}", "<= 1.67")


def full_gaussian():
    for n, d in [(500, 2), (2000, 2), (2000, 10)]:
        rng = np.random.default_rng(0)
        labels = rng.integers(5, size=n)
        X = rng.normal(size=(n, d)) + 6 * rng.normal(size=(5, d))[labels]
        start = pt.canonical(labels)
        for what, component in [
            ("given scale", pt.Gaussian("full", scale="variance")),
            ("learned scale", pt.Gaussian("full")),
            ("heavy tails", pt.Student()),
        ]:
            problem = make_problem(component.encode(X), pt.DirichletProcess(1.0), schedule=SCHEDULES["gibbs"])
            rate = 40 / timed(problem, start, 40)
            row(f"covariance matrix, {what}, {n} items, {d} columns, 5 clusters: sweeps per second", f"{rate:.0f}")


def effective_per_second(problem, starts, n_draws):
    """Effective draws of functionals per second, of chains from several starts taken together."""
    from arviz_stats.base.array import array_stats

    sample(problem, init(problem, starts[0], np.random.default_rng(0)), 2)
    began = time.perf_counter()
    rngs = np.random.default_rng(1).spawn(len(starts))
    draws = [sample(problem, init(problem, s, r), n_draws).draws for s, r in zip(starts, rngs, strict=True)]
    seconds = time.perf_counter() - began
    kept = [pt.PartitionPosterior(d[n_draws // 10 :]) for d in draws]
    functionals = {
        "clusters": np.array([p.n_clusters().astype(float) for p in kept]),
        "entropy": np.array([p.entropy() for p in kept]),
    }
    return {name: float(array_stats.ess(values, method="bulk")) / seconds for name, values in functionals.items()}


def mixing():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(5), 40)
    apart = rng.normal(size=(200, 20)) + 3 * rng.normal(size=(5, 20))[groups]
    easy = [pt.datasets.make_quadrants(n, random_state=seed) for n, seed in [(100, 1), (160, 3), (200, 0), (200, 2)]]
    for what, sets, n_draws, target in [
        ("quadrants, mean of four sets", easy, 6000, 1),
        ("five clusters in 20 columns, two of four chains merged at the start", [(apart, groups)], 2000, 5),
    ]:
        ratios = [mixing_ratios(X, pt.canonical(truth), n_draws) for X, truth in sets]
        for name in ratios[0]:
            ratio = np.exp(np.mean([np.log(r[name]) for r in ratios]))
            row(f"{what}: effective {name} per second / Gibbs alone", f"{ratio:.2f}", f">= {target}")


def mixing_ratios(X, truth, n_draws):
    encoded, merged = pt.Gaussian("diagonal", scale="variance").encode(X), np.zeros(len(X), np.int64)
    starts = [merged, truth, merged, truth]
    both, alone = (
        effective_per_second(make_problem(encoded, pt.DirichletProcess(1.0), schedule=SCHEDULES[m]), starts, n_draws)
        for m in ("both", "gibbs")
    )
    return {name: both[name] / alone[name] for name in both}


def large(n_items):
    rng = np.random.default_rng(0)
    labels = rng.integers(20, size=n_items)
    X = rng.normal(size=(n_items, 10)) + 5 * rng.normal(size=(20, 10))[labels]
    encoded = pt.Gaussian("diagonal", scale="variance").encode(X)
    problem = make_problem(encoded, pt.DirichletProcess(1.0), schedule=SCHEDULES["gibbs"])
    start = pt.canonical(labels)
    sample(problem, init(problem, start, np.random.default_rng(0)), 1)
    began = time.perf_counter()
    sample(problem, init(problem, start, np.random.default_rng(0)), 3)
    return (time.perf_counter() - began) / 3


if __name__ == "__main__":
    if (SHARED / "data" / "wade").is_dir():
        against_yardstick()
    else:
        print(f"The yardstick is not in {SHARED}: its part is left out.")
    full_gaussian()
    mixing()
    sizes = [12_500, 25_000, 50_000, 100_000]
    times = [large(n) for n in sizes]
    row("10 columns, 20 clusters: seconds per sweep of 100 000 items", f"{times[-1]:.2f}")
    row("  time grows with items to the power", f"{np.polyfit(np.log(sizes), np.log(times), 1)[0]:.2f}", "1")
    row("  peak memory", f"{peak_megabytes(large, 100_000):.0f} MB", "< 2048 MB")
