import numpy as np
import pytest
from scipy.stats import norm

import partita as pt
from partita.experimental import path_sampling, recluster, sweep_sampling
from partita.experimental.path_sampling import metropolis, resample
from partita.experimental.sweep_sampling import _mean_rise, _Regions, _Swept
from partita.stability import LocationExponential, sampled_assignment


def gaussian_in_a_box(n_dimensions):
    """Uniform prior on [-1, 1]**d, normal weight of standard deviation 0.5: the thesis' experiment."""
    return dict(
        log_weight=lambda x: norm.logpdf(x, scale=0.5).sum(axis=1),
        log_prior=lambda x: np.where((np.abs(x) <= 1).all(axis=1), -n_dimensions * np.log(2), -np.inf),
        sample_prior=lambda rng, n: rng.uniform(-1, 1, size=(n, n_dimensions)),
    ), n_dimensions * np.log(0.5 * (2 * norm.cdf(2) - 1))


@pytest.mark.parametrize(("n_dimensions", "printed"), [(2, -1.4794), (10, -7.3972)])
def test_path_sampling_finds_the_constant(n_dimensions, printed):
    problem, truth = gaussian_in_a_box(n_dimensions)
    assert truth == pytest.approx(printed, abs=1e-4)
    estimates = [path_sampling(**problem, n_particles=600, random_state=seed).log_constant for seed in range(8)]
    error = np.std(estimates, ddof=1) / np.sqrt(8)
    assert np.mean(estimates) == pytest.approx(truth, abs=4 * error + 1e-3)
    assert error < 0.02


def test_too_few_steps_would_be_noticed():
    problem, truth = gaussian_in_a_box(10)
    lazy = [path_sampling(**problem, n_steps=1, random_state=seed).log_constant for seed in range(8)]
    assert abs(np.mean(lazy) - truth) > 4 * np.std(lazy, ddof=1) / np.sqrt(8) + 1e-3


def test_metropolis_leaves_its_target_alone():
    rng = np.random.default_rng(0)
    points = metropolis(rng.normal(size=(20_000, 2)), lambda x: norm.logpdf(x).sum(axis=1), 10, rng)
    assert points.mean(axis=0) == pytest.approx([0, 0], abs=0.03)
    assert points.std(axis=0) == pytest.approx([1, 1], abs=0.03)


@pytest.mark.parametrize(("n_dimensions", "n_particles"), [(1, 300), (2, 400)])
def test_sweep_sampling_finds_the_constant_in_few_dimensions(n_dimensions, n_particles):
    problem, truth = gaussian_in_a_box(n_dimensions)
    estimates = [
        sweep_sampling(
            **problem, seeds=np.zeros((1, n_dimensions)), max_cost=0.1, n_particles=n_particles, random_state=s
        )
        for s in range(5)
    ]
    values = [e.log_constant for e in estimates]
    assert max(e.unreached for e in estimates) == 0
    assert min(e.n_regions for e in estimates) > 2
    assert np.mean(values) == pytest.approx(truth, abs=4 * np.std(values, ddof=1) / np.sqrt(5) + 5e-3)


def test_sweep_sampling_says_what_it_has_not_reached():
    problem, _ = gaussian_in_a_box(5)
    stuck = sweep_sampling(**problem, seeds=np.zeros((1, 5)), max_cost=0.02, n_particles=100, max_steps=60)
    assert stuck.unreached > 0.5


def test_a_level_that_follows_the_weight_reaches_what_a_fixed_one_does_not():
    """Where weights are faint, particles crowd outside the regions, unless the prior's level falls with them."""
    problem, truth = gaussian_in_a_box(1)
    faint = dict(problem, log_weight=lambda x: problem["log_weight"](x) - 3)
    options = dict(seeds=np.zeros((1, 1)), max_cost=0.003, n_particles=300, n_steps=4, n_moves=20, max_steps=100)
    fixed, follows = (
        [sweep_sampling(**faint, **options, balance=balance, random_state=seed) for seed in (1, 3)]
        for balance in (False, True)
    )
    assert min(e.unreached for e in fixed) > 0.9
    assert max(e.unreached for e in follows) < 0.1
    assert np.mean([e.log_constant for e in follows]) == pytest.approx(truth - 3, abs=0.15)
    assert np.mean([e.log_constant for e in fixed]) > truth - 2


def test_the_same_seed_gives_the_same_estimate():
    problem, _ = gaussian_in_a_box(2)
    first, second, other = (path_sampling(**problem, random_state=seed).log_constant for seed in (1, 1, 2))
    assert first == second != other


def test_reclustering_gives_draws_that_are_matched():
    rng = np.random.default_rng(0)
    centers = np.repeat([0.0, 8.0, 16.0], 10)
    X = centers + rng.normal(size=30)

    def thirds(rng):
        noisy = X + 0.1 * rng.normal(size=30)
        return rng.permutation(3)[np.searchsorted([4, 12], noisy)]

    one, two = recluster(thirds, 20), recluster(thirds, 20, n_jobs=2)
    assert (one.draws == two.draws).all()
    assert pt.matched_stability(one, np.repeat([0, 1, 2], 10)).average > 0.95


