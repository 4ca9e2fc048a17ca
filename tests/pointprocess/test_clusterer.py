"""The Bayes clusterer and labeler as a user meets them."""

from itertools import product

import naive
import numpy as np
import pytest
from point_processes import PROCESSES, X8
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.cluster import KMeans

import partita as pt
from partita.pointprocess import draws
from partita.pointprocess.draws import sample_label_functions
from partita.pointprocess.likelihood import bind, label_tables
from partita.pointprocess.search.local_search import polish
from partita.pointprocess.search.pseed_fast import balanced, pseed_fast
from partita.samplers import label_functions

GPP = pt.GaussianPointProcess
LOSS = pt.Misclassification()


def brute_force(process, X):
    """Errors of all partitions of the points."""
    rows = naive.partitions_up_to(len(X), process.n_labels)
    log_p = process.log_partition_probability(X, rows)
    p = np.exp(log_p - logsumexp(log_p))
    return rows, p, naive.cost_matrix(rows) @ p


TRUTH = {name: brute_force(process, X8[1:7]) for name, process in PROCESSES.items() if name not in {"sizes", "prior"}}
X6 = X8[1:7]


@pytest.mark.parametrize("name", TRUTH)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_exact_search_is_brute_force(name, n_jobs):
    rows, _, errors = TRUTH[name]
    found = pt.BayesClusterer(PROCESSES[name], "exact", n_jobs=n_jobs).fit(X6)
    assert found.error_ == pytest.approx(errors.min())
    assert found.error_bounds_ == pytest.approx((errors.min(), errors.min()))
    assert errors[(rows == found.labels_).all(axis=1)][0] == pytest.approx(errors.min())
    assert found.certified_
    assert found.search_ == "exact"
    for i in range(0, len(rows), 5):
        error = found.partition_error(rows[i])
        assert error == pytest.approx((errors[i],) * 3)


@pytest.mark.parametrize("name", TRUTH)
@pytest.mark.parametrize("search", ["pmax", "pseed"])
def test_approximate_searches_bound_the_error_they_estimate(name, search):
    rows, _, errors = TRUTH[name]
    for radius in range(5):
        found = pt.BayesClusterer(PROCESSES[name], search, radius=radius).fit(X6)
        for i in range(0, len(rows), 7):
            error = found.partition_error(rows[i])
            assert error.lower - 1e-12 <= errors[i] <= error.upper + 1e-12
            assert error.lower - 1e-12 <= error.estimate <= error.upper + 1e-12
        own = errors[(rows == found.labels_).all(axis=1)][0]
        assert own < errors.mean()
        assert not found.certified_ or own == pytest.approx(errors.min())
    assert found.error_ == pytest.approx(errors.min())  # the last ball holds everything
    assert found.error_bounds_ == pytest.approx((errors.min(),) * 2)


def test_more_time_tightens_the_error_of_a_partition():
    rows, _, errors = TRUTH["niw"]
    found = pt.BayesClusterer(PROCESSES["niw"], "pseed", radius=1).fit(X6)
    before, after = found.partition_error(rows[9]), found.partition_error(rows[9], seconds=60)
    assert (before.lower, before.upper) == (0, pytest.approx(4 / 6))
    assert after == pytest.approx((errors[9],) * 3)


def test_the_evidence_of_known_parameters_bounds_errors_after_pseed():
    found = pt.BayesClusterer(PROCESSES["known"], "pseed", radius=1).fit(X6)
    _, _, errors = TRUTH["known"]
    low, high = found.error_bounds_
    assert 0 < low <= errors.min() + 1e-12 <= high < 0.5


