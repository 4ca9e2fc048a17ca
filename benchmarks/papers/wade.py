"""The tables of Wade and Ghahramani (2015), ours beside theirs.

    python benchmarks/papers/wade.py [SHARED]
    python benchmarks/papers/wade.py --sample

From the paper's own draws, which stay outside this repository: SHARED holds ``data/wade``. With ``--sample`` from data
alone: our own draws under the paper's settings.
"""

import sys
from pathlib import Path

import numpy as np

import partita as pt

SHARED = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")


def line(what, ours, theirs):
    print(f"{what:<64} {ours:>22} {theirs:>22}")


def estimates(name, posterior, paper):
    for loss, (theirs, clusters) in paper.items():
        estimate = pt.estimate_partition(posterior, loss)
        singletons = int((estimate.sizes == 1).sum())
        line(f"{name}: clusters of the {loss} estimate (singletons)", f"{estimate.n_clusters} ({singletons})", clusters)
        line(f"{name}: its expected {loss}", f"{estimate.expected_loss:.3f}", theirs)
        yield loss, estimate


def ball(name, posterior, metric, estimate, theirs):
    found = pt.credible_ball(posterior, estimate, metric=metric)
    counts = [sorted({int(b.max()) + 1 for b in getattr(found, kind)}) for kind in ("upper", "lower", "horizontal")]
    shown = " / ".join(",".join(map(str, c)) for c in counts)
    line(f"{name}: {metric} ball, radius and clusters at its bounds", f"{found.radius:.4f}  {shown}", theirs)


def sampled():
    """The galaxies with the paper's settings, and data like its example 1, from our own chains."""
    line("", "ours", "the paper's")
    X = np.asarray(pt.datasets.load_galaxies(), float)
    settings = pt.Gaussian(mean=X.mean(), strength=0.5, shape=2.0, scale=X.var(ddof=1))
    chains = {"n_chains": 1, "n_draws": 10_000, "n_warmup": 1_000, "random_state": 1}
    mixture = pt.BayesianMixture(settings, pt.DirichletProcess(pt.Gamma(1, 1)), **chains).fit(X)
    line("galaxy: clusters of the vi estimate", f"{mixture.n_clusters_}", "3")
    line("galaxy: its expected vi", f"{mixture.estimate_.expected_loss:.3f}", "0.94")
    line("galaxy: distinct partitions of 10 000", f"{len(np.unique(mixture.posterior_.draws, axis=0))}", "> 9 000")
    for seed in range(3):
        X, truth = pt.datasets.make_quadrants(n_items=200, random_state=seed)
        mixture = pt.BayesianMixture(
            pt.Gaussian(mean=0.0, strength=0.5, shape=2.0, scale=1.0), pt.DirichletProcess(pt.Gamma(1, 1)), **chains
        ).fit(X)
        line(f"like example 1, seed {seed}: clusters of the vi estimate", f"{mixture.n_clusters_}", "4")
        distance = pt.VariationOfInformation().between(truth, mixture.labels_)
        line("  vi between truth and estimate", f"{distance:.3f}", "0.569")


def main():
    if "--sample" in sys.argv:
        sampled()
        return
    if not (SHARED / "data" / "wade").is_dir():
        raise SystemExit(f"The paper's draws are not in {SHARED}/data/wade. They are not part of this repository.")
    line("", "ours", "the paper's")
    ex1 = np.load(SHARED / "data" / "wade" / "ex1.npz")
    posterior = pt.PartitionPosterior(ex1["draws"])
    found = dict(estimates("example 1", posterior, {"vi": ("0.77", "4"), "binder": ("0.062", "9")}))
    for loss, theirs in (("vi", "0.569"), ("binder", "0.045")):
        distance = pt.losses.check_loss(loss).between(ex1["truth"], found[loss].labels)
        line(f"example 1: {loss} between truth and its estimate", f"{distance:.3f}", theirs)
    ball("example 1", posterior, "vi", found["vi"], "0.841 nats = 1.2133  4/16/11")
    ball("example 1", posterior, "binder", found["binder"], "0.097  4/18/8,11")
    galaxy = pt.PartitionPosterior(np.load(SHARED / "data" / "wade" / "galaxy.npz")["draws"])
    paper = {"vi": ("0.939", "3"), "binder": ("0.218", "7 (4)")}
    found = dict(estimates("galaxy", galaxy, paper))
    ball("galaxy", galaxy, "vi", found["vi"], "1.267 nats = 1.828  2/15/-")
    ball("galaxy", galaxy, "binder", found["binder"], "-")


if __name__ == "__main__":
    main()
