"""Chains that differ, pooled and weighed by stacking: which of the two finds known groups.

    python benchmarks/stacking.py [SHARED] [TABLE ...]

Stacking weighs chains by the leave-one-out log densities of their mixture (Yao, Vehtari and Gelman 2022). SHARED is the
folder that holds ``data/league`` (not part of this repository).
"""

import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from measure import row
from scipy.special import logsumexp

import partita as pt

N_STEPS = 5000


def leave_one_out(mixture):
    """Log density of each item given the others, by chain: (n_chains, n_items)."""
    log_likelihood = mixture.to_arviz(n_tables=0)["log_likelihood"]["x"].to_numpy()
    return np.log(mixture.n_draws) - logsumexp(-log_likelihood, axis=1)


def stacking_weights(log_densities):
    """Weights of chains under which the mixture of their densities is highest, by expectation maximization."""
    weights = np.full(len(log_densities), 1 / len(log_densities))
    densities = np.exp(log_densities - log_densities.max(axis=0))
    for _ in range(N_STEPS):
        shares = weights[:, np.newaxis] * densities
        weights = (shares / shares.sum(axis=0)).mean(axis=1)
    return weights


def compare(folder, name):
    table = pd.read_csv(folder / f"{name}.csv")
    truth = table.iloc[:, -1]
    mixture = pt.BayesianMixture(random_state=0).fit(table.iloc[:, :-1])
    posterior, weights = mixture.posterior_, stacking_weights(leave_one_out(mixture))
    stacked = pt.PartitionPosterior(posterior.draws, np.repeat(weights / mixture.n_draws, mixture.n_draws))
    chains = [pt.estimate_partition(posterior.chain(number)) for number in range(mixture.n_chains)]

    def ari(labels):
        return f"{1 - pt.AdjustedRand().between(truth, labels):.2f}"

    row(f"{name}: ARI with the known groups, chains pooled", ari(mixture.labels_))
    row(f"{name}: chains stacked", ari(pt.estimate_partition(stacked).labels))
    row(f"{name}: each chain alone", ", ".join(ari(found.labels) for found in chains))
    row(f"{name}: their weights", ", ".join(f"{weight:.2f}" for weight in weights))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    given = sys.argv[1:]
    shared = Path(given.pop(0) if given else "../shared")
    for which in given or ["glass", "olive", "wine"]:
        compare(shared / "data" / "league", which)
