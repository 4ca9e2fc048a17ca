import numpy as np
import pytest

import partita as pt
from partita import datasets


def test_noisy_draws_repeat_the_truth_but_for_the_noise():
    post, truth = datasets.make_noisy_draws(n_items=300, n_draws=200, n_clusters=5, noise=0.2, random_state=1)
    assert (post.n_draws, post.n_items) == (200, 300)
    together = truth[:, None] == truth
    similarity = post.similarity()
    stay = 0.8 + 0.2 / 5  # an item keeps its cluster, or is moved to the same one
    same = stay**2 + 4 * (0.2 / 5) ** 2
    assert similarity[together & ~np.eye(300, dtype=bool)].mean() == pytest.approx(same, abs=0.01)


def test_the_same_seed_gives_the_same_draws():
    first, second = (datasets.make_noisy_draws(random_state=7)[0].draws for _ in range(2))
    other = datasets.make_noisy_draws(random_state=8)[0].draws
    assert (first == second).all()
    assert (first != other).any()


def test_no_noise_gives_the_truth_alone():
    for seed in range(5):
        post, truth = datasets.make_noisy_draws(noise=0, random_state=seed)
        assert (post.draws == truth).all()
        assert truth.dtype == np.int64


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="noise must lie between 0 and 1: got 2"):
        datasets.make_noisy_draws(noise=2)
    with pytest.raises(ValueError, match="noise must lie between 0 and 1: got 'x'"):
        datasets.make_noisy_draws(noise="x")
    with pytest.raises(ValueError, match="n_clusters must be a whole number of at least 1: got 0"):
        datasets.make_noisy_draws(n_clusters=0)


def test_galaxies_are_the_well_known_ones():
    X = datasets.load_galaxies()
    assert X.shape == (82, 1)
    assert X.dtype == np.float64
    assert (np.diff(X[:, 0]) > 0).all()
    assert X[[0, 40, 77, 81], 0].tolist() == [9.172, 20.821, 26.69, 34.279]
    assert X.mean() == pytest.approx(20.828, abs=5e-4)
    assert X.std(ddof=1) == pytest.approx(4.564, abs=5e-4)


def test_penguins_are_the_well_known_ones():
    table, species = datasets.load_penguins()
    assert table.shape == (344, 6)
    assert species.value_counts().to_dict() == {"Adelie": 152, "Gentoo": 124, "Chinstrap": 68}
    assert table.groupby(species)["body_mass_g"].mean().round().to_dict() == {
        "Adelie": 3701.0,
        "Chinstrap": 3733.0,
        "Gentoo": 5076.0,
    }
    assert table.isna().sum().to_dict() == dict.fromkeys(table.columns[1:5], 2) | {"island": 0, "sex": 11}


def test_loaded_galaxies_are_a_copy():
    datasets.load_galaxies()[:] = 0
    assert datasets.load_galaxies().min() == 9.172


@pytest.mark.parametrize(("example", "deviations"), [(1, [1, 1, 1, 1]), (2, [1, 1.5, 0.5, 1])])
def test_quadrants_have_their_centers_and_spreads(example, deviations):
    X, labels = datasets.make_quadrants(n_items=40_000, example=example, random_state=1)
    assert X.shape == (40_000, 2)
    assert np.bincount(labels) / labels.size == pytest.approx(0.25, abs=0.01)
    for j, center in enumerate([(2, 2), (2, -2), (-2, 2), (-2, -2)]):
        assert X[labels == j].mean(axis=0) == pytest.approx(center, abs=0.06)
        assert np.cov(X[labels == j].T) == pytest.approx(deviations[j] ** 2 * np.eye(2), abs=0.1)


def test_quadrants_repeat_with_their_seed():
    one, two, other = (datasets.make_quadrants(random_state=s)[0] for s in (3, 3, 4))
    assert (one == two).all()
    assert (one != other).any()


def test_bad_quadrants_are_named():
    with pytest.raises(ValueError, match="example must be 1 or 2: got 3"):
        datasets.make_quadrants(example=3)
    with pytest.raises(ValueError, match="n_items must be a whole number of at least 1: got 0"):
        datasets.make_quadrants(n_items=0)


def moments_of_point_sets(process, n_sets, n_points=None):
    rng = np.random.default_rng(5)
    sets = [datasets.sample_point_process(process, n_points, rng) for _ in range(n_sets)]
    return np.stack([X for X, _ in sets]), np.stack([labels for _, labels in sets])


def test_point_sets_have_the_moments_of_their_process():
    process = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [4, 1]], [2, 3], 9, [np.eye(2), 3 * np.eye(2)])
    X, labels = moments_of_point_sets(process, 1500, 4)
    for k, scale in enumerate([1, 3]):  # mean covariance is psi / (kappa - d - 1), of a mean that over nu more
        points = X[labels == k]
        assert points.mean(axis=0) == pytest.approx(process.means[k], abs=0.05)
        assert np.cov(points.T) == pytest.approx(scale / 6 * (1 + 1 / process.nu[k]) * np.eye(2), abs=0.06)


def test_point_sets_follow_the_label_prior():
    sized = pt.GaussianPointProcess.known([[0], [1]], 1.0, sizes=[3, 1])
    counts = [np.bincount(row, minlength=2).tolist() for row in moments_of_point_sets(sized, 200)[1]]
    assert {tuple(c) for c in counts} == {(3, 1), (1, 3)}
    weighted = pt.GaussianPointProcess.known([[0], [1]], 1.0, weights=[1, 3])
    assert moments_of_point_sets(weighted, 200, 20)[1].mean() == pytest.approx(0.75, abs=0.03)
    only = pt.GaussianPointProcess.known([[0], [1]], 1.0, label_prior=lambda n: 0.0 if n[0] == 2 else -np.inf)
    assert (moments_of_point_sets(only, 20, 5)[1].sum(axis=1) == 3).all()


def test_point_sets_need_a_proper_process_and_a_number_of_points():
    with pytest.raises(ValueError, match="process must have proper priors"):
        datasets.sample_point_process(pt.GaussianPointProcess.gaussian_means([[0]], 0, 1.0), 5)
    with pytest.raises(ValueError, match="n_points must be a whole number of at least 1: got None"):
        datasets.sample_point_process(pt.GaussianPointProcess.known([[0]], 1.0))
    with pytest.raises(ValueError, match="n_points must be the sum of the known sizes, 4: got 5"):
        datasets.sample_point_process(pt.GaussianPointProcess.known([[0], [1]], 1.0, sizes=[3, 1]), 5)


def test_a_spread_below_rounding_is_none():
    made = [datasets.make_shaped_mixture(60, weight_spread=spread, random_state=0).X for spread in (1e-308, 0.0)]
    np.testing.assert_array_equal(*made)
