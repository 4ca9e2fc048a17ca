import math

import numpy as np
import pytest

import partita as pt
from partita.stability import (
    LocationExponential,
    ShiftedGamma,
    between_stability,
    clusterwise_stability,
    heatmap_order,
    matching_matrix,
    pointwise_stability,
)
from partita.stability.indices import average_index

RNG = np.random.default_rng(0)
PHI = RNG.dirichlet(np.ones(4), size=50)
LABELS = RNG.integers(3, size=50)  # nobody is in cluster 3


def naive_pointwise(phi, labels):
    return np.array([phi[i, k] - max(phi[i, j] for j in range(4) if j != k) for i, k in enumerate(labels)])


def test_indices_follow_their_definitions():
    point = naive_pointwise(PHI, LABELS)
    assert pointwise_stability(PHI, LABELS) == pytest.approx(point)
    for k in range(3):
        members = k == LABELS
        assert clusterwise_stability(PHI, LABELS)[k] == pytest.approx(point[members].mean())
        for j in range(4):
            lead = PHI[members, k] - PHI[members, j]
            assert between_stability(PHI, LABELS, symmetric=False)[k, j] == pytest.approx(lead.mean())
            assert matching_matrix(PHI, LABELS)[k, j] == pytest.approx(PHI[members, j].sum())
            back = PHI[j == LABELS, j] - PHI[j == LABELS, k]
            both = np.concatenate([lead, back])
            assert between_stability(PHI, LABELS)[k, j] == pytest.approx(both.mean())


def test_indices_are_means_and_not_the_printed_maxima():
    point = naive_pointwise(PHI, LABELS)
    assert clusterwise_stability(PHI, LABELS)[0] < point[LABELS == 0].max() - 0.1


def test_a_cluster_without_items_has_no_stability():
    assert math.isnan(clusterwise_stability(PHI, LABELS)[3])
    assert np.isnan(between_stability(PHI, LABELS, symmetric=False)[3]).all()
    assert np.isfinite(between_stability(PHI, LABELS)[:3, :3]).all()


def test_one_cluster_is_stable():
    assert (pointwise_stability(np.ones((3, 1)), [0, 0, 0]) == 1).all()
    assert average_index(np.zeros(3, int), np.ones((3, 1))).value == 1


def test_heatmap_order_is_surest_first_even_at_probability_one():
    phi = np.array([[0.0, 1.0], [0.2, 0.8], [1.0, 0.0], [0.6, 0.4], [0.0, 1.0]])
    assert heatmap_order(phi, [1, 1, 0, 0, 1]).tolist() == [2, 3, 0, 4, 1]


@pytest.mark.parametrize("distribution", [LocationExponential(), ShiftedGamma()])
def test_slopes_of_the_average_and_of_the_soft_indices_agree_with_finite_differences(distribution):
    distances = RNG.gamma(3, size=(60, 4))
    labels = RNG.integers(4, size=60)

    def values(theta):
        phi = distribution.phi(distances, theta)
        average = pointwise_stability(phi, labels).mean()
        return np.array(
            [average, pt.soft_adjusted_rand(labels, phi).value, pt.soft_variation_of_information(labels, phi).value]
        )

    for theta in (0.3, 1.0, 4.0):
        phi, slope = distribution.phi(distances, theta), distribution.slope(distances, theta)
        chain = [
            (index(labels, phi).gradient * slope).sum()
            for index in (average_index, pt.soft_adjusted_rand, pt.soft_variation_of_information)
        ]
        expected = (values(theta + 1e-5) - values(theta - 1e-5)) / 2e-5
        assert chain == pytest.approx(expected, abs=1e-7)
        assert [1.1 * chain[0], *chain[1:]] != pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], "labels must hold one label per item, 50 in all: got shape (2,)."),
        (np.full(50, 4), "labels must number the columns from 0 to 3: got 4."),
        (np.full(50, -1), "labels must number the columns from 0 to 3: got -1."),
        (np.full(50, 0.5), "labels must be whole numbers: got values of type float64."),
    ],
)
def test_bad_labels_are_named(labels, message):
    with pytest.raises(ValueError) as error:
        pointwise_stability(PHI, labels)
    assert str(error.value) == message
