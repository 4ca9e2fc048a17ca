import numpy as np
import pytest
from scipy.integrate import quad
from scipy.ndimage import maximum_filter
from scipy.spatial.distance import pdist
from scipy.stats import norm

from partita import datasets
from partita.datasets.mixtures import ShapedMixture, _gamma, sample_sizes
from partita.datasets.separation import N_STEPS, normal_proximity, normal_scale, spread_centers
from partita.datasets.transforms import Rotation, Scaling, Translation, apply_forward, apply_inverse, draw_transforms

TRANSFORMS = [Rotation(0, 2, 0.7), Scaling(1, 2.5), *(Translation(0, 1, power, 0.4) for power in range(4))]


@pytest.mark.parametrize("transform", TRANSFORMS, ids=repr)
def test_transforms_are_inverted_and_have_their_jacobian(transform):
    points = np.random.default_rng(0).normal(size=(20, 3))
    there = apply_forward([transform], points)
    assert apply_inverse([transform], there) == pytest.approx(points)
    assert np.abs(there - points).max() > 0.1
    assert apply_forward([transform], np.zeros((1, 3))) == pytest.approx(np.zeros((1, 3)))
    steps = 1e-6 * np.eye(3)
    jacobian = (apply_forward([transform], points[0] + steps) - apply_forward([transform], points[0] - steps)) / 2e-6
    assert np.log(np.linalg.det(jacobian)) == pytest.approx(transform.log_jacobian, abs=1e-7)


def test_the_printed_rotation_would_have_another_determinant():
    printed = np.array([[np.cos(0.7), np.sin(0.7)], [-np.cos(0.7), np.sin(0.7)]])
    assert np.linalg.det(printed) == pytest.approx(np.sin(1.4))
    assert Rotation(0, 1, 0.7).log_jacobian == 0


def test_drawn_transforms_keep_the_test_points_near_in_both_directions():
    kinds = ["rotation", "scaling", "translation"] * 4
    axes = np.concatenate([np.eye(4), -np.eye(4)])
    farthest = []
    for max_radius in (1.5, None):
        radii = []
        for seed in range(20):
            drawn = draw_transforms(kinds, 4, 0.7, max_radius, np.random.default_rng(seed))
            for t in range(1, len(drawn) + 1):
                for move in (apply_forward, apply_inverse):
                    radii.append(np.linalg.norm(move(drawn[:t], axes), axis=1).max())
                    radii.append(np.linalg.norm(move(drawn[:t], 2 * axes), axis=1).max() / 2)
                    radii.append(np.linalg.norm(move(drawn[t - 1 : t], axes), axis=1).max())
        farthest.append(max(radii))
    assert farthest[0] <= 1.5 * (1 + 1e-9)
    assert farthest[1] > 5


def test_components_without_a_greatest_radius_are_longer():
    def longest(max_radius):
        data = datasets.make_shaped_mixture(300, n_clusters=2, n_scalings=2, max_radius=max_radius, random_state=3)
        spreads = [np.linalg.eigvalsh(np.cov(data.X[data.labels == k].T)) for k in range(2)]
        return max(spread[-1] / spread[0] for spread in spreads)

    assert longest(None) > 2 * longest(1.5)


def test_density_integrates_to_one_and_is_that_of_the_samples():
    mixture = datasets.make_shaped_mixture(n_clusters=3, severity=0.6, random_state=3).mixture
    X, labels = mixture.sample(40_000, random_state=1)
    low, high = X.min(axis=0) - 1, X.max(axis=0) + 1
    x, y = np.linspace(low[0], high[0], 600), np.linspace(low[1], high[1], 600)
    grid = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    cell = (x[1] - x[0]) * (y[1] - y[0])
    for mass in (mixture.density(grid).sum(), *np.exp(mixture.log_components(grid)).sum(axis=0)):
        assert mass * cell == pytest.approx(1, abs=0.01)
    # The mean of any function over samples is its integral against the density.
    for f in (lambda z: np.tanh(z[:, 0]), lambda z: np.cos(z[:, 1]), lambda z: np.cos(3 * z[:, 0] * z[:, 1])):
        assert f(X).mean() == pytest.approx((f(grid) * mixture.density(grid)).sum() * cell, abs=0.02)
    assert np.bincount(labels) / 40_000 == pytest.approx(mixture.weights, abs=0.02)


def test_density_as_printed_would_not_integrate_to_one():
    """Without the factor scale**-p a component of scale one half has a quarter of the mass."""
    one = ShapedMixture(np.zeros((1, 2)), np.array([0.5]), np.ones(1), ((),))
    assert one.density([[0.0, 0.0]])[0] == pytest.approx(norm.pdf(0) ** 2 / 0.25)


def test_proximity_of_normal_components_follows_its_integral():
    for distance, expected in ((4.17691, 0.6), (5.01324, 0.5), (3.32605, 0.75)):
        assert normal_proximity(distance) == pytest.approx(expected, abs=1e-5)
    pair = ShapedMixture(np.array([[0.0], [3.0]]), np.array([1.0, 0.6]), np.array([0.3, 0.7]), ((), ()))

    def density(x):
        return 0.3 * norm.pdf(x) + 0.7 * norm.pdf(x, 3, 0.6)

    least = min(density(0), density(3))
    expected = quad(lambda u: min(1, density(3 * u) / least), 0, 1, limit=200)[0]
    assert pair.proximities()[0, 1] == pytest.approx(expected, abs=2 / N_STEPS**2 * 10)
    assert (pair.proximities() == pair.proximities().T).all()


