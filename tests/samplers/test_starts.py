import numpy as np
import pytest

import partita as pt
from partita.components import Gaussian
from partita.samplers import blocked, collapsed, subsample_start
from partita.samplers.starts import starts_at_resolutions


@pytest.mark.parametrize(
    ("n_items", "expected"),
    [
        (60, [1, 4, 10, 25, 1, 4]),
        (30, [1, 4, 10, 15, 1, 4]),
        (9, [1, 4, 4, 4, 1, 4]),
        (5, [1, 2, 2, 2, 1, 2]),
        (1, [1] * 6),
    ],
)
def test_chains_start_from_one_to_twenty_five_pieces_and_at_most_half_the_items(n_items, expected):
    X = np.random.default_rng(0).normal(size=(n_items, 2))
    starts = starts_at_resolutions(Gaussian("diagonal", scale="variance").encode(X), 6, np.random.default_rng(1))
    assert [int(labels.max()) + 1 for labels in starts] == expected


def test_equal_items_make_no_more_pieces_than_there_are_values():
    X = np.repeat([[0.0, 1.0], [5.0, 2.0], [9.0, 9.0]], 20, axis=0)
    starts = starts_at_resolutions(Gaussian("diagonal", scale="variance").encode(X), 4, np.random.default_rng(1))
    assert [int(labels.max()) + 1 for labels in starts] == [1, 3, 3, 3]


def test_chains_of_the_blocked_sampler_start_from_pieces_too(monkeypatch):
    monkeypatch.setattr(subsample_start, "N_DRAWS", 0)
    encoded = Gaussian("diagonal", scale="variance").encode(np.random.default_rng(0).normal(size=(60, 2)))
    problem = blocked.make_problem(collapsed.make_problem(encoded, pt.DirichletProcess(1.0)))
    starts = [
        subsample_start.start_from_subsample(problem, number, None, np.random.default_rng(1)).labels
        for number in range(5)
    ]
    assert [int(labels.max()) + 1 for labels in starts] == [1, 4, 10, 25, 1]
    few = subsample_start.start_from_subsample(problem, 3, 6, np.random.default_rng(1)).labels
    assert int(few.max()) + 1 == 6
