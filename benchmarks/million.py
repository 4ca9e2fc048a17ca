"""A million items: estimate, ball, certainty and report from a hundred clusterings on disk, and what landmarks lose.

    python benchmarks/million.py [BEFORE]

BEFORE is another checkout of the project, whose search is timed in the same run on 10 000 items and 1 000 draws.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measure import peak_megabytes, row

import partita as pt
from partita.decide.searches import multistart

N_ITEMS, N_RUNS, N_CLUSTERS, NOISE = 1_000_000, 100, 20, 0.1
SEARCH = """
import time, partita as pt
posterior, _ = pt.datasets.make_noisy_draws(10_000, 1_000, n_clusters=20, noise=0.1)
pt.estimate_partition(pt.PartitionPosterior(posterior.draws[:60, :50]))
start = time.process_time()
estimate = pt.estimate_partition(posterior)
print(time.process_time() - start, estimate.expected_loss)
"""


def write_draws(path, missing):
    """Clusterings as they come: a file of labels, one clustering per row, a tenth of the labels noise or left out."""
    rng = np.random.default_rng(0)
    truth = rng.integers(N_CLUSTERS, size=N_ITEMS, dtype=np.int8)
    rows = np.lib.format.open_memmap(path, "w+", np.int8, (N_RUNS, N_ITEMS))
    for m in range(N_RUNS):
        noise = rng.random(N_ITEMS) < NOISE
        rows[m] = rng.permutation(N_CLUSTERS).astype(np.int8)[truth]
        rows[m, noise] = -1 if missing else rng.integers(N_CLUSTERS, size=noise.sum())
    rows.flush()


def whole_answer(folder):
    """Estimate, ball, certainty per item and report; minutes it took."""
    start = time.perf_counter()
    posterior = pt.PartitionPosterior.from_any(Path(folder) / "draws.npy")
    summary = pt.summarize(posterior)
    pt.write_report(summary, Path(folder) / "report.html")
    (Path(folder) / "minutes").write_text(f"{(time.perf_counter() - start) / 60} {summary.estimate.n_clusters}")


def at_a_million():
    for missing, words in ((False, "a tenth of the labels random"), (True, "a tenth of the labels missing")):
        with tempfile.TemporaryDirectory() as folder:
            write_draws(Path(folder) / "draws.npy", missing)
            megabytes = peak_megabytes(whole_answer, folder)
            minutes, n_clusters = (Path(folder) / "minutes").read_text().split()
            size = (Path(folder) / "report.html").stat().st_size / 1e6
        row(f"10^6 items x 100 clusterings, {words}: minutes to the report", f"{float(minutes):.1f}", "< 10")
        row(f"... clusters found; size of the report ({N_CLUSTERS} made)", f"{n_clusters}, {size:.1f} MB")
        row("... peak memory", f"{megabytes:.0f} MB", "< 4096 MB")


def landmarks_against_all():
    posterior, _ = pt.datasets.make_noisy_draws(100_000, 100, n_clusters=N_CLUSTERS, noise=NOISE)
    quick = pt.estimate_partition(posterior).expected_loss
    multistart.MANY_ITEMS = 10**9
    full = pt.estimate_partition(posterior, n_starts=4).expected_loss
    row(
        "10^5 items: expected VI by landmarks over that of the full search, minus 1",
        f"{quick / full - 1:.1e}",
        "<= 5e-3",
    )


def against_before(folder):
    def run(source):
        environment = {**os.environ, "PYTHONPATH": str(Path(source) / "src")}
        out = subprocess.run(
            [sys.executable, "-c", SEARCH], env=environment, capture_output=True, text=True, check=True
        )
        return [float(value) for value in out.stdout.split()]

    (ours, our_loss), (theirs, their_loss) = run(Path(__file__).parents[1]), run(folder)
    row("10^4 items x 1 000 draws: CPU time / that of the other checkout", f"{ours / theirs:.2f}", "<= 0.3")
    row("... expected VI minus that of the other checkout", f"{our_loss - their_loss:.1e}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        against_before(sys.argv[1])
    landmarks_against_all()
    at_a_million()