def test_a_process_may_be_a_posterior_or_a_callable():
    rows, p, errors = TRUTH["niw"]
    given = pt.BayesClusterer(pt.PartitionPosterior(rows, p)).fit()
    called = pt.BayesClusterer(PROCESSES["niw"].log_probability, n_labels=3).fit(X6)
    for found in (given, called):
        assert found.error_ == pytest.approx(errors.min())
        assert found.partition_error(rows[4]).estimate == pytest.approx(errors[4])
    drawn = pt.BayesClusterer(pt.PartitionPosterior(rows, p), "posterior").fit()
    assert drawn.error_ == pytest.approx(errors[(rows == drawn.labels_).all(axis=1)][0])
    assert drawn.error_ < errors.mean()
    two = pt.BayesClusterer(PROCESSES["known"].log_probability, n_labels=2).fit(X6)
    assert two.error_ == pytest.approx(TRUTH["known"][2].min())


def test_known_sizes_restrict_the_truth_and_not_the_answer():
    process = GPP.known([[0], [2]], 1.0, sizes=[3, 3])
    X = np.array([[-1.0], [0.0], [0.9], [1.1], [0.3], [2.5]])
    rows = naive.partitions_up_to(6, 2)
    log_p = process.log_partition_probability(X, rows)
    assert ((log_p > -np.inf) == [sorted(np.bincount(row)) == [3, 3] for row in rows]).all()
    errors = naive.cost_matrix(rows) @ np.exp(log_p - logsumexp(log_p))
    assert pt.BayesClusterer(process, "exact").fit(X).error_ == pytest.approx(errors.min())


@pytest.mark.parametrize("search", ["posterior", "pseed-fast", "pseed-faster"])
@pytest.mark.parametrize("sizes", [None, [30, 20, 10]])
def test_searches_for_many_points_find_clear_clusters(search, sizes):
    process = GPP.normal_inverse_wishart([[0, 0], [6, 0], [0, 6]], 0.5, [4, 5, 6], 1.0, sizes=sizes)
    X, truth = pt.datasets.sample_point_process(process, 60, random_state=4)
    found = pt.BayesClusterer(process, search, n_draws=100).fit(X)
    again = pt.BayesClusterer(process, search, n_draws=100, n_jobs=2).fit(X)
    assert LOSS.between(truth, found.labels_) < 0.1
    assert (found.labels_ == again.labels_).all()
    assert found.error_ == again.error_
    assert found.error_bounds_ == (0.0, pytest.approx(2 / 3))
    assert not found.certified_
    if sizes is not None and search != "posterior":
        assert sorted(pt.sizes(found.labels_)) == sorted(sizes)


@pytest.mark.parametrize("sizes", [None, [120, 80]])
def test_polishing_never_lowers_the_probability_and_ends_where_no_flip_gains(sizes):
    process = GPP.normal_inverse_wishart([[0, 0], [2, 0]], 0.5, [4, 5], 1.0, sizes=sizes)
    X, truth = pt.datasets.sample_point_process(process, 200, random_state=1)
    tables = label_tables(bind(process, np.zeros(2), 200))
    labels = np.random.default_rng(0).permutation(truth)
    before = process.log_probability(X, labels)
    polish(X, labels, tables)
    after = process.log_probability(X, labels)
    assert after > before
    one, two = np.flatnonzero(labels == 0), np.flatnonzero(labels == 1)
    for i, j in [(one[3], two[4]), (one[7], two[1])]:
        flipped = labels.copy()
        flipped[i] = 1
        if sizes is not None:
            flipped[j] = 0
        assert process.log_probability(X, flipped) <= after + 1e-8


def test_pseed_fast_ends_where_no_pair_gains():
    process = GPP.normal_inverse_wishart([[0], [1.5]], 0.5, 3, 1.0, sizes=[8, 7])
    X, _ = pt.datasets.sample_point_process(process, random_state=1)
    labels = pseed_fast(process, X, 2, True, rng=np.random.default_rng(0), n_jobs=1)
    top = process.log_probability(X, labels)
    for i, j in product(np.flatnonzero(labels == 0), np.flatnonzero(labels == 1)):
        swapped = labels.copy()
        swapped[[i, j]] = 1, 0
        assert process.log_probability(X, swapped) <= top + 1e-8


