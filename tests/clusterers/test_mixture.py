import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks
from test_exact import log_likelihood

import partita as pt
from partita.clusterers._decision import estimate_within
from partita.components import check_component
from partita.samplers import collapsed as sampler
from partita.samplers.starts import starts_at_resolutions

FIXED = pt.Gaussian("diagonal", scale="variance")
SHORT = dict(n_chains=2, n_draws=150, n_warmup=50, random_state=3)


@pytest.fixture(scope="module")
def quadrants():
    """The four quadrants, twice as far apart."""
    X, labels = pt.datasets.make_quadrants(n_items=80, random_state=1)
    return X + np.array([(2, 2), (2, -2), (-2, 2), (-2, -2)])[labels], labels


@pytest.fixture(scope="module")
def fitted(quadrants):
    return pt.BayesianMixture(**SHORT).fit(quadrants[0])


def test_clear_clusters_are_found(fitted, quadrants):
    assert pt.Misclassification().between(quadrants[1], fitted.labels_) < 0.1
    assert (fitted.posterior_.n_draws, fitted.posterior_.n_chains) == (300, 2)
    assert fitted.n_clusters_ == fitted.estimate_.n_clusters == fitted.labels_.max() + 1


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_same_seed_gives_the_same_draws_on_any_number_of_threads(fitted, quadrants, n_jobs):
    again = pt.BayesianMixture(**SHORT, n_jobs=n_jobs).fit(quadrants[0])
    assert (again.posterior_.draws == fitted.posterior_.draws).all()
    assert (again.log_posterior_ == fitted.log_posterior_).all()
    other = pt.BayesianMixture(**{**SHORT, "random_state": 4}, n_jobs=n_jobs).fit(quadrants[0])
    assert (other.posterior_.draws != fitted.posterior_.draws).any()


def problem(X, component=FIXED, prior=None, schedule=sampler.SCHEDULES["both"]):
    prior = pt.DirichletProcess(pt.Gamma(1, 1)) if prior is None else prior
    return sampler.make_problem(check_component(component).encode(X), prior, schedule=schedule)


def test_a_chain_taken_up_at_the_end_of_a_block_goes_on_bit_for_bit(quadrants):
    made = problem(quadrants[0], "student")
    start = np.zeros(80, np.int64)
    whole, first = sampler.sweep(made, sampler.init(made, start, np.random.default_rng(1), 40), 30)
    _, second = sampler.sweep(made, whole, 30)
    state, again = sampler.sweep(made, sampler.init(made, start, np.random.default_rng(1), 40), 30)
    rng = np.random.default_rng()
    rng.bit_generator.state = state.rng.bit_generator.state
    _, resumed = sampler.sweep(made, state._replace(rng=rng), 30)
    assert (first.draws == again.draws).all()
    assert (second.draws == resumed.draws).all()
    assert (second.log_posterior == resumed.log_posterior).all()


def test_room_is_made_for_more_clusters():
    made = problem(np.zeros((40, 1)), prior=pt.DirichletProcess(1e4))  # nearly all singletons, from one cluster
    chain = sampler.sample(made, sampler.init(made, np.zeros(40, np.int64), np.random.default_rng(2)), 40)
    assert chain.draws.max() > 30
    many = sampler.init(made, np.arange(40), np.random.default_rng(2))  # room for all from the start
    assert sampler.sample(made, many, 40).draws.max() > 30


def test_log_posterior_is_the_prior_times_the_likelihood(quadrants):
    X = quadrants[0][:12]
    made = problem(X, prior=pt.PitmanYor(0.7, 0.2))
    state = sampler.init(made, np.zeros(12, np.int64), np.random.default_rng(3))
    chain = sampler.sample(made, state, 200)
    _, first = np.unique(chain.draws, axis=0, return_index=True)
    prior = np.array([pt.PitmanYor(0.7, 0.2).log_probability(chain.draws[m]) for m in first])
    scores = np.array([log_likelihood(made.encoded, chain.draws[m].astype(np.int64)) for m in first])
    assert chain.log_posterior[first] == pytest.approx(prior + scores)


def test_starts_are_far_apart(quadrants):
    encoded = check_component("gaussian-diagonal").encode(quadrants[0])
    starts = starts_at_resolutions(encoded, 5, np.random.default_rng(0))
    assert [start.max() + 1 for start in starts] == [1, 4, 10, 25, 1]


