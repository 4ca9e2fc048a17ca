"""Consensus of many k-means runs against the runs themselves, and whether items called certain stay where they are.

    python benchmarks/ensembles.py [SHARED] [TABLES]

SHARED is the folder that holds ``data/league`` (not part of this repository); TABLES, separated by commas, are some of
its tables. Each is clustered 100 times on four fifths of its rows, with 2 to 12 clusters.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from measure import row
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

import partita as pt

BINS = [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0001]


def read(path):
    """Numbers of a table, scaled, and its known groups; rows marked as noise (0) are left out."""
    table = pd.read_csv(path)
    truth = pd.factorize(table.pop("label").astype(str))[0]
    known = pd.read_csv(path)["label"].astype(str).to_numpy() != "0"
    numbers = pd.get_dummies(table).astype(float)
    return StandardScaler().fit_transform(numbers.fillna(numbers.mean()))[known], truth[known]


def run(X, seed):
    return pt.ensemble(KMeans(n_init=1), X, n_runs=100, vary={"n_clusters": range(2, 13)}, random_state=seed)


def scores(X, truth):
    """ARI of the mean member, of the consensus and of its certain half; certainty here and in a fresh ensemble."""
    runs = run(X, 0)
    estimate = pt.estimate_partition(runs)
    certainty = pt.assess_certainty(runs, estimate)
    margin = certainty.by_item("margin")
    sure = margin >= np.median(margin)
    members = np.mean([adjusted_rand_score(truth[draw >= 0], draw[draw >= 0]) for draw in runs])
    again = pt.assess_certainty(run(X, 1), estimate)
    return (
        (members, adjusted_rand_score(truth, estimate.labels), adjusted_rand_score(truth[sure], estimate.labels[sure])),
        pd.DataFrame({"said": certainty.by_item("certainty"), "seen": again.by_item("certainty")}),
    )


def main(shared, names):
    found, certain = {}, []
    for name in names:
        found[name], table = scores(*read(shared / "data" / "league" / f"{name}.csv"))
        certain.append(table)
        row(f"{name}: ARI of the mean member, of the consensus, of its certain half",
            "  ".join(f"{value:.3f}" for value in found[name]))  # fmt: skip
    means = np.mean(list(found.values()), axis=0)
    row("mean over tables", "  ".join(f"{value:.3f}" for value in means), "increasing")
    wins = np.mean([consensus > member for member, consensus, _ in found.values()])
    row("share of tables on which the consensus beats the mean member", f"{wins:.2f}")
    items = pd.concat(certain)
    for low, part in items.groupby(pd.cut(items["said"], BINS, right=False), observed=True):
        row(f"certainty {low}: mean here, mean in a fresh ensemble, items",
            f"{part['said'].mean():.3f}  {part['seen'].mean():.3f}  {len(part)}")  # fmt: skip
    sure = items[items["said"] >= 0.95]
    row(
        "items called certain at 0.95: with the same neighbors in a fresh ensemble",
        f"{sure['seen'].mean():.3f}",
        ">= 0.95",
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
    tables = sorted(path.stem for path in (folder / "data" / "league").glob("*.csv"))
    if not tables:
        raise SystemExit(f"The league's tables are not in {folder}: nothing to run.")
    main(folder, sys.argv[2].split(",") if len(sys.argv) > 2 else tables)
