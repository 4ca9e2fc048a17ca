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


@pytest.mark.parametrize(
    ("options", "scales", "totals", "sizes"),
    [
        (
            dict(n_items=40, n_features=3, n_clusters=4, random_state=5),
            [0.70128632, 0.73619183, 0.63285079, 1.30059219],
            [14.57811972, -1.44396867, -0.26886249],
            [12, 7, 10, 11],
        ),
        (
            dict(
                n_items=30, severity=0.9, n_translations=2, n_scalings=2, max_radius=1.4, scale_spread=1.0,
                separation=0.3, random_state=1,
            ),
            [0.04739141, 0.50905721, 0.44417282, 0.02679145, 0.32173095],
            [-16.21993089, -4.17141411],
            [5, 6, 5, 9, 5],
        ),
    ],
)  # fmt: skip
def test_a_seed_gives_the_data_it_always_gave(options, scales, totals, sizes):
    data = datasets.make_shaped_mixture(**options)
    assert data.mixture.scales == pytest.approx(np.array(scales), rel=1e-6)
    assert data.X.sum(axis=0) == pytest.approx(np.array(totals), rel=1e-6)
    assert np.bincount(data.labels).tolist() == sizes


@pytest.mark.parametrize(
    ("transform", "point", "moved"),
    [
        (Rotation(0, 1, np.pi / 2), [1.0, 0.0], [0.0, -1.0]),
        (Rotation(0, 1, np.pi / 6), [0.0, 2.0], [1.0, np.sqrt(3)]),
        (Scaling(1, 2.5), [1.0, 2.0], [1.0, 5.0]),
        (Translation(0, 1, 1, 0.5), [3.0, 1.0], [3.0, 2.5]),
        (Translation(0, 1, 2, 0.5), [3.0, 1.0], [3.0, 5.5]),
        (Translation(0, 1, 3, 0.5), [3.0, 1.0], [3.0, 14.5]),
        (Translation(0, 1, 0, 0.5), [2.0, 1.0], [2.0, np.e]),
        (Translation(0, 1, 0, 1.0), [1000.0, 1.0], [1000.0, np.exp(200)]),
        (Translation(0, 1, 3, 1.0), [1e50, 1.0], [1e50, 1e90]),
        (Translation(0, 1, 3, 1.0), [-1e50, 1.0], [-1e50, -1e90]),
    ],
    ids=repr,
)
def test_points_are_moved_as_said(transform, point, moved):
    assert apply_forward([transform], [point])[0] == pytest.approx(np.array(moved), rel=1e-9, abs=1e-12)


def test_drawn_transforms_have_the_strengths_of_their_severity():
    rng = np.random.default_rng(0)
    drawn = [draw_transforms(["scaling", "rotation", "translation"], 3, 0.4, None, rng) for _ in range(3000)]
    kinds = {
        kind: [t for shape in drawn for t in shape if isinstance(t, kind)] for kind in (Scaling, Rotation, Translation)
    }
    assert [len(found) for found in kinds.values()] == [3000] * 3
    factors = np.array([t.factor for t in kinds[Scaling]])
    assert (factors.mean(), factors.var()) == pytest.approx((1.0, 0.4), abs=0.05)
    angles = np.array([t.angle for t in kinds[Rotation]])
    assert (angles.min(), angles.max()) == pytest.approx((0.0, 2 * np.pi), abs=0.02)
    amounts = np.array([t.amount for t in kinds[Translation]])
    assert (amounts.mean(), amounts.var()) == pytest.approx((0.4, 0.4), abs=0.06)
    assert {t.power for t in kinds[Translation]} == {0, 1, 2, 3}
    assert {t.axis for t in kinds[Scaling]} == {0, 1, 2}
    still = draw_transforms(["scaling", "translation"], 2, 0.0, None, rng)
    assert sorted(getattr(t, "factor", 0.0) + getattr(t, "amount", 0.0) for t in still) == [0.0, 1.0]


def test_scales_of_one_component_and_of_many_at_a_separation():
    assert normal_scale(np.zeros((1, 2)), 0.6) == 1.0
    centers = np.array([[0.0, 0.0], [3.0, 4.0], [50.0, 0.0]])
    assert normal_proximity(5.0 / normal_scale(centers, 0.6)) == pytest.approx(0.6 * (1 - 5e-4), rel=1e-9)