def test_sampled_assignments_agree_with_the_closed_form_and_its_gradient():
    distances = np.random.default_rng(1).gamma(3, size=(10, 3))
    theta = np.array([1.0, 2.0, 1.5])
    scales = 1 + np.random.default_rng(2).exponential(1 / theta, size=(40_000, 3))
    found = sampled_assignment(lambda s: np.eye(3)[(distances * s).argmin(axis=1)], scales, 1 / theta - (scales - 1))
    assert found.phi == pytest.approx(LocationExponential().phi(distances, theta), abs=0.015)
    assert found.gradient == pytest.approx(LocationExponential().gradient(distances, theta), abs=0.03)
    assert found.phi != pytest.approx(LocationExponential().phi(distances, 2 * theta), abs=0.015)


def test_bad_input_is_named():
    problem, _ = gaussian_in_a_box(1)
    with pytest.raises(ValueError, match="max_cost must be positive: got 0"):
        sweep_sampling(**problem, seeds=np.zeros((1, 1)), max_cost=0)
    with pytest.raises(ValueError, match="n_particles must be a whole number of at least 2: got 1"):
        path_sampling(**problem, n_particles=1)
    with pytest.raises(ValueError, match="n_draws must be a whole number of at least 1: got 0"):
        recluster(lambda _rng: [0, 1], 0)
    with pytest.raises(ValueError, match="perturbations must hold at least one draw: got none"):
        sampled_assignment(lambda _: np.eye(2), [])
    with pytest.raises(ValueError, match=r"scores must hold one row per draw, 2 in all: got shape \(1, 1\)"):
        sampled_assignment(lambda _: np.eye(2), [1, 2], [[1.0]])


def test_a_seed_keeps_its_estimate():
    problem, _ = gaussian_in_a_box(2)
    found = path_sampling(**problem, n_particles=20, n_steps=4, n_moves=3)
    assert found.path.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert found.means == pytest.approx([-1.92113884, -1.56325666, -1.24073716, -1.00627116, -1.02627623], rel=1e-6)
    assert found.log_constant == pytest.approx(-1.32099313, rel=1e-6)


@pytest.mark.parametrize(
    ("max_cost", "balance", "expected"),
    [(0.1, False, (-0.63270368, 0.0, 5)), (0.01, False, (-0.42704531, 0.6, 14)), (0.01, True, (-1.01726659, 0.45, 14))],
)
def test_a_seed_keeps_its_sweep(max_cost, balance, expected):
    problem, _ = gaussian_in_a_box(1)
    options = dict(seeds=np.zeros((1, 1)), n_particles=40, n_steps=3, n_moves=3, max_steps=40)
    found = sweep_sampling(**problem, **options, max_cost=max_cost, balance=balance)
    assert tuple(found) == pytest.approx(expected, rel=1e-6)


def test_points_are_drawn_again_in_proportion_to_their_weights():
    points = np.arange(4.0)[:, np.newaxis]
    drawn = resample(points, np.log([1.0, 2.0, 5.0, 1e-300]) + 700, np.random.default_rng(0))
    counts = np.bincount(drawn[:, 0].astype(int), minlength=4)
    assert counts.sum() == 4
    assert (np.abs(counts - 4 * np.array([1, 2, 5, 0]) / 8) < 1).all()


def swept():
    """Two regions, around 0 since step 0 and around 5 since step 2, of which each takes 4 steps."""
    regions = _Regions(1.0, 4)
    regions.add(np.array([[0.0]]), 0, -1.0)
    regions.add(np.array([[5.0]]), 2, -3.0)
    return regions


def test_points_are_in_the_first_region_within_its_radius_and_arrive_after_its_steps():
    regions, points = swept(), np.array([[0.5], [1.0 + 1e-9], [5.9], [9.0]])
    region = regions.of(points)
    assert region.tolist() == [0, -1, 1, -1]
    assert regions.arrived(region, 3).tolist() == [False] * 4
    assert regions.arrived(region, 4).tolist() == [True, False, False, False]
    assert regions.arrived(region, 6).tolist() == [True, False, True, False]


def test_the_rise_is_that_of_points_under_way_and_of_those_outside():
    regions, points = swept(), np.array([[0.5], [5.5], [9.0], [3.0]])
    weight = lambda x: 2 * x[:, 0]  # noqa: E731
    # Two of four are outside and rise by 0.5 each; 0.5 and 5.5 rise by a quarter of the way from their levels.
    expected = (2 * 0.5 + (1.0 + 1.0) / 4 + (11.0 + 3.0) / 4) / 4
    assert _mean_rise(points, regions, 3, weight, 0.5) == pytest.approx(expected)
    later = (2 * 0.5 + (11.0 + 3.0) / 4) / 4  # the first has arrived
    assert _mean_rise(points, regions, 4, weight, 0.5) == pytest.approx(later)


def test_a_swept_density_is_the_prior_outside_and_on_its_way_inside():
    regions, points = swept(), np.array([[0.5], [5.5], [9.0], [20.0]])
    prior = lambda x: np.where(x[:, 0] < 10, -2.0, -np.inf)  # noqa: E731
    found = _Swept(regions, 3, lambda x: 2 * x[:, 0], prior, -0.7)(points)
    expected = [-2 + 0.75 * 1.0 + 0.25 * -1.0, -2 + 0.25 * 11.0 + 0.75 * -3.0, -2 - 0.7, -np.inf]
    assert found == pytest.approx(expected)
