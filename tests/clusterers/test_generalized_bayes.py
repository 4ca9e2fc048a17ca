import numpy as np
import pandas as pd
import pytest
from cost_cases import MATRIX, NUMBERS
from scipy.stats import gamma, kstest

import partita as pt
from partita import costs
from partita.costs.items import total_cost
from partita.samplers import fixed_k as sampler

SHORT = dict(n_chains=2, n_draws=300, n_warmup=100, random_state=3)


@pytest.fixture(scope="module")
def quadrants():
    return pt.datasets.make_quadrants(n_items=80, random_state=1)


@pytest.fixture(scope="module")
def fitted(quadrants):
    return pt.GeneralizedBayesClustering(4, **SHORT).fit(quadrants[0])


def test_clusters_are_found_and_their_number_is_kept(fitted, quadrants):
    assert pt.Misclassification().between(quadrants[1], fitted.labels_) < 0.15
    assert (fitted.posterior_.n_clusters() == 4).all()
    assert fitted.rate_.shape == fitted.log_posterior_.shape == (600,)
    assert fitted.diagnostics_.verdict.startswith("Chains agree")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_same_seed_gives_the_same_draws_on_any_number_of_threads(fitted, quadrants, n_jobs):
    again = pt.GeneralizedBayesClustering(4, **SHORT, n_jobs=n_jobs).fit(quadrants[0])
    assert (again.posterior_.draws == fitted.posterior_.draws).all()
    assert (again.rate_ == fitted.rate_).all()
    other = pt.GeneralizedBayesClustering(4, **{**SHORT, "random_state": 4}, n_jobs=n_jobs).fit(quadrants[0])
    assert (other.posterior_.draws != fitted.posterior_.draws).any()


def test_labels_cost_no_more_than_any_draw(fitted, quadrants):
    items = costs.SquaredEuclidean().encode(quadrants[0])
    drawn = [total_cost(items, draw.astype(np.int64)) for draw in fitted.posterior_.draws[::20]]
    assert fitted.cost_ <= min(drawn)
    assert fitted.cost_ == pytest.approx(pt.BregmanKMeans(4).fit(quadrants[0]).cost_)


def test_a_loss_by_name_decides_otherwise(quadrants):
    X = quadrants[0]
    by_loss = pt.GeneralizedBayesClustering(4, loss="binder", **SHORT).fit(X)
    expected = pt.estimate_partition(by_loss.posterior_, "binder")
    assert (by_loss.labels_ == expected.labels).all()
    assert by_loss.n_clusters_ == expected.n_clusters
    with pytest.raises(ValueError, match="loss must be one of"):
        pt.GeneralizedBayesClustering(4, loss="mapp", **SHORT).fit(X)


def test_misclassification_is_parting_from_the_medoid(fitted):
    similarity = fitted.posterior_.similarity()
    expected = 1 - similarity[np.arange(80), fitted.medoids_[fitted.labels_]]
    assert fitted.medoid_disagreement_ == pytest.approx(expected, abs=1e-6)
    assert (fitted.medoid_disagreement_[fitted.medoids_] == 0).all()


def test_medoids_are_the_items_nearest_to_the_others(fitted, quadrants):
    X = quadrants[0]
    manhattan = pt.GeneralizedBayesClustering(4, "manhattan", **SHORT).fit(X)
    for found, norm in [(fitted, lambda gap: (gap**2).sum(axis=-1)), (manhattan, lambda gap: abs(gap).sum(axis=-1))]:
        for k, medoid in enumerate(found.medoids_):
            members = np.flatnonzero(found.labels_ == k)
            apart = norm(X[members][:, None] - X[members][None]).sum(axis=1)
            assert medoid == members[apart.argmin()]
    assert (manhattan.cluster_centers_ == X[manhattan.medoids_]).all()
    assert fitted.cluster_centers_[0] == pytest.approx(X[fitted.labels_ == 0].mean(axis=0))


def test_centers_are_in_the_columns_of_the_user(quadrants):
    X = quadrants[0] * [1.0, 5.0] + [10.0, -3.0]
    found = pt.GeneralizedBayesClustering(4, "mahalanobis", **SHORT).fit(X)
    for k in range(4):
        assert found.cluster_centers_[k] == pytest.approx(X[found.labels_ == k].mean(axis=0))


def test_new_rows_join_the_cluster_of_the_nearest_center(fitted, quadrants):
    assert (fitted.predict(quadrants[0]) == fitted.labels_).all()
    with pytest.raises(ValueError, match="X has 3 features, but Gen"):
        fitted.predict([[1.0, 2.0, 3.0]])


