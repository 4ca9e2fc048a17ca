import naive
import numpy as np
import pytest
from cost_cases import BINARY, COSTS, COUNTS, MATRIX, NAMES, NUMBERS, POSITIVE

import partita as pt
from partita import costs
from partita._kernels._jit import plain_kernel
from partita._kernels.costs import groups as pieces
from partita._kernels.costs.groups import descend
from partita.constraints.chunklets import make_chunklets
from partita.costs._validation import refuse_large
from partita.costs.items import init_groups, make_groups, total_cost
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


def test_a_rate_is_learned_only_where_one_knows_how():
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
        (*data._replace(chunklets=None), *data.chunklets)
        for data in (items.data(), items.data(make_chunklets(pt.Constraints(n_items=6))))
    )
    for mine, other in zip(ours, theirs, strict=True):
        assert np.array_equal(mine, other)


@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS, ids=NAMES)
def test_chunklets_cost_what_their_items_do(cost, X, rate, definition):
    chunklets = make_chunklets(pt.Constraints(must_link=[(0, 3), (3, 5), (1, 2)], n_items=6))
    data = cost.encode(X).data(chunklets)
    groups = make_groups(data, 2)
    init_groups(np.array([0, 1, 1]), data, groups)  # chunklets in the order of their first items
    expected = [definition(np.asarray(X, float), np.isin(np.arange(6), items)) for items in ([0, 3, 5], [1, 2, 4])]
    assert groups.cost[:2] == pytest.approx(np.array(expected), abs=1e-10)


@pytest.mark.parametrize(("log_odds", "together"), [(2.0, True), (2.3, False)])
def test_items_that_pay_to_be_together_part_where_that_is_cheaper(log_odds, together):
    """Items 0 and 1 together and 2 and 3 together cost 1/2; with 1 among the latter it is 8/3."""
    apart = pt.Constraints(cannot_link=[(0, 1)], n_items=4, cannot_link_weights=log_odds)
    data = costs.SquaredEuclidean().encode([[0.0], [1.0], [3.0], [3.0]]).data(make_chunklets(apart))
    for start in ([0, 0, 1, 1], [0, 1, 1, 1]):
        groups = make_groups(data, 2)
        descend(np.array(start), 2, 1.0, 20, data, groups)
        assert groups.labels.tolist() == ([0, 0, 1, 1] if together else [0, 1, 1, 1])


@pytest.mark.parametrize(("cost", "X", "rate", "definition"), COSTS[:8], ids=NAMES[:8])
def test_items_are_as_far_apart_as_two_of_them_cost(cost, X, rate, definition):
    items, chosen = cost.encode(X), np.array([4, 0, 3])
    found, mean = items.between(chosen), (lambda i, j: (items.rows[[i]] + items.rows[[j]]) / 2)
    assert (found.diagonal() == 0).all()
    for a, i in enumerate(chosen):
        for b, j in enumerate(chosen):
            spread = items.phi(items.rows[[i]]) + items.phi(items.rows[[j]]) - 2 * items.phi(mean(i, j))
            assert found[a, b] == pytest.approx(np.sqrt(items.factor * spread[0]), abs=1e-7)


@pytest.mark.parametrize("cost", [costs.SquaredEuclidean(), costs.Mahalanobis([[2.0, 0.5], [0.5, 1.0]])], ids=repr)
def test_centers_come_back_in_the_columns_of_the_data(cost):
    items = cost.encode(NUMBERS)
    means = [NUMBERS[2 * k : 2 * k + 2].mean(axis=0) for k in range(3)]
    assert items.restore(items.centers(LABELS)) == pytest.approx(np.array(means))


def test_a_function_of_ones_own_travels_without_its_address():
    items = costs.Bregman(lambda x: (x**2).sum(), lambda x: 2 * x).encode(NUMBERS)
    address = items.data().address
    assert address != 0
    assert "_callback" in vars(items)
    assert items.__getstate__().keys() == vars(items).keys() - {"_callback"}
    assert costs.SquaredEuclidean().encode(NUMBERS).data().address == 0


def test_dissimilarities_come_from_a_matrix_or_from_rows():
    data = costs.Minkowski(2, 2).encode(NUMBERS).data()
    assert (data.p, data.power) == (2.0, 2.0)
    data = costs.Precomputed().encode(MATRIX).data()
    assert (data.p, data.power, data.rows.size) == (1.0, 1.0, 0)


def test_as_much_memory_is_asked_for_as_is_taken(monkeypatch):
    asked = []
    for module in (costs._validation, costs.items):
        monkeypatch.setattr(module, "check_memory", lambda n_bytes, *_: asked.append(n_bytes))
    refuse_large(5)
    items = costs.Precomputed().encode(MATRIX)
    data = items.data(make_chunklets(pt.Constraints(must_link=[(0, 1)], n_items=6)))
    groups = make_groups(data, 3)
    make_groups(costs.SquaredEuclidean().encode(NUMBERS).data(), 3)
    n_rows = len(groups.cost)
    assert n_rows == 3 + pieces.N_SCRATCH
    assert asked == [24 * 25, 8 * 25, 8 * n_rows * 5, 8 * n_rows * 2]


