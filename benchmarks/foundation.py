"""Similarity matrices, distances to a partition, import time: ratios measured in one run.

python benchmarks/foundation.py
"""

import subprocess
import sys
import tempfile
from functools import partial

import numpy as np
from measure import peak_megabytes, row, seconds

import partita as pt
from partita.losses import LOSSES


def plain_similarity(draws):
    total = np.zeros((draws.shape[1], draws.shape[1]))
    for z in draws:
        total += z[:, None] == z
    return total / len(draws)


def threads():
    post, _ = pt.datasets.make_noisy_draws(n_items=5000, n_draws=1000, n_clusters=12)
    return f"{seconds(post.condensed_similarity, 2) / seconds(lambda: post.condensed_similarity(n_jobs=2), 2):.2f}x"


def similarity():
    post, _ = pt.datasets.make_noisy_draws(n_items=200, n_draws=10_000, n_clusters=12, noise=0.3)
    assert np.allclose(plain_similarity(post.draws), post.similarity(), atol=1e-6)
    plain = seconds(lambda: plain_similarity(post.draws), repeats=3)
    row(
        "similarity(), 10 000 draws x 200 items: plain loop / ours, one thread",
        f"{plain / seconds(post.similarity):.0f}x",
        ">= 15x",
    )
    row("  two threads", f"{plain / seconds(lambda: post.similarity(n_jobs=2)):.0f}x", ">= 25x")
    row("  (so little work stays on one thread; one / two threads at 5 000 items x 1 000 draws)", threads())
    weighted = pt.PartitionPosterior(post.draws, np.random.default_rng(0).random(10_000))
    row("  weighted draws, one thread", f"{plain / seconds(weighted.similarity):.0f}x")
    for n in (500, 1000, 2000):
        post, _ = pt.datasets.make_noisy_draws(n_items=n, n_draws=1000, n_clusters=12)
        time = seconds(post.condensed_similarity, 3)
        row(f"  per pair and draw at n = {n}", f"{time / (n * (n - 1) / 2 * 1000) * 1e12:.0f} ps")


def nothing():
    pt.datasets.make_noisy_draws(n_items=5, n_draws=2)[0].condensed_similarity()


def condense(n_items):
    post, _ = pt.datasets.make_noisy_draws(n_items=n_items, n_draws=1000, n_clusters=20)
    post.condensed_similarity(n_jobs=2)


def memory():
    result = 20_000 * 19_999 / 2 * 4 / 2**20
    base, peak = peak_megabytes(nothing), peak_megabytes(condense, 20_000)
    row(
        "condensed similarity, 20 000 items x 1 000 draws: peak above its own size",
        f"{peak - result:.0f} MB",
        "<= 300 MB",
    )
    row("  of which the interpreter and its libraries", f"{base:.0f} MB")


def distances():
    from sklearn.metrics import adjusted_rand_score  # here: a fresh process that measures memory needs none of it

    post, truth = pt.datasets.make_noisy_draws(n_items=200, n_draws=10_000, n_clusters=12, noise=0.3)
    some = post.draws[:500]
    sklearn = seconds(lambda: [adjusted_rand_score(z, truth) for z in some], 2) * 20
    for name, loss in LOSSES.items():
        time = seconds(partial(loss().per_draw, truth, post))
        row(
            f"distances from 10 000 draws x 200 items, {name}: scikit-learn loop / ours",
            f"{sklearn / time:.0f}x",
            ">= 50x",
        )


def fresh_process_seconds(code, cache):
    clock = f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
    environment = {"NUMBA_CACHE_DIR": cache, "PATH": ""}
    return float(subprocess.check_output([sys.executable, "-c", clock], env=environment))


def import_time():
    first = "import partita as pt; pt.Binder().between([0, 0, 1], [0, 1, 1])"
    for what, code in [("import partita", "import partita"), ("import and a first loss", first)]:
        with tempfile.TemporaryDirectory() as cache:
            cold = fresh_process_seconds(code, cache)
            warm = min(fresh_process_seconds(code, cache) for _ in range(3))
        row(f"{what}: compiled caches cold, warm", f"{cold:.2f}, {warm:.2f} s", "warm < 1.0 s")


if __name__ == "__main__":
    similarity()
    memory()
    distances()
    import_time()
