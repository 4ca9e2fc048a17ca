import naive
import numpy as np
import pytest
from cost_cases import BINARY, COSTS, COUNTS, MATRIX, NAMES, NUMBERS, POSITIVE

import partita as pt
from partita import costs
from partita._kernels._jit import plain_kernel
from partita._kernels.costs import groups as pieces
from partita._kernels.costs.groups import init_groups
from partita.constraints.chunklets import make_chunklets
from partita.costs._validation import refuse_large
from partita.costs.items import make_groups, total_cost
from partita.samplers.fixed_k import make_problem
from partita.samplers.starts import seeded_labels, spread_seeds

LABELS = np.array([0, 0, 1, 1, 2, 2])
# Compiled here, since a user's function is called by its address.
cost_after, relocate = plain_kernel(pieces.cost_after), plain_kernel(pieces.relocate)


@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS, ids=NAMES)
def test_a_partition_costs_what_the_definition_says(cost, X, rate, definition):
    items = cost.encode(X)
    for labels in naive.all_partitions(6)[::7]:
        expected = sum(definition(np.asarray(X, float), labels == k) for k in range(labels.max() + 1))
        assert total_cost(items, labels) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS, ids=NAMES)
def test_costs_follow_moves_as_if_recomputed(cost, X, rate, definition):
    rng, X = np.random.default_rng(1), np.asarray(X, float)
    data = cost.encode(X).data()
    groups = make_groups(data, 3)
    init_groups(LABELS, data, groups)
    for _ in range(60):
        u, k = rng.integers(6), rng.integers(3)
        own = groups.labels[u]
        if k == own or groups.n_chunklets[own] == 1:
            continue
        left, joined = groups.labels == own, groups.labels == k
        left[u], joined[u] = False, True
        assert cost_after(own, u, -1.0, data, groups) == pytest.approx(definition(X, left), abs=1e-10)
        assert cost_after(k, u, 1.0, data, groups) == pytest.approx(definition(X, joined), abs=1e-10)
        relocate(u, k, data, groups)
        assert groups.cost[k] == pytest.approx(definition(X, joined), abs=1e-10)


def test_a_cost_that_forgot_to_follow_would_be_noticed():
    data = costs.SquaredEuclidean().encode(NUMBERS).data()
    groups = make_groups(data, 3)
    init_groups(LABELS, data, groups)
    stale = groups.cost.copy()
    relocate(0, 1, data, groups)
    assert groups.cost[1] != pytest.approx(stale[1])


def test_bregman_and_pairwise_forms_of_the_squared_euclidean_cost_agree():
    X = np.random.default_rng(2).normal(size=(40, 3))
    labels = np.random.default_rng(3).integers(5, size=40)
    bregman, pairwise = (pt.costs.total(X, labels, c) for c in (costs.SquaredEuclidean(), costs.Minkowski(2, 2)))
    assert bregman == pytest.approx(pairwise, rel=1e-12)
    assert bregman != pytest.approx(pt.costs.total(X, labels, costs.Minkowski(2)))
    assert bregman == pytest.approx(pt.costs.total(X, labels, costs.Mahalanobis(np.eye(3))))
    ours, theirs = (c.encode(X).rate.per_item for c in (costs.SquaredEuclidean(), costs.Minkowski(2, 2)))
    assert ours == theirs == 1.5


@pytest.mark.parametrize("cost", [costs.Minkowski(1), costs.Minkowski(2), costs.Minkowski(3, 1.5)], ids=repr)
def test_rows_of_distances_made_when_needed_are_those_of_the_matrix(cost, monkeypatch):
    X = np.random.default_rng(4).normal(size=(30, 3))
    labels = np.arange(30) % 4
    kept = cost.encode(X)
    monkeypatch.setattr(costs.pairwise, "MATRIX_ITEMS", 10)
    made = cost.encode(X)
    assert made.matrix.size == 0
    assert total_cost(made, labels) == pytest.approx(total_cost(kept, labels))
    assert made.from_items(np.array([3, 4])) == pytest.approx(kept.from_items(np.array([3, 4])))
    assert made.to_clusters(X[:5], labels) == pytest.approx(kept.to_clusters(X[:5], labels))
    pairs = make_chunklets(pt.Constraints(must_link=np.arange(30).reshape(15, 2), n_items=30))
    assert made.data(pairs).matrix == pytest.approx(kept.data(pairs).matrix)
    from partita.samplers.fixed_k import init, sample

    chains = [
        sample(p, init(p, labels, np.random.default_rng(5)), 20)
        for p in (make_problem(items, 4, 1.0) for items in (made, kept))
    ]
    assert (chains[0].draws == chains[1].draws).all()


