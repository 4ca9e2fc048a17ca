import numpy as np
import pytest

from partita.clusterers._alternation import _worst_off, find_moments


def test_moments_are_those_of_each_cluster_and_an_empty_one_keeps_its_origin():
    X, labels = np.random.default_rng(0).normal(5, 2, size=(6, 2)), np.array([0, 0, 0, 0, 2, 0])
    origins = np.array([[4.0, 5.0], [7.0, 7.0], [6.0, 3.0]])
    found = find_moments(X, labels, origins)
    assert found.counts.tolist() == [5, 0, 1]
    assert found.centers == pytest.approx(np.array([X[labels == 0].mean(axis=0), origins[1], X[4]]))
    scatter = [((X[labels == k] - found.centers[k]) ** 2).sum(axis=0) for k in range(3)]
    assert found[3] == pytest.approx(np.array(scatter), abs=1e-12)


@pytest.mark.parametrize(
    ("costs", "most", "expected"),
    [
        ([6.0, 2.5, 1.0], 0.0, [1.0]),  # two a point in the first chunklet, more in the second
        ([9.0, 2.5, 1.0], 0.0, [0.5]),
        ([6.0, 2.5, 1.0], 9.0, [8.0]),  # and most of all in the farthest point that is free
    ],
)
def test_an_empty_cluster_starts_again_where_points_cost_most(costs, most, expected):
    X, chunklet = np.array([[0.0], [0.5], [1.0], [1.0], [5.0], [8.0]]), np.array([0, 0, 0, 1, 2, -1])
    assert _worst_off(X, chunklet, np.array(costs), 5, most).tolist() == expected
