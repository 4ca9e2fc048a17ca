"""The same results on threads, on processes and on a Dask cluster."""

import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import joblib
import pytest
from parallel_work import WORK

import partita as pt
from partita import _parallel
from partita._parallel import Budget, run_parallel, run_threads, uses_threads

PROGRAM = Path(__file__).with_name("parallel_work.py")
BLOCKED = Path(__file__).with_name("blocked_on_dask.py")
LIMIT = 900  # seconds, many times what it takes: workers that died must not be waited for


def interrupt(times):
    for _ in range(times):
        signal.raise_signal(signal.SIGINT)


def negative(number):
    return -number


def run(arguments, limit):
    """What a program prints; it and the processes it started are ended when the time is up."""
    with subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            pytest.fail(f"not done after {limit} seconds: {process.communicate()[0]}")
    assert process.returncode == 0, output
    return output


def test_two_jobs_run_at_once_and_one_in_the_thread_that_calls():
    meeting = threading.Barrier(2)
    assert sorted(run_parallel(lambda _: meeting.wait(timeout=20), range(2), 2)) == [0, 1]
    assert run_parallel(lambda _: threading.current_thread(), [0], 1) == [threading.current_thread()]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_other_processes_give_the_results_of_threads(backend):
    if backend == "dask" and importlib.util.find_spec("distributed") is None:
        pytest.skip("distributed is not installed")
    lines = run([PROGRAM, backend], LIMIT).splitlines()
    assert [line for line in lines if line.isidentifier()] == [work.__name__ for work in WORK]


@pytest.mark.slow
def test_labels_on_a_cluster_are_those_of_one_worker_of_threads_and_of_a_run_that_loses_a_worker():
    pytest.importorskip("distributed")
    lines = run([BLOCKED], LIMIT).splitlines()
    assert [line for line in lines if line.isidentifier()] == ["workers", "killed", "threads", "chains", "fit"]


def test_a_cluster_must_be_there_to_be_used():
    pytest.importorskip("distributed")
    model = pt.BayesianMixture("gaussian-diagonal", sampler="blocked", engine="dask")
    with pytest.raises(ValueError, match="engine must be 'threads' or 'torch' without a Dask client: got 'dask'"):
        model.fit([[0.0], [1.0], [5.0]])


def test_a_program_that_hangs_is_ended():
    with pytest.raises(pytest.fail.Exception, match="not done after 1 seconds"):
        run(["-c", "import time; time.sleep(600)"], 1)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_results_come_in_the_order_of_the_jobs(n_jobs, monkeypatch):
    notes = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    jobs = [3, 1, 2]
    assert run_parallel(negative, jobs, n_jobs, "Negating", lambda result: notes.append(result) or "") == [-3, -1, -2]
    assert notes == [-3, -1, -2]
    with joblib.parallel_config(backend="loky"):
        seen = []
        assert run_threads(seen.append, jobs, n_jobs) == [None] * 3
        assert sorted(seen) == [1, 2, 3]
    assert uses_threads()


def test_a_budget_takes_its_time_along(monkeypatch):
    now = time.monotonic()
    budget = pickle.loads(pickle.dumps(Budget(60.0)))
    assert not budget.exhausted
    monkeypatch.setattr(time, "monotonic", lambda: now + 120)
    assert budget.exhausted
    assert not pickle.loads(pickle.dumps(Budget())).exhausted


def test_each_job_is_one_step_of_progress(monkeypatch):
    steps = []
    monkeypatch.setattr(_parallel.Progress, "advance", lambda self, n, note: steps.append((self._total, n, note)))
    run_parallel(negative, [3, 1], 1, "Negating", str)
    assert steps == [(2, 1, "-3"), (2, 1, "-1")]


def test_jobs_that_share_run_on_threads_and_one_at_a_time_in_the_thread_that_calls():
    meeting = threading.Barrier(2)
    assert sorted(run_threads(lambda _: meeting.wait(timeout=20), range(2), 2)) == [0, 1]
    assert run_threads(lambda _: threading.current_thread(), [0], 1) == [threading.current_thread()]


def test_processes_are_not_threads():
    with joblib.parallel_config(backend="loky"):
        assert not uses_threads()


def test_a_budget_ends_after_its_time(monkeypatch):
    now = 100.0
    monkeypatch.setattr(_parallel.time, "monotonic", lambda: now)
    budget = Budget(5.0)
    now = 105.0
    assert not budget.exhausted
    now = 102.0
    assert budget.__getstate__() == {"left": 3.0}
    now = 105.1
    assert budget.exhausted
    assert not budget.interrupted


@pytest.mark.parametrize("stoppable", [True, False])
def test_an_interrupt_asks_to_stop_where_one_may(stoppable):
    budget = Budget(stoppable=True) if stoppable else Budget()
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        raised = None if stoppable else pytest.raises(KeyboardInterrupt)
        with raised or nullcontext(), budget.catching_interrupts():
            interrupt(1)
        assert budget.interrupted
        assert budget.exhausted
        with pytest.raises(KeyboardInterrupt), budget.catching_interrupts():
            interrupt(2)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
