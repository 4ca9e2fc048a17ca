import numpy as np
import pytest
from cost_cases import BINARY, COSTS, COUNTS, NAMES, NUMBERS
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine, make_blobs, make_moons
from sklearn.utils.estimator_checks import parametrize_with_checks

import partita as pt
from partita import costs
from partita._kernels.clusterers.lloyd import assign_rows
from partita.clusterers.least_cost import _fill_empty, lloyd
from partita.costs.items import total_cost

DATA = {
    "iris": load_iris().data,
    "wine": load_wine().data,
    "quadrants": pt.datasets.make_quadrants(150)[0],
    "moons": make_moons(120, noise=0.1, random_state=0)[0],
    "blobs": make_blobs(200, centers=7, random_state=1)[0],
    "galaxies": pt.datasets.load_galaxies(),
    "duplicates": np.repeat([[0.0, 1.0], [2.0, 3.0], [9.0, 9.0]], 8, axis=0),
}


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 6])
@pytest.mark.parametrize("name", DATA)
def test_no_worse_than_k_means(name, n_clusters):
    X = DATA[name]
    n_clusters = min(n_clusters, len(np.unique(X, axis=0)))
    ours = pt.BregmanKMeans(n_clusters).fit(X)
    theirs = KMeans(n_clusters, n_init=10, random_state=0).fit(X)
    assert ours.cost_ <= theirs.inertia_ * (1 + 1e-9) + 1e-9
    assert ours.cost_ == pytest.approx(((X - ours.cluster_centers_[ours.labels_]) ** 2).sum(), rel=1e-9, abs=1e-9)
    assert np.bincount(ours.labels_).size == n_clusters
    pairwise = pt.KDissimilarities(n_clusters, costs.Minkowski(2, 2)).fit(X)
    assert pairwise.cost_ <= theirs.inertia_ * 1.05 + 1e-9


@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS, ids=NAMES)
def test_the_least_cost_is_found(cost, X, rate, definition):
    import naive

    clusterer = pt.BregmanKMeans if hasattr(cost.encode(X), "kind") else pt.KDissimilarities
    items, found = cost.encode(X), clusterer(3, cost).fit(X)
    least = min(total_cost(items, labels) for labels in naive.all_partitions(6) if labels.max() == 2)
    assert found.cost_ == pytest.approx(least)
    assert found.cost_ == pytest.approx(total_cost(items, found.labels_))


@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS, ids=NAMES)
def test_no_single_move_helps(cost, X, rate, definition):
    clusterer = pt.BregmanKMeans if hasattr(cost.encode(X), "kind") else pt.KDissimilarities
    items, labels = cost.encode(X), clusterer(2, cost, n_init=1).fit(X).labels_
    least = total_cost(items, labels)
    for i in np.flatnonzero(np.bincount(labels)[labels] > 1):
        moved = labels.copy()
        moved[i] = 1 - moved[i]
        assert total_cost(items, moved) >= least - 1e-9


def test_lloyd_alone_would_leave_moves_that_help():
    X, worse = np.random.default_rng(0).normal(size=(60, 2)), 0
    items = costs.SquaredEuclidean().encode(X)
    for seed in range(10):
        start = np.random.default_rng(seed).permutation(np.arange(60) % 5)
        labels, _ = lloyd(items, start, 5, 300)
        worse += total_cost(items, labels) > pt.BregmanKMeans(5).fit(X).cost_ * (1 + 1e-9)
    assert worse > 5


@pytest.mark.parametrize("cost", ["manhattan", "euclidean", costs.Minkowski(3, 1.5)], ids=repr)
def test_sweeps_never_increase_the_cost(cost):
    X = DATA["blobs"]
    found = [pt.KDissimilarities(15, cost, n_init=1, max_iter=n).fit(X).cost_ for n in range(1, 8)]
    assert (np.diff(found) <= 1e-9).all()
    assert found[-1] < found[0]


@pytest.mark.parametrize(
    ("start", "max_iter", "n_steps"), [([0, 0, 1, 1], 50, 2), ([0, 1, 0, 1], 50, 3), ([0, 1, 0, 1], 1, 1)]
)
def test_lloyd_ends_with_the_first_step_that_does_not_help(start, max_iter, n_steps):
    items = costs.SquaredEuclidean().encode([[0.0], [1.0], [10.0], [11.0]])
    labels, done = lloyd(items, np.array(start), 2, max_iter)
    assert (labels.tolist(), done) == ([0, 0, 1, 1], n_steps)


