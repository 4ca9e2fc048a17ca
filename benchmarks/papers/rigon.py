"""Rigon, Herring and Dunson (2023), A generalized Bayes framework for probabilistic clustering: against an oracle.

    python benchmarks/papers/rigon.py --quick | --full [--figures]

Four clusters of 50 points around (-2, -2), (-2, 2), (2, -2), (2, 2). I: normal with variance 0.75, 1.5 or 3 in each
column. II: Student's t with 2 degrees of freedom and scale 0.75 or 1.5. The oracle knows centers, scale and density:
its similarity matrix and its probabilities of misclassification are what one would like to see. The rate is compared
with its closed form where clusters are small. Means over data sets, with standard errors. ``--figures`` writes
docs/figures/papers/rigon-*. No data are needed.
"""

import argparse
from typing import NamedTuple

import numpy as np
from claims import Claim, print_claims, write_rows
from figure_files import pyplot, save

import partita as pt

PAPER = "Rigon, Herring & Dunson"
MEANS = np.array([[-2.0, -2.0], [-2.0, 2.0], [2.0, -2.0], [2.0, 2.0]])
TRUTH = np.repeat(np.arange(4), 50)
COSTS = ("squared-euclidean", "manhattan")
SCENARIOS = (("normal", 0.75), ("normal", 1.5), ("normal", 3.0), ("t2", 0.75), ("t2", 1.5))
NUMBERS = ("similarity, mean error", "misclassification, mean error", "misplaced", "oracle's", "adjusted Rand", "rate")
SIZES = (2, 3, 5, 10, 20, 50)  # points per cluster, for the rate
VARIANCE = 0.25  # of its clusters: a rate of 2
APART = 10.0  # how far its centers are moved apart, so that the partition is known


class Comparison(NamedTuple):
    """One data set: the six NUMBERS, and what the oracle and the posterior say of each pair and point."""

    numbers: tuple
    similarity: np.ndarray
    known_similarity: np.ndarray
    error: np.ndarray
    known_error: np.ndarray


def draw(kind, variance, seed):
    """One data set of either kind."""
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
    """The posterior beside the oracle, on one data set."""
    found = pt.GeneralizedBayesClustering(4, cost, n_chains=2, n_draws=1500, n_warmup=500, n_jobs=1).fit(X)
    p = oracle(X, kind, variance)
    known, ours, known_error = p @ p.T, np.asarray(found.posterior_.similarity(), float), 1 - p.max(axis=1)
    off = ~np.eye(200, dtype=bool)
    numbers = (
        np.abs(ours - known)[off].mean(),
        np.abs(found.medoid_disagreement_ - known_error).mean(),
        pt.Misclassification().between(TRUTH, found.labels_),
        pt.Misclassification().between(TRUTH, p.argmax(axis=1)),
        1 - pt.AdjustedRand().between(TRUTH, found.labels_),
        found.rate_.mean(),
    )
    return Comparison(numbers, ours, known, found.medoid_disagreement_, known_error)


def compare_all(n_sets):
    """Comparisons by scenario and cost, one per data set."""
    return {
        (*scenario, cost): [compare(draw(*scenario, seed), *scenario, cost) for seed in range(n_sets)]
        for scenario in SCENARIOS
        for cost in COSTS
    }


def rates(n_sets):
    """Posterior mean of the rate over the true one, by (points per cluster, degrees of freedom), clusters far apart."""
    out = {}
    for size in SIZES:
        truth = np.repeat(np.arange(4), size)
        for dof in ("items", "residual"):
            means = []
            for seed in range(n_sets):
                noise = np.sqrt(VARIANCE) * np.random.default_rng([size, seed]).normal(size=(4 * size, 2))
                model = pt.GeneralizedBayesClustering(
                    4, rate_dof=dof, n_chains=1, n_draws=1000, n_warmup=200, n_jobs=1, random_state=seed
                )
                means.append(model.fit(APART * MEANS[truth] + noise).rate_.mean())
            out[size, dof] = 2 * VARIANCE * np.array(means)
    return out


def closed_form(size, dof):
    """Expectation of the posterior mean of the rate over the true one, the partition known: four clusters, two columns.

    Given the partition the rate has a Gamma distribution with shape ``nd/2`` or ``(n - K)d/2`` and the sum of squares
    as its rate, and that is a chi-squared variable of ``(n - K)d`` degrees of freedom over twice the true rate.
    """
    n, left = 4 * size * 2, 4 * (size - 1) * 2
    return (n if dof == "items" else left) / (left - 2)


