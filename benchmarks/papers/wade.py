"""The tables and figures of Wade and Ghahramani (2018), ours beside theirs.

python benchmarks/papers/wade.py --quick | --full [--figures] [--data ../shared/data] [example1 | galaxy | sampled ...]

``example1`` and ``galaxy`` start from the paper's own draws, which are not part of this repository: the R package
mcclust.ext ships them, and DATA/wade holds them as ex1.npz (draws, X, truth) and galaxy.npz (draws). ``sampled`` needs
no data: example 2, whose draws are not published, and the galaxies are sampled anew under the paper's settings.
"""

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
from claims import Claim, print_claims, write_rows

import partita as pt

BINDER, VI, BOUND = pt.Binder(), pt.VariationOfInformation(), pt.VariationOfInformationBound()
LOSSES = {"binder": BINDER, "vi": VI, "vi-bound": BOUND}
NATS = np.log(2)
HEADER = ("estimate", "clusters", "expected_binder", "binder_to_truth", "expected_vi", "vi_to_truth", "expected_bound")
TABLE1 = {
    "binder": (0.062, 0.045, 0.816, 0.643),
    "vi": (0.064, 0.044, 0.77, 0.569),
    "vi-bound": (0.064, 0.049, 0.779, 0.620),
}
TABLE2 = {
    "binder": (0.088, 0.056, 1.068, 0.764),
    "vi": (0.099, 0.056, 1.03, 0.646),
    "vi-bound": (0.099, 0.062, 1.033, 0.648),
}
TABLE3 = {"binder": (0.218, 1.014), "vi": (0.237, 0.939)}


def row(name, labels, posterior, truth=None):
    """A row of the paper's tables for one estimate, and the value of the bound."""
    between = [float("nan") if truth is None else loss.between(truth, labels) for loss in (BINDER, VI)]
    expected = [loss.expected(labels, posterior) for loss in (BINDER, VI, BOUND)]
    return (name, int(np.max(labels)) + 1, expected[0], between[0], expected[1], between[1], expected[2])


def described(ball):
    """Radius in bits, and the numbers of clusters at the upper, lower and horizontal bounds."""
    counts = [sorted({int(b.max()) + 1 for b in getattr(ball, kind)}) for kind in ("upper", "lower", "horizontal")]
    return f"{ball.radius:.4f}; " + " / ".join(",".join(map(str, c)) for c in counts)


def agrees(ball, radius, digits, counts):
    """Whether a ball has the printed radius, to its digits, and the printed numbers of clusters at its bounds."""
    near = abs(ball.radius - radius) <= 0.51 * digits
    return "confirmed" if near and described(ball).split("; ")[1] == counts else "open"


def compared(where, table, rows):
    """Claims on the columns of a table that is recomputed from the same draws."""
    claims = []
    for name, *values in rows:
        if name in table:
            chosen = [values[i] for i in ((1, 2, 3, 4) if len(table[name]) == 4 else (1, 3))]
            theirs, ours = (", ".join(f"{value:.3f}" for value in line) for line in (table[name], chosen))
            same = np.allclose(table[name], chosen, atol=6e-4)
            claims.append(
                Claim(where, f"row of the estimate by {name}", theirs, ours, "confirmed" if same else "corrected")
            )
    return claims