def test_dissimilarities_are_clustered_like_the_rows_behind_them(quadrants):
    X = quadrants[0]
    matrix = np.abs(X[:, None] - X[None]).sum(axis=2)
    rows = pt.GeneralizedBayesClustering(4, "manhattan", **SHORT).fit(X)
    given = pt.GeneralizedBayesClustering(4, costs.Precomputed(dimension=2), **SHORT).fit(matrix)
    assert rows.rate_ == pytest.approx(given.rate_)
    assert (rows.labels_ == given.labels_).all()
    assert (given.predict(matrix[:7]) == given.labels_[:7]).all()
    assert not hasattr(given, "cluster_centers_")


def test_the_index_of_a_table_names_the_items():
    table = pd.DataFrame(NUMBERS, index=list("abcdef"), columns=["x", "y"])
    found = pt.GeneralizedBayesClustering(2, **SHORT).fit(table)
    assert found.posterior_.items == tuple("abcdef")
    assert found.feature_names_in_.tolist() == ["x", "y"]


def test_a_chain_taken_up_at_the_end_of_a_block_goes_on_bit_for_bit(quadrants):
    for cost in (costs.SquaredEuclidean(), costs.Minkowski(1)):
        made = sampler.make_problem(cost.encode(quadrants[0]), 4)
        start = np.arange(80) % 4
        state, first = sampler.sweep(made, sampler.init(made, start, np.random.default_rng(1)), 30)
        saved = (state.labels.copy(), state.rate, state.rng.bit_generator.state)
        _, second = sampler.sweep(made, state, 30)
        rng = np.random.default_rng()
        rng.bit_generator.state = saved[2]
        _, resumed = sampler.sweep(made, sampler.State(saved[0], saved[1], rng), 30)
        assert (second.draws == resumed.draws).all()
        assert (second.log_posterior == resumed.log_posterior).all()
        assert (first.draws[-1] == saved[0]).all()


@pytest.mark.parametrize(
    ("cost", "rate_dof", "power"),
    [
        (costs.SquaredEuclidean(), "items", 6.0),
        (costs.SquaredEuclidean(), "residual", 4.0),
        (costs.Minkowski(1), "items", 12.0),
        (costs.Precomputed(dimension=3), "items", 18.0),
    ],
    ids=repr,
)
def test_the_rate_is_drawn_from_its_full_conditional(cost, rate_dof, power):
    X = MATRIX if isinstance(cost, costs.Precomputed) else NUMBERS
    items, prior, labels = cost.encode(X), pt.Gamma(1.5, 0.7), np.array([0, 0, 1, 1, 0, 0])
    problem = sampler.make_problem(items, 2, prior, rate_dof, schedule=sampler.Schedule(0, 0))
    frozen = sampler.sample(problem, sampler.init(problem, labels, np.random.default_rng(0)), 20_000)
    # On a grid: prior, times the power of the rate that the items bring, times exp(-rate * cost).
    grid = np.linspace(1e-6, 60, 600_001)
    density = prior.shape - 1 + power, prior.rate + total_cost(items, labels)
    log_density = density[0] * np.log(grid) - density[1] * grid
    weights = np.exp(log_density - log_density.max())
    cumulative = np.cumsum(weights) / weights.sum()
    assert kstest(frozen.rate, lambda x: np.interp(x, grid, cumulative)).pvalue > 0.001
    wrong = gamma(prior.shape + power + 1.0, scale=1 / density[1])
    assert kstest(frozen.rate, wrong.cdf).pvalue < 0.001
    assert frozen.log_posterior == pytest.approx(density[0] * np.log(frozen.rate) - density[1] * frozen.rate)


def test_residual_dof_do_not_overstate_the_rate_of_small_clusters():
    rng = np.random.default_rng(2)
    truth = np.repeat(np.arange(4), 3)
    found = {"items": [], "residual": []}
    for _ in range(20):
        X = 100.0 * truth[:, None] + rng.normal(scale=0.5, size=(12, 2))  # rate 2
        for rate_dof, rates in found.items():
            problem = sampler.make_problem(costs.SquaredEuclidean().encode(X), 4, pt.Gamma(0, 0), rate_dof)
            rates.append(np.median(sampler.sample(problem, sampler.init(problem, truth, rng), 300).rate))
    assert np.median(found["items"]) > 2.6
    assert 1.5 < np.median(found["residual"]) < 2.6