@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS, ids=NAMES)
def test_new_rows_are_compared_with_clusters_as_defined(cost, X, rate, definition):
    items, X = cost.encode(X), np.asarray(X, float)
    found = items.to_clusters(X[:4], LABELS)
    if hasattr(items, "kind"):
        own = found[np.arange(4), LABELS[:4]]
        assert items.to_own_cluster(LABELS)[:4] == pytest.approx(own, abs=1e-10)
        total = sum(items.to_own_cluster(LABELS))
        assert total == pytest.approx(total_cost(items, LABELS))
        return
    for i in range(4):
        for k in range(3):
            members = np.flatnonzero(k == LABELS)
            rows = np.concatenate([members, [i]])
            grown = X[np.ix_(rows, rows)] if isinstance(cost, costs.Precomputed) else X[rows]
            added = definition(grown, np.ones(len(rows), bool)) - definition(X, k == LABELS)
            assert found[i, k] == pytest.approx(added)


@pytest.mark.parametrize(
    ("cost", "X"),
    [(c, X) for c, X, _, _ in COSTS if hasattr(c.encode(X), "kind")],
    ids=lambda value: type(value).__name__,
)
def test_divergences_are_tangent_to_phi(cost, X):
    items = cost.encode(X)
    centers, step = items.centers(LABELS), 1e-6
    for j in range(items.rows.shape[1]):
        up, down = centers.copy(), centers.copy()
        up[:, j] += step
        down[:, j] -= step
        slope = (items.phi(up) - items.phi(down)) / (2 * step)
        assert items.gradient(centers)[:, j] == pytest.approx(slope, rel=1e-4, abs=1e-6)


def test_a_pooled_covariance_is_that_within_clusters():
    X = np.random.default_rng(6).normal(size=(20, 2))
    labels = np.repeat([0, 1], 10)
    pooled = (np.cov(X[:10].T) * 9 + np.cov(X[10:].T) * 9) / 18
    assert costs.Mahalanobis.pooled(X, labels).covariance == pytest.approx(pooled)
    with pytest.raises(ValueError, match="labels must put some items together"):
        costs.Mahalanobis.pooled(X, np.arange(20))


def test_seeds_are_distinct_and_far_apart():
    X = np.concatenate([np.zeros((20, 2)), np.full((3, 2), 50.0)])
    items = costs.SquaredEuclidean().encode(X)
    for seed in range(5):
        seeds = spread_seeds(items, 4, np.random.default_rng(seed))
        assert len(set(seeds)) == 4
        assert (seeds >= 20).any()
        assert seeded_labels(items, 4, np.random.default_rng(seed)).max() == 3


def changed(value, at=(1, 2)):
    matrix = MATRIX.copy()
    matrix[at] = value
    return matrix