def test_balancing_moves_the_points_that_lose_least():
    scores = np.array([[3, 0], [2.0, 1.9], [1, 0.5], [0, 4]])
    assert balanced(np.array([0, 0, 0, 1]), scores, np.array([2, 2])).tolist() == [0, 1, 0, 1]


def test_auto_says_what_it_chose():
    process = GPP.known([[0], [3]], 1.0)
    rng = np.random.default_rng(0)
    for n, search in [(10, "exact"), (30, "posterior"), (6000, "pseed-faster")]:
        found = pt.BayesClusterer(process, n_draws=20, n_chains=1, n_starts=1).fit(rng.normal(size=(n, 1)) * 3)
        assert found.search_ == search
    for n, search in [(22, "exact"), (23, "posterior")]:
        assert pt.BayesClusterer(pt.PartitionPosterior(np.eye(2, n, dtype=int))).fit().search_ == search
    for n, search in [(10, "exact"), (11, "posterior")]:  # 9 842 and 29 525 partitions into up to three
        assert pt.BayesClusterer(pt.PartitionPosterior(np.arange(n)[np.newaxis] % 3)).fit().search_ == search
    for n, search in [(30, "exact"), (31, "posterior")]:  # of points in one cluster
        assert pt.BayesClusterer(pt.PartitionPosterior(np.zeros((2, n), int))).fit().search_ == search


def test_memory_is_asked_for_all_draws_of_all_chains(monkeypatch):
    asked = []

    def refuse(n_bytes, *_):
        asked.append(n_bytes)
        raise MemoryError

    monkeypatch.setattr(draws, "check_memory", refuse)
    for n_draws, n_chains in [(100, 1), (100, 4), (300, 4)]:
        with pytest.raises(MemoryError):
            draws.sample_label_functions(
                PROCESSES["known"], X6, n_draws, n_chains, rng=np.random.default_rng(0), n_jobs=1
            )
    assert np.divide(asked, asked[0]).tolist() == [1, 4, 12]
    assert asked[0] >= 100 * len(X6)


def test_the_clusterer_follows_the_estimator_grammar():
    clusterer = pt.BayesClusterer(process=PROCESSES["known"], search="pmax", radius=2)
    assert clone(clusterer).get_params()["radius"] == 2
    assert (clusterer.fit_predict(X6) == clusterer.labels_).all()
    kmeans = KMeans(2, n_init=1, random_state=0).fit_predict(X6)
    assert clusterer.partition_error(kmeans).estimate >= clusterer.error_ - 1e-12


def nothing_known(X, labels):
    return 0.0


@pytest.mark.parametrize(
    ("clusterer", "X", "message"),
    [
        (pt.BayesClusterer(PROCESSES["known"], "exakt"), X8, "search must be one of .* Did you mean 'exact'"),
        (pt.BayesClusterer(PROCESSES["known"], "exact"), np.zeros((40, 2)), "5.5e.11 partitions. Use search=.pseed"),
        (pt.BayesClusterer(PROCESSES["niw"], "exact"), np.zeros((20, 2)), "5.8e.08 partitions. Use search=.pseed"),
        (pt.BayesClusterer(PROCESSES["known"], "pseed-fast"), np.zeros((40_000, 2)), "8e.08 pairs .*pseed-faster"),
        (pt.BayesClusterer(nothing_known, n_labels=2), np.zeros((40, 1)), "process must be a Gaussian.*1.1e.12"),
        (pt.BayesClusterer(nothing_known), np.zeros((4, 1)), "n_labels must be a whole number"),
        (pt.BayesClusterer(nothing_known, "posterior", n_labels=2), X8, "search must be one of exact, pmax for such"),
        (pt.BayesClusterer(PROCESSES["known"], "pmax", radius=-1), X8, "radius must be a whole number of at least 0"),
        (pt.BayesClusterer(PROCESSES["known"]), None, "X must be a .n_points, 2. array"),
        (pt.BayesLabeler(PROCESSES["known"]), [1.0, 2.0], "X must be a .n_points, 2. array"),
        (pt.BayesClusterer(PROCESSES["sizes"]), X8[:7], "sizes must add up to the 7 points"),
        (pt.BayesLabeler(PROCESSES["known"], "exact"), np.zeros((40, 2)), "1.1e.12 label functions. Use search=.post"),
    ],
)
def test_bad_input_and_impossible_searches_are_refused(clusterer, X, message):
    with pytest.raises(ValueError, match=message):
        clusterer.fit(X)


