import numpy as np
import pytest

import partita as pt
from partita.components import Gaussian
from partita.partitions import canonical
from partita.samplers import blocked, collapsed, subsample_start
from partita.samplers.starts import (
    _draw,
    features,
    fixed_number_starts,
    seeded_labels,
    spread_seeds,
    starts_at_resolutions,
)


@pytest.mark.parametrize(
    ("n_items", "expected"),
    [
        (60, [1, 4, 10, 25, 1, 4]),
        (30, [1, 4, 10, 15, 1, 4]),
        (9, [1, 4, 4, 4, 1, 4]),
        (5, [1, 2, 2, 2, 1, 2]),
        (3, [1] * 6),
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


def test_values_are_counted_up_to_ten_thousand_items(monkeypatch):
    asked = []
    monkeypatch.setattr("sklearn.cluster.KMeans.fit_predict", lambda self, X: np.arange(len(X)) % self.n_clusters)
    for n_items in (10_000, 10_001):
        X = np.tile([[0.0], [1.0]], (n_items // 2 + 1, 1))[:n_items]
        starts = starts_at_resolutions(Gaussian("diagonal", scale="variance").encode(X), 2, np.random.default_rng(0))
        asked.append(int(starts[1].max()) + 1)
    assert asked == [2, 4]


def test_items_are_points_in_standard_units():
    table = np.array([[1.0, "a", 4, 5.0], [3.0, "b", 9, 5.0], [np.nan, None, 0, 5.0]], object)
    component = pt.Product({0: Gaussian("diagonal"), 1: pt.Categorical(), 2: pt.Poisson(), 3: Gaussian("diagonal")})
    found = features(component.encode(table))
    roots = (np.array([2.0, 3.0, 0.0]) - 5 / 3) / np.std([2.0, 3.0, 0.0])
    expected = {(-1.0, 1.0, 0.0), tuple(roots), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)}
    columns = [tuple(column.round(12)) for column in found.T]
    for one in expected:
        assert tuple(np.round(one, 12)) in columns
    assert len(columns) == 5


def test_one_start_is_of_equal_sizes_and_others_are_by_seeds():
    items = pt.costs.SquaredEuclidean().encode(np.random.default_rng(0).normal(size=(10, 2)))
    starts = fixed_number_starts(items, 3, 4, np.random.default_rng(1))
    assert len(starts) == 4
    assert sorted(np.bincount(starts[0])) == [3, 3, 4]
    assert all(labels.max() == 2 for labels in starts)
    assert len({tuple(labels) for labels in starts}) == 4
    assert (starts[0] != canonical(np.arange(10) % 3)).any()


def test_items_go_to_the_nearest_seed():
    X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [20.0]])
    items = pt.costs.SquaredEuclidean().encode(X)
    for seed in range(10):
        assert seeded_labels(items, 3, np.random.default_rng(seed)).tolist() == [0, 0, 0, 1, 1, 2]
    alike = pt.costs.SquaredEuclidean().encode(np.zeros((4, 1)))
    assert seeded_labels(alike, 4, np.random.default_rng(0)).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("n_clusters", "n_tried"), [(2, 2), (3, 3), (7, 3), (8, 4), (20, 4), (21, 5)])
def test_the_best_of_a_few_seeds_is_taken(monkeypatch, n_clusters, n_tried):
    """The one that leaves the least, summed over items."""
    X = np.random.default_rng(3).normal(size=(30, 1))
    items, tried = pt.costs.SquaredEuclidean().encode(X), []

    def draw(weights, seeds, n_drawn, rng):
        left = [i for i in range(30) if i not in seeds][:n_drawn]
        gaps = (X[:, 0] - X[seeds]) ** 2
        assert weights == pytest.approx(gaps.min(axis=0), abs=1e-9)
        costs = [np.minimum(gaps.min(axis=0), (X[:, 0] - X[i, 0]) ** 2).sum() for i in left]
        tried.append((len(left), left[int(np.argmin(costs))]))
        return np.array(left)

    monkeypatch.setattr("partita.samplers.starts._draw", draw)
    seeds = spread_seeds(items, n_clusters, np.random.default_rng(0))
    assert len(seeds) == n_clusters
    assert [n for n, _ in tried] == [n_tried] * (n_clusters - 1)
    assert [best for _, best in tried] == seeds[1:].tolist()


def test_seeds_are_drawn_by_weight_and_never_twice():
    weights = np.array([0.0, 3.0, 0.0, 1.0, 0.0])
    drawn = _draw(weights, [0], 4000, np.random.default_rng(0))
    assert (np.bincount(drawn, minlength=5) / 4000) == pytest.approx(weights / 4, abs=0.03)
    assert set(_draw(np.zeros(4), [1, 3], 50, np.random.default_rng(0))) == {0, 2}

    class Last:
        def random(self, n):
            return np.ones(n)

    assert _draw(weights, [0], 2, Last()).tolist() == [3, 3]