def example1(quick, data):  # noqa: ARG001
    """Table 1 with its lower-bound row by two searches, and both balls, from the paper's draws."""
    if not (data / "wade" / "ex1.npz").is_file():
        return [], [_missing("Wade, Table 1", data)]
    stored = np.load(data / "wade" / "ex1.npz")
    posterior, truth = pt.PartitionPosterior(stored["draws"]), stored["truth"]
    seconds, found = {}, {}
    for name in LOSSES:
        began = time.process_time()
        found[name] = pt.estimate_partition(posterior, name)
        seconds[name] = time.process_time() - began
    walked = pt.estimate_partition(posterior, "vi-bound", "hasse", n_neighbors=200)
    rows = [row(name, estimate.labels, posterior, truth) for name, estimate in found.items()]
    rows.append(row("vi-bound, walk", walked.labels, posterior, truth))
    apart = [
        round(200 * pt.Misclassification().between(found["vi"].labels, e.labels)) for e in (walked, found["vi-bound"])
    ]
    twice = posterior.n_draws - len(np.unique(posterior.draws, axis=0))
    balls = {name: pt.credible_ball(posterior, found[name], metric=name) for name in ("vi", "binder")}
    claims = compared("Wade, Table 1", {name: TABLE1[name] for name in ("binder", "vi")}, rows)
    claims += compared("Wade, Table 1", {"vi-bound, walk": TABLE1["vi-bound"]}, rows)
    claims += [
        Claim(
            "Wade, 6.1",
            "VI and its bound differ in one point",
            "1 point",
            f"by a walk with l = 200: {apart[0]}, bound {walked.expected_loss:.5f}; "
            f"by sweeps: {apart[1]}, bound {found['vi-bound'].expected_loss:.5f}",
            "refuted" if apart[1] == 0 else "confirmed",
        ),
        Claim("Wade, 6.1", "partitions visited twice", "1", str(twice), "confirmed" if twice == 1 else "corrected"),
        Claim(
            "Wade, 6.1",
            "VI ball: radius; clusters at upper / lower / horizontal bounds",
            "0.841 nats = 1.2133; 4 / 16 / 11",
            described(balls["vi"]),
            agrees(balls["vi"], 0.841 / NATS, 0.001 / NATS, "4 / 16 / 11"),
        ),
        Claim(
            "Wade, 6.1",
            "the same with Binder's loss",
            "0.097; 4 / 18 / 8,11",
            described(balls["binder"]),
            agrees(balls["binder"], 0.097, 0.001, "4 / 18 / 8,11"),
        ),
        Claim(
            "Wade, 6.1",
            "the bound is quicker to minimize than VI",
            "600 times",
            f"{seconds['vi'] / seconds['vi-bound']:.1f} times by sweeps, "
            f"{seconds['vi']:.1f} s and {seconds['vi-bound']:.2f} s",
            "confirmed" if seconds["vi"] > 100 * seconds["vi-bound"] else "corrected",
        ),
    ]
    return [partial(write_rows, "wade-table1", HEADER, rows)], claims


def galaxy(quick, data):  # noqa: ARG001
    """Table 3 and the VI ball, from the paper's draws."""
    if not (data / "wade" / "galaxy.npz").is_file():
        return [], [_missing("Wade, Table 3", data)]
    posterior = pt.PartitionPosterior(np.load(data / "wade" / "galaxy.npz")["draws"])
    found = {name: pt.estimate_partition(posterior, name) for name in LOSSES}
    rows = [row(name, estimate.labels, posterior) for name, estimate in found.items()]
    ball = pt.credible_ball(posterior, found["vi"])
    within = float((ball.distances * NATS <= 1.2675).mean())
    distinct = len(np.unique(posterior.draws, axis=0))
    singletons = int((found["binder"].sizes == 1).sum())
    same = VI.between(found["vi"].labels, found["vi-bound"].labels) == 0
    claims = [
        Claim(
            "Wade, 6.2",
            "distinct partitions among 10 000",
            "9 636",
            f"{distinct}",
            "confirmed" if distinct == 9636 else "open",
        ),
        Claim(
            "Wade, 6.2",
            "clusters of the Binder estimate (singletons), of the VI estimate",
            "7 (4), 3",
            f"{found['binder'].n_clusters} ({singletons}), {found['vi'].n_clusters}",
            "confirmed" if (found["binder"].n_clusters, singletons, found["vi"].n_clusters) == (7, 4, 3) else "open",
        ),
        *compared("Wade, Table 3", TABLE3, rows),
        Claim(
            "Wade, Table 3",
            "VI and its bound have one minimizer",
            "yes",
            "yes" if same else "no",
            "confirmed" if same else "refuted",
        ),
        Claim(
            "Wade, 6.2",
            "VI ball: radius in nats; clusters at upper / lower bounds",
            "1.267; 2 / 15",
            f"{ball.radius * NATS:.4f} nats = {described(ball)}; {within:.2%} of the draws are within 1.2675",
            "open",
        ),
    ]
    return [partial(write_rows, "wade-table3", HEADER, rows)], claims


