import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

import partita as pt
from partita.samplers import checkpoint as checkpoints, run
from partita.samplers.base import are_canonical
from partita.samplers.checkpoint import hold_lock
from partita.samplers.fixed_k import Chain, State
from partita.samplers.records import DamagedError, Format, pack, unpack

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


def test_a_warm_up_until_chains_agree_is_kept(tmp_path, monkeypatch):
    automatic = {**SETTINGS, "n_warmup": "auto"}
    plain = pt.BayesianMixture(**automatic).fit(X)
    path = tmp_path / "run"

    def stop(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:  # after the warm-up, before the first draw
        patched.setattr("partita.clusterers._sampling.run_chains", stop)
        with pytest.raises(KeyboardInterrupt):
            pt.BayesianMixture(**automatic, checkpoint=path).fit(X)
    with monkeypatch.context() as patched:
        patched.setattr("partita.samplers.warmup.warm_up", stop)
        again = pt.BayesianMixture(**automatic, checkpoint=path, resume=True).fit(X)
        with pytest.raises(KeyboardInterrupt):  # another run has to warm up
            pt.BayesianMixture(**automatic, checkpoint=tmp_path / "other").fit(X)
    assert again.n_warmup_ == plain.n_warmup_ > 0
    assert (again.posterior_.draws == plain.posterior_.draws).all()
    assert (again.log_posterior_ == plain.log_posterior_).all()
    with sqlite3.connect(path) as file:  # a chain that has lost all repeats its warm-up
        file.execute("UPDATE part SET fields = 'lost' WHERE chain = 1")
    repaired = pt.BayesianMixture(**automatic, checkpoint=path, resume="repair").fit(X)
    assert repaired.n_warmup_ == plain.n_warmup_
    assert (repaired.posterior_.draws == plain.posterior_.draws).all()


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


FORM = Format(Chain, are_canonical)


def test_a_chain_is_written_now_and_then_and_read_back(tmp_path):
    state = State(np.array([0, 1, 0]), 0.1, np.random.default_rng(5))
    file = checkpoints.Checkpoint(tmp_path / "run", {"n": 1}, [state], FORM)
    assert file.load(0)[:2] == (0, [])
    block = Chain(np.array([[0, 0, 1], [0, 1, 0]], np.uint8), np.array([0.1, 0.2]), np.array([1 / 3, 0.1]))
    file.add(0, state, 5, None)  # a warm-up, whose draws are not kept
    for _ in range(3):  # gathered, then written
        file.add(0, state, 2, block)
    file.flush(0)
    file.close()
    file = checkpoints.Checkpoint(tmp_path / "run", {"n": 1}, [state._replace(rng=np.random.default_rng())], FORM)
    n_made, blocks, kept = file.load(0)
    file.close()
    assert n_made == 11
    assert sum(len(b.draws) for b in blocks) == 6
    assert (blocks[0].draws[:2] == block.draws).all()
    assert (blocks[0].rate[:2] == block.rate).all()
    assert kept.rate == 0.1
    assert kept.rng.random() == np.random.default_rng(5).random()


def in_parts(monkeypatch):
    """Runs in several parts for each chain."""
    monkeypatch.setattr(checkpoints, "PAUSE", 0.0)
    monkeypatch.setattr(run, "block_size", lambda _: 60)


def change(path, sql, *values):
    with sqlite3.connect(path) as file:
        assert file.execute(sql, values).rowcount == 1


def flipped(fields, at):
    return fields[:at] + bytes([fields[at] ^ 1]) + fields[at + 1 :]


def test_a_damaged_part_is_named_and_what_comes_before_it_can_be_kept(tmp_path, monkeypatch):
    in_parts(monkeypatch)
    path, whole = tmp_path / "run", pt.BayesianMixture(**SETTINGS, checkpoint=tmp_path / "run").fit(X)
    with sqlite3.connect(path) as file:
        row, fields = file.execute("SELECT rowid, fields FROM part WHERE chain = 1 ORDER BY rowid").fetchall()[5]
    change(path, "UPDATE part SET fields = ? WHERE rowid = ?", flipped(fields, 500), row)
    before = path.read_bytes()
    resumed = pt.BayesianMixture(**SETTINGS, checkpoint=path, resume=True)
    with pytest.raises(ValueError, match=r"checkpoint must hold what a run wrote: got .*") as error:
        resumed.fit(X)
    assert "part 6 of chain 1 (its checksum differs) is damaged" in str(error.value)
    assert "300 draws of chain 0, 120 draws of chain 1. Use resume='repair'" in str(error.value)
    assert path.read_bytes() == before
    repaired = pt.BayesianMixture(**SETTINGS, checkpoint=path, resume="repair").fit(X)
    assert (repaired.posterior_.draws == whole.posterior_.draws).all()
    assert (repaired.log_posterior_ == whole.log_posterior_).all()
    assert (tmp_path / "run.damaged").read_bytes() == before
    assert (resumed.fit(X).posterior_.draws == whole.posterior_.draws).all()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE part SET n_draws = 61 WHERE rowid = 3",
        "UPDATE part SET fields = NULL WHERE rowid = 3",
        "UPDATE part SET fields = 'text' WHERE rowid = 3",
        "UPDATE part SET chain = 1 - chain WHERE rowid = 3",
        "UPDATE part SET chain = 7 WHERE rowid = 3",
        "UPDATE part SET rowid = 1000 WHERE rowid = 3",
        "UPDATE part SET checksum = '' WHERE rowid = 3",
        "DELETE FROM part WHERE rowid = 3",
        "UPDATE run SET settings = '{}'",
        "UPDATE run SET settings = 'text'",
        "DELETE FROM run",
    ],
)
def test_no_change_to_a_checkpoint_is_believed(tmp_path, monkeypatch, sql):
    in_parts(monkeypatch)
    path, whole = tmp_path / "run", pt.BayesianMixture(**SETTINGS, checkpoint=tmp_path / "run").fit(X)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
    change(path, sql)
    with pytest.raises(ValueError, match=r"checkpoint must hold what a run wrote: got .* damaged\."):
        pt.BayesianMixture(**SETTINGS, checkpoint=path, resume=True).fit(X)
    repaired = pt.BayesianMixture(**SETTINGS, checkpoint=path, resume="repair").fit(X)
    assert (repaired.posterior_.draws == whole.posterior_.draws).all()