@pytest.mark.parametrize("cost", [costs.SquaredEuclidean(), costs.Minkowski(1)], ids=repr)
def test_stuck_chains_come_free_by_merging_and_splitting(cost):
    rng = np.random.default_rng(3)
    truth = np.repeat(np.arange(6), 25)
    X = 12.0 * np.array([[i % 3, i // 3] for i in range(6)])[truth] + rng.normal(size=(150, 2))
    stuck = truth.copy()
    stuck[truth == 1] = 0  # two clusters as one,
    stuck[(truth == 5) & (X[:, 0] > 24)] = 1  # and another in two halves
    last = {}
    for name, schedule in sampler.SCHEDULES.items():
        problem = sampler.make_problem(cost.encode(X), 6, schedule=schedule)
        chain = sampler.sample(problem, sampler.init(problem, pt.canonical(stuck), np.random.default_rng(4)), 300)
        last[name] = pt.Misclassification().between(truth, chain.draws[-1])
    assert last["both"] < 0.02
    assert last["gibbs"] > 0.1


@pytest.mark.parametrize("X", [np.ones((6, 2)), np.repeat([[0.0], [5.0]], 8, axis=0), [[0.0], [1.0]]], ids=len)
def test_a_rate_that_would_be_infinite_is_refused(X):
    with pytest.raises(ValueError, match="rate must not be learned where a partition costs nothing"):
        pt.GeneralizedBayesClustering(2, **SHORT).fit(X)
    for rate in (1.0, pt.Gamma(1, 1)):
        found = pt.GeneralizedBayesClustering(2, rate=rate, **SHORT).fit(X)
        assert np.isfinite(found.log_posterior_).all()


def test_one_cluster_is_certain():
    found = pt.GeneralizedBayesClustering(1, **SHORT).fit(NUMBERS)
    assert (found.labels_ == 0).all()
    assert not found.medoid_disagreement_.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(n_chains=0), "n_chains must be a whole number of at least 1: got 0"),
        (dict(n_warmup=-1), "n_warmup must be a whole number of at least 0: got -1"),
        (dict(n_clusters=9), "n_clusters must be at most the number of items, n_samples=6: got 9"),
        (dict(rate=-2), "rate must be a positive number or a Gamma: got -2"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        pt.GeneralizedBayesClustering(**(SHORT | arguments)).fit(NUMBERS)


def test_pairs_hold_in_every_draw_and_in_the_partition_with_least_cost():
    X, truth = pt.datasets.make_quadrants(n_items=60, random_state=4)
    known = pt.sample_constraints(truth, 50, random_state=1)
    found = pt.GeneralizedBayesClustering(4, n_chains=2, n_draws=200, n_warmup=50).fit(X, constraints=known)
    assert known.count_violations(found.labels_) == 0
    assert max(known.count_violations(draw) for draw in found.posterior_.draws[::10]) == 0
    assert found.n_clusters_ == 4
    triangle = pt.Constraints(cannot_link=[(0, 1), (1, 2), (2, 0)], n_items=60)
    with pytest.raises(ValueError, match="n_clusters must be at least 3: got 2"):
        pt.GeneralizedBayesClustering(2).fit(X, constraints=triangle)


def test_a_soft_pair_pulls():
    X = np.array([[0.0], [0.1], [2.0], [4.0], [4.2]])
    pair = pt.Constraints(must_link=[(2, 0)], n_items=5, must_link_weights=3.0)
    fits = [pt.GeneralizedBayesClustering(2, rate=1.0, n_draws=2000).fit(X, constraints=c) for c in (None, pair)]
    free, pulled = (fit.posterior_.similarity()[0, 2] for fit in fits)
    assert pulled > free + 0.1


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    X = pt.datasets.make_quadrants(n_items=40)[0]
    settings = dict(n_clusters=3, n_chains=2, n_draws=300, n_warmup=100, random_state=5)
    whole = pt.GeneralizedBayesClustering(**settings).fit(X)
    first = pt.GeneralizedBayesClustering(**settings, checkpoint=tmp_path / "run").fit(X)
    again = pt.GeneralizedBayesClustering(**settings, checkpoint=tmp_path / "run", resume=True).fit(X)
    assert (whole.posterior_.draws == first.posterior_.draws).all()
    assert (whole.posterior_.draws == again.posterior_.draws).all()
    with pytest.raises(ValueError, match="same data and settings"):
        pt.GeneralizedBayesClustering(**{**settings, "n_clusters": 4}, checkpoint=tmp_path / "run", resume=True).fit(X)
