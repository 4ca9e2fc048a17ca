"""Section IX of Dalton et al. (2015): small, moderate and large point sets, ours beside the paper's.

python benchmarks/papers/dalton.py --quick | --full [--figures] [small | rms | moderate | large ...]

It needs no data. ``--figures`` writes what docs/papers/dalton.md shows. Reference values in brackets come from an
independent enumeration of 400 point sets per simulation. Sizes 12:8 are shared out at random.
"""

import argparse
import time
from functools import partial

import numpy as np
from claims import Claim, print_claims, write_rows
from dalton_sets import (
    RIVALS,
    SMALL,
    WIDE,
    large_clusterers,
    large_process,
    moderate_process,
    moderate_set,
    peak_memory,
    rms_set,
    simulation,
    small_set,
    warm_up,
)

import partita as pt

REFERENCE = {1: 0.134, 2: 0.079, 3: 0.050, 4: 0.144, 5: 0.087, 6: 0.054}  # mean Bayes errors
SETS = {"small": (40, 150), "rms": (30, 150), "moderate": (30, 60)}
LARGE = {100: (10, 100), 300: (10, 100), 1000: (10, 100), 3000: (3, 40), 10_000: (2, 15)}


def mean_and_error(values):
    """Mean of numbers and its standard error."""
    values = np.asarray(values, float)
    return float(values.mean()), float(values.std() / np.sqrt(len(values)))


def shown(values):
    """The same as text."""
    mean, error = mean_and_error(values)
    return f"{mean:.3f} ({error:.3f})"


def below(values, theirs):
    """The verdict on a printed number that a mean stays below by more than two standard errors, or not."""
    mean, error = mean_and_error(values)
    return "refuted" if mean + 2 * error < theirs else "open"


def repeat(one_set, n_sets, seed):
    """A function of a random generator, called with many of them."""
    return [one_set(rng) for rng in np.random.default_rng(seed).spawn(n_sets)]


def small(quick):
    """Fig. 3: rows of simulation, clusterer, mean empirical and theoretical error with standard errors; and claims."""
    n_sets, rows, bayes, found = SETS["small"][not quick], [], {}, {}
    for number, known in REFERENCE.items():
        results = repeat(partial(small_set, simulation(number)), n_sets, number)
        bayes[number] = [result[0] for result in results]
        found[number] = np.mean([result[1] for result in results])
        for name in results[0][2]:
            empirical, theory = ([result[i][name] for result in results] for i in (3, 2))
            rows.append((number, n_sets, name, *mean_and_error(empirical), *mean_and_error(theory)))
        print(f"Simulation {number}: Bayes error {shown(bayes[number])} [{known:.3f}]", flush=True)
    write = partial(
        write_rows, "dalton-small", ("simulation", "sets", "clusterer", *_stats("empirical", "theoretical"))
    )
    return rows, _small_claims(rows, bayes, found), write


def _stats(*names):
    return [column for name in names for column in (name, f"{name}_std")]


def _small_claims(rows, bayes, found):
    error = {(number, name): empirical for number, _, name, empirical, *_ in rows}
    worst_own = max(max(error[n, name] for name in SMALL) - min(error[n, r] for r in RIVALS) for n in REFERENCE)
    lost = max(error[n, f"{kind} h=0"] - error[n, "optimal"] for n in REFERENCE for kind in ("pmax", "pseed"))
    gap = max(abs(empirical - theory) for _, _, name, empirical, _, theory, _ in rows if name in SMALL)
    errors = ", ".join(f"{np.mean(values):.3f}" for values in bayes.values())
    return [
        Claim("Dalton, IX-C", "Bayes error of Simulations 1 to 6", "close to 0.1 in all", errors, "corrected"),
        Claim("Dalton, IX-E", "Bayes error of Simulation 3", "around 8 %", shown(bayes[3]), below(bayes[3], 0.08)),
        Claim(
            "Dalton, Fig. 3",
            "optimal, Pmax and Pseed beat every classical clusterer in all six",
            "yes",
            f"worst difference {worst_own:+.3f}",
            "confirmed" if worst_own < 0 else "open",
        ),
        Claim(
            "Dalton, Fig. 3",
            "h = 0 is nearly optimal",
            "yes",
            f"loses at most {lost:.3f}",
            "confirmed" if lost < 0.02 else "open",
        ),
        Claim(
            "Dalton, Fig. 3",
            "hill climbing from 5 starts often finds the most probable partition",
            "often",
            f"in {min(found.values()):.0%} to {max(found.values()):.0%} of the sets",
            "confirmed" if min(found.values()) > 0.8 else "open",
        ),
        Claim(
            "Dalton, IX-C",
            "theoretical and empirical errors agree",
            "small differences",
            f"within {gap:.3f}",
            "confirmed" if gap < 0.03 else "open",
        ),
    ]


