"""Theorems 2 to 5 of Cheng, Hua and Vu (2008) and the average number of correct assignments, against simulation.

Clusters are normal with unit variance and their centers known. A chunklet of s items of cluster ``own`` goes to the
center with the least sum of squared distances: of that sum only the chunklet's mean matters.
"""

from itertools import product

import numpy as np
from claims import Claim, write_rows
from figure_files import pyplot, save
from scipy.stats import norm

N_DRAWS = 200_000
CENTERS = np.array([[0.0, 0.0], [1.0, 0.4], [-0.3, 1.1]])
SIZES = (1, 2, 3, 5, 8, 13, 20)
PAPER = "Cheng, Hua & Vu"


def one_chunklet(size, i, p, own, centers=CENTERS):
    """Theorem 4: the probability that a chunklet of cluster ``own`` is nearer to center i than to center p."""
    gap = centers[p] - centers[i]
    top = size * ((centers[p] ** 2 - centers[i] ** 2).sum() / 2 - gap @ centers[own])
    return norm.cdf(top / np.sqrt(size * gap @ gap))


def two_chunklets(sizes, at, instead, own, centers=CENTERS, printed=False):
    """Theorem 5: that two chunklets are nearer to the centers ``at`` than to ``instead``, in sum.

    As printed, the root covers the first size alone.
    """
    gaps = [centers[q] - centers[j] for j, q in zip(at, instead, strict=True)]
    squares = [(centers[q] ** 2 - centers[j] ** 2).sum() / 2 for j, q in zip(at, instead, strict=True)]
    top = sum(s * (square - gap @ centers[c]) for s, square, gap, c in zip(sizes, squares, gaps, own, strict=True))
    lengths = [gap @ gap for gap in gaps]
    if printed:
        return norm.cdf(top / (np.sqrt(sizes[0]) * lengths[0] + sizes[1] * lengths[1]))
    return norm.cdf(top / np.sqrt(sizes[0] * lengths[0] + sizes[1] * lengths[1]))


def costs(size, own, centers, rng):
    """Sum of squared distances of chunklets to each center, but for what all centers share, shape (N_DRAWS, K)."""
    means = centers[own] + rng.normal(size=(N_DRAWS, centers.shape[1])) / np.sqrt(size)
    return size * ((centers**2).sum(axis=1) - 2 * means @ centers.T)


def simulated_pairs(rng):
    """Theorem 5 at every choice of centers: formula, as printed, and simulated, one row each."""
    rows = []
    for sizes in ((1, 1), (2, 5), (8, 3)):
        for own in ((0, 1), (2, 0)):
            first, second = (costs(s, c, CENTERS, rng) for s, c in zip(sizes, own, strict=True))
            for at, instead in product(product(range(3), repeat=2), repeat=2):
                if at[0] != instead[0] and at[1] != instead[1]:
                    drawn = first[:, at[0]] + second[:, at[1]] < first[:, instead[0]] + second[:, instead[1]]
                    exact = two_chunklets(sizes, at, instead, own)
                    rows.append((*sizes, exact, two_chunklets(sizes, at, instead, own, printed=True), drawn.mean()))
    return np.array(rows)


