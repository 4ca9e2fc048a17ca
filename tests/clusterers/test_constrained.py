"""Clusterers that know about pairs of points."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from scipy.linalg import eigh
from scipy.special import softmax
from scipy.stats import norm
from sklearn.cluster import KMeans
from sklearn.neighbors import kneighbors_graph
from sklearn.utils.estimator_checks import parametrize_with_checks

import partita as pt
from partita._kernels.clusterers.chunklets import cheapest_apart, place_chunklets, swap_chains
from partita._kernels.clusterers.icm import icm
from partita._kernels.clusterers.weighted_means import nearest_clusters
from partita.clusterers import mpc_k_means
from partita.clusterers._alternation import find_moments
from partita.clusterers._chunklets import constrained_chunklets, order_by_size
from partita.clusterers._fitting import check_task
from partita.clusterers._seeds import seed_centers

CONSTRAINED = [pt.LocallyWeightedClustering, pt.COPKMeans, pt.MPCKMeans]
ALL = [*CONSTRAINED, pt.LocallyAdaptiveClustering]


@parametrize_with_checks([*(make() for make in ALL), pt.LocalityPreservingProjection()])
def test_scikit_learn_accepts(estimator, check):
    check(estimator)


def make_blobs(seed=0, n=90, d=3, n_clusters=3, apart=2.0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % n_clusters
    centers = apart * rng.normal(size=(n_clusters, d))
    spread = rng.choice([0.3, 1.0, 3.0], size=(n_clusters, d))
    return centers[truth] + spread[truth] * rng.normal(size=(n, d)), truth


def graph_of(edges, n):
    return pt.Constraints(cannot_link=edges, n_items=n).cannot_link_graph


def random_graph(rng, n, n_edges):
    pairs = rng.integers(n, size=(n_edges, 2))
    return graph_of(pairs[pairs[:, 0] != pairs[:, 1]], n)


def broken_edges(labels, bounds, others):
    return sum(labels[u] == labels[v] for u in range(len(labels)) for v in others[bounds[u] : bounds[u + 1]]) // 2


# The kernels


def test_points_and_chunklets_find_what_they_cost():
    rng = np.random.default_rng(1)
    X, centers, weights, offsets = rng.normal(size=(600, 4)), rng.normal(size=(5, 4)), rng.random((5, 4)), rng.random(5)
    chunklet = rng.integers(-2, 3, size=600)
    labels, chunklet_costs = np.full(600, -9), np.empty((3, 5))
    farthest, most = nearest_clusters(X, centers, weights, offsets, chunklet, labels, chunklet_costs)
    costs = offsets + (weights * (X[:, np.newaxis] - centers) ** 2).sum(axis=2)
    free = np.flatnonzero(chunklet == -1)
    assert np.array_equal(labels[free], costs[free].argmin(axis=1))
    assert (labels[chunklet != -1] == -9).all()
    assert np.allclose(chunklet_costs, [costs[chunklet == u].sum(axis=0) for u in range(3)])
    assert farthest == free[costs[free].min(axis=1).argmax()]
    assert most == pytest.approx(costs[free].min(axis=1).max())


def test_moments_keep_their_digits_far_from_zero():
    rng = np.random.default_rng(2)
    X, labels = 1e6 + 1e-3 * rng.normal(size=(50, 2)), rng.integers(3, size=50)
    origins = X[[0, 1, 2, 3]]
    found = find_moments(X, labels, origins)
    for k in range(3):
        assert np.allclose(found.centers[k], X[labels == k].mean(axis=0), rtol=1e-15)
        assert np.allclose(found.scatter[k], X[labels == k].var(axis=0) * (labels == k).sum(), rtol=1e-3)
    assert found.counts[3] == 0
    assert np.array_equal(found.centers[3], origins[3])


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 5])
def test_two_neighbors_are_placed_as_brute_force_would(n_clusters):
    rng = np.random.default_rng(n_clusters)
    for _ in range(300):
        costs, blocked = rng.integers(6, size=(2, n_clusters)).astype(float), rng.random((2, n_clusters)) < 0.4
        choices = {
            (i, j): costs[0, i] + costs[1, j]
            for i, j in product(range(n_clusters), repeat=2)
            if i != j and not blocked[0, i] and not blocked[1, j]
        }
        found = cheapest_apart(0, 1, costs, blocked)
        assert (found in choices and choices[found] == min(choices.values())) if choices else found == (-1, -1)


@pytest.mark.parametrize("seed", range(20))
def test_turns_follow_the_score_of_the_paper(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=40)
    chunklets = constrained_chunklets(pt.sample_constraints(truth, 45, rng))
    bounds = chunklets.neighbor_start.tolist()
    neighbors = [set(chunklets.neighbor[a:b]) for a, b in pairwise(bounds)]
    waiting = set(range(chunklets.size.size))

    def score(u):
        return chunklets.size[u] + max((chunklets.size[v] for v in neighbors[u] & waiting), default=0)

    for u, v in order_by_size(chunklets, rng).tolist():
        both = [u] if v < 0 else [u, v]
        assert chunklets.size[both].sum() == score(u) == max(map(score, waiting))
        assert v < 0 or v in neighbors[u] & waiting
        waiting -= set(both)
    assert not waiting


def naive_placement(turns, costs, bounds, others):
    """Clusters of chunklets by trying everything, turn by turn, as section 4.2 says."""
    labels, n_conflicts, everything = {}, 0, range(costs.shape[1])
    for u, v in turns.tolist():
        both = [u] if v < 0 else [u, v]
        apart = [c for c in product(everything, repeat=len(both)) if len(set(c)) == len(both)]
        taken = [{labels[w] for w in others[bounds[x] : bounds[x + 1]] if w in labels} for x in both]
        free = [c for c in apart if not any(k in t for k, t in zip(c, taken, strict=True))]
        n_conflicts += not free
        best = min(free or apart, key=lambda c: costs[both, c].sum())
        labels.update(zip(both, best, strict=True))
    return [labels[u] for u in range(len(costs))], n_conflicts


@pytest.mark.parametrize("seed", range(20))
def test_chunklets_are_placed_as_the_paper_says(seed):
    rng = np.random.default_rng(seed)
    chunklets = constrained_chunklets(pt.sample_constraints(rng.integers(3, size=30), 40, rng))
    turns, costs = order_by_size(chunklets, rng), rng.random((chunklets.size.size, 3))
    labels = np.empty(len(costs), np.int64)
    n_conflicts = place_chunklets(turns, costs, chunklets.neighbor_start, chunklets.neighbor, labels)
    assert (labels.tolist(), n_conflicts) == naive_placement(turns, costs, chunklets.neighbor_start, chunklets.neighbor)


def test_greedy_placement_can_be_worse_than_the_best():
    costs = np.array([[9.0, 6, 8], [7, 5, 8], [0, 8, 8]])
    bounds, others = graph_of([(0, 1), (1, 2)], 3)
    labels = np.empty(3, np.int64)
    place_chunklets(np.array([[0, 1], [2, -1]]), costs, bounds, others, labels)
    assert costs[np.arange(3), labels].sum() == 21
    swap_chains(costs, bounds, others, labels)
    assert costs[np.arange(3), labels].sum() == 13  # the best there is


@pytest.mark.parametrize("seed", range(30))
def test_swaps_keep_neighbors_apart_and_lower_the_cost(seed):
    rng = np.random.default_rng(seed)
    n, n_clusters = (8, 2) if seed % 2 else (6, 3)
    bounds, others = random_graph(rng, n, n - 2)
    costs = rng.normal(size=(n, n_clusters))
    feasible = [c for c in map(np.array, product(range(n_clusters), repeat=n)) if not broken_edges(c, bounds, others)]
    if not feasible:
        return
    labels = feasible[rng.integers(len(feasible))].copy()
    before = costs[np.arange(n), labels].sum()
    swap_chains(costs, bounds, others, labels)
    after, least = costs[np.arange(n), labels].sum(), min(costs[np.arange(n), c].sum() for c in feasible)
    assert broken_edges(labels, bounds, others) == 0
    assert least - 1e-9 <= after <= before
    assert n_clusters > 2 or after == pytest.approx(least)


# Theorems 2, 3 and 5 of Cheng, Hua and Vu


def simulated_costs(sizes, means, of, n_repeats=40_000):
    """Costs, shape (n_repeats, n_chunklets, n_clusters), of chunklets of the given sizes from the given clusters."""
    rng, d = np.random.default_rng(5), means.shape[1]
    one = np.repeat(np.arange(len(sizes)), sizes)
    chunklet = (np.arange(n_repeats)[:, np.newaxis] * len(sizes) + one).ravel()
    X = np.tile(means[np.asarray(of)[one]], (n_repeats, 1)) + rng.normal(size=(len(chunklet), d))
    costs = np.empty((n_repeats * len(sizes), len(means)))
    ones, zeros = np.ones(means.shape), np.zeros(len(means))
    nearest_clusters(X, means, ones, zeros, chunklet, np.empty(len(chunklet), np.int64), costs)
    return costs.reshape(n_repeats, len(sizes), -1)


def share_right(costs, bounds, others, turns, truth):
    found = np.empty(len(truth), np.int64)
    right = 0
    for one in costs:
        place_chunklets(turns, one, bounds, others, found)
        right += np.array_equal(found, truth)
    return right / len(costs)


TWO_MEANS = np.array([[0.0, 0.0, 0.0], [0.5, -0.3, 0.2]])
CLOSE = dict(abs=4 * np.sqrt(0.25 / 40_000))


@pytest.mark.parametrize("size", [1, 3, 8])
def test_theorem_2_how_often_a_chunklet_is_placed_rightly(size):
    costs = simulated_costs([size], TWO_MEANS, [0])
    distance = np.linalg.norm(TWO_MEANS[0] - TWO_MEANS[1])
    share = share_right(costs, np.array([0, 0]), np.empty(0, np.int64), np.array([[0, -1]]), [0])
    assert share == pytest.approx(norm.cdf(np.sqrt(size) / 2 * distance), **CLOSE)
    assert share != pytest.approx(norm.cdf(np.sqrt(size + 3) / 2 * distance), **CLOSE)


def test_theorem_3_how_often_two_neighbors_are_placed_rightly():
    costs = simulated_costs([2, 5], TWO_MEANS, [0, 1])
    distance = np.linalg.norm(TWO_MEANS[0] - TWO_MEANS[1])
    share = share_right(costs, *graph_of([(0, 1)], 2), np.array([[0, 1]]), [0, 1])
    assert share == pytest.approx(norm.cdf(np.sqrt(7) / 2 * distance), **CLOSE)
    assert share != pytest.approx(norm.cdf(np.sqrt(5) / 2 * distance), **CLOSE)


def test_theorem_5_holds_with_the_root_over_everything():
    means = np.array([[0.0, 0.0], [0.6, 0.2], [-0.3, 0.7], [0.5, -0.5]])
    s, t, i, j, p, q, sizes = 0, 1, 0, 1, 2, 3, (3, 2)
    costs = simulated_costs(sizes, means, [s, t])
    share = (costs[:, 0, i] + costs[:, 1, j] < costs[:, 0, p] + costs[:, 1, q]).mean()
    a = -sizes[0] * (means[p] - means[i]) @ means[s] - sizes[1] * (means[q] - means[j]) @ means[t]
    a += sizes[0] / 2 * (means[p] @ means[p] - means[i] @ means[i])
    a += sizes[1] / 2 * (means[q] @ means[q] - means[j] @ means[j])
    first, second = sizes[0] * ((means[p] - means[i]) ** 2).sum(), sizes[1] * ((means[q] - means[j]) ** 2).sum()
    assert share == pytest.approx(norm.cdf(a / np.sqrt(first + second)), **CLOSE)
    assert share != pytest.approx(norm.cdf(a / (np.sqrt(sizes[0]) * first / sizes[0] + second)), **CLOSE)  # as printed


# Locally weighted clustering


def test_weights_have_product_one_and_no_others_do_better():
    X, _ = make_blobs()
    found = pt.LocallyWeightedClustering(3).fit(X)
    assert np.allclose(np.log(found.weights_).sum(axis=1), 0)
    scatter = np.array([((X[found.labels_ == k] - c) ** 2).sum(axis=0) for k, c in enumerate(found.cluster_centers_)])
    assert found.objective_ == pytest.approx((found.weights_ * scatter).sum())
    others = np.exp(np.random.default_rng(0).normal(size=(1000, *scatter.shape)))
    others /= np.prod(others, axis=2, keepdims=True) ** (1 / 3)
    assert ((others * scatter).sum(axis=(1, 2)) > found.objective_).all()
    assert np.array_equal(found.predict(X), found.labels_)


@pytest.mark.parametrize("seed", range(5))
def test_iterations_never_raise_the_objective_without_cannot_links(seed):
    X, truth = make_blobs(seed, d=4)
    known = pt.Constraints(pt.sample_constraints(truth, 20, seed).must_link, n_items=90)
    for constraints in (None, known):
        trace = [
            pt.LocallyWeightedClustering(3, max_iter=t, random_state=seed).fit(X, constraints=constraints).objective_
            for t in range(1, 12)
        ]
        last = pt.LocallyWeightedClustering(3, random_state=seed).fit(X, constraints=constraints)
        assert (np.diff(trace) <= 1e-9 * trace[0]).all()
        assert last.objective_ <= trace[-1] * (1 + 1e-12)


def test_a_constant_column_changes_nothing():
    X, truth = make_blobs()
    known = pt.sample_constraints(truth, 30)
    for make in ALL:
        arguments = {"constraints": known} if make in CONSTRAINED else {}
        plain = make(3).fit(X, **arguments)
        found = make(3).fit(np.insert(X, 1, 7.7, axis=1), **arguments)
        assert np.array_equal(found.labels_, plain.labels_)
        assert np.isfinite(found.weights_).all()
        assert np.isfinite(make(2).fit(np.full((5, 2), 3.0)).objective_)
    assert pt.LocallyWeightedClustering(3).fit(np.insert(X, 1, 7.7, axis=1)).weights_[:, 1].tolist() == [1.0] * 3


def test_the_unit_of_measurement_changes_nothing():
    X, truth = make_blobs()
    known = pt.sample_constraints(truth, 30)
    for make in (pt.LocallyWeightedClustering, pt.LocallyAdaptiveClustering, pt.COPKMeans):
        arguments = {"constraints": known} if make in CONSTRAINED else {}
        labels = [make(3).fit(scale * X, **arguments).labels_ for scale in (1.0, 1024.0, 1 / 1024)]
        assert np.array_equal(labels[0], labels[1])
        assert np.array_equal(labels[0], labels[2])


@pytest.mark.parametrize("swap", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_pairs_hold_where_no_chunklet_has_as_many_neighbors_as_clusters(seed, swap):
    X, truth = make_blobs(seed, n_clusters=4, apart=0.1)
    known = pt.sample_constraints(truth, 35, seed)
    bounds, _ = known.cannot_link_graph
    keep = [i for i, (a, _) in enumerate(known.cannot_link) if np.diff(bounds)[known.chunklets[a]] < 4]
    known = pt.Constraints(known.must_link, known.cannot_link[keep], n_items=90)
    assert np.diff(known.cannot_link_graph[0]).max() <= 4
    if np.diff(known.cannot_link_graph[0]).max() == 4:
        return
    for clusterer in (pt.LocallyWeightedClustering(4, swap_chains=swap), pt.COPKMeans(4)):
        assert clusterer.fit(X, constraints=known).n_violations_ == 0


def test_swaps_break_no_pair_that_can_be_kept_with_two_clusters_and_without_them_some_are():
    path = pt.Constraints(cannot_link=[(i, i + 1) for i in range(39)], n_items=40)
    broken = {True: 0, False: 0}
    for seed, swap in product(range(5), broken):
        X = np.random.default_rng(seed).normal(size=(40, 2))
        found = pt.LocallyWeightedClustering(2, swap_chains=swap, random_state=seed).fit(X, constraints=path)
        broken[swap] += found.n_violations_
    assert broken[True] == 0
    assert broken[False] > 0


def test_swaps_break_no_pair_where_a_coloring_is_known():
    known_feasible = 0
    for seed in range(12):
        X, truth = make_blobs(seed, n=60, apart=0.2)
        known = pt.sample_constraints(truth, 110, seed)
        if known.is_feasible(3):
            known_feasible += 1
            assert pt.LocallyWeightedClustering(3).fit(X, constraints=known).n_violations_ == 0
    assert known_feasible > 6


def test_knowing_pairs_helps():
    X, truth = make_blobs(3, n=200, apart=0.7)
    rand = [
        1 - pt.Binder().between(truth, pt.LocallyWeightedClustering(3).fit(X, constraints=known).labels_)
        for known in (None, pt.sample_constraints(truth, 50), pt.sample_constraints(truth, 400))
    ]
    assert rand[0] < rand[1] < rand[2]


def test_seeds_are_means_of_large_chunklets_that_must_be_apart():
    X, _ = make_blobs()
    must = [(0, 3), (3, 6), (1, 4), (4, 7), (2, 5)]
    known = pt.Constraints(must, [(0, 7), (2, 0), (2, 1)], n_items=90)
    centers = seed_centers(check_task(pt.MPCKMeans(3), X, known), np.random.default_rng(0))
    means = [X[[0, 3, 6]].mean(axis=0), X[[1, 4, 7]].mean(axis=0)]
    assert sorted(map(tuple, centers[:2])) == sorted(map(tuple, means))
    assert any(np.array_equal(centers[2], x) for x in X)  # the chunklet of two points is too small


def test_an_empty_cluster_starts_again():
    X = np.repeat([[0.0, 0.0], [1.0, 0.0], [50.0, 50.0]], [50, 50, 2], axis=0)
    for seed in range(10):
        assert pt.COPKMeans(3, n_init=1, random_state=seed).fit(X).objective_ == 0
    known = pt.Constraints.from_labels(np.repeat([0, 1, 2], [50, 50, 2]))
    assert len(set(pt.COPKMeans(3, n_init=1).fit(X, constraints=known).labels_)) == 3


# The others


def test_without_pairs_cop_k_means_is_k_means():
    X, _ = make_blobs()
    found = pt.COPKMeans(3, n_init=1).fit(X)
    again = KMeans(3, init=found.cluster_centers_, n_init=1, algorithm="lloyd").fit(X)
    assert again.n_iter_ <= 2
    assert found.objective_ == pytest.approx(again.inertia_)
    assert (found.weights_ == 1).all()


def test_cop_k_means_says_when_it_cannot_go_on():
    path = [(i, i + 1) for i in range(39)]
    X = np.random.default_rng(0).normal(size=(40, 2))
    known = pt.Constraints(cannot_link=path, n_items=40)
    with pytest.raises(ValueError, match="constraints must leave a cluster for every point, placed in turn"):
        pt.COPKMeans(2, n_init=3).fit(X, constraints=known)
    assert pt.LocallyWeightedClustering(2).fit(X, constraints=known).n_violations_ == 0


def test_locally_adaptive_weights_are_a_softmax():
    X, _ = make_blobs()
    found = pt.LocallyAdaptiveClustering(3, bandwidth=0.5).fit(X)
    spread = np.array([((X[found.labels_ == k] - c) ** 2).mean(axis=0) for k, c in enumerate(found.cluster_centers_)])
    bandwidth = 0.5 * X.var(axis=0).mean()
    assert np.allclose(found.weights_, softmax(-spread / bandwidth, axis=1))
    each = (found.weights_ * (spread + bandwidth * np.log(found.weights_))).sum(axis=1)
    assert found.objective_ == pytest.approx(each[found.labels_].sum())


def test_even_weights_give_k_means():
    X, _ = make_blobs()
    adaptive = pt.LocallyAdaptiveClustering(3, bandwidth=1e9).fit(X)
    assert np.allclose(adaptive.weights_, 1 / 3)
    again = KMeans(3, init=adaptive.cluster_centers_, n_init=1).fit(X)
    assert pt.Misclassification().between(adaptive.labels_, again.labels_) == 0


def naive_price(X, labels, metrics, known, price):
    """Price of broken pairs from its definition, and of the farthest pair by looking at all."""
    points = X[np.unique(np.concatenate([known.must_link, known.cannot_link]))]
    total = 0.0
    for i, j in known.must_link:
        if labels[i] != labels[j]:
            total += price * sum(metrics[labels[e]] @ (X[i] - X[j]) ** 2 for e in (i, j)) / 2
    for i, j in known.cannot_link:
        if labels[i] == labels[j]:
            far = max(metrics[labels[i]] @ (a - b) ** 2 for a in points for b in points)
            total += price * (far - metrics[labels[i]] @ (X[i] - X[j]) ** 2)
    return total


def test_the_objective_of_mpck_means_is_its_definition():
    X, _ = make_blobs(2, n=60, n_clusters=2, apart=0.5)
    known = pt.sample_constraints(np.arange(60) // 30, 60, 1)  # pairs that have nothing to do with the points
    found = pt.MPCKMeans(2, violation_penalty=0.05).fit(X, constraints=known)
    away = (found.weights_[found.labels_] * (X - found.cluster_centers_[found.labels_]) ** 2).sum()
    log_det = np.log(found.weights_).sum(axis=1)[found.labels_].sum()
    assert found.n_violations_ > 0
    price = naive_price(X, found.labels_, found.weights_, known.closure(), 0.05)
    assert found.objective_ == pytest.approx(away - log_det + price, rel=0.01)  # far pairs are found, not searched for
    assert found.objective_ != pytest.approx(away - log_det, rel=0.01)


def test_where_too_many_pairs_follow_only_those_given_are_penalized(monkeypatch):
    X, truth = make_blobs(2, n=60, n_clusters=2, apart=0.5)
    known = pt.sample_constraints(truth, 60, 1)
    monkeypatch.setattr(mpc_k_means, "MOST_ENTAILED", 10)
    few = mpc_k_means._find_pairs(X, known, 2.0)
    assert np.array_equal(few.ends, np.concatenate([known.must_link, known.cannot_link]))
    assert (few.weights == 2).all()
    assert few.must.sum() == len(known.must_link)


def test_without_pairs_metrics_are_inverse_variances():
    X, _ = make_blobs()
    found = pt.MPCKMeans(3).fit(X)
    for k in range(3):
        assert np.allclose(found.weights_[k], 1 / X[found.labels_ == k].var(axis=0))


@pytest.mark.parametrize("seed", range(10))
def test_settled_points_would_not_move(seed):
    rng = np.random.default_rng(seed)
    n, n_clusters = 8, 3
    ends = np.array([p for p in rng.integers(n, size=(12, 2)) if p[0] != p[1]])
    must, penalties, costs = (
        rng.random(len(ends)) < 0.5,
        rng.random((len(ends), n_clusters)),
        rng.random((n, n_clusters)),
    )
    both = np.concatenate([ends, ends[:, ::-1]])
    order = np.argsort(both[:, 0], kind="stable")
    bounds = np.searchsorted(both[order, 0], np.arange(n + 1))
    pairs, labels = np.tile(np.arange(len(ends)), 2)[order], np.full(n, -1)
    assert icm(rng.permutation(n), costs, penalties, bounds, both[order, 1], pairs, must, labels, 50) < 50

    def total(labels):
        a, b = labels[ends].T
        prices = (penalties[np.arange(len(ends)), a] + penalties[np.arange(len(ends)), b]) / 2
        return costs[np.arange(n), labels].sum() + prices[(a == b) != must].sum()

    for i, k in product(range(n), range(n_clusters)):
        moved = labels.copy()
        moved[i] = k
        assert total(moved) >= total(labels) - 1e-12


def test_soft_pairs_are_outvoted_by_price():
    X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    few = pt.Constraints(must_link=[(0, 3)], n_items=6, must_link_weights=1e-4)
    assert pt.MPCKMeans(2).fit(X, constraints=few).n_violations_ == 1
    many = pt.Constraints(must_link=[(0, 3)], n_items=6, must_link_weights=1e4)
    assert pt.MPCKMeans(2).fit(X, constraints=many).n_violations_ == 0
    with pytest.raises(ValueError, match="constraints must be hard for this method"):
        pt.COPKMeans(2).fit(X, constraints=few)


def test_projection_solves_its_eigenproblem():
    X, _ = make_blobs(d=4)
    space = pt.LocalityPreservingProjection(3, n_neighbors=6).fit(X)
    near = kneighbors_graph(X, 6).toarray()
    near = np.maximum(near, near.T)
    degrees = np.diag(near.sum(axis=0))
    centered = X - np.diag(degrees) @ X / degrees.sum()
    values = eigh(centered.T @ (degrees - near) @ centered, centered.T @ degrees @ centered)[0]
    along = space.transform(X)
    assert np.allclose(along.T @ degrees @ along, np.eye(3), atol=1e-8)
    assert np.allclose(np.diag(along.T @ (degrees - near) @ along), values[:3])
    doubled = pt.LocalityPreservingProjection(3, n_neighbors=6).fit(np.hstack([X, X]))
    assert np.allclose(np.abs(doubled.transform(np.hstack([X, X]))), np.abs(along), atol=1e-6)


def test_of_few_points_all_others_are_neighbors():
    X = np.array([[0.0, 1.0], [2.0, 0.0], [5.0, 3.0], [9.0, 9.0]])
    along = pt.LocalityPreservingProjection(2, n_neighbors=9).fit_transform(X)
    assert np.allclose(along.T @ (3 * np.eye(4)) @ along, np.eye(2))
    laplacian = 4 * np.eye(4) - 1  # of the complete graph: every direction is as good
    assert np.allclose(along.T @ laplacian @ along, 4 / 3 * np.eye(2))


# What is refused


@pytest.mark.parametrize("make", CONSTRAINED)
@pytest.mark.parametrize(
    ("constraints", "n_clusters", "message"),
    [
        ([(0, 1)], 2, r"constraints must be Constraints: got \[\(0, 1\)\]"),
        (pt.Constraints(n_items=3), 2, "constraints must be about the same 6 items: got 3"),
        (pt.Constraints(cannot_link=[(0, 1), (1, 2), (0, 2)], n_items=6), 2, "n_clusters must be at least 3: got 2"),
        (
            pt.Constraints([(0, 1), (2, 3), (4, 5)], n_items=6),
            4,
            "n_clusters must be at most 3, the number of chunklets",
        ),
    ],
)
def test_constraints_that_do_not_fit_are_refused(make, constraints, n_clusters, message):
    with pytest.raises(ValueError, match=message):
        make(n_clusters).fit(np.arange(12.0).reshape(6, 2), constraints=constraints)


def test_names_must_be_those_of_the_rows():
    table = pd.DataFrame(np.arange(8.0).reshape(4, 2), index=["ann", "bob", "cem", "dee"])
    known = pt.Constraints([("ann", "dee")], items=table.index)
    assert pt.COPKMeans(2).fit(table, constraints=known).n_violations_ == 0
    with pytest.raises(ValueError, match="got 'ann' where row 0 is 'dee'"):
        pt.COPKMeans(2).fit(table[::-1], constraints=known)


@pytest.mark.parametrize(
    ("clusterer", "message"),
    [
        (pt.LocallyWeightedClustering(0), "n_clusters must be a whole number of at least 1: got 0"),
        (pt.COPKMeans(2, n_init=0), "n_init must be a whole number of at least 1: got 0"),
        (pt.MPCKMeans(2, violation_penalty=0), "violation_penalty must be a positive number: got 0"),
        (pt.LocallyAdaptiveClustering(2, bandwidth=-1), "bandwidth must be a positive number: got -1"),
        (pt.LocallyWeightedClustering(2, max_iter=0), "max_iter must be a whole number of at least 1: got 0"),
        (pt.LocalityPreservingProjection(0), "n_components must be a whole number of at least 1: got 0"),
    ],
)
def test_bad_parameters_are_named(clusterer, message):
    with pytest.raises(ValueError, match=message):
        clusterer.fit(np.arange(12.0).reshape(6, 2))


@pytest.mark.parametrize(
    "make", [pt.LocallyWeightedClustering, pt.LocallyAdaptiveClustering, pt.COPKMeans, pt.MPCKMeans]
)
def test_numbers_whose_squares_are_infinite_are_named(make):
    X = np.eye(6)
    X[3, 1] = 1e308
    with pytest.raises(
        ValueError, match=r"X must hold numbers whose squares can be written.*1e\+308 in row 3, column 1"
    ):
        make(n_clusters=2).fit(X)