def _missing(where, data):
    needs = f"needs {data}/wade, see the head of benchmarks/papers/wade.py"
    return Claim(where, "from the paper's own draws", "", needs, "open")


def fitted(X, component, n_draws):
    """A Dirichlet process mixture with the paper's prior, in one chain."""
    chains = {"n_chains": 1, "n_draws": n_draws, "n_warmup": 1_000, "random_state": 1}
    return pt.BayesianMixture(component, pt.DirichletProcess(pt.Gamma(1, 1)), fuse=False, **chains).fit(X)


def example2(seed, n_draws):
    """Data like those of example 2: the points, the truth, a mixture, and the three estimates."""
    X, truth = pt.datasets.make_quadrants(n_items=200, example=2, random_state=seed)
    mixture = fitted(X, pt.Gaussian("diagonal", mean=0.0, strength=0.5, shape=2.0, scale=1.0), n_draws)
    return X, truth, mixture, {name: pt.estimate_partition(mixture.posterior_, name) for name in LOSSES}


def sampled(quick, data):  # noqa: ARG001
    """Table 2 and the balls of example 2 on new data, and the galaxies, from our own chains."""
    n_sets, n_draws = (3, 3_000) if quick else (20, 10_000)
    tables, balls, first = [], [], None
    for seed in range(n_sets):
        X, truth, mixture, found = example2(seed, n_draws)
        tables.append([row(name, estimate.labels, mixture.posterior_, truth) for name, estimate in found.items()])
        balls.append(
            {name: pt.credible_ball(mixture.posterior_, found[name], metric=name) for name in ("binder", "vi")}
        )
        first = first or (X, truth, mixture.posterior_, found, balls[0])
        shown = "; ".join(
            f"{line[0]} {line[1]} clusters, {line[2]:.3f} {line[3]:.3f} {line[4]:.3f} {line[5]:.3f}"
            for line in tables[-1]
        )
        print(f"example 2, data {seed}: {shown}", flush=True)
    galaxies = np.asarray(pt.datasets.load_galaxies(), float)
    prior = pt.Gaussian("diagonal", mean=galaxies.mean(), strength=0.5, shape=2.0, scale=galaxies.var(ddof=1))
    mixture = fitted(galaxies, prior, n_draws)
    ball = pt.credible_ball(mixture.posterior_, mixture.estimate_)
    binder = pt.estimate_partition(mixture.posterior_, "binder")
    density = np.exp(mixture.score_samples(galaxies))
    claims = _table2_claims(tables, balls, n_sets)
    claims.append(
        Claim(
            "Wade, 6.2",
            "galaxies from our own chain: VI and Binder clusters, expected VI, radius in nats",
            "3, 7, 0.939, 1.267",
            f"{mixture.n_clusters_}, {binder.n_clusters}, {mixture.estimate_.expected_loss:.3f}, "
            f"{ball.radius * NATS:.3f}",
            "confirmed" if abs(mixture.estimate_.expected_loss - 0.939) < 0.1 else "open",
        )
    )
    rows = [(seed, *line) for seed, table in enumerate(tables) for line in table]
    edges = [(seed, name, *described(b).split("; ")) for seed, pair in enumerate(balls) for name, b in pair.items()]
    return [
        partial(write_rows, "wade-table2", ("data", *HEADER), rows),
        partial(write_rows, "wade-balls2", ("data", "metric", "radius", "clusters"), edges),
        partial(_draw, "draw_example2", *first),
        partial(_draw, "draw_galaxies", galaxies.ravel(), density, binder, ball),
    ], claims


