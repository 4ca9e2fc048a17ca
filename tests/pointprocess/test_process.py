"""Label functions and partitions under a Gaussian point process, against integrals and sums done the long way."""

from itertools import permutations, product

import numpy as np
import pytest
from point_processes import GPP, PROCESSES, X8, S
from scipy.special import logsumexp, multigammaln
from scipy.stats import multivariate_normal, multivariate_t

import partita as pt
from partita.pointprocess.likelihood import _log_multigamma, least_counts, log_predictives
from partita.pointprocess.sampling import _count_probabilities


@pytest.mark.parametrize(
    ("process", "whole", "first"),
    [
        (GPP.known([[0.5, -0.5]], S), -9.5863803032, None),
        (GPP.gaussian_means([[0.5, -0.5]], 1.5, S), -9.4982561171, -2.8136155677),
        (GPP.normal_inverse_wishart([[0.5, -0.5]], 1.5, 3, S), -10.0200496753, -2.4770766956),
    ],
)
def test_log_likelihood_has_its_reference_value(process, whole, first):
    X = [(0, 0), (1, 0.5), (-0.5, 2)]
    assert process.log_probability(X, [0, 0, 0]) == pytest.approx(whole, abs=1e-9)
    if first is not None:
        assert process.log_probability(X[:1], [0]) == pytest.approx(first, abs=1e-9)


def test_known_parameters_give_a_product_of_normal_densities():
    labels = np.array([0, 1, 0, 0, 1, 1, 1, 0])
    process = PROCESSES["known"]
    direct = sum(
        multivariate_normal(process.means[k], process.scale[k]).logpdf(x) for x, k in zip(X8, labels, strict=True)
    )
    assert process.log_probability(X8, labels) == pytest.approx(direct - 8 * np.log(2))


def test_gaussian_means_give_one_joint_normal_density_per_label():
    process, labels = PROCESSES["means"], np.array([0, 1, 0, 0, 1, 1, 1, 0])
    direct = 4 * np.log(0.3) + 4 * np.log(0.7)
    for k in range(2):
        points = X8[labels == k]
        together = np.kron(np.eye(4) + 1 / process.nu[k], process.scale[k])
        direct += multivariate_normal(np.tile(process.means[k], 4), together).logpdf(points.ravel())
    assert process.log_probability(X8, labels) == pytest.approx(direct)


def test_normal_inverse_wishart_gives_a_product_of_student_predictives():
    process = GPP.normal_inverse_wishart([[0.5, -0.5]], 1.5, 3, S)
    nu, kappa, mean, psi, direct = 1.5, 3.0, process.means[0], S.copy(), 0.0
    for x in X8:
        shape = psi * (nu + 1) / nu / (kappa - 1)
        direct += multivariate_t(mean, shape, df=kappa - 1).logpdf(x)
        psi = psi + nu / (nu + 1) * np.outer(x - mean, x - mean)
        mean, nu, kappa = (nu * mean + x) / (nu + 1), nu + 1, kappa + 1
    assert process.log_probability(X8, [0] * 8) == pytest.approx(direct)


@pytest.mark.parametrize("name", PROCESSES)
def test_a_partition_has_the_probability_of_all_its_labelings(name):
    process = PROCESSES[name]
    rng, n_labels = np.random.default_rng(0), process.n_labels
    for labels in [*rng.integers(n_labels, size=(20, 8)), np.array([0, 1, 0, 0, 1, 0, 1, 0]), np.zeros(8, int)]:
        relabelings = {tuple(np.array(order)[labels]) for order in permutations(range(n_labels))}
        direct = logsumexp(process.log_probability(X8, np.array(list(relabelings))))
        assert process.log_partition_probability(X8, labels) == pytest.approx(direct)


@pytest.mark.parametrize("name", PROCESSES)
def test_flips_change_the_log_probability_as_recomputation_does(name):
    process, rng = PROCESSES[name], np.random.default_rng(1)
    compared = 0
    for _ in range(60):
        labels = rng.integers(process.n_labels, size=8)
        if name == "sizes":
            labels = rng.permutation(np.repeat([0, 1], [5, 3]))
        now = process.log_probability(X8, labels)
        if now == -np.inf:
            continue
        gains = process.log_flips(X8, labels)
        for i, k in product(range(8), range(process.n_labels)):
            flipped = labels.copy()
            flipped[i] = k
            assert gains[i, k] == pytest.approx(process.log_probability(X8, flipped) - now, abs=1e-8)
            compared += 1
    assert compared > 200


@pytest.mark.parametrize("name", ["known", "means", "niw", "alike"])
def test_scores_are_predictive_densities(name):
    process = PROCESSES[name]
    points, tables = process.bind(X8)
    labels = np.array([0, 1, 1, 0, 1, 0, 0, 0])
    scores = log_predictives(points, labels[:7], tables)
    for k in range(process.n_labels):
        longer, shorter = process.log_probability(X8, [*labels[:7], k]), process.log_probability(X8[:7], labels[:7])
        assert scores[7, k] == pytest.approx(longer - shorter)