def test_dissimilarities_are_kept_up_to_five_thousand_items(monkeypatch):
    monkeypatch.setattr(costs.pairwise, "cdist", lambda X, rows, *_, **__: np.ones((len(X), 1)))
    assert costs.Minkowski().encode(np.zeros((5000, 1))).matrix.size > 0
    assert costs.Minkowski().encode(np.zeros((5001, 1))).matrix.size == 0


@pytest.mark.parametrize(("n_rows", "sizes"), [(7, [2, 2, 2, 1]), (4, [2, 2]), (1, [1])])
def test_blocks_hold_all_rows_once(monkeypatch, n_rows, sizes):
    monkeypatch.setattr(costs.items, "BLOCK", 11)
    blocks = list(costs.items._blocks(n_rows, 5))
    assert [block.size for block in blocks] == sizes
    assert np.concatenate(blocks).tolist() == list(range(n_rows))
    assert [block.size for block in costs.items._blocks(2, 12)] == [1, 1]


def test_one_item_has_no_dissimilarity():
    items = costs.Dissimilarity(lambda x, y: abs(x - y).max(), dimension=0.5).encode([[3.0]])
    assert items.matrix.tolist() == [[0.0]]
    assert items.rate == (0.5, None)
    assert costs.Dissimilarity(lambda x, y: abs(x - y).max()).encode([[3.0], [5.0]]).matrix.tolist() == [[0, 2], [2, 0]]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_dissimilarities_differ_by_rounding_from_symmetric_ones_and_by_no_more(scale):
    nearly = scale * np.array([[0.0, 1.0, 9.0], [1.0 + 8e-8, 0.0, 5.0], [9.0, 5.0, 0.0]])
    matrix = costs.Precomputed().encode(nearly).matrix
    assert (matrix == matrix.T).all()
    assert matrix[0, 1] == pytest.approx(scale * (1.0 + 4e-8), rel=1e-12)
    nearly[1, 0] = scale * (1.0 + 1e-7)
    with pytest.raises(ValueError, match="X must be symmetric"):
        costs.Precomputed().encode(nearly)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_covariances_are_nearly_singular_from_a_ratio_on(scale):
    costs.Mahalanobis(scale * np.diag([1.0, 1.2e-14])).encode(NUMBERS)
    with pytest.raises(ValueError, match="positive definite 2 x 2 matrix"):
        costs.Mahalanobis(scale * np.diag([1.0, 0.8e-14])).encode(NUMBERS)
    with pytest.raises(ValueError, match="positive definite 2 x 2 matrix"):
        costs.Mahalanobis(scale * np.diag([1.0, -1.0])).encode(NUMBERS)
    with pytest.raises(ValueError, match="covariance must be given where there is one item"):
        costs.Mahalanobis().encode([[1.0, 2.0]])


@pytest.mark.parametrize(
    ("cost", "X", "message"),
    [
        (costs.Minkowski(1, 0), NUMBERS, "transform must be a positive power or an increasing function: got 0"),
        (costs.Minkowski(1, lambda d: d + 0.5 * (d > 0) - 2), NUMBERS[:1], "transform must be 0 at 0: got -2"),
        (costs.Precomputed(0), MATRIX, "dimension must be a positive number: got 0"),
        (
            costs.Bregman(lambda x: (x**2).sum(), lambda x: np.ones(3)),
            NUMBERS,
            r"gradient must give 2 numbers, as many as columns: got \(3,\)\.",
        ),
        (costs.Bregman(lambda x: (1 / x).sum(), lambda x: -1 / x**2), [[1.0], [0.0]], "finite at every row: got inf"),
    ],
)
def test_bad_input_at_a_bound_is_named(cost, X, message):
    with np.errstate(all="ignore"), pytest.raises(ValueError, match=message):
        cost.encode(X)


def test_new_rows_have_the_columns_of_the_data():
    items = costs.SquaredEuclidean().encode(NUMBERS)
    with pytest.raises(ValueError, match="X must have 2 columns, as in fit: got 3"):
        items.to_clusters(np.zeros((4, 3)), LABELS)


def test_costs_have_names():
    assert costs.check_cost("manhattan") == costs.Minkowski(1.0)
    assert costs.check_cost("euclidean") == costs.Minkowski(2.0)
    assert costs.Minkowski(1.0).encode([[0.0], [3.0]]).p == 1.0


def test_costs_that_are_likelihoods_have_a_rate_of_their_own():
    for cost, X, natural in (
        (costs.PoissonDeviance(), COUNTS, 0.5),
        (costs.KullbackLeibler(), POSITIVE, 1.0),
        (costs.Logistic(), BINARY, 1.0),
        (costs.ItakuraSaito(), POSITIVE, 1.0),
    ):
        assert cost.encode(X).rate == (None, natural)


def test_a_transform_of_no_distances_is_fine():
    assert not costs.Minkowski(1, np.log1p).encode(np.zeros((3, 1))).matrix.any()
