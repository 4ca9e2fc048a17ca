"""Warm-ups end when chains agree; the sampler here draws numbers that say how far it has come."""

from typing import NamedTuple

import numpy as np
import pytest

from partita import _progress
from partita.samplers import run
from partita.samplers.warmup import ROUNDS, WarmedUp, _repeat, largest_rhat, warm_up, warm_up_once

RNG = np.random.default_rng(0)
NOISE = RNG.normal(size=(3, 5000))


class Draws(NamedTuple):
    draws: np.ndarray
    value: np.ndarray


class Stand(NamedTuple):
    labels: np.ndarray
    chain: int
    n_done: int
    warmup_left: int


def stands(n_chains=3):
    return [Stand(np.array([0, 1]), chain, 0, 9) for chain in range(n_chains)]


def sweep_until(n_apart):
    """Draws of chains that are apart for so many draws, and then agree."""

    def sweep(state, n_draws):
        at = np.arange(state.n_done, state.n_done + n_draws)
        value = NOISE[state.chain, at] + 5 * state.chain * (at < n_apart)
        return state._replace(n_done=state.n_done + n_draws), Draws(np.zeros((n_draws, 2)), value)

    return sweep


def trace(block):
    return block.value[np.newaxis]


@pytest.mark.parametrize(
    ("n_apart", "n_draws", "agreed"),
    [
        (0, 40, True),
        (20, 40, True),  # the second half of a round is looked at
        (30, 120, True),
        (79, 120, True),
        (121, 400, True),
        (400, 400, False),
    ],
)
def test_chains_warm_up_until_the_second_half_of_a_round_agrees(n_apart, n_draws, agreed):
    found = warm_up(sweep_until(n_apart), stands(), trace, 1, (40, 80, 280))
    assert found == WarmedUp(found.states, n_draws, agreed)
    assert [state.n_done for state in found.states] == [n_draws] * 3
    assert [state.chain for state in found.states] == [0, 1, 2]


def test_rounds_become_longer():
    assert ROUNDS == (300, 300, 600, 1200)
    assert warm_up(sweep_until(5000), stands(2), trace, 1).n_draws == 2400
    assert warm_up(sweep_until(310), stands(2), trace, 1).n_draws == 600


@pytest.mark.parametrize(("rhat", "agreed"), [(1.099, True), (1.1, False)])
def test_chains_agree_below_a_bound(monkeypatch, rhat, agreed):
    monkeypatch.setattr("partita.samplers.warmup.largest_rhat", lambda values: rhat)
    assert warm_up(sweep_until(0), stands(), trace, 1, (10,)).agreed == agreed


def test_progress_is_that_of_all_chains_and_rounds(monkeypatch):
    told = []
    monkeypatch.setattr(_progress.Progress, "advance", lambda self, n, note: told.append((self._total, n, note)))
    monkeypatch.setattr(run, "block_size", lambda _: 4)
    warm_up(sweep_until(500), stands(2), trace, 1, (6, 5))
    assert told == [(22, n, "2 clusters") for n in (4, 2, 4, 2, 4, 1, 4, 1)]


def test_an_interrupt_stops_all_chains(monkeypatch):
    def sweep(state, n_draws):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        warm_up(sweep, stands(), trace, 1, (10,))


def test_chains_that_are_warm_adapt_no_more():
    states, n_draws = warm_up_once(sweep_until(0), stands(), trace, 1, checkpoint=None, rounds=(10, 10))
    assert n_draws == 10
    assert [state.warmup_left for state in states] == [0, 0, 0]


class Kept:
    """A checkpoint that remembers."""

    def __init__(self, n_done):
        self.n_done, self.kept = n_done, None

    def n_warmed_up(self, number):
        return self.n_done[number]

    def keep_warmup(self, states, n_draws):
        self.kept = ({number: (state.n_done, state.warmup_left) for number, state in states.items()}, n_draws)


@pytest.mark.parametrize(
    ("n_done", "kept"),
    [
        ([0, 0, 0], {0: (40, 0), 1: (40, 0), 2: (40, 0)}),
        ([40, 0, 40], {1: (40, 0)}),
        ([40, 40, 40], {}),
        ([0, 120, 120], {0: (120, 0)}),
    ],
)
def test_a_checkpoint_keeps_warm_ups_and_those_that_were_lost_are_repeated(n_done, kept):
    checkpoint, starts = Kept(n_done), stands()
    states, n_draws = warm_up_once(sweep_until(0), starts, trace, 1, checkpoint=checkpoint, rounds=(40, 80))
    assert states == starts
    assert n_draws == max(40, *n_done)
    assert checkpoint.kept == (kept, n_draws)


@pytest.mark.parametrize(("n_draws", "n_done"), [(0, 0), (40, 40), (120, 120)])
def test_rounds_are_repeated_as_far_as_they_went(n_draws, n_done):
    assert _repeat(sweep_until(0), stands()[0], n_draws, (40, 80, 100)).n_done == n_done


def test_the_largest_rhat_counts_and_chains_that_stand_still_apart_never_agree():
    values = NOISE[:, np.newaxis, :200]
    far = values + 3 * np.arange(3)[:, np.newaxis, np.newaxis]
    both = np.concatenate([values, far], axis=1)
    assert largest_rhat(values) < 1.02
    assert largest_rhat(both) == largest_rhat(far) > 1.5
    assert largest_rhat(np.ones((3, 1, 10)) * np.arange(3)[:, np.newaxis, np.newaxis]) == np.inf
    assert largest_rhat(np.ones((3, 1, 10))) == 1.0
