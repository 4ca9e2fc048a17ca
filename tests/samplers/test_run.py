"""Chains run block after block."""

from typing import NamedTuple

import numpy as np
import pytest

from partita import _progress
from partita.samplers import blocked
from partita.samplers.run import _run_alone, block_size, check_counts, run_chain, run_chains, sample_chain


class Draws(NamedTuple):
    draws: np.ndarray


class OneAtATime(NamedTuple):
    labels: np.ndarray


class Thinned(NamedTuple):
    labels: np.ndarray
    thin: int


def state_of(kind, n_items):
    labels = np.zeros(n_items, np.int64)
    return {
        "plain": OneAtATime(labels),
        "thinned": Thinned(labels, 4),
        "blocked": blocked.State(labels, 1.0, np.empty(0), np.empty(0, np.uint8), np.random.default_rng(0)),
    }[kind]


@pytest.mark.parametrize(
    ("kind", "n_items", "expected"),
    [
        ("plain", 10, [12]),
        ("plain", 30_000, [4, 4, 4]),
        ("plain", 130_000, [1] * 12),
        ("thinned", 15_000, [2] * 6),
        ("thinned", 130_000, [1] * 12),
        ("blocked", 130_000, [5, 5, 2]),
        ("blocked", 20_000, [6, 6]),
    ],
)
def test_blocks_pass_in_the_blink_of_an_eye_or_hold_a_few_draws_where_they_are_costly_to_begin(kind, n_items, expected):
    asked = []

    def sweep(state, n_draws):
        asked.append(n_draws)
        return state, Draws(np.zeros((n_draws, 1)))

    run_chain(sweep, state_of(kind, n_items), 12)
    assert asked == expected


@pytest.mark.parametrize(
    ("n_items", "size"), [(1, 600), (199, 600), (200, 600), (240, 500), (60_001, 1), (120_000, 1), (200_000, 1)]
)
def test_blocks_have_a_size_that_depends_on_the_items_alone(n_items, size):
    assert block_size(n_items) == size


class Counted(NamedTuple):
    labels: np.ndarray
    n_done: int


def count(state, n_draws):
    """Draws that are numbered."""
    at = np.arange(state.n_done, state.n_done + n_draws)
    return state._replace(n_done=state.n_done + n_draws), Draws(at[:, np.newaxis])


def test_a_chain_is_kept_and_stopped_as_asked():
    start, seen = Counted(np.zeros(60_000, np.int64), 0), []
    state, blocks = run_chain(count, start, 5, keep=False)
    assert (state.n_done, blocks) == (5, [])
    state, blocks = run_chain(
        count, start, 5, lambda state, block: state.n_done < 3, put=lambda block: len(block.draws)
    )
    assert (state.n_done, blocks) == (4, [2, 2])
    assert sample_chain(count, start, 5).draws.ravel().tolist() == [0, 1, 2, 3, 4]
    run_chain(count, start, 5, lambda state, block: seen.append((state.n_done, len(block.draws))) or True)
    assert seen == [(2, 2), (4, 2), (5, 1)]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("n_warmup", "n_draws", "n_before"), [(3, 4, 0), (0, 5, 0), (2, 3, 2)])
def test_chains_return_the_draws_after_their_warm_up(n_jobs, n_warmup, n_draws, n_before):
    starts = [Counted(np.zeros(60_000, np.int64), first) for first in (0, 100)]
    drawn = run_chains(count, starts, n_warmup, n_draws, n_jobs=n_jobs, checkpoint=None, n_before=n_before)
    for first, (chain, state) in zip((0, 100), drawn, strict=True):
        assert chain.draws.ravel().tolist() == [first + n_warmup + n_before + m for m in range(n_draws)]
        assert state.n_done == first + n_warmup + n_before + n_draws


def test_draws_are_returned_from_the_first_on_unless_a_run_goes_on():
    ((chain, _),) = run_chains(count, [Counted(np.zeros(2, np.int64), 0)], 1, 3, n_jobs=1, checkpoint=None)
    assert chain.draws.ravel().tolist() == [1, 2, 3]


def test_other_processes_run_whole_chains():
    starts = [Counted(np.zeros(2, np.int64), first) for first in (0, 100)]
    for first, start in zip((0, 100), starts, strict=True):
        chain, state = _run_alone(count, 3, 4, start)
        assert chain.draws.ravel().tolist() == [first + 3 + m for m in range(4)]
        assert state.n_done == first + 7


class Kept:
    """A checkpoint of which some is done."""

    def __init__(self, n_begun, n_kept):
        self.n_begun, self.n_kept, self.added, self.finished = n_begun, n_kept, [], []

    def load(self, _):
        at = np.arange(self.n_begun - self.n_kept, self.n_begun)
        kept = [Draws(at[:, np.newaxis])] if self.n_kept else []
        return self.n_begun, kept, Counted(np.array([0, 1]), self.n_begun)

    def add(self, number, state, n_draws, block):
        self.added.append((number, state.n_done, n_draws, block is not None))

    def finish(self, number, state, whole):
        self.finished.append((number, state.n_done, len(whole.draws)))


@pytest.mark.parametrize(
    ("n_begun", "n_kept", "n_before", "added", "told"),
    [
        (0, 0, 0, [(3, 3, False), (7, 4, True)], [0, 3, 4]),
        (2, 0, 0, [(3, 1, False), (7, 4, True)], [2, 1, 4]),
        (5, 2, 0, [(7, 2, True)], [5, 2]),
        (7, 4, 0, [], [7]),
        (5, 2, 2, [(9, 4, True)], [3, 4]),
        (6, 3, 2, [(9, 3, True)], [4, 3]),
        (4, 1, 2, [(9, 5, True)], [3, 5]),
    ],
)
def test_a_run_goes_on_where_its_checkpoint_is(monkeypatch, n_begun, n_kept, n_before, added, told):
    steps, checkpoint = [], Kept(n_begun, n_kept)
    monkeypatch.setattr(_progress.Progress, "advance", lambda self, n, *note: steps.append((self._total, n, *note)))
    ((chain, state),) = run_chains(count, [None], 3, 4, n_jobs=1, checkpoint=checkpoint, n_before=n_before)
    assert chain.draws.ravel().tolist() == [3 + n_before + m for m in range(4)]
    assert checkpoint.added == [(0, *one) for one in added]
    assert checkpoint.finished == [(0, 7 + n_before, 4 + n_before)]
    assert state.n_done == 7 + n_before
    assert [n for _, n, *_ in steps] == told
    assert {total for total, *_ in steps} == {7}
    assert {note for _, _, *notes in steps for note in notes} <= {"2 clusters"}


@pytest.mark.parametrize(
    ("counts", "named"),
    [
        ((0, 1, 0), "n_chains"), ((100_001, 1, 0), "n_chains"), ((1, 0, 0), "n_draws"), ((1, 10**8 + 1, 0), "n_draws"),
        ((1, 1, -1), "n_warmup"), ((1, 1, 10**8 + 1), "n_warmup"),
    ],
)  # fmt: skip
def test_numbers_of_chains_and_draws_are_checked(counts, named):
    check_counts(1, 1, 0)
    check_counts(100_000, 10**8, 10**8)
    with pytest.raises(ValueError, match=f"{named} must be"):
        check_counts(*counts)
