import math

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import partita as pt

INDICES = [
    pt.soft_adjusted_rand,
    pt.soft_variation_of_information,
    lambda labels, phi: pt.soft_variation_of_information(labels, phi, base=math.e),
]


def random_case(seed, n=30, k=4):
    rng = np.random.default_rng(seed)
    return rng.integers(k, size=n), rng.dirichlet(np.ones(k), size=n)


def test_a_hard_matrix_gives_the_variation_of_information():
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.integers(3, size=12), pt.canonical(rng.integers(4, size=12))
        soft = pt.soft_variation_of_information(a, np.eye(b.max() + 1)[b]).value
        assert soft == pytest.approx(pt.VariationOfInformation().between(a, b), abs=1e-12)


def test_soft_rand_is_the_limit_of_repeating_every_item():
    rng = np.random.default_rng(1)
    a, b = rng.integers(3, size=7), rng.integers(3, size=7)
    limit = pt.soft_adjusted_rand(a, np.eye(3)[b]).value
    gaps = [abs(limit - adjusted_rand_score(np.repeat(a, m), np.repeat(b, m))) for m in (1, 10, 1000)]
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 1e-3


def test_soft_rand_follows_its_formula():
    labels, phi = random_case(2)
    p = np.array([phi[labels == j].sum(axis=0) for j in range(4)]) / len(labels)
    rows, columns = (p.sum(axis=1) ** 2).sum(), (p.sum(axis=0) ** 2).sum()
    expected = ((p**2).sum() - rows * columns) / ((rows + columns) / 2 - rows * columns)
    assert pt.soft_adjusted_rand(labels, phi).value == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("seed", range(5))
def test_gradient_agrees_with_finite_differences_as_mass_moves_between_clusters(index, seed):
    labels, phi = random_case(seed)
    gradient = index(labels, phi).gradient
    for i in range(0, 30, 7):
        for k in range(4):
            step = np.zeros_like(phi)
            step[i, k], step[i, k - 1] = 1e-7, -1e-7
            slope = (index(labels, phi + step).value - index(labels, phi - step).value) / 2e-7
            assert gradient[i, k] - gradient[i, k - 1] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize("index", INDICES)
def test_gradient_is_finite_at_empty_cells(index):
    gradient = index([0, 0, 1, 1], [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]]).gradient
    assert np.isfinite(gradient).all()
    assert (gradient * 0).sum() == 0  # entries that do not move add nothing to a parameter's slope


@pytest.mark.parametrize("index", INDICES)
def test_rows_that_almost_sum_to_one_are_made_to(index):
    labels, phi = random_case(6)
    assert index(labels, phi * (1 + 5e-7)).value == pytest.approx(index(labels, phi).value, abs=1e-14)


def test_base_of_the_logarithm_is_checked():
    with pytest.raises(ValueError, match="base must be a finite number greater than 1: got 1"):
        pt.soft_variation_of_information([0, 1], np.eye(2), base=1)


@pytest.mark.parametrize("index", INDICES)
def test_gradient_in_a_parameter_is_the_sum_over_entries(index):
    labels, _ = random_case(3)
    logits = np.random.default_rng(4).normal(size=(30, 4))

    def phi(theta):
        weights = np.exp(theta * logits)
        return weights / weights.sum(axis=1, keepdims=True)

    d_phi = (phi(1 + 1e-6) - phi(1 - 1e-6)) / 2e-6
    slope = (index(labels, phi(1 + 1e-6)).value - index(labels, phi(1 - 1e-6)).value) / 2e-6
    assert (index(labels, phi(1)).gradient * d_phi).sum() == pytest.approx(slope, abs=1e-7)


def test_one_cluster_on_both_sides_agrees_fully():
    assert pt.soft_adjusted_rand([0, 0], [[1.0], [1.0]]).value == 1.0
    assert pt.soft_variation_of_information([0, 0], [[1.0], [1.0]]).value == 0.0


@pytest.mark.parametrize(
    ("labels", "phi", "message"),
    [
        ([0, 1], [[0.5, 0.4], [0, 1]], "phi must have rows that sum to one: got 0.9 in row 0."),
        ([0, 1], [[-1.0, 2.0], [0, 1]], "phi must be a matrix of numbers that are finite and not negative"),
        ([], np.empty((0, 2)), "phi must be a matrix of numbers that are finite and not negative: got shape (0, 2)."),
        ([0, 1], "x", "phi must be numbers: got 'x'."),
        ([0, 1], np.ma.masked_equal([[0, 1], [9, 1]], 9), "phi must not have missing values: got masked ones."),
        ([0, 1, 2], [[1.0], [1.0]], "labels must label the same 2 items: got 3 labels."),
    ],
)
def test_bad_input_is_named(labels, phi, message):
    for index in INDICES:
        with pytest.raises(ValueError) as error:
            index(labels, phi)
        assert str(error.value).startswith(message)