def center(values):
    """Mean over data sets, and its standard error."""
    values = np.asarray(values)
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))


def print_comparisons(found):
    print(f"{'data':<7} {'scale':>5} {'cost':<18} " + " ".join(f"{h.partition(',')[0]:>17}" for h in NUMBERS))
    for (kind, variance, cost), sets in found.items():
        cells = [f"{m:.3f} ({e:.3f})" for m, e in zip(*center([s.numbers for s in sets]), strict=True)]
        print(f"{kind:<7} {variance:>5} {cost:<18} " + " ".join(f"{c:>17}" for c in cells))


def claims_of(found, found_rates):
    """What the slides show without numbers, in numbers."""
    normal = center([s.numbers for s in found["normal", 1.5, "squared-euclidean"]])
    yield Claim(
        f"{PAPER}, synthetic I",
        "with normal clusters (variance 1.5) the uncertainty is that of an oracle",
        "figures alike",
        f"similarity off by {normal[0][0]:.3f} ({normal[1][0]:.3f}), probabilities of misclassification by "
        f"{normal[0][1]:.3f} ({normal[1][1]:.3f}); {normal[0][2]:.1%} misplaced, the oracle {normal[0][3]:.1%}",
        "confirmed" if normal[0][0] < 0.05 else "corrected",
    )
    for scale in (0.75, 1.5):
        pairs = (found["t2", scale, cost] for cost in COSTS)
        gap, error = center([np.subtract(a.numbers, b.numbers) for a, b in zip(*pairs, strict=True)])
        level = center([s.numbers for s in found["t2", scale, "manhattan"]])[0]
        yield Claim(
            f"{PAPER}, synthetic II",
            f"with heavy tails (scale {scale}) Manhattan distances are robust, squared ones are not",
            "figures differ",
            f"similarity off by {gap[0]:.3f} ({error[0]:.3f}) less than with squared distances, "
            f"{gap[2]:.1%} ({error[2]:.1%}) fewer misplaced; still {level[0]:.3f} off the oracle's similarity",
            "confirmed" if gap[0] > 2 * error[0] and gap[2] > 2 * error[2] else "open",
        )
    mean, error = center(2 * 1.5 * np.array([s.numbers[5] for s in found["normal", 1.5, "squared-euclidean"]]))
    yield Claim(
        f"{PAPER}, rate",
        "the rate estimates the precision within clusters: 1/3 at variance 1.5",
        "1/3",
        f"{mean / 3:.3f} ({error / 3:.3f})",
        "confirmed" if abs(mean - 1) < 2 * error else "corrected",
    )
    small = {dof: center(found_rates[3, dof]) for dof in ("items", "residual")}
    worst = max(abs(center(v)[0] - closed_form(*key)) / center(v)[1] for key, v in found_rates.items())
    yield Claim(
        f"{PAPER}, rate",
        "λ^(nd/2) is a reasonable default: posterior mean of the rate over the truth, 3 points per cluster",
        "",
        f"{small['items'][0]:.2f} ({small['items'][1]:.2f}), closed form {closed_form(3, 'items'):.2f}; with (n-K)d/2 "
        f"{small['residual'][0]:.2f} ({small['residual'][1]:.2f}), closed form {closed_form(3, 'residual'):.2f}; "
        f"at 2 to 50 points within {worst:.1f} standard errors of it",
        "corrected",
    )


def draw_figures(found, found_rates):
    """The comparisons with standard errors, one data set of each kind, and the rate against its closed form."""
    plt = pyplot()

    for name, fig in (
        ("comparison", comparison_figure(plt, found)),
        ("one-set", one_set_figure(plt, found)),
        ("rate", rate_figure(plt, found_rates)),
    ):
        save(fig, f"rigon-{name}", colors=64)
    header = ("kind", "scale", "cost", "data sets", *(part for n in NUMBERS for part in (n, "se")))
    averages = ((key, len(sets), zip(*center([s.numbers for s in sets]), strict=True)) for key, sets in found.items())
    write_rows("rigon-comparison", header, [(*k, n, *(f"{v:.4f}" for pair in m for v in pair)) for k, n, m in averages])
    header = ("points per cluster", "degrees of freedom", "data sets", "rate over truth", "se", "closed form")
    rows = [(*key, len(v), *(f"{x:.4f}" for x in (*center(v), closed_form(*key)))) for key, v in found_rates.items()]
    write_rows("rigon-rate", header, rows)