@pytest.mark.parametrize("name", ["both", "split-merge"])
def test_clear_clusters_merged_at_the_start_come_apart(name):
    rng = np.random.default_rng(4)
    X = np.concatenate([rng.normal(0, 1, (60, 2)), rng.normal(12, 1, (60, 2))])
    made = problem(X, prior=pt.DirichletProcess(1.0), schedule=sampler.SCHEDULES[name])
    state = sampler.init(made, np.zeros(120, np.int64), np.random.default_rng(5))
    last = sampler.sample(made, state, 60).draws[-1]
    assert pt.Misclassification().between(np.repeat([0, 1], 60), last) < 0.1


def test_predictive_density_integrates_to_one():
    X = pt.datasets.load_galaxies()
    mixture = pt.BayesianMixture(**SHORT).fit(X)
    grid = np.linspace(-200, 250, 40_001)[:, None]
    density = np.exp(mixture.score_samples(grid))
    assert np.trapezoid(density, grid[:, 0]) == pytest.approx(1, abs=0.005)


def test_new_rows_join_clusters_or_none_of_them(fitted, quadrants):
    probabilities = fitted.predict_proba(quadrants[0])
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert (fitted.predict(quadrants[0]) == fitted.labels_).mean() > 0.9
    assert fitted.predict_proba([[60.0, -60.0]])[0, -1] > 0.5


def test_tables_name_their_items_and_mix_their_columns():
    rng = np.random.default_rng(6)
    sort = np.repeat(["a", "b"], 15)
    table = pd.DataFrame(
        {
            "length": rng.normal(np.where(sort == "a", 0, 5)),
            "sort": sort,
            "eggs": rng.poisson(np.where(sort == "a", 1, 9)),
        },
        index=[f"bird {i}" for i in range(30)],
    )
    table.iloc[3, 0] = np.nan
    mixture = pt.BayesianMixture("product", **SHORT).fit(table)
    assert mixture.posterior_.items[3] == "bird 3"
    assert pt.Misclassification().between((sort == "a").astype(int), mixture.labels_) < 0.1


@pytest.mark.parametrize(
    "X",
    [
        np.ones((6, 2)),
        np.zeros((1, 3)),
        np.random.default_rng(0).normal(size=(3, 10)),
        np.repeat([[0.0], [5.0]], 8, axis=0),
    ],
    ids=["constant", "one item", "more columns than rows", "duplicated rows"],
)
@pytest.mark.parametrize("component", ["gaussian-diagonal", "gaussian-full", "gaussian-spherical"])
def test_odd_tables_have_a_posterior(X, component):
    mixture = pt.BayesianMixture(component, n_chains=1, n_draws=30, n_warmup=10).fit(X)
    assert np.isfinite(mixture.log_posterior_).all()
    assert np.isfinite(mixture.score_samples(X)).all()


@pytest.mark.parametrize(
    ("arguments", "X", "message"),
    [
        (dict(n_chains=0), [[1.0]], "n_chains must be a whole number of at least 1: got 0."),
        (dict(n_warmup=-1), [[1.0]], "n_warmup must be a whole number of at least 0: got -1."),
        (dict(component="gauss"), [[1.0]], "component must be one of "),
        (dict(), [[np.inf], [1.0]], "X must be finite: got infinity in row 0, column 0."),
        (dict(component="student"), [["a"], ["b"]], "X must hold numbers: got 'a'."),
        (
            dict(),
            [["a"], ["a"]],
            "X must have a column that differs between rows: got 0: left out (it holds nothing but 'a').",
        ),
        (dict(coarsening=0.0), [[1.0], [2.0]], "coarsening must be a number above 0, at most 1: got 0.0."),
        (dict(n_warmup="long"), [[1.0], [2.0]], "n_warmup must be a whole number of at least 0: got 'long'."),
    ],
)
def test_bad_input_is_named(arguments, X, message):
    with pytest.raises(ValueError) as error:
        pt.BayesianMixture(**arguments).fit(X)
    assert str(error.value).startswith(message)


def test_new_rows_must_have_the_same_columns(fitted):
    with pytest.raises(ValueError, match="X has 3 features, but BayesianMixture is expecting 2"):
        fitted.predict([[1.0, 2.0, 3.0]])