def test_improper_models_are_limits_of_proper_ones_up_to_a_constant():
    rows = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1]])
    nearly = GPP.gaussian_means(np.zeros((2, 2)), 1e-9, [S, np.eye(2)])
    difference = nearly.log_probability(X8, rows) - PROCESSES["flat means"].log_probability(X8, rows)
    assert np.ptp(difference) < 1e-7
    nearly = GPP.normal_inverse_wishart(np.zeros((2, 2)), 1e-9, 2.5, 1e-9)
    flat = GPP.normal_inverse_wishart(np.zeros((2, 2)), 0, 2.5, 0)
    assert np.ptp(nearly.log_probability(X8, rows) - flat.log_probability(X8, rows)) < 1e-6


def test_improper_models_give_no_probability_to_label_functions_with_too_few_points():
    flat = PROCESSES["flat"]
    assert least_counts(flat).tolist() == [3, 3]
    assert flat.log_probability(X8, [0, 0, 1, 1, 1, 1, 1, 1]) == -np.inf
    assert flat.log_probability(X8, [0, 0, 0, 1, 1, 1, 1, 1]) > -np.inf
    assert PROCESSES["flat means"].log_probability(X8, [1] * 8) == -np.inf
    assert least_counts(GPP.normal_inverse_wishart(np.zeros((1, 2)), 0, -4.5, 0)).tolist() == [6]
    on_a_line = np.column_stack([np.arange(8.0), np.arange(8.0)])
    assert flat.log_probability(on_a_line, [0, 0, 0, 1, 1, 1, 1, 1]) == -np.inf


def shifts(process, X, moved):
    rows = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 1, 1, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1]])
    return np.ptp(process.log_probability(X, rows) - process.log_probability(moved, rows))


