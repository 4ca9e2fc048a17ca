"""The default mixture among clusterers that must find the number of clusters themselves, on tables with known groups.

    python benchmarks/league.py [SHARED] [--quick] [--controls] [options of the league]

SHARED is the folder that holds ``bench/league.py`` and ``data/league`` (not part of this repository; its README says
where its tables come from). ``--quick`` takes 250 draws per chain. ``--controls`` asks instead for clusters where
there are none, and how often the 95 % credible ball holds the truth.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
from measure import row

import partita as pt

BARS = "bars: mean ARI >= 0.72 (0.68 is the floor), won or within .02 on >= 16 of 27, median |log2 K/true| <= 0.26"


def league(shared, quick, options):
    script = shared / "bench" / "league.py"
    if not script.exists():
        print(f"The league is not in {shared}: nothing to run.")
        return
    model = ["--partita", "BayesianMixture(n_draws=250)"] if quick else []
    subprocess.run([sys.executable, str(script), *model, *options], check=True)
    print(BARS)


def single(name, seed, n=300):
    """One cluster, in several shapes."""
    rng = np.random.default_rng(seed)
    d = int(name.split()[-1])
    if name.startswith("round"):
        return rng.normal(size=(n, d))
    if name.startswith("correlated"):
        return rng.multivariate_normal(np.zeros(d), 0.9 + 0.1 * np.eye(d), size=n)
    if name.startswith("t5"):
        return rng.standard_t(5, size=(n, d))
    return rng.uniform(size=(n, d))


def controls(n_seeds=20, n_sets=50):
    for name in (
        "round 2",
        "round 5",
        "round 20",
        "correlated 2",
        "correlated 5",
        "correlated 20",
        "t5 3",
        "uniform 2",
    ):
        found = [
            pt.BayesianMixture(n_draws=250, random_state=s).fit(single(name, s)).n_clusters_ for s in range(n_seeds)
        ]
        bar = 0.7 if name.startswith("uniform") else 0.9
        row(
            f"{name} columns, one cluster: share of {n_seeds} seeds with K = 1",
            f"{np.mean(np.array(found) == 1):.2f}",
            f">= {bar}",
        )
    held = [holds_truth(seed) for seed in range(n_sets)]
    row(
        f"normal mixtures with unequal covariances: 95 % ball holds the truth, {n_sets} sets",
        f"{np.mean(held):.2f}",
        ">= 0.85",
    )


def holds_truth(seed, n=200):
    rng = np.random.default_rng(seed)
    d, k = int(rng.choice([2, 3, 5])), int(rng.integers(2, 6))
    truth = rng.choice(k, size=n, p=rng.dirichlet(np.full(k, 5.0)))
    roots = [np.linalg.cholesky(np.cov(rng.normal(size=(d, 3 * d))).reshape(d, d)) for _ in range(k)]
    means = 2.5 * rng.normal(size=(k, d))
    X = np.array([means[z] + roots[z] @ rng.normal(size=d) for z in truth])
    model = pt.BayesianMixture(n_draws=250, random_state=seed).fit(X)
    ball = pt.credible_ball(model)
    return pt.VariationOfInformation().between(truth, model.labels_) <= ball.radius


if __name__ == "__main__":
    given = sys.argv[1:]
    folder = Path(given.pop(0)) if given and not given[0].startswith("--") else Path("../shared")
    flags = [flag for flag in ("--quick", "--controls") if flag in given]
    rest = [option for option in given if option not in flags]
    if "--controls" in flags:
        controls()
    else:
        league(folder, "--quick" in flags, rest)