def correct_assignments(rng, distance=1.0, n_clusters=2):
    """Share of a chunklet's items placed correctly: by k-means, by COP-KMeans, jointly, and with a second chunklet.

    Shape (n_sizes, 4): items one by one; all as the first; all together; two chunklets that cannot be together, of that
    size each. The ANCA of the paper is this share times the number of items.
    """
    centers = distance / np.sqrt(2) * np.eye(n_clusters)
    rows = []
    for size in SIZES:
        single, whole = costs(1, 0, centers, rng), costs(size, 0, centers, rng)
        other = costs(size, 1, centers, rng)
        table = whole[:, :, None] + other[:, None, :] + np.diag(np.full(n_clusters, np.inf))
        best = table.reshape(N_DRAWS, -1).argmin(axis=1)
        both = ((best // n_clusters == 0).mean() + (best % n_clusters == 1).mean()) / 2
        right = (single.argmin(axis=1) == 0).mean()
        rows.append((right, right, (whole.argmin(axis=1) == 0).mean(), both))
    return np.array(rows)


def theory_claims():
    """Theorems 2 to 5 and ANCA."""
    rng, at = np.random.default_rng(0), SIZES.index(8)
    pairs, shares, three = simulated_pairs(rng), correct_assignments(rng), correct_assignments(rng, n_clusters=3)
    one, two = norm.cdf(np.sqrt(SIZES) / 2), norm.cdf(np.sqrt(2 * np.array(SIZES)) / 2)
    off, off_two = np.abs(shares[:, 2] - one).max(), np.abs(shares[:, 3] - two).max()
    yield Claim(
        f"{PAPER}, Theorems 2, 3",
        "chance that one chunklet, or two that cannot be together, are placed rightly",
        "Φ(√s δ/2), Φ(√(s+s') δ/2)",
        f"{N_DRAWS} draws at {len(SIZES)} sizes: off by at most {off:.4f}, {off_two:.4f}",
        "confirmed",
    )
    cases = [(size, own, *p) for size in SIZES for own in range(3) for p in product(range(3), repeat=2) if p[0] != p[1]]
    drawn = {(size, own): costs(size, own, CENTERS, rng) for size in SIZES for own in range(3)}
    gaps = [(drawn[s, own][:, i] < drawn[s, own][:, p]).mean() - one_chunklet(s, i, p, own) for s, own, i, p in cases]
    yield Claim(
        f"{PAPER}, Theorem 4",
        "a chunklet nearer to center i than to center p, three clusters",
        "Φ(A)",
        f"off by at most {np.abs(gaps).max():.4f} over {len(cases)} cases",
        "confirmed",
    )
    exact, printed, simulated = pairs[:, 2:].T
    yield Claim(
        f"{PAPER}, Theorem 5",
        "the same for two chunklets",
        "Φ(A/B), B = √s ΣΔ² + s' ΣΔ'²",
        f"with the root over the whole sum off by at most {np.abs(exact - simulated).max():.4f} in {len(pairs)} cases; "
        f"as printed by {np.abs(printed - simulated).max():.2f}",
        "corrected",
    )
    yield Claim(
        f"{PAPER}, ANCA",
        "share of 8 items placed rightly at δ = 1: jointly, and one by one",
        f"{one[at]:.3f}, {one[0]:.3f}",
        f"{shares[at, 2]:.3f}, {shares[at, 0]:.3f}; three clusters, without a closed form: "
        f"{three[at, 2]:.3f}, {three[at, 0]:.3f}",
        "confirmed",
    )


def draw_theory():
    """Theorems 2 and 3 as curves over the size of a chunklet, Theorem 5 as formula against simulation."""
    plt = pyplot()

    rng = np.random.default_rng(1)
    fig, (left, middle, right) = plt.subplots(1, 3, figsize=(10.5, 3.6), layout="constrained")
    fine, rows = np.linspace(1, 20, 200), []
    for distance, color in ((0.6, "C0"), (1.0, "C1"), (2.0, "C2")):
        shares = correct_assignments(rng, distance)
        rows += [(2, distance, s, *row) for s, row in zip(SIZES, shares, strict=True)]
        left.plot(fine, norm.cdf(np.sqrt(fine) * distance / 2), color=color, label=f"δ = {distance}")
        left.plot(fine, norm.cdf(np.sqrt(2 * fine) * distance / 2), "--", color=color)
        left.plot(SIZES, shares[:, 2], "o", color=color, ms=4)
        left.plot(SIZES, shares[:, 3], "s", color=color, ms=4, mfc="white")
    left.set(
        title="Theorems 2 (—) and 3 (- -)", xlabel="items s of a chunklet", ylabel="placed rightly", ylim=(0.5, 1.01)
    )
    left.legend(loc="lower right", fontsize=8)
    for n_clusters, marker in ((2, "o"), (3, "^")):
        shares = correct_assignments(rng, 1.0, n_clusters)
        rows += [(n_clusters, 1.0, s, *row) for s, row in zip(SIZES, shares, strict=True)]
        for column, name, color in ((0, "one by one", "C7"), (2, "one chunklet", "C1"), (3, "two chunklets", "C3")):
            label = f"{name}, {n_clusters} clusters"
            middle.plot(
                SIZES,
                shares[:, column],
                marker=marker,
                color=color,
                ls="-" if n_clusters == 2 else ":",
                ms=4,
                label=label,
            )
    middle.set(title="Items placed rightly, δ = 1", xlabel="items s of a chunklet", ylim=(0.1, 1.01))
    middle.legend(loc="lower right", fontsize=7)
    pairs = simulated_pairs(rng)
    right.plot([0, 1], [0, 1], color="0.7", lw=1)
    right.plot(pairs[:, 4], pairs[:, 3], "x", color="C3", ms=4, label="as printed")
    right.plot(pairs[:, 4], pairs[:, 2], "o", color="C0", ms=3, label="root over the whole sum")
    right.set(title="Theorem 5", xlabel="simulated", ylabel="formula")
    right.legend(fontsize=8)
    save(fig, "clwc-theory", dpi=90)
    write_rows(
        "clwc-theory",
        ("clusters", "distance", "size", "one by one", "as the first", "one chunklet", "two chunklets"),
        rows,
    )
    write_rows("clwc-theorem-5", ("size", "other size", "formula", "as printed", "simulated"), pairs.tolist())