STATE = State(np.array([0, 1, 0]), 0.1, np.random.default_rng(5))
BLOCK = Chain(np.array([[0, 0, 1], [0, 1, 0]], np.uint8), np.array([0.1, 0.2]), np.array([1 / 3, 0.1]))


@pytest.mark.parametrize(
    ("state", "block"),
    [
        (STATE._replace(labels=np.array([0, 10**6, 0])), BLOCK),
        (STATE._replace(labels=np.array([0, 2**62, 0])), BLOCK),
        (STATE._replace(labels=np.array([0, 2, 0])), BLOCK),
        (STATE._replace(labels=np.array([0, -1, 0])), BLOCK),
        (STATE._replace(labels=np.array([0, 1])), BLOCK),
        (STATE._replace(labels=np.array([0.0, 1.0, 0.0])), BLOCK),
        (STATE._replace(rate=np.inf), BLOCK),
        (STATE._replace(rate=np.nan), BLOCK),
        (STATE._replace(rate="fast"), BLOCK),
        (STATE._replace(rng=3), BLOCK),
        (STATE, BLOCK._replace(draws=BLOCK.draws[:, :2])),
        (STATE, BLOCK._replace(draws=BLOCK.draws + np.uint8(1))),
        (STATE, BLOCK._replace(draws=BLOCK.draws.astype(float))),
        (STATE, BLOCK._replace(rate=np.array([1.0]))),
        (STATE, BLOCK._replace(rate=np.array([1.0, np.nan]))),
        (STATE, BLOCK._replace(log_posterior=np.array([1.0, np.nan]))),
        (STATE, BLOCK._replace(rate=np.array(["1", "2"]))),
    ],
)
def test_what_is_read_is_checked_before_a_kernel_sees_it(state, block):
    with pytest.raises(DamagedError):
        unpack(pack(state, [block]), STATE, FORM)


def test_what_was_written_is_read():
    state, block = unpack(pack(STATE, [BLOCK]), STATE, FORM)
    assert (state.labels == STATE.labels).all()
    assert all((a == b).all() for a, b in zip(block, BLOCK, strict=True))
    assert unpack(pack(STATE, []), STATE, FORM)[1] is None


def test_a_second_process_is_told_who_has_the_checkpoint(tmp_path):
    path = tmp_path / "run"
    with hold_lock("checkpoint", path):
        who = f"process {os.getpid()} on .* since 2"
        with pytest.raises(OSError, match=f"checkpoint must not be in use: got .*run', which {who}.* writes to"):
            pt.BayesianMixture(**SETTINGS, checkpoint=path, resume=True).fit(X)
    pt.BayesianMixture(**SETTINGS, checkpoint=path, resume=True).fit(X)
    assert [file.name for file in tmp_path.iterdir()] == ["run"]


def test_a_lock_of_a_process_that_is_no_more_is_taken_over(tmp_path):
    (tmp_path / "run.lock").write_text("process 1 on elsewhere since 2001-01-01 00:00:00")
    with hold_lock("checkpoint", tmp_path / "run"):
        assert f"process {os.getpid()} on" in (tmp_path / "run.lock").read_text()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("resume", ["yes", 1, None])
def test_other_ways_to_resume_are_refused(tmp_path, resume):
    with pytest.raises(ValueError, match="resume must be True, False or 'repair': got "):
        pt.BayesianMixture(**SETTINGS, checkpoint=tmp_path / "run", resume=resume).fit(X)


def test_a_generator_that_cannot_be_kept_is_refused(tmp_path):
    settings = {**SETTINGS, "random_state": np.random.Generator(np.random.MT19937(1))}
    with pytest.raises(ValueError, match="PCG64 generator with a checkpoint: got a MT19937 generator"):
        pt.BayesianMixture(**settings, checkpoint=tmp_path / "run").fit(X)
    assert not (tmp_path / "run").exists()