def _table2_claims(tables, balls, n_sets):
    values = np.array([[line[1:6] for line in table] for table in tables], float)
    mean, spread = values.mean(axis=0), values.std(axis=0, ddof=1)
    claims = []
    for i, (name, theirs) in enumerate(TABLE2.items()):
        ours = ", ".join(f"{m:.3f} ({s:.3f})" for m, s in zip(mean[i, 1:], spread[i, 1:], strict=True))
        printed = ", ".join(f"{value:.3f}" for value in theirs)
        near = (np.abs(mean[i, 1:] - theirs) < 2 * spread[i, 1:]).all()
        what = f"row of the {name} estimate; ours: mean (standard deviation) of {n_sets} new data sets"
        claims.append(Claim("Wade, Table 2", what, printed, ours, "confirmed" if near else "open"))
    counts = ", ".join(f"{values[:, i, 0].min():.0f} to {values[:, i, 0].max():.0f}" for i in range(3))
    more = int((values[:, 0, 0] > values[:, 1, 0]).sum())
    radii = {name: [ball[name].radius * unit for ball in balls] for name, unit in (("vi", NATS), ("binder", 1.0))}
    known = [(radii["vi"], 0.985), (radii["binder"], 0.188)]
    ends = np.array(
        [
            [[int(getattr(ball[name], kind)[0].max()) + 1 for kind in ("upper", "lower")] for ball in balls]
            for name in ("binder", "vi")
        ]
    )
    never_fewer = int((ends[0] >= ends[1]).sum())
    return [
        *claims,
        Claim(
            "Wade, Fig. 8",
            "clusters of the Binder, VI and bound estimates: Binder's loss has more",
            "12, 5, 4",
            f"{counts}; more in {more} of {n_sets}",
            "confirmed" if more == n_sets else "refuted",
        ),
        Claim(
            "Wade, 6.1",
            "radii of the balls of example 2: VI in nats, Binder",
            "0.985, 0.188",
            ", ".join(f"{np.mean(r):.3f} ({np.std(r, ddof=1):.3f})" for r in radii.values()),
            "confirmed" if all(abs(np.mean(r) - t) < 2 * np.std(r, ddof=1) for r, t in known) else "open",
        ),
        Claim(
            "Wade, Figs 13, 14",
            "clusters at upper and lower bounds: Binder's never fewer than those of VI",
            "3 to 18; 2 to 15",
            "; ".join(f"{end.min()} to {end.max()}" for end in ends) + f"; in {never_fewer} of {2 * n_sets} bounds",
            "confirmed" if never_fewer == 2 * n_sets else "refuted",
        ),
    ]


def _draw(name, *what):
    import wade_figures

    getattr(wade_figures, name)(*what)


PARTS = {"example1": example1, "galaxy": galaxy, "sampled": sampled}


def claims(quick, data):
    """All claims, for all.py."""
    return [claim for part in PARTS.values() for claim in part(quick, Path(data))[1]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="Parts to run; all by default.")
    parser.add_argument("--full", action="store_true", help="As many data sets and draws as docs/papers/wade.md shows.")
    parser.add_argument("--quick", action="store_true", help="Fewer of them (what is done without --full too).")
    parser.add_argument("--figures", action="store_true", help="Write csv and png files to docs/figures/papers.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="Folder that holds wade/.")
    given = parser.parse_args()
    found = []
    for name in given.parts or PARTS:
        began = time.perf_counter()
        results, new = PARTS[name](not given.full, given.data)
        found += new
        for write in results if given.figures else ():
            write()
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
    print_claims(found)


if __name__ == "__main__":
    main()