def test_a_posterior_of_many_points_is_taken_as_draws():
    posterior, truth = pt.datasets.make_noisy_draws(n_items=80, n_draws=300, noise=0.2)
    found = pt.BayesClusterer(posterior).fit()
    assert found.search_ == "posterior"
    assert (found.labels_ == pt.canonical(truth)).all()
    assert found.error_ == pytest.approx(LOSS.expected(truth, posterior))


def test_no_partition_of_points_on_a_line_exists_under_the_improper_prior():
    with pytest.raises(ValueError, match="X must have a partition with positive probability"):
        pt.BayesClusterer(PROCESSES["flat"], "exact").fit(np.column_stack([np.arange(8.0)] * 2))


# Draws


def drawn_distance(process, judged_as=None, n_draws=7000):
    """Total variation between drawn and enumerated label functions of five points."""
    X = X8[1:6]
    draws = sample_label_functions(process, X, n_draws, 3, rng=np.random.default_rng(0), n_jobs=1).draws
    rows = np.array(list(product(range(process.n_labels), repeat=5)))
    log_p = (judged_as or process).log_probability(X, rows)
    codes = draws.astype(int) @ process.n_labels ** np.arange(5)[::-1]
    shares = np.bincount(codes, minlength=len(rows)) / len(codes)
    return abs(shares - np.exp(log_p - logsumexp(log_p))).sum() / 2


FIVE = {
    "known": PROCESSES["known"],
    "means": PROCESSES["means"],
    "niw": GPP.normal_inverse_wishart([[0, 0], [1, 1.5]], [1, 2], [2, 3], 1.0),
    "sizes": GPP.normal_inverse_wishart([[0, 0], [1, 1.5]], [1, 2], [2, 3], 1.0, sizes=[3, 2]),
    "prior": PROCESSES["prior"],
    "flat means": PROCESSES["flat means"],
    "alike": PROCESSES["alike"],
}


@pytest.mark.parametrize("name", FIVE)
def test_draws_follow_the_enumerated_posterior(name):
    assert drawn_distance(FIVE[name], n_draws=20_000 if name == "alike" else 7000) < 0.04


def test_draws_of_the_wrong_process_do_not():
    other = GPP.normal_inverse_wishart([[0, 0], [1, 1.5]], [1, 2], [2, 3], 3.0)
    assert drawn_distance(FIVE["niw"], judged_as=other) > 0.08


@pytest.mark.parametrize("name", ["known", "niw", "sizes", "prior"])
def test_draws_come_with_their_log_probability(name):
    drawn = sample_label_functions(FIVE[name], X8[1:6], 50, 2, rng=np.random.default_rng(0), n_jobs=1)
    assert drawn.log_posterior == pytest.approx(FIVE[name].log_probability(X8[1:6], drawn.draws))


@pytest.mark.parametrize(("process", "X"), [(FIVE["niw"], X8[1:6]), (PROCESSES["sizes"], X8)], ids=["niw", "sizes"])
def test_draws_are_kept_and_continued(tmp_path, process, X):
    whole = pt.BayesClusterer(process, "posterior", n_draws=60, n_chains=2).fit(X)
    kept = pt.BayesClusterer(process, "posterior", n_draws=60, n_chains=2, checkpoint=tmp_path / "draws.db").fit(X)
    again = pt.BayesClusterer(
        process, "posterior", n_draws=60, n_chains=2, checkpoint=tmp_path / "draws.db", resume=True
    ).fit(X)
    for found in (kept, again):
        assert np.array_equal(found.posterior_.draws, whole.posterior_.draws)
        assert "log_posterior" in found.diagnostics_.table.index
    with pytest.raises(ValueError, match="checkpoint"):
        pt.BayesLabeler(process, "posterior", n_draws=50, checkpoint=tmp_path / "draws.db", resume=True).fit(X)
    assert isinstance(pt.BayesLabeler(process, "posterior", n_draws=50).fit(X).diagnostics_.mixed, bool)


