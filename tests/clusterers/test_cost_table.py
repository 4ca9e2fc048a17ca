"""Costs by number of clusters, and where their curve bends."""

import sys

import numpy as np
import pytest
from sklearn.metrics import silhouette_score

import partita as pt
from partita.clusterers.cost_table import _elbow, _silhouette

module = sys.modules["partita.clusterers.cost_table"]  # whose function has its name
X = np.array([[0.0], [1.0], [10.0], [11.0], [30.0], [32.0]])


def test_rows_are_the_least_costs():
    table = pt.cost_table(X, [3, 1, 2, 3, 6], n_init=5, n_jobs=1)
    assert table.index.tolist() == [1, 2, 3, 6]
    pieces = [[X], [X[:4], X[4:]], [X[:2], X[2:4], X[4:]], list(X[:, np.newaxis])]
    costs = [sum(((piece - piece.mean()) ** 2).sum() for piece in parts) for parts in pieces]
    assert table["cost"].to_numpy() == pytest.approx(np.array(costs), abs=1e-9)
    assert np.isnan(table["saved"].iloc[0])
    assert table["saved"].to_numpy()[1:] == pytest.approx(1 - np.array(costs[1:]) / costs[:-1])
    line = costs[0] + (np.array([1, 2, 3, 6]) - 1) / 5 * (costs[-1] - costs[0])
    assert table["elbow"].to_numpy() == pytest.approx((line - costs) / (costs[0] - costs[-1]))
    labels = [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]]
    assert table["silhouette"].to_numpy()[1:3] == pytest.approx(np.array([silhouette_score(X, one) for one in labels]))
    assert np.isnan(table["silhouette"].to_numpy()[[0, 3]]).all()


def test_shares_do_not_depend_on_units():
    whole, small = (pt.cost_table(unit * X, [1, 2, 3], n_jobs=1) for unit in (1.0, 1e-3))
    for name in ("saved", "elbow", "silhouette"):
        assert whole[name].to_numpy() == pytest.approx(small[name].to_numpy(), nan_ok=True)


def test_nothing_is_saved_of_nothing():
    assert pt.cost_table(np.zeros((4, 1)), [1, 2, 3], n_jobs=1)["saved"].to_numpy()[1:].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("costs", "elbow"),
    [
        ([10.0, 4.0, 0.0], [0.0, 0.1, 0.0]),
        ([10.0, 4.0, 2.0], [0.0, 0.25, 0.0]),
        ([10.0, 2.0], [np.nan] * 2),
        ([10.0, 12.0, 10.0], [np.nan] * 3),
        ([10.0, 12.0, 11.0], [np.nan] * 3),
    ],
)
def test_the_elbow_lies_below_the_line_from_first_to_last(costs, elbow):
    assert _elbow(np.arange(2.0, 2 + len(costs)), np.array(costs)) == pytest.approx(np.array(elbow), nan_ok=True)


def test_silhouettes_need_two_clusters_and_two_items_together():
    apart = np.abs(X - X.T)
    assert np.isnan(_silhouette(apart, np.zeros(6, int)))
    assert np.isnan(_silhouette(apart, np.arange(6)))
    for labels in ([0, 0, 0, 0, 1, 1], [0, 1, 2, 3, 4, 4]):
        expected = silhouette_score(apart, labels, metric="precomputed")
        assert _silhouette(apart, np.array(labels)) == pytest.approx(expected)


def test_silhouettes_are_those_of_some_items_where_there_are_many(monkeypatch):
    seen = []
    assert module.MOST_ITEMS == 2000
    monkeypatch.setattr(module, "MOST_ITEMS", 4)
    monkeypatch.setattr(module, "_silhouette", lambda apart, labels: seen.append((apart.shape, labels.size)) or 0.0)
    pt.cost_table(X, [2], n_jobs=1)
    assert seen == [((4, 4), 4)]


def test_bad_numbers_are_named():
    for wrong, got in ((5, "must be a list or range"), ([], "must hold at least one number"), ([7], "must be at most")):
        with pytest.raises(ValueError, match=f"n_clusters {got}"):
            pt.cost_table(X, wrong)
    with pytest.raises(ValueError, match="n_init must be a whole number of at least 1: got 0"):
        pt.cost_table(X, [2], n_init=0)
