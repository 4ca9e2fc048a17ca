"""Components fused within draws (the default) and by the overlap of their densities (loss "fold"), on known groups.

    python benchmarks/fusion.py [SHARED] [table ...]

SHARED is the folder that holds ``data/league``, as for ``league.py``. The first six tables have clusters that are not
normal, the others have normal ones.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import adjusted_rand_score

import partita as pt

SHAPES = ("aggregation", "compound", "flame", "twosplashes", "z2", "chainlink")
NORMAL = ("hepta", "tetra", "unbalance", "engytime")


def compare(shared, name):
    table = pd.read_csv(shared / "data" / "league" / f"{name}.csv")
    X, truth = table.iloc[:, :-1].to_numpy(float), table.iloc[:, -1]
    mixture = pt.BayesianMixture(n_draws=250, random_state=0).fit(X)
    found = {
        "components": pt.estimate_partition(mixture.component_posterior_).labels,
        "default": mixture.labels_,
        "fold": pt.estimate_partition(mixture, loss="fold").labels,
    }
    scores = {rule: adjusted_rand_score(truth, labels) for rule, labels in found.items()}
    said = ", ".join(f"{rule} {scores[rule]:.3f} (K = {labels.max() + 1})" for rule, labels in found.items())
    print(f"{name:12} {truth.nunique()} clusters: ARI of {said}", flush=True)
    return scores


if __name__ == "__main__":
    given = sys.argv[1:]
    shared = Path(given[0]) if given else Path("../shared")
    for kind, names in (("shapes", SHAPES), ("normal", NORMAL)):
        chosen = [name for name in names if len(given) < 2 or name in given[1:]]
        scores = [compare(shared, name) for name in chosen]
        for rule in ("components", "default", "fold") if scores else ():
            print(f"{kind}, {rule}: mean ARI {np.mean([score[rule] for score in scores]):.3f}")