def test_a_chain_of_label_functions_continues_bit_for_bit():
    points, tables = FIVE["niw"].bind(X8[1:6])
    problem = label_functions.Problem(points, label_tables(tables))
    state = label_functions.init(problem, np.array([0, 1, 0, 1, 0]), np.random.default_rng(0))
    _, whole = label_functions.sweep(problem, state, 20)
    state = label_functions.init(problem, np.array([0, 1, 0, 1, 0]), np.random.default_rng(0))
    state, first = label_functions.sweep(problem, state, 8)
    _, second = label_functions.sweep(problem, state, 12)
    assert np.array_equal(np.concatenate([first.draws, second.draws]), whole.draws)
    assert np.array_equal(np.concatenate([first.log_posterior, second.log_posterior]), whole.log_posterior)


def test_the_posterior_route_agrees_with_the_exact_error():
    process = PROCESSES["means"]
    X, _ = pt.datasets.sample_point_process(process, 12, random_state=2)
    exact, drawn = (pt.BayesClusterer(process, s, n_draws=2000).fit(X) for s in ("exact", "posterior"))
    assert abs(drawn.error_ - exact.partition_error(drawn.labels_).estimate) < 4 * drawn.error_std_
    assert exact.partition_error(drawn.labels_).estimate < exact.error_ + 0.01
    more = drawn.partition_error(drawn.labels_, seconds=0.01)
    assert abs(more.estimate - exact.partition_error(drawn.labels_).estimate) < 4 * drawn.error_std_


# Labels


def test_label_probabilities_are_sums_over_label_functions():
    process = PROCESSES["niw"]
    rows = np.array(list(product(range(3), repeat=6)))
    log_p = process.log_probability(X6, rows)
    p = np.exp(log_p - logsumexp(log_p))
    marginals = np.stack([p @ (rows == k) for k in range(3)], axis=1)
    for labeler in (pt.BayesLabeler(process), pt.BayesLabeler(process.log_probability, n_labels=3)):
        found = labeler.fit(X6)
        assert np.allclose(found.label_probabilities_, marginals)
        errors = (rows[:, np.newaxis] != rows).mean(axis=2) @ p  # (9), over all labelings
        assert found.error_ == pytest.approx(errors.min())
        assert (rows[errors.argmin()] == found.labels_).all()
    drawn = pt.BayesLabeler(process, "posterior", n_draws=4000).fit(X6)
    assert np.abs(drawn.label_probabilities_ - marginals).max() < 0.05


@pytest.mark.parametrize("n_labels", [2, 3])
def test_clustering_is_distinct_from_labeling(n_labels):
    """Section VIII: labels cannot be told apart, clusters can."""
    X = np.repeat(10.0 * np.arange(n_labels), 3)[:, np.newaxis] + np.tile([0.0, 0.5, 1.0], n_labels)[:, np.newaxis]
    flat = GPP.gaussian_means(np.zeros((n_labels, 1)), 0, 1.0)
    assert pt.BayesLabeler(flat).fit(X).error_ == pytest.approx((n_labels - 1) / n_labels)
    clusterer = pt.BayesClusterer(flat).fit(X)
    assert clusterer.error_ < 0.01
    assert (clusterer.labels_ == np.repeat(np.arange(n_labels), 3)).all()


def test_a_posterior_over_partitions_has_no_labels():
    with pytest.raises(TypeError, match="process must give probabilities to labels"):
        pt.BayesLabeler(pt.PartitionPosterior([[0, 1]])).fit([[0.0], [1.0]])


