"""What each run of an ensemble does: which items it holds, and with which parameters and seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .._typing import IntArray
from .._validation import check_choice, check_number

RESAMPLES = ("subsample", "bootstrap")


class Run(NamedTuple):
    """One run: its number, the rows it clusters (a bootstrap repeats some), what is varied, and its seed."""

    number: int
    rows: IntArray | None
    varied: dict[str, Any]
    seed: int


def plan_runs(
    n_items: int,
    n_runs: int,
    resample: str | None,
    *,
    fraction: float,
    vary: Mapping[str, Iterable[Any]] | None,
    seed: int,
) -> list[Run]:
    """Runs that together hold every item as evenly as they can, and try every value equally often."""
    if resample is not None:
        check_choice("resample", resample, RESAMPLES)
    check_number("fraction", fraction, "be more than 0 and at most 1", lambda value: 0 < value <= 1)
    rng = np.random.default_rng([seed, 0])
    values = {name: _spread(name, choices, n_runs, rng) for name, choices in (vary or {}).items()}
    samples = _subsamples(n_items, n_runs, max(1, round(fraction * n_items)), rng) if resample == "subsample" else None
    runs = []
    for number in range(n_runs):
        own = np.random.default_rng([seed, 1, number])
        rows = None if samples is None else samples[number]
        if resample == "bootstrap":
            rows = np.sort(own.integers(n_items, size=n_items))
        varied = {name: sequence[number] for name, sequence in values.items()}
        runs.append(Run(number, rows, varied, int(own.integers(2**31))))
    return runs


def _spread(name: str, choices: Iterable[Any], n_runs: int, rng: np.random.Generator) -> list[Any]:
    """A value for each run, each of the choices equally often, in random order."""
    given = list(choices) if isinstance(choices, Iterable) and not isinstance(choices, str) else []
    if not given:
        raise ValueError(f"vary must hold values to try for {name!r}, such as range(2, 20): got {choices!r}.")
    rounds = [rng.permutation(len(given)) for _ in range(-(-n_runs // len(given)))]
    return [given[i] for i in np.concatenate(rounds)[:n_runs]]


def _subsamples(n_items: int, n_runs: int, size: int, rng: np.random.Generator) -> list[IntArray]:
    """Rows of each run, none twice: items are dealt out of shuffled decks, so that none is left out for long."""
    samples, deck = [], np.arange(0)
    for _ in range(n_runs):
        taken, deck = deck[:size], deck[size:]
        if taken.size < size:
            fresh = rng.permutation(n_items)
            others = fresh[~np.isin(fresh, taken)]
            more = others[: size - taken.size]
            deck = np.concatenate([others[more.size :], fresh[np.isin(fresh, taken)]])
            taken = np.concatenate([taken, more])
        samples.append(np.sort(taken))
    return samples
