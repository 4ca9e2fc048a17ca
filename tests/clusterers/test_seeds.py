"""Where k-means begins."""

import numpy as np
import pytest

from partita import Constraints
from partita._kernels.constraints.chunklets import chunklet_of
from partita.clusterers._chunklets import constrained_chunklets
from partita.clusterers._fitting import Task
from partita.clusterers._seeds import _clique, plus_plus, seed_centers

MUST = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9), (10, 11)]  # of four, three, three and two points


def chunklets_of(cannot):
    return constrained_chunklets(Constraints(must_link=MUST, cannot_link=cannot, n_items=14))


class Chosen:
    """A generator that notes what it is asked, and takes the likeliest."""

    def __init__(self):
        self.asked = []

    def choice(self, _, p=None):
        self.asked.append(None if p is None else np.asarray(p))
        return 0 if p is None else int(np.argmax(p))


def test_points_are_drawn_by_their_squared_distance_from_the_nearest_center():
    X, rng = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0], [6.0, 8.0]]), Chosen()
    centers = plus_plus(X, 3, [], rng)
    assert centers.tolist() == [[0.0, 0.0], [6.0, 8.0], [3.0, 4.0]]
    assert rng.asked[0] is None
    assert rng.asked[1] == pytest.approx(np.array([0, 25, 1, 100]) / 126)
    assert rng.asked[2] == pytest.approx(np.array([0, 25, 1, 0]) / 26)
    given = [np.array([3.0, 4.0]), np.array([0.0, 0.0])]
    assert plus_plus(X, 2, list(given), Chosen()).tolist() == [[3.0, 4.0], [0.0, 0.0]]
    rng = Chosen()
    assert plus_plus(X, 3, list(given), rng).tolist() == [[3.0, 4.0], [0.0, 0.0], [6.0, 8.0]]
    assert rng.asked[0] == pytest.approx(np.array([0, 0, 1, 25]) / 26)


def test_points_that_are_all_centers_are_drawn_alike():
    rng = Chosen()
    assert plus_plus(np.ones((3, 1)), 2, [], rng).tolist() == [[1.0], [1.0]]
    assert rng.asked == [None, None]


@pytest.mark.parametrize(
    ("cannot", "most", "chosen"),
    [
        ([], 4, [0]),  # the largest, and none that must be apart from it
        ([(0, 4)], 4, [0, 1]),
        ([(0, 4)], 1, [0]),
        ([(0, 4), (0, 7), (4, 7)], 4, [0, 1, 2]),
        ([(0, 4), (0, 7), (4, 7)], 2, [0, 1]),
        ([(0, 10), (0, 4), (4, 10)], 4, [0, 1]),  # two points are few
    ],
)
def test_large_chunklets_that_must_be_apart_are_seeds(cannot, most, chosen):
    found = _clique(chunklets_of(cannot), most, np.random.default_rng(0))
    assert sorted(found) == chosen
    assert found[0] == 0


def test_chunklets_of_one_size_are_taken_in_random_order():
    chunklets = chunklets_of([(4, 7)])
    sizes = chunklets.size.copy()
    sizes[0] = 0
    firsts = {_clique(chunklets._replace(size=sizes), 3, np.random.default_rng(seed))[0] for seed in range(20)}
    assert firsts == {1, 2}
    assert _clique(chunklets._replace(size=0 * sizes), 3, np.random.default_rng(0)) == []


def test_seeds_are_means_of_chunklets_first():
    X = np.random.default_rng(1).normal(size=(14, 2))
    constraints = Constraints(must_link=MUST, cannot_link=[(0, 4)], n_items=14)
    chunklets = constrained_chunklets(constraints)
    task = Task(X, 3, constraints, chunklets, chunklet_of(chunklets, 14), 10)
    centers = seed_centers(task, np.random.default_rng(0))
    assert centers[:2] == pytest.approx(np.array([X[:4].mean(axis=0), X[4:7].mean(axis=0)]))
    assert (centers[2] == X).all(axis=1).any()


def test_points_are_drawn_by_distance_in_any_unit():
    rng = Chosen()
    plus_plus(1e-4 * np.array([[0.0], [3.0], [1.0]]), 2, [], rng)
    assert rng.asked[1] == pytest.approx(np.array([0.0, 0.9, 0.1]))
    assert plus_plus(np.ones((1, 1)), 1, [], Chosen()).tolist() == [[1.0]]


def test_the_largest_chunklet_comes_first_whatever_falls_at_random():
    chunklets = chunklets_of([(0, 4), (0, 7), (4, 7)])
    assert {_clique(chunklets, 3, np.random.default_rng(seed))[0] for seed in range(30)} == {0}