def test_rows_join_the_nearest_center_and_are_summed_there():
    items = costs.SquaredEuclidean().encode(DATA["iris"])
    X, centers = items.rows, items.rows[[0, 60, 120]]
    slopes, offsets = items.tangents(centers)
    labels, sums, sizes = np.empty(len(X), np.int64), np.empty((3, X.shape[1])), np.empty(3, np.int64)
    cost = assign_rows(X, np.ascontiguousarray(slopes.T), offsets, labels, sums, sizes)
    apart = ((X[:, np.newaxis] - centers) ** 2).sum(axis=2)
    assert (labels == apart.argmin(axis=1)).all()
    assert sizes.tolist() == np.bincount(labels).tolist()
    assert sums == pytest.approx(np.array([X[labels == k].sum(axis=0) for k in range(3)]))
    assert cost + items.factor * items.phi(X).sum() == pytest.approx(items.factor * apart.min(axis=1).sum())


def test_a_cluster_may_fill_several_that_ran_empty():
    items = costs.SquaredEuclidean().encode([[0.0], [0.1], [1.0]])
    labels, sizes = np.zeros(3, np.int64), np.array([3, 0, 0])
    sums = np.array([items.rows.sum(axis=0), [0.0], [0.0]])
    _fill_empty(items, labels, items.tangents(np.zeros((3, 1))), sums, sizes)
    assert labels.tolist() == [2, 0, 1]  # the mean, at 0.37, is farthest from 1, then from 0
    assert sizes.tolist() == [1, 1, 1]
    assert sums == pytest.approx(items.rows[[1, 2, 0]])


def test_lloyd_fills_clusters_that_run_empty():
    X = np.concatenate([np.zeros((30, 1)), np.ones((2, 1)), [[9.0]]])
    items = costs.SquaredEuclidean().encode(X)
    labels = np.zeros(33, np.int64)
    labels[[0, 1]] = [1, 2]  # three centers at zero
    labels, _ = lloyd(items, labels, 3, 50)
    assert np.bincount(labels, minlength=3).all()


def test_new_rows_join_the_nearest_cluster():
    X, _ = pt.datasets.make_quadrants(120)
    for clusterer in (pt.BregmanKMeans(4), pt.KDissimilarities(4)):
        fitted = clusterer.fit(X)
        assert (fitted.predict(X) == fitted.labels_).mean() > 0.97
        assert fitted.predict([[2.0, 2.0], [-2.0, -2.0]]).tolist() == [
            fitted.labels_[((X - c) ** 2).sum(axis=1).argmin()] for c in ([2, 2], [-2, -2])
        ]
    items = costs.PoissonDeviance().encode(COUNTS)
    assert np.isfinite(items.to_clusters([[0, 0], [100, 0]], np.array([0, 0, 1, 1, 0, 1]))).all()


def test_the_same_seed_gives_the_same_partition_on_any_number_of_threads():
    X = DATA["wine"]
    one, two = (pt.BregmanKMeans(6, n_init=3, n_jobs=n).fit(X) for n in (1, 2))
    assert (one.labels_ == two.labels_).all()
    assert one.cost_ == two.cost_


def test_costs_of_the_other_kind_are_refused():
    with pytest.raises(ValueError, match="cost must be a Bregman cost: got 'manhattan'"):
        pt.BregmanKMeans(2, "manhattan").fit(NUMBERS)
    with pytest.raises(ValueError, match="cost must be a pairwise cost: got 'logistic'"):
        pt.KDissimilarities(2, "logistic").fit(BINARY)
    with pytest.raises(ValueError, match="n_init must be a whole number of at least 1: got 0"):
        pt.KDissimilarities(2, n_init=0).fit(NUMBERS)


def test_a_table_of_costs_points_at_the_number_of_clusters():
    from sklearn.metrics import silhouette_score

    X, labels = make_blobs(90, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    table = pt.cost_table(X, range(1, 7))
    assert table["silhouette"].idxmax() == table["elbow"].idxmax() == 3
    assert (table["cost"].diff().dropna() < 0).all()
    assert table.loc[3, "silhouette"] == pytest.approx(silhouette_score(X, labels))
    assert np.isnan(table.loc[1, "silhouette"])
    assert table.loc[2, "saved"] == pytest.approx(1 - table.loc[2, "cost"] / table.loc[1, "cost"])
    assert pt.cost_table(COUNTS, [2, 3], "poisson-deviance")["silhouette"].notna().all()
    with pytest.raises(ValueError, match="n_clusters must hold at least one number"):
        pt.cost_table(X, [])


@pytest.mark.slow
@parametrize_with_checks(
    [
        pt.BregmanKMeans(n_init=2),
        pt.KDissimilarities(n_init=2),
        pt.GeneralizedBayesClustering(n_chains=1, n_draws=20, n_warmup=10),
    ]
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)