def test_improper_models_are_invariant_as_section_vii_c_says():
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    shear = np.array([[2.0, 0.5], [-1.0, 3.0]])
    round_ = GPP.gaussian_means(np.zeros((2, 2)), 0, [1.0, 2.0])
    assert shifts(PROCESSES["flat means"], X8, X8 + 100) < 1e-8
    assert shifts(round_, X8, (X8 - 7) @ turn.T) < 1e-8
    assert shifts(PROCESSES["flat"], X8, (X8 - 7) @ shear.T) < 1e-8
    # Controls: what the section does not promise does not hold.
    assert shifts(PROCESSES["flat means"], X8, X8 @ turn.T) > 0.01
    assert shifts(round_, X8, X8 @ shear.T) > 0.01
    assert shifts(PROCESSES["niw"], X8, X8 + 1) > 0.01


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: GPP.known([0, 1], 1.0), "means must be a .n_labels, d. array"),
        (lambda: GPP.known([[0, np.nan]], 1.0), "means must be finite"),
        (lambda: GPP.known([[0, 0]], [[1, 2], [2, 4]]), "covariances must be symmetric and positive definite"),
        (lambda: GPP.known([[0, 0]], [[1, 2], [0, 9]]), "covariances must be symmetric and positive definite"),
        (lambda: GPP.known([[0, 0]], np.eye(3)), "covariances must be a number, a 2 by 2 matrix"),
        (lambda: GPP.known([[0, 0]], 0.0), "covariances must be symmetric and positive definite"),
        (lambda: GPP.gaussian_means([[0]], -1, 1.0), "nu must be finite and at least 0: got -1"),
        (lambda: GPP.normal_inverse_wishart([[0, 0]], 1, 1, 1.0), "kappa must be greater than d - 1 = 1"),
        (lambda: GPP.known([[0], [1]], 1.0, sizes=[3]), "sizes must hold one positive whole number per label, 2"),
        (lambda: GPP.known([[0], [1]], 1.0, sizes=[3, 1], weights=[1, 1]), "sizes and weights must not be given"),
        (lambda: GPP.known([[0], [1]], 1.0, weights=[1, 0]), "weights must be positive"),
    ],
)
def test_bad_hyperparameters_are_named(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_as_many_points_as_labels_are_enough():
    process, X = GPP.known([[0], [1]], 1.0), [[0.0], [1.0]]
    assert np.exp(process.log_probability(X, [[0, 1], [1, 0]])) == pytest.approx(
        [1 / (8 * np.pi), np.exp(-1) / (8 * np.pi)]
    )


@pytest.mark.parametrize(
    ("process", "X", "message"),
    [
        (GPP.known([[0], [1]], 1.0, sizes=[3, 1]), np.zeros((5, 1)), "sizes must add up to the 5 points: got .3, 1."),
        (GPP.known([[0], [1]], 1.0), [[1.0]], "X must hold at least as many points as labels, 2: got 1"),
        (GPP.known([[0], [1]], 1.0), [[1.0, 2.0]], "X must be a .n_points, 1. array"),
        (GPP.known([[0], [1]], 1.0), [[1.0], [np.inf]], "X must be finite: got .inf. for point 1"),
        (PROCESSES["flat"], np.zeros((5, 2)), "X must hold at least 6 points for this improper prior, 3 per label"),
        (
            GPP.known([[0], [1], [2]], 1.0, label_prior=lambda counts: 0.0),
            np.zeros((1000, 1)),
            "label_prior must be asked for fewer than 1000000 counts: got 1000 points with 3 labels",
        ),
        (GPP.normal_inverse_wishart(np.zeros((2, 2)), 0, 0, 0, sizes=[2, 4]), np.zeros((6, 2)), "sizes must be at lea"),
    ],
)
def test_points_that_do_not_fit_the_process_are_refused(process, X, message):
    with pytest.raises(ValueError, match=message):
        process.log_probability(X, np.zeros(len(X), int))


def test_flips_need_a_label_function_to_start_from():
    with pytest.raises(ValueError, match="labels must have positive probability"):
        PROCESSES["sizes"].log_flips(X8, [0] * 8)


def test_labels_that_are_not_labels_are_refused():
    with pytest.raises(ValueError, match="labels must lie between 0 and 1: got 0 to 2"):
        PROCESSES["known"].log_probability(X8, [0, 1, 2, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="labels must hold one whole number per point, 8"):
        PROCESSES["known"].log_probability(X8, [0, 1])


def test_known_sizes_and_weights_are_distributions_over_label_functions():
    everything = np.array(list(product(range(2), repeat=4)))
    nothing_known = np.zeros((4, 1))
    for prior in [{"sizes": [3, 1]}, {"sizes": [2, 2]}, {"weights": [0.2, 0.8]}, {}]:
        process = GPP.known([[0], [0]], 1.0, **prior)
        total = logsumexp(process.log_probability(nothing_known, everything))
        assert total == pytest.approx(4 * multivariate_normal(0, 1).logpdf(0))


def test_a_process_from_data_moves_and_scales_with_the_points():
    X = np.random.default_rng(3).normal(size=(12, 2)) @ [[1.0, 0.4], [0.0, 2.0]]
    partitions = pt.all_partitions(12, max_clusters=2)[::97]
    log_p = GPP.from_data(X, 2).log_partition_probability(X, partitions)
    moved = X @ [[0.3, 0.1], [0.0, 7.0]] + [5.0, -2.0]
    again = GPP.from_data(moved, 2).log_partition_probability(moved, partitions)
    assert np.allclose(log_p - log_p[0], again - again[0], atol=1e-8)
    wrong = GPP.from_data(X, 2).log_partition_probability(moved, partitions)
    assert not np.allclose(log_p - log_p[0], wrong - wrong[0], atol=0.1)


@pytest.mark.parametrize("X", [np.ones((6, 2)), np.arange(12.0).reshape(6, 2), np.eye(3)])
def test_points_that_do_not_vary_in_every_direction_are_refused(X):
    with pytest.raises(ValueError, match="X must hold more points than columns, and no column that others determine"):
        GPP.from_data(X, 2)


def test_counts_are_as_probable_as_the_label_functions_that_have_them():
    def log_prior(counts):
        return -0.7 * counts[0] + 0.4 * counts[1] ** 2

    process = GPP.known([[0], [1], [2]], 1.0, label_prior=log_prior)
    expected = {}
    for labels in product(range(3), repeat=4):
        counts = tuple(np.bincount(labels, minlength=3))
        expected[counts] = expected.get(counts, 0.0) + np.exp(log_prior(counts))
    ways, _, _, found = _count_probabilities(process, 4)
    assert dict(zip(map(tuple, ways), found, strict=True)) == pytest.approx(
        {counts: weight / sum(expected.values()) for counts, weight in expected.items()}
    )
    _, drawn = pt.datasets.sample_point_process(process, 4, random_state=0)
    assert len(drawn) == 4


@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_multivariate_gamma_function_is_that_of_scipy(d):
    a = np.array([2.5, 3.0, 7.25])
    assert _log_multigamma(a, d) == pytest.approx(multigammaln(a, d))


def test_a_process_from_data_has_the_numbers_it_says():
    X = np.random.default_rng(0).normal(size=(20, 2))
    process = GPP.from_data(X, 3)
    assert process.means == pytest.approx(np.tile(X.mean(axis=0), (3, 1)))
    assert process.nu.tolist() == [0.01] * 3
    assert process.kappa.tolist() == [4.0] * 3
    assert process.scale == pytest.approx(np.tile(np.cov(X.T) / 3, (3, 1, 1)))
    assert GPP.from_data(X[:, :1], 2).scale.ravel() == pytest.approx(np.full(2, X[:, 0].var(ddof=1) / 4))
    assert GPP.from_data(X[:3], 2).dimension == 2