@pytest.mark.parametrize(
    ("cost", "X", "message"),
    [
        ("kulback-leibler", POSITIVE, "cost must be one of .* Did you mean 'kullback-leibler'"),
        ("squared-euclidean", [[1.0], [np.nan]], "X must not contain NaN: got nan in row 1, column 0"),
        ("squared-euclidean", [[1.0], [np.inf]], "X must be finite: got inf in row 1"),
        ("squared-euclidean", [["a"], ["b"]], "X must hold numbers: got 'a'"),
        ("kullback-leibler", COUNTS, "X must be positive under KullbackLeibler.*got 0 in row 0.*shrinkage=1"),
        ("kullback-leibler", NUMBERS, "X must not be negative under Kullback"),
        ("poisson-deviance", NUMBERS, "X must not be negative under Poisson"),
        (costs.KullbackLeibler(-1), POSITIVE, "shrinkage must be a number of at least 0: got -1"),
        ("itakura-saito", COUNTS, "X must be positive under Itakura.*got 0 in row 0, column 0. Add a small"),
        ("logistic", COUNTS, "X must hold nothing but 0 and 1 under Logistic.*got 3 in row 0"),
        (costs.Logistic(0), BINARY, "shrinkage must be a positive number: got 0"),
        (costs.Mahalanobis([[1.0, 2.0], [2.0, 1.0]]), NUMBERS, "covariance must be a symmetric, positive definite 2"),
        ("mahalanobis", [[1.0, 1.0], [2.0, 2.0]], "covariance must .* got that of the items"),
        (costs.Minkowski(0.5), NUMBERS, "p must be a finite number of at least 1: got 0.5"),
        (costs.Minkowski(1, -1), NUMBERS, "transform must be a positive power or an increasing function: got -1"),
        (costs.Minkowski(1, np.cos), NUMBERS, "transform must be 0 at 0: got 1"),
        (costs.Minkowski(1, np.sin), 3 * NUMBERS, "transform must be an increasing function"),
        ("precomputed", MATRIX[:4], r"X must be a square matrix of dissimilarities: got shape \(4, 6\)"),
        ("precomputed", changed(-1.0), "X must hold no negative dissimilarity: got -1 in row 1, column 2"),
        ("precomputed", changed(9.0), r"X must be symmetric: got 9 for \(1, 2\)"),
        ("precomputed", changed(1.0, (3, 3)), "X must have zeros on its diagonal: got 1 in row 3, column 3"),
        ("precomputed", changed(np.nan), "X must not contain NaN"),
        (costs.Precomputed(-2), MATRIX, "dimension must be a positive number: got -2"),
        (costs.Dissimilarity(lambda x, y: x[0] - y[0] + 3), NUMBERS, "function must "),
        (costs.Bregman(lambda x: x.nonsense(), abs), NUMBERS, "phi must be a function of a row that numba can compile"),
        (costs.Bregman(lambda x: -(x**2).sum(), lambda x: -2 * x), NUMBERS, "phi must be convex"),
        (costs.Bregman(lambda x: (x**2).sum(), lambda x: 5 * x), NUMBERS, "phi must be convex and gradient its grad"),
        (costs.Bregman(lambda x: (x**2).sum(), lambda x: x[:1]), NUMBERS, "gradient must give 2 numbers"),
        (costs.Bregman(lambda x: np.log(x).sum(), lambda x: 1 / x), NUMBERS, "phi must be finite at every row"),
    ],
)  # fmt: skip
def test_bad_input_is_named(cost, X, message):
    with np.errstate(all="ignore"), pytest.raises(ValueError, match=message):
        costs.check_cost(cost).encode(X)


def test_dissimilarities_that_do_not_fit_are_refused():
    with pytest.raises(MemoryError, match="Dissimilarities of 4000000 items"):
        refuse_large(4_000_000)  # 384 terabytes
    refuse_large(1000)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_transform_may_fall_by_rounding_and_by_no_more(scale):
    X = np.arange(5.0)[:, np.newaxis]
    costs.Minkowski(1, lambda d: scale * np.minimum(d, 2) * (1 - 1e-14 * (d == 4))).encode(X)
    with pytest.raises(ValueError, match="transform must be an increasing function"):
        costs.Minkowski(1, lambda d: scale * np.minimum(d, 2) * (1 - 1e-10 * (d == 4))).encode(X)


def test_a_class_is_no_cost():
    with pytest.raises(TypeError, match="cost must be a cost or the name of one"):
        costs.check_cost(costs.Minkowski)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(n_clusters=0), "n_clusters must be a whole number of at least 1: got 0"),
        (dict(n_clusters=7), "n_clusters must be at most the number of items, n_samples=6: got 7"),
        (dict(rate=0), "rate must be a positive number or a Gamma: got 0"),
        (dict(rate=-1.0), "rate must be a positive number or a Gamma: got -1.0"),
        (dict(rate="high"), "rate must be a positive number or a Gamma: got 'high'"),
        (dict(n_clusters=6, rate_dof="residual"), "n_clusters must be less than the number of items with this"),
        (dict(rate_dof="item"), "rate_dof must be one of items, residual: got 'item'"),
    ],
)
def test_bad_choices_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_problem(costs.SquaredEuclidean().encode(NUMBERS), **(dict(n_clusters=2) | arguments))


def test_a_rate_is_learnt_only_where_one_knows_how():
    for cost, X in [("logistic", BINARY), ("precomputed", MATRIX)]:
        with pytest.raises(ValueError, match="rate must be a number under this cost: got Gamma"):
            make_problem(costs.check_cost(cost).encode(X), 2, pt.Gamma(1, 1))
    with pytest.raises(ValueError, match="rate must be a number under this cost: got None"):
        make_problem(costs.Precomputed().encode(MATRIX), 2)
    assert make_problem(costs.Precomputed(2).encode(MATRIX), 2).params == (12.0, 0.0)
    assert make_problem(costs.PoissonDeviance().encode(COUNTS), 2).fixed_rate == 0.5


def test_no_constraints_are_single_items():
    items = costs.SquaredEuclidean().encode(NUMBERS)
    ours, theirs = (
        (*data[1:-1], *data.formula, *data.chunklets)
        for data in (items.data(), items.data(make_chunklets(pt.Constraints(n_items=6))))
    )
    for mine, other in zip(ours, theirs, strict=True):
        assert np.array_equal(mine, other)