# Comparison


def test_the_table_compares_clusterers_on_the_same_sets():
    process = GPP.normal_inverse_wishart([[0, 0], [3, 3]], 1, 4, 1.0, sizes=[4, 4])
    rivals = {
        "Bayes": pt.BayesClusterer(process),
        "k-means": KMeans(2, n_init=1, random_state=0),
        "one": lambda X: np.zeros(len(X), int),
    }
    table = pt.compare_clusterers(process, rivals, n_sets=60, random_state=1)
    again = pt.compare_clusterers(process, rivals, n_sets=60, random_state=1, n_jobs=2)
    assert table.loc["one", "empirical"] == table.loc["one", "theoretical"] == 0.5
    assert table.loc["Bayes", "theoretical"] <= table["theoretical"].min()
    gap = abs(table.loc["Bayes", "theoretical"] - table.loc["Bayes", "empirical"])
    assert gap < 4 * table.loc["Bayes", "empirical_std"]
    assert (table.drop(columns="seconds").loc["Bayes"] == again.drop(columns="seconds").loc["Bayes"]).all()
    assert pt.compare_clusterers(process, rivals, n_sets=2, bayes_search=None)["theoretical"].isna().all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (dict(radius=-1), "radius must be a whole number of at least 0: got -1"),
        (dict(radius="x"), "radius must be a whole number of at least 0: got 'x'"),
        (dict(n_starts=0), "n_starts must be a whole number of at least 1: got 0"),
        (dict(n_labels=1.5), "n_labels must be a whole number of at least 1: got 1.5"),
        (dict(n_draws=10**30), "n_draws must be at most 100000000"),
    ],
)
def test_settings_are_checked_that_the_search_does_not_look_at(settings, message):
    process = pt.GaussianPointProcess.known([[0.0], [4.0]], 1.0)
    with pytest.raises(ValueError, match=message):
        pt.BayesClusterer(process, "exact", **settings).fit([[0.1], [-0.3], [3.8], [4.4]])


def test_what_is_no_process_is_named():
    with pytest.raises(TypeError, match="process must be a GaussianPointProcess, a PartitionPosterior or a function"):
        pt.BayesClusterer(5).fit([[0.1], [-0.3]])


def test_auto_takes_draws_of_up_to_five_thousand_points_and_balls_of_ten_thousand_partitions(monkeypatch):
    two, three = GPP.known([[0], [3]], 1.0), GPP.known([[0], [3], [6]], 1.0)
    for process, n, search in [
        (two, 22, "exact"), (two, 23, "posterior"), (two, 5000, "posterior"), (two, 5001, "pseed-faster"),
        (three, 10, "exact"), (three, 11, "posterior"),
    ]:  # fmt: skip
        assert pt.BayesClusterer(process)._choose(np.zeros((n, 1))) == search
    assert pt.BayesClusterer(two)._radius(3, 2) == 2
    assert pt.BayesClusterer(two)._radius(20, 2) == 4  # 6 196 partitions, and 21 700 beyond
    monkeypatch.setattr("partita.pointprocess.clusterer.SMALL_BALL", 6196)
    assert pt.BayesClusterer(two)._radius(20, 2) == 4
    monkeypatch.setattr("partita.pointprocess.clusterer.SMALL_BALL", 6195)
    assert pt.BayesClusterer(two)._radius(20, 2) == 3
    assert pt.BayesClusterer(two, radius=0)._radius(20, 2) == 0


def test_draws_are_at_least_twenty():
    with pytest.raises(ValueError, match="n_draws must be a whole number of at least 20: got 19"):
        pt.BayesClusterer(PROCESSES["known"], "posterior", n_draws=19, n_chains=1).fit(X8)
    assert pt.BayesClusterer(PROCESSES["known"], "posterior", n_draws=20, n_chains=1).fit(X8).posterior_.n_draws == 20
