"""Clusters that differ in a few of many columns, found with and without the selection of columns.

python benchmarks/select_columns.py [--sets 5] [--columns 50] [--informative 5]

Each set has 200 items in four clusters whose centers differ in the informative columns alone; all others are noise. For
each: adjusted Rand index without and with `select_columns`, inclusion probabilities of both kinds of column, seconds.
"""

import argparse
import time

import numpy as np
from sklearn.metrics import adjusted_rand_score

import partita as pt


def make_set(seed, n_columns, n_informative, n_items=200, n_clusters=4, spread=1.5):
    """A table whose first columns are informative, and its clusters."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_clusters, size=n_items)
    X = rng.normal(size=(n_items, n_columns))
    X[:, :n_informative] += rng.normal(scale=spread, size=(n_clusters, n_informative))[truth]
    return X, truth


def fit(X, select):
    begun = time.perf_counter()
    model = pt.BayesianMixture("gaussian-diagonal", select_columns=select, n_jobs=1).fit(X)
    return model, time.perf_counter() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=5)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--informative", type=int, default=5)
    chosen = parser.parse_args()
    gains = []
    for seed in range(chosen.sets):
        X, truth = make_set(seed, chosen.columns, chosen.informative)
        (plain, t_plain), (selected, t_selected) = fit(X, False), fit(X, True)
        before, after = (adjusted_rand_score(truth, model.labels_) for model in (plain, selected))
        shares = selected.column_inclusion_["inclusion"].to_numpy()
        gains.append(after - before)
        print(
            f"set {seed}: ARI {before:.2f} without ({plain.n_clusters_} clusters, {t_plain:.0f} s), {after:.2f} with "
            f"({selected.n_clusters_} clusters, {t_selected:.0f} s); inclusion of informative columns "
            f"{np.round(shares[: chosen.informative], 2)}, of others at most {shares[chosen.informative :].max():.2f}; "
            f"chains {'agree' if selected.diagnostics_.mixed else 'do not agree'}",
            flush=True,
        )
    print(f"mean gain in ARI {np.mean(gains):.2f}")


if __name__ == "__main__":
    main()
