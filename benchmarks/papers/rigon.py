"""The synthetic examples of Rigon, Herring and Dunson: generalized Bayes against an oracle that knows the truth.

    python benchmarks/papers/rigon.py [FOLDER]

Four clusters of 50 points around (-2, -2), (-2, 2), (2, -2), (2, 2). I: normal with variance 0.75, 1.5 or 3 in each
column. II: Student's t with 2 degrees of freedom and that scale. The oracle knows centers, scale and density: its
similarity matrix and its probabilities of misclassification are what one would like to see. Means over data sets, with
standard errors. Figures of one data set each go to FOLDER, by default ``out/rigon``.
"""

import sys
from pathlib import Path

import numpy as np

import partita as pt

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "out/rigon")
MEANS = np.array([[-2.0, -2.0], [-2.0, 2.0], [2.0, -2.0], [2.0, 2.0]])
TRUTH = np.repeat(np.arange(4), 50)
N_SETS = 10
COSTS = ("squared-euclidean", "manhattan")


def draw(kind, variance, seed):
    rng = np.random.default_rng(seed)
    noise = np.sqrt(variance) * rng.normal(size=(200, 2))
    if kind == "t2":
        noise /= np.sqrt(rng.chisquare(2, size=(200, 1)) / 2)
    return MEANS[TRUTH] + noise


def oracle(X, kind, variance):
    """Probability of each point's cluster, given centers, scale and density."""
    squared = ((X[:, None] - MEANS[None]) ** 2).sum(axis=2) / variance
    log_density = -2 * np.log1p(squared / 2) if kind == "t2" else -squared / 2
    p = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def compare(X, kind, variance, cost):
    """What is printed of one data set, and what is drawn of it."""
    found = pt.GeneralizedBayesClustering(4, cost, n_chains=2, n_draws=1500, n_warmup=500).fit(X)
    p = oracle(X, kind, variance)
    known, ours = p @ p.T, np.asarray(found.posterior_.similarity(), float)
    off = ~np.eye(200, dtype=bool)
    agree = pt.Misclassification().between(TRUTH, found.labels_)
    best = pt.Misclassification().between(TRUTH, p.argmax(axis=1))
    error = np.abs(found.medoid_disagreement_ - (1 - p.max(axis=1))).mean()
    ari = 1 - pt.AdjustedRand().between(TRUTH, found.labels_)
    numbers = (np.abs(ours - known)[off].mean(), error, agree, best, ari, found.rate_.mean())
    return numbers, (ours, known, found.medoid_disagreement_, 1 - p.max(axis=1))


def scenario(kind, variance):
    table = {}
    for cost in COSTS:
        sets = [compare(draw(kind, variance, seed), kind, variance, cost) for seed in range(N_SETS)]
        numbers = np.array([numbers for numbers, _ in sets])
        table[cost] = numbers
        mean, error = numbers.mean(axis=0), numbers.std(axis=0, ddof=1) / np.sqrt(N_SETS)
        cells = [f"{m:.3f} ({e:.3f})" for m, e in zip(mean, error, strict=True)]
        print(f"{kind:<7} {variance:>5} {cost:<18} " + " ".join(f"{c:>15}" for c in cells), flush=True)
        figure(kind, variance, cost, *sets[0][1])
    return table


def figure(kind, variance, cost, ours, known, error, known_error):
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    fig, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for ax, matrix, title in zip(axes, (ours, known), ("generalized Bayes", "oracle"), strict=False):
        ax.imshow(matrix, vmin=0, vmax=1, cmap="viridis")
        ax.set(title=f"Similarity: {title}", xlabel="point", ylabel="point")
    axes[2].plot([0, 1], [0, 1], color="grey", lw=1)
    axes[2].scatter(known_error, error, s=8)
    axes[2].set(title="Probability of misclassification", xlabel="oracle", ylabel="generalized Bayes")
    fig.suptitle(f"{kind}, variance {variance}, {cost}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    fig.savefig(FOLDER / f"{kind}-{variance}-{cost}.png", dpi=120)
    plt.close(fig)


if __name__ == "__main__":
    head = ("similarity mae", "misclass. mae", "misplaced", "oracle's", "adjusted Rand", "rate")
    print(f"{'data':<7} {'scale':>5} {'cost':<18} " + " ".join(f"{h:>15}" for h in head))
    for variance in (0.75, 1.5, 3.0):
        scenario("normal", variance)
    for variance in (0.75, 1.5):
        table = scenario("t2", variance)
        gap = table["squared-euclidean"] - table["manhattan"]
        error = gap.std(axis=0, ddof=1) / np.sqrt(N_SETS)
        for column, what in ((0, "similarity mae"), (2, "misplaced")):
            print(f"  squared Euclidean less Manhattan, {what}: {gap[:, column].mean():.3f} ({error[column]:.3f})")
    print(f"Figures are in {FOLDER}/")