def rms(quick):
    """Fig. 4: rows of radius, partition and the RMS of estimated minus exact error, in Simulation 1."""
    names, n_sets = ("optimal", "pseed h=0", *RIVALS), SETS["rms"][not quick]
    squares = np.array(repeat(partial(rms_set, simulation(1)), n_sets, 7)) ** 2
    roots = np.sqrt(squares.mean(axis=0))
    rows = [
        (n_sets, h, name, value)
        for h, line in zip(WIDE, roots, strict=True)
        for name, value in zip(names, line, strict=True)
    ]
    first, best, worst = roots[0, 0], roots[-1, 0], roots[0, names.index("random")]
    claims = [
        Claim(
            "Dalton, Fig. 4",
            "errors are estimated poorly from small balls",
            "poor for small h",
            f"RMS of the optimal partition {first:.3f} at h = 0, {best:.3f} at h = 10",
            "confirmed" if first > 2 * best else "refuted",
        ),
        Claim(
            "Dalton, Fig. 4",
            "better partitions have the larger RMS",
            "tend to",
            f"at h = 0: optimal {first:.3f}, random {worst:.3f}",
            "confirmed" if first > worst else "refuted",
        ),
    ]
    return rows, claims, partial(write_rows, "dalton-rms", ("sets", "h", "partition", "rms"))


def moderate(quick):
    """Fig. 5: rows of clusterer, mean empirical error, and the RMS of its estimates by radius."""
    radii, n_sets = (0, 2) if quick else (0, 2, 4), SETS["moderate"][not quick]
    results = repeat(partial(moderate_set, moderate_process(), radii), n_sets, 5)
    rows = []
    for name in results[0][0]:
        gaps = [[one[1][h][name] - one[0][name] for h in radii] for one in results]
        roots = [float(root) for root in np.sqrt(np.mean(np.square(gaps), axis=0))]
        rows.append((n_sets, name, *mean_and_error([one[0][name] for one in results]), *roots))
        print(f"n = 70: {name:<12} {rows[-1][2]:.3f} ({rows[-1][3]:.3f})   RMS {np.round(roots, 3)}", flush=True)
    error = {name: mean for _, name, mean, *_ in rows}
    misplaced = [one[0]["pseed h=0"] for one in results]
    best, verdict, rival = shown(misplaced), below(misplaced, 0.1), min(error[name] for name in RIVALS)
    by_radius = ", ".join(f"{error[f'pseed h={h}']:.3f}" for h in radii)
    claims = [
        Claim("Dalton, IX-D", "Bayes error at n = 70", "close to 0.1", f"at most {best}", verdict),
        Claim(
            "Dalton, Fig. 5(a)",
            "Pseed beats the classical clusterers, and h hardly matters",
            "yes",
            f"{by_radius} for h = {', '.join(map(str, radii))}; the best rival {rival:.3f}",
            "confirmed" if np.mean(misplaced) < rival else "refuted",
        ),
    ]
    header = ("sets", "clusterer", *_stats("empirical"), *(f"rms_h{h}" for h in radii))
    return rows, claims, partial(write_rows, "dalton-moderate", header)


def large(quick):
    """Fig. 6: rows of n, clusterer, mean empirical error, seconds and megabytes; compilation is not timed."""
    warm_up()
    rows = []
    for n, sets in LARGE.items():
        process, n_sets = large_process(n), sets[not quick]
        fits = large_clusterers(process)
        table = pt.compare_clusterers(process, fits, n_sets, bayes_search=None, random_state=1)
        for name, line in table.iterrows():
            memory = peak_memory(name, n) if not quick or n == 10_000 else float("nan")
            rows.append((n, n_sets, name, line.empirical, line.empirical_std, line.seconds, memory))
            print(f"n = {n:<6} {name:<13} {line.empirical:.3f}  {line.seconds:.3f} s  {memory:.0f} MB", flush=True)
    header = ("n", "sets", "clusterer", *_stats("empirical"), "seconds", "megabytes")
    return rows, _large_claims(rows), partial(write_rows, "dalton-large", header)


