import numpy as np
import pytest

import partita as pt
from partita.stability import Exponential, LocationExponential, ShiftedGamma, pointwise_stability
from partita.stability.baselines import Permuted
from partita.stability.tuning import (
    GREATEST_THETA,
    INDICES,
    LEAST_THETA,
    Spectrum,
    index_curve,
    mean_curve,
    tune_theta,
    tune_thetas,
)

RNG = np.random.default_rng(0)
CENTERS = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])
WIDTHS = np.repeat([0.5, 1.0, 2.0], 20)[:, None]
X = np.repeat(CENTERS, 20, axis=0) + WIDTHS * RNG.normal(size=(60, 2))
DISTANCES = np.linalg.norm(X[:, None] - CENTERS, axis=2)
NULLS = [Permuted(DISTANCES)(rng) for rng in np.random.default_rng(1).spawn(3)]
DISTRIBUTIONS = [LocationExponential(), ShiftedGamma(), Exponential()]


def curves(index, distribution=DISTRIBUTIONS[0]):
    """The curve of the data, and those of the baselines."""
    return [index_curve(index, distribution, d, np.full(len(d), -1)) for d in (DISTANCES, *NULLS)]


def difference(index, thetas, distribution=DISTRIBUTIONS[0]):
    """The index of the data less that of the baselines, from its definition."""
    own, *nulls = (INDICES[index](d.argmin(axis=1), distribution.phi(d, thetas)).value for d in (DISTANCES, *NULLS))
    return own - np.mean(nulls)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=lambda d: type(d).__name__)
@pytest.mark.parametrize("index", INDICES)
def test_gradients_of_indices_agree_with_finite_differences(index, distribution):
    curve = curves(index, distribution)[0]
    thetas = np.array([0.7, 1.5, 3.0])
    value, gradient = curve.gradient(thetas)
    steps = 1e-5 * np.eye(3)
    expected = [(curve.gradient(thetas + s)[0] - curve.gradient(thetas - s)[0]) / 2e-5 for s in steps]
    assert gradient == pytest.approx(expected, abs=1e-7)
    assert gradient != pytest.approx(1.01 * np.array(expected), abs=1e-7)
    shared, slope = curve(2.0)
    assert shared == pytest.approx(curve.gradient(np.full(3, 2.0))[0])
    assert slope == pytest.approx((curve(2.00001)[0] - curve(1.99999)[0]) / 2e-5, abs=1e-7)
    assert value != pytest.approx(shared)


def test_the_gradient_of_the_variation_of_information_as_printed_does_not():
    """Equation 3.196 of the thesis, with the factor 1/n it needs, has a term K / p too many and drops a sum."""
    d, thetas = DISTANCES[:45], np.array([0.7, 1.5, 3.0])  # clusters of different sizes
    labels, n = d.argmin(axis=1), len(d)
    phi, slopes = LocationExponential().phi(d, thetas), LocationExponential().gradient(d, thetas)
    hard = np.eye(3)[labels]
    cells, moved = hard.T @ phi / n, np.einsum("ij,ikl->jkl", hard, slopes) / n
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    printed = -((np.log2(columns) + 1 + 3 / columns) @ moved.sum(axis=0))
    printed -= 2 * np.einsum("jk,jkl->l", np.log2(cells / np.outer(rows, columns)) + 1, moved)
    value, gradient = index_curve("variation-of-information", LocationExponential(), d, labels).gradient(thetas)
    assert -value == pytest.approx(pt.soft_variation_of_information(labels, phi).value)
    assert np.abs(printed + gradient).max() > 0.1 * np.abs(gradient).max()


@pytest.mark.parametrize("index", INDICES)
def test_a_shared_theta_is_the_best_on_a_fine_grid(index):
    own, *nulls = curves(index)
    theta = tune_theta(own, nulls)
    grid = np.exp(np.linspace(np.log(1e-2), np.log(1e3), 200))
    assert difference(index, theta) >= max(difference(index, t) for t in grid) - 1e-9
    assert difference(index, 1.3 * theta) < difference(index, theta) > difference(index, theta / 1.3)


