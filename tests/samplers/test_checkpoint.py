import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

import partita as pt
from partita.samplers import checkpoint as checkpoints
from partita.samplers.fixed_k import Chain, State

SETTINGS = dict(n_chains=2, n_draws=300, n_warmup=100, random_state=3)
X = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0.0], [5.0]], 15, axis=0)

SCRIPT = """
import sys, numpy as np, partita as pt
from partita.samplers import checkpoint, run
checkpoint.PAUSE = 0.0
run.block_size.__code__ = (lambda n_items: 40).__code__
X = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0.0], [5.0]], 15, axis=0)
if sys.argv[2] == "slowly":
    import time
    add = checkpoint.Checkpoint.add
    checkpoint.Checkpoint.add = lambda self, *rest: (add(self, *rest), time.sleep(0.2))[0]
mixture = pt.BayesianMixture(n_chains=2, n_draws=300, n_warmup=100, random_state=3, checkpoint=sys.argv[1], resume=True)
mixture.fit(X)
np.savez(sys.argv[3], draws=mixture.posterior_.draws, log_posterior=mixture.log_posterior_)
"""


def count_parts(path):
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as file:
            return file.execute("SELECT count(*) FROM part").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


@pytest.mark.slow
def test_a_run_killed_at_any_moment_ends_with_the_same_draws(tmp_path):
    def run(name, pace):
        arguments = [sys.executable, "-c", SCRIPT, str(tmp_path / name), pace, str(tmp_path / f"{name}.npz")]
        return subprocess.Popen(arguments)

    assert run("whole", "quickly").wait() == 0
    for n_parts in (3, 9):  # two kills of one run
        process = run("cut", "slowly")
        while process.poll() is None and count_parts(tmp_path / "cut") < n_parts:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        assert n_parts <= count_parts(tmp_path / "cut") < 22
    assert run("cut", "quickly").wait() == 0
    whole, cut = np.load(tmp_path / "whole.npz"), np.load(tmp_path / "cut.npz")
    assert (whole["draws"] == cut["draws"]).all()
    assert (whole["log_posterior"] == cut["log_posterior"]).all()


def test_a_finished_run_is_read_back(tmp_path):
    path = tmp_path / "run"
    first = pt.BayesianMixture(**SETTINGS, checkpoint=path).fit(X)
    again = pt.BayesianMixture(**SETTINGS, checkpoint=path, resume=True).fit(X)
    plain = pt.BayesianMixture(**SETTINGS).fit(X)
    assert (first.posterior_.draws == plain.posterior_.draws).all()
    assert (again.posterior_.draws == plain.posterior_.draws).all()
    assert (again.concentration_ == plain.concentration_).all()


def test_a_seedless_run_goes_on_from_where_it_was(tmp_path):
    arguments = {**SETTINGS, "random_state": None, "checkpoint": tmp_path / "run", "resume": True}
    first, again = (pt.BayesianMixture(**arguments).fit(X) for _ in range(2))
    assert (first.posterior_.draws == again.posterior_.draws).all()


@pytest.mark.parametrize(
    ("change", "table", "differs"),
    [
        (dict(n_draws=301), X, "n_draws"),
        (dict(random_state=4), X, "random_state"),
        (dict(random_state=None), X, "random_state"),
        (dict(prior=pt.DirichletProcess(2.0)), X, "model"),
        (dict(), X + 1, "data"),
        (dict(component=pt.Gaussian(strength=0.6, scale=1.0)), X, "model"),
    ],
)
def test_another_runs_checkpoint_is_refused_untouched(tmp_path, change, table, differs):
    path = tmp_path / "run"
    pt.BayesianMixture(**SETTINGS, checkpoint=path).fit(X)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=f"same data and settings: got .* differs in .*{differs}"):
        pt.BayesianMixture(**(SETTINGS | change), checkpoint=path, resume=True).fit(table)
    assert path.read_bytes() == before


def test_other_files_are_refused_untouched(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary " * 50)
    with pytest.raises(ValueError, match=r"checkpoint must not exist yet: got .* Use resume=True"):
        pt.BayesianMixture(**SETTINGS, checkpoint=path).fit(X)
    with pytest.raises(ValueError, match="checkpoint must be a file that a run wrote: got "):
        pt.BayesianMixture(**SETTINGS, checkpoint=path, resume=True).fit(X)
    assert path.read_text() == "dear diary " * 50


@pytest.mark.parametrize("name", ["no/such/folder/run", "."])
def test_a_checkpoint_that_cannot_be_written_is_named(tmp_path, name):
    with pytest.raises(OSError, match="checkpoint must be a file that can be written: got "):
        pt.BayesianMixture(**SETTINGS, checkpoint=tmp_path / name, resume=True).fit(X)


def test_resuming_needs_a_checkpoint():
    with pytest.raises(ValueError, match="resume must be False without a checkpoint"):
        pt.BayesianMixture(**SETTINGS, resume=True).fit(X)


def test_a_chain_is_written_now_and_then_and_read_back(tmp_path):
    file = checkpoints.Checkpoint(tmp_path / "run", {"n": 1}, resume=False)
    state = State(np.array([0, 1, 0]), 0.1, np.random.default_rng(5))
    assert file.load(0, state, Chain)[:2] == (0, [])
    block = Chain(np.array([[0, 0, 1], [0, 1, 0]], np.uint8), np.array([0.1, 0.2]), np.array([1 / 3, 0.1]))
    file.add(0, state, 5, None)  # a warm-up, whose draws are not kept
    for _ in range(3):  # gathered, then written
        file.add(0, state, 2, block)
    file.flush(0)
    file.close()
    file = checkpoints.Checkpoint(tmp_path / "run", {"n": 1}, resume=True)
    n_made, blocks, kept = file.load(0, state._replace(rng=np.random.default_rng()), Chain)
    assert n_made == 11
    assert sum(len(b.draws) for b in blocks) == 6
    assert (blocks[0].draws[:2] == block.draws).all()
    assert (blocks[0].rate[:2] == block.rate).all()
    assert kept.rate == 0.1
    assert kept.rng.random() == np.random.default_rng(5).random()


def test_a_damaged_part_is_named(tmp_path):
    path = tmp_path / "run"
    pt.BayesianMixture(**SETTINGS, checkpoint=path).fit(X)
    with sqlite3.connect(path) as file:
        row, fields = file.execute("SELECT rowid, fields FROM part WHERE chain = 1 ORDER BY rowid DESC").fetchone()
        damaged = fields[:500] + bytes([fields[500] ^ 1]) + fields[501:]
        file.execute("UPDATE part SET fields = ? WHERE rowid = ?", [damaged, row])
    with pytest.raises(ValueError, match=r"checkpoint must hold what a run wrote: .* a part of chain 1 is damaged"):
        pt.BayesianMixture(**SETTINGS, checkpoint=path, resume=True).fit(X)


def test_a_generator_that_cannot_be_kept_is_refused(tmp_path):
    settings = {**SETTINGS, "random_state": np.random.Generator(np.random.MT19937(1))}
    with pytest.raises(ValueError, match="PCG64 generator with a checkpoint: got a MT19937 generator"):
        pt.BayesianMixture(**settings, checkpoint=tmp_path / "run").fit(X)
    assert not (tmp_path / "run").exists()
