"""Generalized Bayes against the yardstick sampler and against scikit-learn's k-means: ratios measured in one run.

    python benchmarks/generalized_bayes.py [SHARED]

SHARED is the folder that holds ``data/wade`` and ``bench/gibbs_yardstick.py`` (not part of this repository).
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from measure import peak_megabytes, row

import partita as pt
from partita import costs
from partita.clusterers.least_cost import hartigan, lloyd
from partita.samplers.fixed_k import SCHEDULES, init, make_problem, sample
from partita.samplers.starts import seeded_labels

SHARED = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
MEANS = np.array([[-2.0, -2.0], [-2.0, 2.0], [2.0, -2.0], [2.0, 2.0]])
N_SWEEPS = 11_000


def synthetic(seed=0):
    truth = np.repeat(np.arange(4), 50)
    return MEANS[truth] + np.sqrt(1.5) * np.random.default_rng(seed).normal(size=(200, 2)), truth


def clock(function):
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def against_yardstick():
    """Times by turns, so that what else the machine does meets both alike."""
    sys.path.insert(0, str(SHARED / "bench"))
    from gibbs_yardstick import gibbs

    Y = np.ascontiguousarray(np.load(SHARED / "data" / "wade" / "ex1.npz")["X"], float)
    X, truth = synthetic()
    problems = {
        "squared Euclidean": make_problem(costs.SquaredEuclidean().encode(X), 4),
        "Manhattan": make_problem(costs.Minkowski(1).encode(X), 4),
        "Euclidean": make_problem(costs.Minkowski(2).encode(X), 4),
    }

    def run(problem, moves, seed, n_draws=N_SWEEPS):
        problem = replace(problem, schedule=SCHEDULES[moves])
        sample(problem, init(problem, truth, np.random.default_rng(seed)), n_draws)

    gibbs(Y, 5, 1.0, 0.0, 0.5, 2.0, 1.0, 1, 60)
    yardstick, ours = [], {(name, moves): [] for name in problems for moves in SCHEDULES}
    for name, moves in ours:
        run(problems[name], moves, 0, 20)
    for seed in range(5):
        yardstick.append(clock(lambda: gibbs(Y, N_SWEEPS, 1.0, 0.0, 0.5, 2.0, 1.0, seed, 60)))  # noqa: B023
        for (name, moves), times in ours.items():
            times.append(clock(lambda: run(problems[name], moves, seed)))  # noqa: B023
    for (name, moves), times in ours.items():
        what = "Gibbs alone" if moves == "gibbs" else "merge and split on"
        row(
            f"{N_SWEEPS} sweeps / yardstick's time, {name}, rate sampled, {what}",
            f"{min(times) / min(yardstick):.2f}",
            "<= 0.5",
        )


def unstuck():
    """Clear clusters, two of them begun as one and another as two halves: draws until all are right."""
    for n_clusters in (6, 12, 24):
        rng = np.random.default_rng(3)
        truth = np.repeat(np.arange(n_clusters), 25)
        X = 12.0 * np.array([[i % 3, i // 3] for i in range(n_clusters)])[truth] + rng.normal(size=(len(truth), 2))
        start = truth.copy()
        start[truth == 1] = 0
        start[(truth == n_clusters - 1) & (X[:, 0] > X[truth == n_clusters - 1, 0].mean())] = 1
        for cost in (costs.SquaredEuclidean(), costs.Minkowski(1)):
            for name, schedule in SCHEDULES.items():
                problem = make_problem(cost.encode(X), n_clusters, schedule=schedule)
                draws = sample(problem, init(problem, pt.canonical(start), np.random.default_rng(4)), 2000).draws
                right = (draws == truth).mean(axis=1) > 0.98
                until = f"{right.argmax()}" if right.any() else "never (2000)"
                row(f"stuck start, {n_clusters} clusters, {cost}, {name}: draws until right", until)


def mixing():
    X, truth = synthetic()
    from arviz_stats.base.array import array_stats

    for name, schedule in SCHEDULES.items():
        problem = make_problem(costs.SquaredEuclidean().encode(X), 4, schedule=schedule)
        began = time.perf_counter()
        chain = sample(problem, init(problem, truth, np.random.default_rng(1)), N_SWEEPS)
        seconds = time.perf_counter() - began
        found = float(array_stats.ess(chain.log_posterior[None, 1000:], method="bulk"))
        row(f"effective draws of the log posterior per second, {name}", f"{found / seconds:.0f}")


def million():
    rng = np.random.default_rng(0)
    labels = rng.integers(10, size=1_000_000)
    return rng.normal(size=(labels.size, 16)) + 2 * rng.normal(size=(10, 16))[labels]


def against_k_means():
    from sklearn.cluster import KMeans

    X = million()
    items = costs.SquaredEuclidean().encode(X)
    start = seeded_labels(items, 10, np.random.default_rng(1))
    ours, theirs = [], []
    lloyd(items, start, 10, 1)
    for _ in range(3):  # the difference of eleven steps and one is ten steps
        ours.append((clock(lambda: steps(items, start, 11)) - clock(lambda: steps(items, start, 1))) / 10)
        theirs.append((clock(lambda: k_means(KMeans, X, 11)) - clock(lambda: k_means(KMeans, X, 1))) / 10)
    row(
        "time per Lloyd step / scikit-learn's, a million items, 16 columns, 10 clusters",
        f"{min(ours) / min(theirs):.2f}",
        "<= 3",
    )
    for cost in (costs.SquaredEuclidean(), costs.KullbackLeibler(0.5)):
        sizes, times = [1000, 125_000, 250_000, 500_000, 1_000_000], []  # the first compiles
        for n in sizes:
            part = cost.encode(np.exp(X[:n] / 4) if isinstance(cost, costs.KullbackLeibler) else X[:n])
            labels, _ = lloyd(part, seeded_labels(part, 10, np.random.default_rng(1)), 10, 3)
            data = part.data()
            times.append(clock(lambda: hartigan(data, labels, 10, 1)))  # noqa: B023
        power = np.polyfit(np.log(sizes[1:]), np.log(times[1:]), 1)[0]
        row(f"  a sweep of single moves of a million, {type(cost).__name__}: seconds", f"{times[-1]:.2f}")
        row("  time grows with items to the power", f"{power:.2f}", "1")


def steps(items, start, n_steps):
    from partita.clusterers import least_cost

    before, least_cost.TOLERANCE = least_cost.TOLERANCE, -np.inf
    lloyd(items, start, 10, n_steps)
    least_cost.TOLERANCE = before


def k_means(clusterer, X, n_steps):
    clusterer(10, init=X[:10], n_init=1, max_iter=n_steps, tol=0).fit(X)


def whole_fit():
    X = million()
    pt.BregmanKMeans(10, n_init=1).fit(X)


def without_matrix():
    """Distances of so many items are not kept."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 2500)
    X = 3 * MEANS[truth] + rng.normal(size=(truth.size, 2))
    problem = make_problem(costs.Minkowski(1).encode(X), 4)
    sample(problem, init(problem, truth, np.random.default_rng(1)), 10)


if __name__ == "__main__":
    if (SHARED / "data" / "wade").is_dir():
        against_yardstick()
    else:
        print(f"The yardstick is not in {SHARED}: its part is left out.")
    unstuck()
    mixing()
    against_k_means()
    row("BregmanKMeans of a million items, one search: seconds", f"{clock(whole_fit):.1f}")
    row("  peak memory", f"{peak_megabytes(whole_fit):.0f} MB")
    row("Manhattan, 10 000 items, 10 draws, no matrix kept: seconds", f"{clock(without_matrix):.1f}")
    row("  peak memory", f"{peak_megabytes(without_matrix):.0f} MB", "< 800 MB")
