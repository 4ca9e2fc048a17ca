"""Tables 5.2 to 5.5 of Koepke (2008): how often each method finds the number of clusters.

python benchmarks/papers/koepke.py --quick | --full [--tables shaped-750 ...] [--jobs N]

Each method scores 10 when it finds the number of modes, 5 when it is off by one, 1 when off by two, averaged over data
sets with 2 to 16 clusters; numbers from 2 to 20 are tried. Beside each of our scores, in brackets, is the thesis'. The
shape parameters behind its shaped data are not given, so the two agree in kind rather than in number. The standard
error of a score is about 4 over the root of the number of data sets.
"""

import argparse
import time

import numpy as np
from joblib import Parallel, delayed
from sklearn.cluster import KMeans

import partita as pt
from partita.selection.rules import RULES

DIMENSIONS = (2, 10, 20, 50, 100)
ROWS = [
    ("stability-permutation", "best"),
    ("stability-permutation", "std_before_best"),
    ("stability-recluster", "best"),
    ("stability-recluster", "std_before_best"),
    ("stability-uniform", "best"),
    ("stability-uniform", "std_before_best"),
    ("gap", "gap"),
    ("gap", "std_before_best"),
    *((f"subsample-{scheme}-{index}", "best") for scheme in ("draws", "folds", "sizes") for index in ("ar", "vi")),
    ("silhouette", "best"),
]
THESIS = {
    ("anova", 750): [
        (9.23, 9.88, 9.44, 9.38, 8.86), (9.42, 9.88, 9.44, 9.40, 8.86), (9.63, 9.88, 9.44, 9.38, 8.87),
        (9.62, 9.88, 9.43, 9.37, 8.86), (9.22, 9.87, 9.44, 9.40, 8.90), (9.59, 9.88, 9.44, 9.39, 8.87),
        (4.39, 9.88, 9.44, 9.38, 8.89), (9.61, 9.88, 9.40, 9.34, 8.76), (7.10, 9.64, 9.13, 8.95, 8.32),
        (6.84, 9.65, 9.35, 9.20, 8.71), (5.05, 8.81, 6.83, 7.59, 6.84), (4.88, 8.76, 7.81, 8.44, 7.92),
        (6.36, 9.66, 8.94, 8.91, 8.12), (6.22, 9.62, 9.25, 9.20, 8.59),
    ],
    ("anova", 100): [
        (2.74, 4.93, 7.62, 5.79, 7.68), (6.24, 7.65, 8.34, 6.91, 7.87), (8.10, 8.00, 8.49, 7.39, 8.18),
        (6.92, 6.64, 8.11, 6.80, 8.04), (2.30, 3.29, 6.91, 4.39, 7.71), (6.26, 6.58, 8.06, 6.48, 8.12),
        (3.05, 6.43, 8.04, 6.78, 8.26), (8.24, 8.27, 8.10, 6.91, 7.60), (5.02, 6.66, 7.53, 7.14, 7.73),
        (5.72, 6.69, 7.88, 6.41, 8.19), (3.39, 5.75, 6.53, 6.21, 6.61), (3.45, 5.54, 6.97, 6.40, 7.32),
        (3.94, 6.41, 7.24, 6.63, 7.30), (4.42, 6.53, 7.61, 6.47, 7.82),
    ],
    ("shaped", 750): [
        (6.06, 7.31, 7.64, 6.79, 7.21), (7.84, 8.55, 8.57, 7.80, 7.26), (8.56, 7.54, 7.79, 7.12, 7.46),
        (8.80, 8.29, 8.33, 7.54, 7.46), (6.64, 7.90, 8.04, 7.12, 7.45), (8.04, 8.26, 8.40, 7.52, 7.45),
        (5.48, 6.65, 6.23, 5.47, 6.91), (7.38, 1.34, 0.77, 0.46, 1.46), (5.49, 7.33, 7.30, 6.59, 6.30),
        (5.40, 7.46, 7.87, 7.28, 7.10), (3.40, 5.45, 5.02, 4.70, 4.47), (3.45, 5.63, 6.04, 6.18, 5.93),
        (4.69, 7.08, 7.22, 6.30, 6.17), (4.66, 7.20, 7.72, 7.02, 6.94),
    ],
    ("shaped", 100): [
        (1.19, 2.89, 5.81, 6.74, 6.86), (4.59, 6.23, 7.56, 7.36, 7.00), (7.15, 6.95, 7.61, 7.54, 7.56),
        (7.97, 7.04, 7.68, 7.74, 7.62), (1.16, 2.09, 4.91, 6.75, 7.13), (4.91, 5.18, 6.85, 7.27, 7.30),
        (3.84, 5.96, 6.55, 6.38, 7.19), (5.27, 0.99, 0.85, 0.72, 1.68), (5.25, 6.62, 7.17, 7.40, 7.24),
        (5.94, 6.31, 7.33, 7.87, 7.58), (2.72, 4.65, 5.51, 5.87, 6.01), (3.01, 4.62, 5.92, 6.57, 6.90),
        (3.90, 5.87, 6.46, 6.90, 6.95), (4.46, 5.85, 6.87, 7.35, 7.54),
    ],
}  # fmt: skip
MAKERS = {"anova": pt.datasets.make_anova_mixture, "shaped": pt.datasets.make_shaped_mixture}
POINTS = {0: 10, 1: 5, 2: 1}