def test_sampled_rows_follow_the_predictive_density():
    X = pt.datasets.load_galaxies()
    mixture = pt.BayesianMixture(**SHORT).fit(X)
    rows, labels = mixture.sample(4000, random_state=1)
    grid = np.linspace(-20, 60, 2001)
    density = np.exp(mixture.score_samples(grid[:, None]))
    drawn = np.histogram(rows[:, 0], bins=[-20, 8, 12, 18, 20, 22, 24, 30, 60])[0] / 4000
    cumulative = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(grid))])
    expected = np.diff(np.interp([-20, 8, 12, 18, 20, 22, 24, 30, 60], grid, cumulative))
    assert np.abs(drawn - expected).max() < 0.03
    assert set(labels) <= set(range(-1, mixture.n_clusters_))


@pytest.mark.parametrize(
    ("component", "covariance"), [("gaussian-full", [[2.0, 1.2], [1.2, 1.0]]), ("gaussian-spherical", np.eye(2))]
)
def test_sampled_rows_spread_as_the_data(component, covariance):
    X = np.random.default_rng(3).multivariate_normal([1.0, -2.0], covariance, size=300)
    mixture = pt.BayesianMixture(component, pt.DirichletProcess(1e-6), n_chains=1, n_draws=50, n_warmup=20).fit(X)
    rows, _ = mixture.sample(4000)
    assert rows.mean(axis=0) == pytest.approx([1.0, -2.0], abs=0.25)
    assert np.cov(rows.T) == pytest.approx(np.cov(X.T), abs=0.25)


def test_sampled_rows_of_mixed_tables_keep_their_columns():
    table = pd.DataFrame({"sort": list("aabbb") * 6, "eggs": [0, 1, 7, 8, 9] * 6})
    mixture = pt.BayesianMixture("product", **SHORT).fit(table)
    rows, _ = mixture.sample(500)
    assert list(rows.columns) == ["sort", "eggs"]
    assert (rows["sort"] == "a").mean() == pytest.approx(0.4, abs=0.12)
    assert rows.groupby("sort")["eggs"].mean()["b"] > 4


RANDOM = {"check_sample_weight_equivalence_on_dense_data": "draws are random; test_exact has the exact statement"}


@parametrize_with_checks(
    [pt.BayesianMixture(n_chains=1, n_draws=20, n_warmup=10)], expected_failed_checks=lambda _: RANDOM
)
def test_it_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def test_hard_pairs_hold_in_every_draw_and_soft_pairs_count(quadrants):
    X, truth = quadrants
    known = pt.sample_constraints(truth, 60, random_state=2)
    mixture = pt.BayesianMixture(**SHORT).fit(X, constraints=known)
    assert max(known.count_violations(draw) for draw in mixture.posterior_.draws[::20]) == 0
    assert known.count_violations(mixture.labels_) == 0
    free = pt.BayesianMixture(FIXED, fuse=False, **SHORT).fit(X).posterior_.similarity()
    i, j = np.unravel_index(np.abs(free - 0.4).argmin(), free.shape)
    pair = pt.Constraints(must_link=[(i, j)], n_items=80, must_link_weights=3.0)
    assert pt.BayesianMixture(FIXED, **SHORT).fit(X, constraints=pair).posterior_.similarity()[i, j] > free[i, j] + 0.2


def test_too_many_cannot_links_for_a_finite_prior_are_refused():
    X, triangle = np.arange(6.0)[:, None], [(0, 1), (1, 2), (2, 0)]
    known = pt.Constraints(cannot_link=triangle, n_items=6)
    with pytest.raises(
        ValueError, match="n_components must leave room for the cannot-links: got 2, where 3 are needed"
    ):
        pt.BayesianMixture(prior=pt.FiniteDirichlet(2, 1.0), **SHORT).fit(X, constraints=known)
    with pytest.warns(UserWarning, match="may not reach every partition"):
        fitted = pt.BayesianMixture(prior=pt.FiniteDirichlet(3, 1.0), **SHORT).fit(X, constraints=known)
    assert known.count_violations(fitted.labels_) == 0


def test_constraints_must_be_about_the_items():
    with pytest.raises(ValueError, match="constraints must be about the same 6 items: got 5"):
        pt.BayesianMixture(**SHORT).fit(np.arange(6.0)[:, np.newaxis], constraints=pt.Constraints(n_items=5))