@pytest.mark.parametrize("index", INDICES)
def test_a_theta_per_cluster_is_better_than_a_shared_one_and_no_step_improves_it(index):
    own, *nulls = curves(index)
    shared = tune_theta(own, nulls)
    thetas = tune_thetas(own, nulls, shared)
    best = difference(index, thetas)
    assert best > difference(index, shared) + 1e-4
    for k in range(3):
        for factor in (0.9, 1.1):
            other = np.where(np.arange(3) == k, factor * thetas, thetas).clip(LEAST_THETA, GREATEST_THETA)
            assert difference(index, other) < best + 1e-6


def test_assess_stability_tunes_as_asked():
    plain = pt.assess_stability(DISTANCES, n_baselines=5)
    by_index = {index: pt.assess_stability(DISTANCES, tuned_by=index, n_baselines=5) for index in INDICES}
    assert by_index["average"].theta == plain.theta
    assert len({round(found.theta, 3) for found in by_index.values()}) == 3
    assert all(found.difference <= plain.difference + 1e-9 for found in by_index.values())
    each = pt.assess_stability(DISTANCES, theta="tuned-per-cluster", n_baselines=5)
    assert each.theta.shape == (3,)
    assert each.difference > plain.difference
    assert each.phi == pytest.approx(LocationExponential().phi(DISTANCES, each.theta))
    again = pt.assess_stability(DISTANCES, theta=each.theta, n_baselines=5)
    assert again.baseline_averages == pytest.approx(each.baseline_averages)
    assert each.average == pytest.approx(pointwise_stability(each.phi, each.labels).mean())


def test_a_shared_theta_says_nothing_under_exponential_scales_and_one_per_cluster_does():
    tied = pt.assess_stability(DISTANCES, distribution="exponential", n_baselines=3)
    each = pt.assess_stability(DISTANCES, distribution="exponential", theta="tuned-per-cluster", n_baselines=3)
    assert tied.theta == 1
    assert each.difference > tied.difference


@pytest.mark.parametrize("share", [0.0, 0.004, 0.5, 0.996, 1.0])
def test_a_best_theta_is_found_up_to_the_ends_of_its_range(share):
    """A curve with one peak, also between the last two points of the grid."""
    low, high = np.log(LEAST_THETA), np.log(GREATEST_THETA)
    peak = low + share * (high - low)

    def curve(theta):
        return -((np.log(theta) - peak) ** 2), -2 * (np.log(theta) - peak) / theta

    def level(theta):
        return 0.0, 0.0

    assert np.log(tune_theta(curve, [level, level])) == pytest.approx(peak, abs=1e-6)


@pytest.mark.parametrize("theta", [0.05, 0.8, 3.0, 40.0])
def test_a_spectrum_and_the_mean_of_spectra_have_the_values_and_slopes_of_plain_curves(theta):
    labels = np.arange(60) % 3
    spectrum, plain = Spectrum.of(DISTANCES, labels), index_curve("average", LocationExponential(), DISTANCES, labels)
    assert spectrum(theta) == pytest.approx(plain(theta), abs=1e-6)
    assert spectrum.average(theta) == pytest.approx(plain.average(theta), abs=1e-6)
    spectra = [Spectrum.of(d, labels) for d in (DISTANCES, *NULLS)]
    assert mean_curve(spectra)(theta) == pytest.approx(np.mean([s(theta) for s in spectra], axis=0))


def test_labels_that_are_given_are_kept_and_others_are_those_of_the_nearest_cluster():
    labels = np.where(np.arange(60) < 30, -1, 0)
    kept = index_curve("average", LocationExponential(), DISTANCES, labels).labels
    assert kept[:30].tolist() == DISTANCES[:30].argmin(axis=1).tolist()
    assert (kept[30:] == 0).all()
