"""Chapter 6 of Koepke (2008): what becomes of clusters whose centers stay where they are as columns of noise are added.

Three normal clusters in a triangle with sides 3√2, unit variance, and theta = 5. By theorem 6.3.3 every row of the
averaged assignment matrix goes to (1/K, ..., 1/K) unless centers move apart like √p; by theorem 6.1.9 the true
partition costs less than another one with probability 1/2 in the end.
"""

import numpy as np
from claims import Claim, write_rows
from figure_files import pyplot, save

import partita as pt
from partita.stability import LocationExponential

DIMENSIONS = (2, 10, 100, 1000, 10_000)
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
SIDE, THETA, N_PER_CLUSTER = 3 * np.sqrt(2), 5.0, 200
N_SMALL = 5  # items per cluster where costs of partitions are compared


def sample(p, side, n_per_cluster, rng):
    """Data and labels."""
    labels = np.repeat(np.arange(3), n_per_cluster)
    X = rng.normal(size=(labels.size, p))
    X[:, :2] += side * TRIANGLE[labels]
    return X, labels


def staying(p, grows, seed):
    """Mean probability of an item staying in its cluster, with theta as it is and with theta tuned."""
    rng = np.random.default_rng([p, seed])
    X, labels = sample(p, SIDE * np.sqrt(p / 2) if grows else SIDE, N_PER_CLUSTER, rng)
    d, items = pt.center_distances(X, labels), np.arange(labels.size)
    fixed = LocationExponential().phi(d, THETA)[items, labels].mean()
    tuned = pt.assess_stability(d, labels, n_baselines=5)
    return fixed, tuned.phi[items, labels].mean(), tuned.theta


def cheaper(p, seed, n_draws):
    """Share of draws in which the true partition has no greater sum of squares than one with labels in random order."""
    rng, count = np.random.default_rng([p, seed, 1]), 0
    for _ in range(n_draws):
        X, labels = sample(p, SIDE, N_SMALL, rng)
        other = rng.permutation(labels)
        squares = [sum(N_SMALL * (X[z == k].mean(axis=0) ** 2).sum() for k in range(3)) for z in (labels, other)]
        count += squares[0] >= squares[1]
    return count / n_draws


def study(quick):
    """Rows: dimension, staying at constant and growing separation, tuned, theta, and the share of cheaper truths."""
    n_sets, n_draws = (2, 40) if quick else (5, 200)
    rows = []
    for p in DIMENSIONS:
        still, moving = (np.array([staying(p, grows, s) for s in range(n_sets)]) for grows in (False, True))
        error = still[:, 0].std(ddof=1) / np.sqrt(n_sets)
        rows.append(
            (p, still[:, 0].mean(), error, moving[:, 0].mean(), *still[:, 1:].mean(axis=0), cheaper(p, 0, n_draws))
        )
    return np.array(rows)


def dimension_claims(rows):
    """Theorems 6.1.9, 6.3.3 and 6.4.1."""
    still = ", ".join(f"{v:.3f}" for v in rows[:, 1])
    yield Claim(
        "Koepke, Theorem 6.3.3",
        "at constant separation the averaged assignment matrix goes to 1/K (K = 3, p = 2 to 10⁴)",
        "1/3",
        f"{still} (standard error at most {rows[:, 2].max():.3f})",
        "confirmed" if rows[-1, 1] < 0.37 else "refuted",
    )
    yield Claim(
        "Koepke, Theorem 6.3.3",
        "it does not where centers move apart like √p",
        "not 1/3",
        ", ".join(f"{v:.3f}" for v in rows[:, 3]),
        "confirmed" if rows[-1, 3] > 0.9 else "refuted",
    )
    yield Claim(
        "Koepke, Theorem 6.4.1",
        "a prior can keep items stable as long as distances can be told apart",
        "exists",
        f"theta tuned to {rows[0, 5]:.1f} at p = 2 and {rows[-1, 5]:.0f} at 10⁴, where items stay with probability "
        f"{rows[-1, 4]:.3f}, not {rows[-1, 1]:.3f}",
        "confirmed" if rows[-1, 4] > rows[-1, 1] + 0.1 else "open",
    )
    yield Claim(
        "Koepke, Theorem 6.1.9",
        f"the true partition of {3 * N_SMALL} items costs less than another with probability 1/2 in the end",
        "1/2",
        ", ".join(f"{v:.2f}" for v in rows[:, 6]),
        "confirmed" if rows[-1, 6] < 0.8 else "open",
    )


def draw_dimension(rows):
    """The probability of staying over the number of columns, and that of the truth being cheaper."""
    plt = pyplot()

    fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8), layout="constrained")
    left.errorbar(rows[:, 0], rows[:, 1], rows[:, 2], fmt="C3-o", label="centers stay, θ = 5")
    left.plot(rows[:, 0], rows[:, 3], "C0-s", label="centers move apart like √p, θ = 5")
    left.plot(rows[:, 0], rows[:, 4], "C2--^", label="centers stay, θ tuned")
    left.axhline(1 / 3, color="0.6", lw=1)
    left.text(2, 0.35, "1/K", color="0.4", fontsize=9)
    left.set(xscale="log", xlabel="columns p", ylabel="probability of staying", ylim=(0, 1.04))
    left.legend(loc="lower left", fontsize=8)
    right.plot(rows[:, 0], rows[:, 6], "C3-o")
    right.axhline(0.5, color="0.6", lw=1)
    right.set(xscale="log", xlabel="columns p", ylabel="truth costs less than another partition", ylim=(0.4, 1.04))
    save(fig, "koepke-dimension", dpi=80)
    header = ("p", "staying", "se", "staying, centers apart", "staying, tuned", "theta", "truth cheaper")
    write_rows("koepke-dimension", header, [(int(row[0]), *(f"{v:.4f}" for v in row[1:])) for row in rows])