def test_the_order_of_items_does_not_matter(quadrants):
    X, order = quadrants[0][:30], np.random.default_rng(0).permutation(30)
    settings = dict(n_chains=2, n_draws=3000, n_warmup=200, random_state=1)
    here, there = (pt.BayesianMixture(**settings).fit(rows).posterior_.similarity() for rows in (X, X[order]))
    assert np.abs(here[np.ix_(order, order)] - there).max() < 0.1


def test_the_estimate_breaks_no_hard_pair_even_where_it_is_nearest_to_the_draws():
    draws = np.zeros((56, 30), np.int64)  # in each draw item 0 or 1 sits apart with one of the others
    for m, (who, other) in enumerate((who, other) for who in (0, 1) for other in range(2, 30)):
        draws[m, [who, other]] = 1
    posterior, known = pt.PartitionPosterior(draws), pt.Constraints(cannot_link=[(0, 1)], n_items=30)
    free, repaired = pt.estimate_partition(posterior), estimate_within(posterior, "vi", known)
    assert (free.n_clusters, known.count_violations(free.labels)) == (1, 1)
    assert known.count_violations(repaired.labels) == 0
    assert repaired.expected_loss == pytest.approx(pt.VariationOfInformation().expected(repaired.labels, posterior))
    assert repaired.expected_loss <= min(pt.VariationOfInformation().expected(draw, posterior) for draw in draws)
    crossed = pt.Constraints(cannot_link=[(0, 1), (0, 2), (1, 2)], n_items=30)  # three clusters, and no draw has them
    assert estimate_within(posterior, "vi", crossed).n_clusters == 2
    nothing = pt.Constraints(n_items=30)
    assert (estimate_within(posterior, "vi", nothing).labels == free.labels).all()


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (dict(prior="dirichlet-process"), TypeError, "prior must be a prior on partitions, such as DirichletProcess"),
        (dict(n_draws=10**30), ValueError, r"n_draws must be at most 100000000: got more than 10\^29"),
        (dict(n_warmup=10**12), ValueError, "n_warmup must be at most 100000000: got 1000000000000"),
        (dict(n_chains=10**4, n_draws=10**8), MemoryError, "The 1000000000000 draws of 20 items would take"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(settings, error, message):
    with pytest.raises(error, match=message):
        pt.BayesianMixture(**settings).fit(np.random.default_rng(0).normal(size=(20, 2)))


def test_rows_that_hold_nothing_are_no_clusters_and_are_placed_by_the_sizes_of_the_others():
    rng, labels = np.random.default_rng(0), np.repeat([0, 1], [40, 20])
    X = rng.normal(size=(60, 2)) + 9 * labels[:, None]
    X[[0, 59]] = np.nan
    mixture = pt.BayesianMixture(n_chains=2, n_draws=400, n_warmup=100).fit(X)
    assert mixture.n_empty_rows_ == 2
    assert mixture.n_clusters_ == 2
    draws = mixture.component_posterior_.draws
    whole = draws[draws.max(axis=1) == 1]  # two clusters of 39 and 19; the prior adds one to each
    with_first = (whole[:, [0, 59]] == whole[:, [1]]).mean(axis=0)
    assert with_first == pytest.approx(40 / 60, abs=0.08)
    assert np.diff(whole[:, 59] == whole[:, 1]).mean() > 0.3  # drawn anew, not kept


def test_of_rows_that_hold_nothing_those_in_a_pair_count():
    rng, labels = np.random.default_rng(0), np.repeat([0, 1], [12, 8])
    X = rng.normal(size=(20, 2)) + 9 * labels[:, None]
    X[[0, 10, 19]] = np.nan
    known = pt.Constraints(must_link=[(10, 15)], cannot_link=[(1, 2)], n_items=20)
    mixture = pt.BayesianMixture(n_chains=2, n_draws=200, n_warmup=100).fit(X, constraints=known)
    assert mixture.n_empty_rows_ == 2
    for found in (mixture.component_posterior_.draws, mixture.labels_[None]):
        assert (found[:, 10] == found[:, 15]).all()
        assert (found[:, 1] != found[:, 2]).all()
    assert "2 rows hold nothing" in pt.summarize(mixture).answer
    apart = np.bincount(mixture.labels_[np.r_[1:10, 11:19]])
    assert mixture.n_clusters_ == apart.size  # none of its own for a row without entries
