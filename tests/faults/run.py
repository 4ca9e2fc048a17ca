"""Kill commands and samplers at random moments, and see that what they resume to is what they would have been.

``python tests/faults/run.py --kills 100`` goes over ``cluster``, ``summarize``, ``report``, ``ensemble`` and both
samplers in turn, each killed once or twice and then run to its end, until so many have been killed. Ends with 1 where a
result differs, a file is half written or something is left behind.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

LONGEST = 1800.0  # seconds for a process that is not killed, on a machine that has other things to do

SAMPLER = """
import sys, numpy as np, partita as pt
from partita.samplers import checkpoint, run
checkpoint.PAUSE = 0.0
run.block_size.__code__ = (lambda n_items: 20).__code__
X = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0.0], [5.0]], 20, axis=0)
kept = dict(n_chains=2, n_draws=400, n_warmup=100, random_state=3, checkpoint=sys.argv[2], resume=True, n_jobs=1)
mixture = sys.argv[1] == "mixture"
made = pt.BayesianMixture("gaussian-diagonal", **kept) if mixture else pt.GeneralizedBayesClustering(2, **kept)
made.fit(X).posterior_.save(sys.argv[3])
"""
CLI = [sys.executable, "-m", "partita"]


def make_data(folder):
    """A table and draws that commands read."""
    X = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0.0], [5.0]], 20, axis=0)
    lines = "\n".join(f"item {i},{a},{b}" for i, (a, b) in enumerate(X.tolist()))
    (folder / "data.csv").write_text(f"name,a,b\n{lines}\n")
    draws = np.repeat([[0] * 20 + [1] * 20], 300, axis=0)
    draws[np.arange(300), np.arange(300) % 40] = 2
    np.savez(folder / "draws.npz", draws=draws)


def commands(folder, out):
    """What to run, by name; the result of each lies in a file under ``out``."""
    cluster = [*CLI, "cluster", str(folder / "data.csv"), "-o", str(out), "--chains", "2", "--draws", "600"]
    cluster += ["--warmup", "100", "--jobs", "1", "--resume"]
    return {
        "cluster": (cluster, out / "labels.csv"),
        "summarize": ([*CLI, "summarize", str(folder / "draws.npz"), "-o", str(out)], out / "labels.csv"),
        "report": (
            [*CLI, "report", str(folder / "whole-summarize"), "-o", str(out / "report.html")],
            out / "report.html",
        ),
        "ensemble": ([*CLI, "ensemble", str(folder / "data.csv"), "-o", str(out)], out / "labels.csv"),
        "mixture": (
            [sys.executable, "-c", SAMPLER, "mixture", str(out / "run"), str(out / "draws.npz")],
            out / "draws.npz",
        ),
        "fixed": (
            [sys.executable, "-c", SAMPLER, "fixed", str(out / "run"), str(out / "draws.npz")],
            out / "draws.npz",
        ),
    }


def run_whole(command):
    """Run to the end; how long it took."""
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} ended with {done.returncode}: {done.stderr[-500:]}")
    return time.monotonic() - start


def kill_after(command, seconds):
    """Whether the process was still running when it was killed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        return True
    return False


def content(path):
    """What a file says; an archive's own bytes hold the time of writing."""
    if path.suffix != ".npz":
        return path.read_bytes().replace(b"out-", b"").split(b"<!-- made")[0]
    with np.load(path) as arrays:
        return {name: arrays[name].tolist() for name in arrays.files}


def kill_and_resume(n_kills, seed):
    """Faults found, as sentences, and how many runs it took to kill so many processes while they ran."""
    rng, faults, n_killed, number = np.random.default_rng(seed), [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_data(folder)
        took, kinds = {}, list(commands(folder, folder))
        for kind in kinds:
            out = folder / f"whole-{kind}"
            out.mkdir()
            command, result = commands(folder, out)[kind]
            took[kind] = run_whole(command)
        while n_killed < n_kills and number < 5 * n_kills:
            kind = kinds[number % len(kinds)]
            out = folder / f"out-{number}"
            out.mkdir()
            command, result = commands(folder, out)[kind]
            for _ in range(1 + int(rng.integers(2))):  # once or twice
                n_killed += kill_after(command, float(rng.uniform(0.1, 0.7) * took[kind]))
            half = [path for path in out.iterdir() if path.name.startswith(".") and path.suffix != ".json"]
            run_whole(command)
            whole = commands(folder, folder / f"whole-{kind}")[kind][1]
            if kind != "report" and content(result) != content(whole):
                faults.append(f"{kind}: another result after kill {number}")
            if any(path.exists() for path in half):
                faults.append(f"{kind}: left {[path.name for path in half if path.exists()]}")
            number += 1
    if n_killed < n_kills:
        faults.append(f"only {n_killed} of {n_kills} processes were killed while they ran")
    return faults, number


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    faults, n_runs = kill_and_resume(options.kills, options.seed)
    print(*faults, sep="\n")
    print(f"{options.kills} processes killed in {n_runs} runs, {len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "agg")
    sys.exit(main())