@pytest.mark.parametrize(("n_features", "n_clusters"), [(1, 3), (2, 2), (2, 9), (10, 6), (30, 4)])
@pytest.mark.parametrize("separation", [0.3, 0.6, 0.9])
def test_components_are_as_far_apart_as_asked(n_features, n_clusters, separation):
    data = datasets.make_shaped_mixture(120, n_features, n_clusters, separation=separation, scale_spread=1.0)
    assert data.mixture.proximities().max() <= separation
    assert data.X.shape == (120, n_features)
    assert np.isfinite(data.X).all()


def test_round_components_start_at_the_separation_asked_for():
    mixture = datasets.make_anova_mixture(n_clusters=6, n_features=4, separation=0.6).mixture
    assert mixture.proximities().max() == pytest.approx(0.6, abs=1e-3)
    closest = pdist(mixture.centers).min()
    assert mixture.scales[0] == pytest.approx(normal_scale(mixture.centers, 0.6))
    assert mixture.scales[0] == pytest.approx(closest / 4.17691, rel=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_there_are_as_many_modes_as_clusters(seed):
    """By hill climbing, and by counting the tops of the density on a fine grid."""
    mixture = datasets.make_shaped_mixture(n_clusters=4, random_state=seed).mixture
    assert len(mixture.modes(n_starts=10)) == 4
    reach = 6 * mixture.scales.max()
    low, high = mixture.centers.min(axis=0) - reach, mixture.centers.max(axis=0) + reach
    axes = [np.linspace(low[a], high[a], 500) for a in range(2)]
    density = mixture.density(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)).reshape(500, 500)
    tops = (density == maximum_filter(density, 5)) & (density > 1e-6 * density.max())
    assert tops.sum() == 4


def test_one_cluster_is_a_mixture_too():
    data = datasets.make_shaped_mixture(30, 3, 1)
    assert (data.labels == 0).all()
    assert data.mixture.proximities().tolist() == [[0.0]]


def test_components_on_top_of_each_other_have_one_mode():
    close = ShapedMixture(np.array([[0.0, 0], [1.0, 0]]), np.ones(2), np.full(2, 0.5), ((), ()))
    assert len(close.modes(n_starts=5)) == 1


def test_centers_are_farther_apart_than_plain_normal_ones():
    rng = np.random.default_rng(0)
    plain = [pdist(rng.normal(size=(8, 2))).min() for _ in range(20)]
    assert min(pdist(spread_centers(8, 2, rng)).min() for _ in range(5)) > max(plain)


def test_sizes_reach_their_minimum_and_their_total():
    rng = np.random.default_rng(0)
    weights = np.array([0.9, 0.05, 0.03, 0.02])
    sizes = np.array([sample_sizes(50, weights, 5, rng) for _ in range(500)])
    assert (sizes.sum(axis=1) == 50).all()
    assert sizes.min() == 5
    assert np.array([sample_sizes(50, weights, 0, rng) for _ in range(500)]).mean(axis=0) == pytest.approx(
        50 * weights, abs=0.5
    )


def test_spreads_are_those_of_the_gamma_and_dirichlet():
    rng = np.random.default_rng(0)
    weights = np.array([_gamma(1.0, 5, rng) for _ in range(20_000)])
    assert (weights.mean(), weights.std()) == pytest.approx((1, 1), abs=0.02)
    weights /= weights.sum(axis=1, keepdims=True)
    assert weights.std() == pytest.approx(0.1633, abs=0.002)  # Dirichlet(1, ..., 1); as printed it would be 0.078
    assert np.ptp(datasets.make_shaped_mixture(scale_spread=0, weight_spread=0).mixture.weights) == 0


def test_the_same_seed_gives_the_same_data():
    first, second, other = (datasets.make_shaped_mixture(random_state=seed).X for seed in (1, 1, 2))
    assert (first == second).all()
    assert (first != other).any()


def test_far_from_everything_the_density_is_zero_and_no_number_overflows():
    mixture = datasets.make_shaped_mixture(n_features=6, severity=1.0, n_translations=3, random_state=2).mixture
    assert (mixture.density(np.full((2, 6), [[1e6], [-1e6]])) == 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(separation=0), "separation must lie strictly between 0 and 1: got 0."),
        (dict(separation=1.0), "separation must lie strictly between 0 and 1: got 1.0."),
        (dict(separation=-2), "separation must lie strictly between 0 and 1: got -2."),
        (dict(n_items=20, n_clusters=5), "min_size must leave room for 5 clusters in 20 items: got 5."),
        (dict(severity=2), "severity must lie between 0 and 1: got 2."),
        (dict(scale_spread=-1), "scale_spread must lie between 0 and 1000: got -1."),
        (dict(n_scalings=-1), "n_scalings must lie between 0 and 1000: got -1."),
        (dict(n_clusters=0), "n_clusters must be a whole number of at least 1: got 0."),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        datasets.make_shaped_mixture(**{"n_items": 100, **arguments})
    assert str(error.value) == message
    if "n_items" in arguments:
        with pytest.raises(ValueError):
            datasets.make_anova_mixture(n_items=20, n_clusters=5).mixture.sample(3, 1)
