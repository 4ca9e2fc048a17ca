import numpy as np
import pytest

from partita.costs import SquaredEuclidean
from partita.priors import Gamma
from partita.samplers.fixed_k import init, make_problem, valid_labels

X, LABELS = [[0.0], [2.0], [10.0], [14.0]], np.array([0, 0, 1, 1])


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (None, 2 / 10),  # four items of one column; squared distances to their means add up to 1 + 1 + 4 + 4
        (Gamma(3, 5), (3 + 2) / (5 + 10)),
        (0.7, 0.7),
    ],
)
def test_a_chain_starts_at_the_mean_of_the_rate_given_its_partition(rate, expected):
    problem = make_problem(SquaredEuclidean().encode(X), 2, rate)
    assert init(problem, LABELS, np.random.default_rng(0)).rate == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[0, 0, 1, 1], [0, 1, 0, 1]], True),
        ([[0, 0, 1, 1], [0, 0, 0, 0]], False),
        ([[0, 0, 1, 2]], False),
        ([[1, 1, 0, 0]], False),
        ([[0, 0, 1]], False),
        ([[0, 0, 1, 1, 1]], False),
    ],
)
def test_rows_are_valid_that_place_all_items_in_as_many_clusters_as_wanted(rows, expected):
    assert valid_labels(make_problem(SquaredEuclidean().encode(X), 2), np.array(rows)) == expected
