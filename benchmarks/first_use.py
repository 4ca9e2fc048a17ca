"""What a new installation waits for: CPU seconds of the first use of each part, with nothing compiled before.

    python benchmarks/first_use.py [BEFORE] [NAME ...]

BEFORE is another checkout of this repository; its times are measured in the same run. Each use runs in a process and
with a cache folder of its own, then once more in a new process, with what the first left in the cache.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import row

HERE = Path(__file__).resolve().parents[1]
TABLE = "rng = np.random.default_rng(0); X = rng.normal(size=(30, 2)) + 5 * rng.integers(2, size=(30, 1)); "
USES = {  # what is done, and the most it may cost: a share of before, or seconds
    "mixture": (TABLE + "pt.BayesianMixture(n_chains=2, n_draws=40, n_warmup=20, random_state=0).fit(X)", 0.2, None),
    "generalized Bayes": (
        TABLE + "pt.GeneralizedBayesClustering(2, n_chains=2, n_draws=40, n_warmup=20, random_state=0).fit(X)",
        0.3,
        None,
    ),
    "Bayes clusterer": (
        TABLE + "pt.BayesClusterer(pt.GaussianPointProcess.known([[0, 0], [5, 5]], covariances=1.0)).fit(X)",
        0.3,
        None,
    ),
    "stability": (
        TABLE + "(getattr(pt, 'assess_stability', None) or pt.stability)(np.abs(rng.normal(size=(30, 3))))",
        0.5,
        None,
    ),
    "estimate": ("pt.estimate_partition(np.random.default_rng(0).integers(3, size=(50, 20)))", None, 3.0),
}
CODE = """import time, warnings
import numpy as np
import partita as pt
warnings.simplefilter("ignore")
began = time.process_time()
{use}
print(time.process_time() - began)"""


def cpu_seconds(source, use, cache):
    """CPU time of one use in a process of its own, imports of what it needs included."""
    environment = {**os.environ, "PYTHONPATH": str(source / "src"), "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", CODE.format(use=use)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    return float(run.stdout.split()[-1])


def first_and_second(source, use):
    """The same with nothing compiled, and with all of it."""
    with tempfile.TemporaryDirectory() as cache:
        return cpu_seconds(source, use, cache), cpu_seconds(source, use, cache)


def main(before, names):
    for name, (use, share, most) in USES.items():
        if names and name not in names:
            continue
        first, second = first_and_second(HERE, use)
        row(f"{name}: CPU s of the first use; of the second", f"{first:.1f}; {second:.1f}", f"<= {most} s" * bool(most))
        if before is not None:
            old, _ = first_and_second(before, use)
            bar = f"<= {share}" if share else ""
            row(f"{name}: first use / before's ({old:.1f})", f"{first / old:.2f}", bar)


if __name__ == "__main__":
    given = sys.argv[1:]
    earlier = Path(given.pop(0)).resolve() if given and Path(given[0]).is_dir() else None
    main(earlier, given)