def _large_claims(rows):
    at = {(int(n), name): (error, spread, seconds, memory) for n, _, name, error, spread, seconds, memory in rows}
    many = [n for n in LARGE if n >= 1000]
    printed = {"pseed-fast": (0.05, 0.06), "FCM": (0.17, 0.17), "k-means": (0.17, 0.17), "complete": (0.3, 0.3)}
    claims = []
    for name, (low, high) in (printed | {"single": (0.45, 0.5)}).items():
        ours = ", ".join(f"{at[n, name][0]:.3f} ({at[n, name][1]:.3f})" for n in many)
        near = all(low - 0.01 - 2 * e < m < high + 0.01 + 2 * e for m, e, *_ in (at[n, name] for n in many))
        theirs = "as poor as random" if name == "single" else f"{low} to {high}" if low < high else f"around {low}"
        what = f"error of {name} for n = {', '.join(map(str, many))}"
        claims.append(Claim("Dalton, Fig. 6(a)", what, theirs, ours, "confirmed" if near else "open"))
    ratio = [at[n, "pseed-fast"][2] / at[n, "complete"][2] for n in many]
    fast, faster, tree = (at[10_000, name] for name in ("pseed-fast", "pseed-faster", "complete"))
    return [
        *claims,
        Claim(
            "Dalton, Fig. 6(b)",
            "Pseed Fast takes longer than complete linkage",
            "37 to 50 times",
            f"{min(ratio):.1f} to {max(ratio):.1f} times; {fast[2]:.1f} s and {faster[2]:.1f} s (Faster) at n = 10 000",
            "confirmed" if min(ratio) > 30 else "corrected",
        ),
        Claim(
            "Dalton, IX-E",
            "memory at n = 10 000: Pseed Fast, Faster; less than linkage",
            "100 MB, 9 MB",
            f"{fast[3]:.0f} MB, {faster[3]:.0f} MB; complete linkage {tree[3]:.0f} MB",
            "confirmed" if max(fast[3], faster[3]) < tree[3] else "refuted",
        ),
    ]


def labels_and_kmeans(_):
    """Section VIII: labels can only be guessed where clusters are clear; and k-means as the most probable partition."""
    process = pt.GaussianPointProcess.normal_inverse_wishart(np.zeros((2, 2)), nu=0, kappa=2, psi=0)
    X = np.random.default_rng(0).normal(size=(14, 2)) + 6 * (np.arange(14) % 2)[:, np.newaxis]
    labeler, clusterer = pt.BayesLabeler(process).fit(X), pt.BayesClusterer(process).fit(X)
    flat = pt.GaussianPointProcess.gaussian_means(
        np.zeros((2, 2)), nu=0, covariances=2.0, label_prior=lambda counts: np.log(np.maximum(counts, 1)).sum()
    )
    partitions = pt.all_partitions(10, max_clusters=2)[1:]
    points = X[:10]
    log_p = flat.log_partition_probability(points, partitions)
    cost = [sum(((points[row == k] - points[row == k].mean(axis=0)) ** 2).sum() for k in (0, 1)) for row in partitions]
    spread = np.ptp(log_p + np.array(cost) / (2 * 2.0))
    claims = [
        Claim(
            "Dalton, VIII",
            "labels alike a priori can only be guessed, clusters not",
            "error (l - 1)/l",
            f"labeler {labeler.error_:.6f}, clusterer {clusterer.error_:.1e}",
            "confirmed" if abs(labeler.error_ - 0.5) < 1e-6 and clusterer.error_ < 0.01 else "refuted",
        ),
        Claim(
            "Dalton, VII-A",
            "k-means is the most probable partition of a flat model",
            "for a specific P(label function)",
            f"log probability + SSE/(2 s^2) is constant to {spread:.0e} for P proportional to the product of n_i^(d/2)",
            "confirmed" if spread < 1e-9 else "refuted",
        ),
    ]
    return None, claims, None


PARTS = {"small": small, "rms": rms, "moderate": moderate, "large": large, "labels": labels_and_kmeans}


def claims(quick, data):  # noqa: ARG001
    """All claims, for all.py."""
    return [claim for part in PARTS.values() for claim in part(quick)[1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="Parts to run; all by default.")
    parser.add_argument("--full", action="store_true", help="As many sets as docs/papers/dalton.md shows.")
    parser.add_argument("--quick", action="store_true", help="A tenth of them (what is done without --full too).")
    parser.add_argument("--figures", action="store_true", help="Write csv and png files to docs/figures/papers.")
    given = parser.parse_args()
    found = []
    for name in given.parts or PARTS:
        began = time.perf_counter()
        rows, new, write = PARTS[name](not given.full)
        found += new
        if given.figures and rows:
            import dalton_figures

            write(rows)
            getattr(dalton_figures, f"draw_{name}")()
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
    print_claims(found)


if __name__ == "__main__":
    main()
