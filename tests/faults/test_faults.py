"""What happens to processes and disks: kills, flipped bits, full disks, two processes on one file."""

import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import partita as pt
from partita.samplers import run

HERE = Path(__file__).parent
X = np.random.default_rng(0).normal(size=(16, 2)) + np.repeat([[0.0], [5.0]], 8, axis=0)
SETTINGS = dict(n_chains=2, n_draws=40, n_warmup=10, random_state=3, n_jobs=1)


def load(name):
    spec = importlib.util.spec_from_file_location(f"faults_{name}", HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_dozen_kills_lose_nothing():
    faults, n_runs = load("run").kill_and_resume(12, seed=0)
    assert faults == []
    assert n_runs >= 6  # each kind at least once


def mixture(path, resume):
    return pt.BayesianMixture("gaussian-diagonal", **SETTINGS, checkpoint=path, resume=resume)


def flips(path, n_flips, seed):
    """How many flipped bits are refused, repaired and without effect; other draws than the whole run's are an error."""
    whole = mixture(path, False).fit(X).posterior_.draws
    content, rng = path.read_bytes(), np.random.default_rng(seed)
    counts = {"refused": 0, "harmless": 0}
    for at in rng.permutation(8 * len(content))[:n_flips]:
        changed = bytearray(content)
        changed[at // 8] ^= 1 << (at % 8)
        path.write_bytes(changed)
        try:
            found = mixture(path, True).fit(X).posterior_.draws
            counts["harmless"] += 1
        except (ValueError, OSError) as error:
            counts["refused" if "checkpoint must" in str(error) else str(error)] = counts["refused"] + 1
            if "repair" not in str(error):
                continue
            path.write_bytes(changed)
            found = mixture(path, "repair").fit(X).posterior_.draws
        assert (found == whole).all(), f"bit {at}"
        for beside in path.parent.glob("run?*"):
            beside.unlink()
    return counts


@pytest.mark.slow
def test_no_flipped_bit_changes_a_draw(tmp_path):
    counts = flips(tmp_path / "run", 150, seed=1)
    assert set(counts) == {"refused", "harmless"}  # and no other error
    assert counts["refused"] > 50


FULL = """
import resource, sys, numpy as np, partita as pt
from partita.samplers import checkpoint, run
checkpoint.PAUSE = 0.0
run.block_size.__code__ = (lambda n_items: 20).__code__
X = np.random.default_rng(0).normal(size=(16, 2)) + np.repeat([[0.0], [5.0]], 8, axis=0)
settings = dict(n_chains=2, n_draws=400, n_warmup=10, random_state=3, n_jobs=1)
whole = pt.BayesianMixture("gaussian-diagonal", **settings).fit(X)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))
try:
    pt.BayesianMixture("gaussian-diagonal", **settings, checkpoint=sys.argv[1], resume=True).fit(X)
except OSError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
after = pt.BayesianMixture("gaussian-diagonal", **settings, checkpoint=sys.argv[1], resume=True).fit(X)
print((after.posterior_.draws == whole.posterior_.draws).all())
"""


@pytest.mark.parametrize("room", [0, 1000, 20_000, 60_000])
def test_a_disk_that_fills_costs_nothing_that_was_kept(tmp_path, room):
    command = [sys.executable, "-c", FULL, str(tmp_path / "run"), str(room)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    said = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert "checkpoint must" in said[0]
    assert said[-1] == "True"
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


SLOWLY = """
import sys, time, numpy as np, partita as pt
from partita.samplers import checkpoint, run
checkpoint.PAUSE = 0.0
run.block_size.__code__ = (lambda n_items: 20).__code__
add = checkpoint.Checkpoint.add
checkpoint.Checkpoint.add = lambda self, *rest: (add(self, *rest), time.sleep(0.2))[0]
X = np.random.default_rng(0).normal(size=(16, 2)) + np.repeat([[0.0], [5.0]], 8, axis=0)
settings = dict(n_chains=2, n_draws=100, n_warmup=10, random_state=3, n_jobs=1, checkpoint=sys.argv[1], resume=True)
try:
    pt.BayesianMixture("gaussian-diagonal", **settings).fit(X)
    print("done")
except OSError as error:
    print(error)
"""


def test_the_second_of_two_processes_is_told_and_the_first_goes_on(tmp_path, monkeypatch):
    command = [sys.executable, "-c", SLOWLY, str(tmp_path / "run")]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        end = time.monotonic() + 120
        while not (tmp_path / "run").exists() and time.monotonic() < end:
            time.sleep(0.05)
        second = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
        said = first.communicate(timeout=200)[0]
    finally:
        first.kill()
    outcomes = sorted([said.strip(), second.stdout.strip()], key=len)
    assert outcomes[0] == "done"
    if outcomes[1] != "done":  # otherwise the first was done before the second began
        assert f"which process {first.pid} on" in outcomes[1]
        assert "checkpoint must not be in use: got" in outcomes[1]
    monkeypatch.setattr(run, "block_size", lambda _: 20)  # as in the processes
    settings = SETTINGS | dict(n_draws=100)
    kept = pt.BayesianMixture("gaussian-diagonal", **settings, checkpoint=tmp_path / "run", resume=True).fit(X)
    plain = pt.BayesianMixture("gaussian-diagonal", **settings).fit(X)
    assert (kept.posterior_.draws == plain.posterior_.draws).all()