def scores(kind, n_items, n_features, n_clusters, seed, n_init, n_baselines):
    """Points of each row of a table on one data set."""
    X = MAKERS[kind](n_items, n_features, n_clusters, random_state=seed).X
    table = pt.select_n_clusters(
        X, range(2, 21), sorted({method for method, _ in ROWS}), clusterer=KMeans(n_init=n_init),
        n_baselines=n_baselines, random_state=seed,
    ).table  # fmt: skip
    out = []
    for method, rule in ROWS:
        part = table[table["method"] == method]
        chosen = part["n_clusters"].to_numpy()[RULES[rule](part["value"].to_numpy(), part["sd"].to_numpy())]
        out.append(POINTS.get(abs(int(chosen) - n_clusters), 0))
    return out


def table_of(kind, n_items, dimensions, numbers, n_sets, settings, jobs):
    """One of the four tables: means over data sets, shape (n_rows, n_dimensions)."""
    columns = []
    for p in dimensions:
        tasks = [(kind, n_items, p, k, 1000 * k + s) for k in numbers for s in range(n_sets)]
        columns.append(np.mean(Parallel(jobs)(delayed(scores)(*task, *settings) for task in tasks), axis=0))
    return np.array(columns).T


def show(kind, n_items, dimensions, ours, n_data_sets):
    print(f"\n{kind} data, {n_items} points, {n_data_sets} data sets per column: ours (thesis)")
    print(f"{'method':<24}{'rule':<17}" + "".join(f"{f'{p}D':>15}" for p in dimensions))
    printed = THESIS[kind, n_items]
    for r, (method, rule) in enumerate(ROWS):
        cells = [
            f"{ours[r, c]:.2f} ({printed[r][DIMENSIONS.index(p)]:.2f})"
            if r < len(printed)
            else f"{ours[r, c]:.2f} ( -  )"
            for c, p in enumerate(dimensions)
        ]
        print(f"{method:<24}{rule:<17}" + "".join(f"{cell:>15}" for cell in cells), flush=True)


def judge(results):
    """The two claims, in numbers: the best of each family, averaged over dimensions."""
    print("\nMean over dimensions")
    families = {
        "stability, std_before_best": [r for r, (m, rule) in enumerate(ROWS) if "stability" in m and rule != "best"],
        "stability, best": [r for r, (m, rule) in enumerate(ROWS) if "stability" in m and rule == "best"],
        "gap": [r for r, (m, _) in enumerate(ROWS) if m == "gap"],
        "subsampling": [r for r, (m, _) in enumerate(ROWS) if "subsample" in m],
    }
    for (kind, n_items), ours in results.items():
        best = {name: ours[rows].mean(axis=1).max() for name, rows in families.items()}
        winner = max(best, key=best.get)
        print(f"{kind:>7} {n_items:>4}: " + ", ".join(f"{n} {v:.2f}" for n, v in best.items()) + f"; first: {winner}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--quick", action="store_true", help="2, 10 and 50 dimensions, few data sets")
    size.add_argument("--full", action="store_true", help="everything, as in the thesis: days")
    names = [f"{kind}-{n_items}" for kind, n_items in THESIS]
    parser.add_argument("--tables", nargs="+", choices=names, default=names, help="some of the four tables")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    start, results = time.perf_counter(), {}
    for kind, n_items in THESIS:
        if f"{kind}-{n_items}" not in options.tables:
            continue
        if options.full:
            dimensions, numbers, settings = DIMENSIONS, range(2, 17), (20, 25)
            n_sets = 100 if n_items == 750 else 50
        else:
            dimensions, numbers, n_sets, settings = (2, 10, 50), range(2, 17, 2), 1 if n_items == 750 else 2, (3, 10)
        ours = table_of(kind, n_items, dimensions, numbers, n_sets, settings, options.jobs)
        show(kind, n_items, dimensions, ours, len(numbers) * n_sets)
        results[kind, n_items] = ours
    judge(results)
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
