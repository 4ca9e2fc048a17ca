"""Chains run block after block."""

from typing import NamedTuple

import numpy as np
import pytest

from partita.samplers import blocked
from partita.samplers.run import run_chain


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
