"""Where searches over partitions of points begin, end and change, and numbers worked out by hand."""

import numpy as np
import pytest
from point_processes import PROCESSES, X8

import partita as pt
from partita.pointprocess import clusterer, enumeration, error_models
from partita.pointprocess._validation import check_centers, check_matrices, check_points
from partita.pointprocess.ball import ball_size
from partita.pointprocess.enumeration import all_known, from_posterior, partition_count
from partita.pointprocess.error_models import BallBounds, PlugInError, most_misplaced
from partita.pointprocess.search import pseed_fast
from partita.pointprocess.search.gray_codes import BinaryPartitions
from partita.pointprocess.search.partition_table import PartitionTable
from partita.pointprocess.search.pseed_fast import _shrink, balanced, membership_shares

GPP = pt.GaussianPointProcess


@pytest.mark.parametrize(
    ("name", "expected", "labels"),
    [
        ("known", 10.4712465, [1, 0, 0, 0, 0, 1, 1, 1, 0]),
        ("means", -1.23407156, [0, 0, 1, 1, 0, 1, 1, 0, 1]),
        ("niw", -0.57367101, [2, 0, 0, 0, 0, 2, 2, 1, 0]),
        ("sizes", -8.71457694, [1, 0, 0, 0, 1, 1, 1, 1]),
        ("prior", 0.91525523, [1, 1, 0, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_a_seed_keeps_its_points(name, expected, labels):
    X, truth = pt.datasets.sample_point_process(PROCESSES[name], None if name == "sizes" else 9, 3)
    assert np.cos(np.arange(X.size)) @ X.ravel() == pytest.approx(expected, rel=1e-6)
    assert truth.tolist() == labels


@pytest.mark.parametrize("n_sets", [1, 3])
def test_the_spread_over_point_sets_is_that_of_their_mean(n_sets):
    process, one = PROCESSES["means"], {"one": lambda X: np.zeros(len(X), int)}
    table = pt.compare_clusterers(process, one, n_sets=n_sets, n_points=7, bayes_search=None, random_state=5)
    truths = [pt.datasets.sample_point_process(process, 7, rng)[1] for rng in np.random.default_rng(5).spawn(n_sets)]
    errors = [1 - np.bincount(truth).max() / 7 for truth in truths]
    spread = np.std(errors, ddof=1) / np.sqrt(3) if n_sets > 1 else 0.0
    assert table.loc["one", ["empirical", "empirical_std"]].tolist() == pytest.approx([np.mean(errors), spread])


@pytest.mark.parametrize(("n", "n_labels", "count"), [(4, 2, 8), (4, 9, 15), (5, 3, 41), (1, 3, 1)])
def test_partitions_into_up_to_so_many_clusters_are_counted(n, n_labels, count):
    assert partition_count(n, n_labels) == count == len(pt.all_partitions(n, max_clusters=n_labels))


@pytest.mark.parametrize(("name", "limit"), [("MOST_ROWS", 1094), ("MOST_CALLS", 3**4)])
def test_partitions_are_listed_up_to_a_number_of_them(monkeypatch, name, limit):
    process, X = (PROCESSES["niw"], X8) if name == "MOST_ROWS" else (lambda X, labels: -float(labels.sum()), X8[:4])
    monkeypatch.setattr(enumeration, name, limit)
    n_rows = partition_count(len(X), 3)
    assert all_known(process, X, 3, 1).rows.shape == (n_rows, len(X))
    monkeypatch.setattr(enumeration, name, limit - 1)
    with pytest.raises(ValueError, match=r"1\.1e\+03 partitions|8\.1e\+01 label functions"):
        all_known(process, X, 3, 1)


def test_draws_of_two_clusters_are_coded_where_points_are_few(monkeypatch):
    few = pt.PartitionPosterior([[0, 1, 0], [0, 0, 0], [0, 1, 0]], weights=[0.25, 0.5, 0.25])
    coded = from_posterior(few)
    assert isinstance(coded, BinaryPartitions)
    assert [coded.probabilities[coded.code(np.array(row))] for row in ([0, 1, 0], [0, 0, 0])] == [0.5, 0.5]
    monkeypatch.setattr(enumeration, "MOST_CODED", 2)
    assert isinstance(from_posterior(few), PartitionTable)
    assert isinstance(from_posterior(pt.PartitionPosterior([[0, 1, 2]])), PartitionTable)


@pytest.mark.parametrize(("n_labels", "kind"), [(2, BinaryPartitions), (3, PartitionTable)])
def test_partitions_by_a_callable_are_coded_where_they_have_two_labels(n_labels, kind):
    assert isinstance(all_known(lambda _, labels: -float(sum(labels)), X8[:4], n_labels, 1), kind)


def test_the_error_of_shares_is_what_no_matching_of_clusters_finds():
    shares = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    assert PlugInError(shares).error(np.array([0, 0, 1])) == pytest.approx((1 - 2.3 / 3, 0.0, 1 / 3))
    assert PlugInError(shares).error(np.array([0, 1, 2])).estimate == pytest.approx(1 - 1.7 / 3)
    assert most_misplaced(np.array([0, 0, 1, 2]), 2) == 0.5  # of three clusters, the largest of which has two points
    assert most_misplaced(np.array([0, 0, 0, 0]), 2) == 0.5


def test_memberships_are_shares_of_the_probabilities_of_each_point():
    process = PROCESSES["known"]
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    points, tables = process.bind(X8)
    from partita.pointprocess.likelihood import label_tables

    gains = process.log_flips(X8, labels)
    expected = np.exp(gains) / np.exp(gains).sum(axis=1, keepdims=True)
    assert membership_shares(points, labels, label_tables(tables)) == pytest.approx(expected)


def test_a_ball_grows_until_it_holds_everything_or_too_much(monkeypatch):
    points, tables = PROCESSES["means"].bind(X8)
    seed = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    small = BallBounds(points, tables, seed, 2)
    assert small.share is None
    assert small.refine().radius == 3
    whole = BallBounds(points, tables, seed, 4)
    assert whole.share == 1.0
    assert whole.refine() is whole
    monkeypatch.setattr(error_models, "LARGEST_BALL", ball_size(8, 3, 2))
    assert small.refine().radius == 3
    monkeypatch.setattr(error_models, "LARGEST_BALL", ball_size(8, 3, 2) - 1)
    assert small.refine() is small


def test_the_share_of_a_ball_is_known_where_points_are_independent():
    process, seed = PROCESSES["known"], np.array([0, 0, 0, 0, 1, 1, 1, 1])
    rows = pt.all_partitions(8, max_clusters=2)
    log_p = process.log_partition_probability(X8, rows)
    near = np.minimum((rows != seed).sum(axis=1), (rows == seed).sum(axis=1)) <= 1
    expected = np.exp(log_p[near]).sum() / np.exp(log_p).sum()
    assert BallBounds(*process.bind(X8), seed, 1).share == pytest.approx(expected)


@pytest.mark.parametrize(
    ("labels", "least", "expected"),
    [
        ([0, 0, 0, 0], [1, 2, 1], [1, 2, 1, 0]),  # the largest cluster gives, those that lose least
        ([0, 0, 1, 1], [2, 2, 0], [0, 0, 1, 1]),
        ([0, 0, 0, 1], [0, 0, 2], [2, 2, 0, 1]),
    ],
)
def test_balancing_takes_from_the_largest_cluster_what_is_short(labels, least, expected):
    scores = np.array([[5.0, 4.9, 4.8], [5.0, 3.0, 4.7], [5.0, 4.8, 1.0], [5.0, 0.0, 0.0]])
    assert balanced(np.array(labels), scores, np.array(least)).tolist() == expected


@pytest.mark.parametrize(
    ("sizes", "n", "expected"), [([50, 30, 20], 10, [5, 3, 2]), ([90, 5, 5], 10, [8, 1, 1]), ([30, 20], 10, [6, 4])]
)
def test_known_sizes_shrink_with_the_points_and_leave_one_for_each(sizes, n, expected):
    process = GPP.known(np.arange(float(len(sizes)))[:, np.newaxis], 1.0, sizes=sizes)
    assert _shrink(process, n).tolist() == expected
    assert _shrink(PROCESSES["known"], n) is None
    flat = GPP.normal_inverse_wishart(np.zeros((2, 2)), 0, -0.5, 0, sizes=[90, 10])
    assert _shrink(flat, 12).tolist() == [9, 3]


def test_pairs_are_flipped_up_to_a_number_of_points(monkeypatch):
    monkeypatch.setattr(pseed_fast, "MOST_POINTS_FAST", 8)
    assert pt.BayesClusterer(PROCESSES["known"], "pseed-fast", n_starts=1).fit(X8).labels_.size == 8
    monkeypatch.setattr(pseed_fast, "MOST_POINTS_FAST", 7)
    with pytest.raises(ValueError, match=r"at most 7 points .* got 8 points, 3e\+01 pairs"):
        pt.BayesClusterer(PROCESSES["known"], "pseed-fast", n_starts=1).fit(X8)


def test_up_to_255_labels_have_centers():
    assert len(check_centers(np.zeros((255, 1)))) == 255
    with pytest.raises(ValueError, match="of 1 to 255 labels: got shape"):
        check_centers(np.zeros((256, 1)))


def test_a_covariance_is_symmetric_and_definite_but_for_rounding():
    centers = np.zeros((1, 2))
    nearly = np.array([[1.0, 0.3], [0.3 * (1 + 1e-11), 1.0]])
    assert check_matrices("psi", nearly, centers, zero_is_allowed=False).shape == (1, 2, 2)
    flat = np.diag([1.0, 1e-13])
    assert check_matrices("psi", flat, centers, zero_is_allowed=False).shape == (1, 2, 2)
    for wrong in ([[1.0, 0.3], [0.3 * (1 + 1e-9), 1.0]], np.diag([1.0, 1e-15]), np.zeros((2, 2)), [[1, 2], [2, 1]]):
        with pytest.raises(ValueError, match="psi must be symmetric and positive definite"):
            check_matrices("psi", wrong, centers, zero_is_allowed=False)
    assert not check_matrices("psi", 0.0, centers, zero_is_allowed=True).any()


def test_the_first_point_that_is_not_finite_is_named():
    with pytest.raises(ValueError, match=r"X must be finite: got \[inf\] for point 1\."):
        check_points([[0.0], [np.inf], [np.nan]], 2, 1)


def test_the_labeler_lists_label_functions_up_to_a_number_of_them(monkeypatch):
    from partita.pointprocess import labeler

    process = PROCESSES["known"]
    exact = pt.BayesLabeler(process).fit(X8)
    assert exact.search_ == "exact"
    monkeypatch.setattr(labeler, "BLOCK", 3)
    assert pt.BayesLabeler(process).fit(X8).label_probabilities_ == pytest.approx(exact.label_probabilities_)
    monkeypatch.setattr(labeler, "MOST_CALLS", 256)
    assert pt.BayesLabeler(process).fit(X8).search_ == "exact"
    monkeypatch.setattr(labeler, "MOST_CALLS", 255)
    assert pt.BayesLabeler(process, n_draws=20, n_chains=1).fit(X8).search_ == "posterior"
    monkeypatch.setattr(labeler, "MOST_FUNCTIONS", 256)
    assert pt.BayesLabeler(process, "exact").fit(X8).search_ == "exact"
    monkeypatch.setattr(labeler, "MOST_FUNCTIONS", 255)
    with pytest.raises(ValueError, match=r"got 8, with 2\.6e\+02 label functions"):
        pt.BayesLabeler(process, "exact").fit(X8)
    with pytest.raises(ValueError, match=r"got 8, with 2\.6e\+02 label functions"):
        pt.BayesLabeler(lambda X, labels: 0.0, n_labels=2).fit(X8)


def test_searches_use_as_many_starts_as_they_say(monkeypatch):
    asked = []

    def refuse(_process, _points, *arguments, **_options):
        asked.append([n for n in arguments if type(n) is int])
        raise KeyboardInterrupt

    monkeypatch.setattr(clusterer, "pseed", refuse)
    monkeypatch.setattr(clusterer, "pseed_fast", refuse)
    for search, n_starts in [("pseed", None), ("pseed-fast", None), ("pseed-faster", 3)]:
        with pytest.raises(KeyboardInterrupt):
            pt.BayesClusterer(PROCESSES["known"], search, n_starts=n_starts).fit(X8)
    assert asked == [[5], [10], [3]]
