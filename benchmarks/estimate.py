"""Point estimates against the yardstick search, on the credible-ball paper's own draws: ratios measured in one run.

    python benchmarks/estimate.py [SHARED]

SHARED is the folder that holds ``data/wade`` and ``bench/vi_search_yardstick.py`` (not part of this repository).
"""

import sys
from pathlib import Path

import numpy as np
from measure import peak_megabytes, row, seconds

import partita as pt
from partita._parallel import Budget
from partita.decide.searches.reallocation import Reallocation
from partita.losses import check_loss

SHARED = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
# Expected losses that R's salso reports for these draws.
SALSO = {
    "ex1": {"binder": 0.0622665, "adjusted-rand": 0.1770317, "nvi": 0.3033727, "id": 0.4765830, "nid": 0.2077167},
    "galaxy": {"binder": 0.2182427, "adjusted-rand": 0.4372926, "nvi": 0.5738804, "id": 0.7166285, "nid": 0.4838142},
}


def sweep_seconds(posterior, loss):
    """Time of one visit to every item, divided by the clusters each met (a candidate may gain some on the way)."""
    sweeps, order = Reallocation(posterior, check_loss(loss), posterior.n_items, Budget()), np.arange(posterior.n_items)
    sweeps.place(posterior.draws[-1].astype(np.int64))
    sweeps.settle(order)  # at rest: a visit moves nothing
    return seconds(lambda: sweeps.settle(order)) / (sweeps.n_clusters + 1)


def wade(name):
    import vi_search_yardstick

    draws = np.load(SHARED / "data" / "wade" / f"{name}.npz")["draws"]
    posterior = pt.PartitionPosterior(draws)
    _, yardstick_loss, yardstick_time = min((vi_search_yardstick.search(draws) for _ in range(3)), key=lambda r: r[2])
    estimates = [pt.estimate_partition(posterior, random_state=seed) for seed in range(20)]
    worst = max(e.expected_loss for e in estimates) - yardstick_loss
    row(f"{name}: worst expected VI of 20 seeds minus the yardstick's", f"{worst:.1e}", "<= 1e-9")
    ours = seconds(lambda: pt.estimate_partition(posterior))
    row(f"{name}: time of a VI estimate / yardstick's", f"{ours / yardstick_time:.3f}", "<= 0.25")
    ball = seconds(lambda: pt.credible_ball(posterior, estimates[0]))
    row(f"{name}: time of a credible ball / yardstick's", f"{ball / yardstick_time:.4f}", "< 0.1")
    vi_sweep = sweep_seconds(posterior, "vi")
    for loss, target in SALSO[name].items():
        found = max(pt.estimate_partition(posterior, loss, random_state=seed).expected_loss for seed in range(3))
        ratio = sweep_seconds(posterior, loss) / vi_sweep
        row(f"{name}: {loss}: expected loss (worst of 3 seeds); time per sweep and cluster / VI's",
            f"{found:.7f}  {ratio:.2f}", f"<= {target:.7f}, <= 2")  # fmt: skip
    found = pt.estimate_partition(posterior, "misclassification")
    row(
        f"{name}: misclassification: expected share misplaced, clusters",
        f"{found.expected_loss:.4f}, {found.n_clusters}",
    )


def large(n_items, n_draws, random_state=0):
    posterior, truth = pt.datasets.make_noisy_draws(
        n_items, n_draws, n_clusters=20, noise=0.1, random_state=random_state
    )
    estimate = pt.estimate_partition(posterior, n_starts=4)
    return pt.Misclassification().between(truth, estimate.labels)


def growth():
    """Exponents of a power law in items and in draws; 1 is linear."""
    for what, sizes in [("items", [(n, 400) for n in (2000, 4000, 8000, 16000)]),
                        ("draws", [(4000, m) for m in (100, 200, 400, 800)])]:  # fmt: skip
        x = [s[0] if what == "items" else s[1] for s in sizes]
        times = []
        for n_items, n_draws in sizes:
            posterior, _ = pt.datasets.make_noisy_draws(n_items, n_draws, n_clusters=20, noise=0.1)
            sweeps = Reallocation(posterior, pt.VariationOfInformation(), n_items, Budget())
            sweeps.place(posterior.draws[0].astype(np.int64))
            times.append(seconds(lambda sweeps=sweeps, n=n_items: sweeps.settle(np.arange(n)), 2))
        row(f"time of a sweep grows with {what} to the power", f"{np.polyfit(np.log(x), np.log(times), 1)[0]:.2f}", "1")


if __name__ == "__main__":
    if (SHARED / "data" / "wade").is_dir():
        sys.path.insert(0, str(SHARED / "bench"))
        wade("ex1")
        wade("galaxy")
    else:
        print(f"The paper's draws are not in {SHARED}: their part is left out.")
    growth()
    row("100 000 items x 1 000 draws: peak memory", f"{peak_megabytes(large, 100_000, 1000):.0f} MB", "< 2048 MB")
