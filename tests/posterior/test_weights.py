"""Weights of draws."""

import numpy as np
import pytest

from partita.posterior.draws import check_weights


def test_weights_are_scaled_to_one():
    assert check_weights([1, 3, 0], 3).tolist() == [0.25, 0.75, 0.0]
    assert check_weights([1e308, 1e308, 1e308, 1e308], 4).tolist() == [0.25] * 4
    nearly = np.array([0.1, 0.2, 0.7]) * (1 + 1e-13)
    assert (check_weights(nearly, 3) == nearly).all()
    assert (check_weights(nearly * (1 + 1e-11), 3) != nearly * (1 + 1e-11)).all()


@pytest.mark.parametrize(
    ("weights", "got"),
    [
        ([1, 2], r"one number per draw, 3 in all: got shape \(2,\)"),
        ([1, -0.5, -1], "finite and not negative: got -0.5 for draw 1"),
        ([1, 0, np.inf], "finite and not negative: got inf for draw 2"),
        ([0, 0, 0], "must not all be zero"),
    ],
)
def test_what_is_wrong_with_weights_is_said(weights, got):
    with pytest.raises(ValueError, match=got):
        check_weights(weights, 3)