@pytest.mark.parametrize(("n_items", "fits"), [(25, True), (24, False)])
def test_clusters_need_room_for_their_least_size(n_items, fits):
    if fits:
        assert np.bincount(datasets.make_anova_mixture(n_items, n_clusters=5).labels).tolist() == [5] * 5
    else:
        with pytest.raises(ValueError, match="min_size must leave room for 5 clusters in 24 items: got 5"):
            datasets.make_anova_mixture(n_items, n_clusters=5)


def digest(X):
    """One number that nearly any change to an array changes."""
    return float(np.cos(np.arange(X.size)) @ X.ravel())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (dict(n_items=40), (-4.29772838, 8.20000711, 0.59875798)),
        (
            dict(n_items=40, n_features=5, n_clusters=3, severity=0.9, random_state=1),
            (-28.6021471, 2.58459737, 0.57705199),
        ),
        (
            dict(n_items=30, n_features=1, n_clusters=4, scale_spread=1.0, random_state=2),
            (-2.70766997, -0.39168315, 0.59613150),
        ),
        (
            dict(
                n_items=30, n_clusters=8, separation=0.3, min_size=2, weight_spread=1.0, max_radius=1.2, random_state=4
            ),
            (4.41111812, -7.68175131, 0.28338102),
        ),
    ],
)
def test_a_seed_keeps_its_data(arguments, expected):
    data = datasets.make_shaped_mixture(**arguments)
    found = digest(data.X), digest(data.labels), data.mixture.proximities().max()
    assert found == pytest.approx(expected, rel=1e-6)


def test_other_seeds_keep_their_data_too():
    assert digest(datasets.make_anova_mixture(30, random_state=5).X) == pytest.approx(-27.7217806, rel=1e-6)
    draws, truth = datasets.make_noisy_draws(20, 15, 5, 0.3, random_state=6)
    assert digest(draws.draws) == pytest.approx(-0.86450422, rel=1e-6)
    assert truth.tolist() == [0, 1, 0, 1, 1, 2, 3, 1, 0, 2, 1, 1, 1, 1, 0, 4, 0, 2, 4, 0]
    X, labels = datasets.make_quadrants(30, 2, random_state=7)
    assert (digest(X), labels.sum()) == pytest.approx((-2.76580505, 50), rel=1e-6)


def test_samples_come_from_seed_0_with_an_item_of_each_component_by_default():
    mixture = ShapedMixture(np.array([[0.0], [9.0]]), np.ones(2), np.array([1 - 1e-9, 1e-9]), ((), ()))
    X, labels = mixture.sample(8)
    assert np.bincount(labels).tolist() == [7, 1]
    np.testing.assert_array_equal(X, mixture.sample(8, 1, 0)[0])


def test_no_more_clusters_than_the_least_sizes_leave_room_for():
    assert np.bincount(datasets.make_shaped_mixture(10, n_clusters=2, min_size=5).labels).tolist() == [5, 5]
    with pytest.raises(ValueError, match="min_size must leave room for 2 clusters in 9 items: got 5"):
        datasets.make_shaped_mixture(9, n_clusters=2, min_size=5)


@pytest.mark.parametrize("kind", ["scaling", "translation", "rotation"])
def test_nothing_is_scaled_or_moved_without_severity(kind):
    points = np.random.default_rng(0).normal(size=(5, 2))
    moved = apply_forward(draw_transforms([kind] * 3, 2, 0.0, 2.0, np.random.default_rng(1)), points)
    assert np.linalg.norm(moved, axis=1) == pytest.approx(np.linalg.norm(points, axis=1))
    assert (np.abs(moved - points).max() < 1e-12) == (kind != "rotation")


def test_a_move_stays_a_number_however_far_away():
    far = apply_forward([Translation(0, 1, 0, 1.0), Translation(1, 0, 3, 1.0)], np.array([[500.0, 0.0], [-500.0, 1.0]]))
    assert far[0] == pytest.approx([1e90, np.expm1(200.0)])
    assert far[1] == pytest.approx([-500.0, 0.0])