def comparison_figure(plt, found):
    fig, axes = plt.subplots(1, 3, figsize=(10.5, 3.8), layout="constrained")
    names = [f"{'I' if kind == 'normal' else 'II'}: {variance}" for kind, variance in SCENARIOS]
    for column, ax in enumerate(axes):
        for shift, cost in zip((-0.12, 0.12), COSTS, strict=True):
            values = [center([s.numbers[column] for s in found[*scenario, cost]]) for scenario in SCENARIOS]
            ax.errorbar(np.arange(5) + shift, *np.transpose(values), fmt="o", capsize=3, label=cost)
        if column == 2:
            known = [center([s.numbers[3] for s in found[*scenario, COSTS[0]]]) for scenario in SCENARIOS]
            ax.errorbar(np.arange(5), *np.transpose(known), fmt="k_", ms=12, label="oracle")
            ax.legend(fontsize=8)
        ax.set(title=NUMBERS[column].replace("mean error", "mean error against the oracle"), ylim=(0, None))
        ax.title.set_fontsize(10)
        ax.set_xticks(range(5), names)
    fig.supxlabel("I: normal, variance; II: Student's t with 2 degrees of freedom, scale", fontsize=10)
    return fig


def one_set_figure(plt, found):
    shown = [("normal", 1.5, "squared-euclidean"), ("t2", 0.75, "squared-euclidean"), ("t2", 0.75, "manhattan")]
    fig, axes = plt.subplots(3, 3, figsize=(8.6, 8.2), layout="constrained")
    for row, key in zip(axes, shown, strict=True):
        one = found[key][0]
        for ax, matrix, who in zip(row, (one.similarity, one.known_similarity), ("ours", "oracle"), strict=False):
            ax.imshow(matrix, vmin=0, vmax=1, cmap="viridis")
            ax.set(title=f"Similarity, {who}", xticks=[], yticks=[])
        row[0].set_ylabel(f"{'I' if key[0] == 'normal' else 'II'}: {key[1]}, {key[2]}")
        row[2].plot([0, 1], [0, 1], color="0.7", lw=1)
        row[2].scatter(one.known_error, one.error, s=6)
        row[2].set(title="Misclassification", xlabel="oracle", ylabel="ours")
    return fig


def rate_figure(plt, found_rates):
    fig, ax = plt.subplots(figsize=(6.5, 4.2), layout="constrained")
    fine = np.geomspace(2, 50, 100)
    for dof, color, label in (("items", "C3", "nd/2, as in the paper"), ("residual", "C0", "(n - K)d/2")):
        ax.plot(fine, [closed_form(size, dof) for size in fine], color=color, lw=1, label=f"closed form, {label}")
        values = [center(found_rates[size, dof]) for size in SIZES]
        ax.errorbar(SIZES, *np.transpose(values), fmt="o", color=color, capsize=3, label="sampled")
    ax.axhline(1, color="0.7", lw=1)
    ax.set(xscale="log", xlabel="points per cluster, n/K", ylabel="posterior mean of the rate / truth")
    ax.set_xticks(SIZES, [str(size) for size in SIZES])
    ax.minorticks_off()
    ax.legend(fontsize=9)
    return fig


def study(quick):
    """Comparisons and rates over data sets."""
    return compare_all(5 if quick else 20), rates(20 if quick else 100)


def claims(quick, data):  # noqa: ARG001
    """Claims for the table of all papers."""
    return list(claims_of(*study(quick)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--quick", action="store_true", help="5 data sets of each kind")
    size.add_argument("--full", action="store_true", help="20 data sets of each kind")
    parser.add_argument("--figures", action="store_true", help="write docs/figures/papers/rigon-*")
    given = parser.parse_args()
    found, found_rates = study(given.quick)
    print_comparisons(found)
    for key, values in found_rates.items():
        numbers = (*key, *center(values), closed_form(*key))
        print("{:>3} points per cluster, {:<9} rate / truth {:.3f} ({:.3f}), closed form {:.3f}".format(*numbers))
    if given.figures:
        draw_figures(found, found_rates)
    print_claims(claims_of(found, found_rates))


if __name__ == "__main__":
    main()
