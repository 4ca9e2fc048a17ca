import numpy as np
import pytest

from partita.components import Gaussian
from partita.samplers.starts import starts_at_resolutions


@pytest.mark.parametrize(
    ("n_items", "expected"),
    [(60, [1, 4, 10, 25, 1, 4]), (30, [1, 4, 10, 15, 1, 4]), (9, [1, 4, 4, 4, 1, 4]), (1, [1] * 6)],
)
def test_chains_start_from_one_to_twenty_five_pieces_and_at_most_half_the_items(n_items, expected):
    X = np.random.default_rng(0).normal(size=(n_items, 2))
    starts = starts_at_resolutions(Gaussian("diagonal", scale="variance").encode(X), 6, np.random.default_rng(1))
    assert [int(labels.max()) + 1 for labels in starts] == expected


def test_equal_items_make_no_more_pieces_than_there_are_values():
    X = np.repeat([[0.0, 1.0], [5.0, 2.0], [9.0, 9.0]], 20, axis=0)
    starts = starts_at_resolutions(Gaussian("diagonal", scale="variance").encode(X), 4, np.random.default_rng(1))
    assert [int(labels.max()) + 1 for labels in starts] == [1, 3, 3, 3]
