"""How often each method finds the number of clusters, on tables of a folder and on simulated data.

python benchmarks/selection.py [--data FOLDER] [--rows 500] [--sets NAME ...]

Each csv of the folder has its true clusters in a column ``label``; columns are encoded as ``partita validate`` does.
Printed for each method and rule: exact hits, the mean of |log2 K/true|, and by how much K is too large on average.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans

import partita as pt
from partita.selection.rules import RULES
from partita.tables import encode_numbers

METHODS = [
    "stability-permutation", "stability-uniform", "stability-recluster", "gap", "silhouette", "subsample-draws",
    "subsample-folds",
]  # fmt: skip
DEFAULT = Path(__file__).parents[1] / ".." / "shared" / "data" / "league"


def read_tables(folder, n_rows, names):
    """Name, numbers and true number of clusters of each table."""
    for path in sorted(folder.glob("*.csv")):
        if names and path.stem not in names:
            continue
        table = pd.read_csv(path)
        table = table.sample(min(n_rows, len(table)), random_state=0)
        n_true = table.pop("label").nunique()
        yield path.stem, encode_numbers(table.loc[:, table.nunique() > 1])[0].to_numpy(), n_true


def simulate_tables():
    """The same for simulated mixtures, round and shaped, in 2, 10 and 50 dimensions."""
    for make in (pt.datasets.make_anova_mixture, pt.datasets.make_shaped_mixture):
        for d in (2, 10, 50):
            for k in (2, 3, 5, 8, 12, 16):
                yield f"{make.__name__[5:]} {d}D {k}", make(400, d, k, random_state=77 * k + d).X, k


def choose(X, n_init, n_baselines):
    """The number of clusters by method and rule."""
    table = pt.select_n_clusters(
        X, range(2, 21), METHODS, clusterer=KMeans(n_init=n_init), n_baselines=n_baselines
    ).table  # fmt: skip
    return {
        (method, rule): int(part["n_clusters"].iloc[decide(part["value"].to_numpy(), part["sd"].to_numpy())])
        for method, part in table.groupby("method")
        for rule, decide in RULES.items()
    }


def show(title, rows):
    table = pd.DataFrame(rows, columns=["method", "rule", "true", "found"])
    table["hits"] = table["found"] == table["true"]
    table["off"], table["too many"] = np.abs(np.log2(table["found"] / table["true"])), table["found"] - table["true"]
    means = table.groupby(["method", "rule"])[["hits", "off", "too many"]].agg(
        {"hits": "sum", "off": "mean", "too many": "mean"}
    )
    print(f"\n{title}: {len(rows) // len(means)} sets")
    print(means.rename(columns={"off": "mean |log2 K/true|"}).round(2).to_string())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT, help="folder of tables with a column label")
    parser.add_argument("--rows", type=int, default=500, help="rows of a table at most")
    parser.add_argument("--sets", nargs="+", help="some of the tables")
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"no tables in {options.data.name}: simulated data alone")
    start = time.process_time()
    for title, sets in (
        ("tables", read_tables(options.data, options.rows, options.sets)),
        ("simulated", simulate_tables()),
    ):
        rows = []
        for name, X, n_true in sets:
            found = choose(X, n_init=3, n_baselines=10)
            rows += [(*key, n_true, k) for key, k in found.items()]
            print(f"{name:24} {n_true:3} {time.process_time() - start:6.0f} s CPU", flush=True)
        if rows:
            show(title, rows)


if __name__ == "__main__":
    main()
