"""Averaged assignment matrices against quadrature, Monte Carlo, finite differences and printed reference values."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from partita._kernels.stability.sorted_distances import sort_pairs
from partita.stability import Exponential, LocationExponential, SampledScales, ShiftedGamma

ROW = np.array([[1, 1.3, 2, 2.2]])
THETA = np.array([2.0, 3, 1, 4])
DISTRIBUTIONS = [Exponential(), LocationExponential(), ShiftedGamma()]
SURVIVAL = {
    "Exponential": lambda x, b: np.exp(-b * np.maximum(x, 0)),
    "LocationExponential": lambda x, b: np.exp(-b * np.maximum(x - 1, 0)),
    "ShiftedGamma": lambda x, b: (1 + b * np.maximum(x - 1, 0)) * np.exp(-b * np.maximum(x - 1, 0)),
}
DENSITY = {
    "Exponential": lambda x, b: b * np.exp(-b * x),
    "LocationExponential": lambda x, b: b * np.exp(-b * (x - 1)) * (x >= 1),
    "ShiftedGamma": lambda x, b: b**2 * (x - 1) * np.exp(-b * (x - 1)) * (x >= 1),
}
SAMPLE = {
    "Exponential": lambda rng, b, n: rng.exponential(1 / b, size=(n, b.size)),
    "LocationExponential": lambda rng, b, n: 1 + rng.exponential(1 / b, size=(n, b.size)),
    "ShiftedGamma": lambda rng, b, n: 1 + rng.gamma(2, 1 / b, size=(n, b.size)),
}
SCORE = {
    "LocationExponential": lambda scales, b: 1 / b - (scales - 1),
    "ShiftedGamma": lambda scales, b: 2 / b - (scales - 1),
}


def name_of(distribution):
    return type(distribution).__name__


def by_quadrature(name, d, theta):
    """Probability that each cluster is nearest, straight from its integral over the cluster's own scale."""

    def won(x, j):
        others = [l for l in range(d.size) if l != j]  # noqa: E741
        return DENSITY[name](x, theta[j]) * np.prod(SURVIVAL[name](x * d[j] / d[others], theta[others]))

    out = []
    for j in range(d.size):
        start = 0.0 if name == "Exponential" else 1.0
        lengths = np.array([[1 / theta[j]], [1 / (theta / d).sum() / d[j]]]) * [0.1, 1, 5, 20, 80]
        ends = np.unique(np.concatenate([[start], d / d[j], start + lengths.ravel()]))
        ends = ends[ends >= start]
        out.append(sum(quad(won, a, b, (j,), epsabs=1e-12, epsrel=1e-11)[0] for a, b in pairwise(ends)))
    return np.array(out)


def random_rows(rng, n, k):
    """Rows with near ties, exact ties and huge ratios among them."""
    rows = np.exp(rng.normal(size=(n, k)) * rng.choice([0.01, 0.3, 1.0, 4.0], size=(n, 1)))
    rows[::7, 1] = rows[::7, 0] * (1 + 1e-12)
    rows[::11, 1] = rows[::11, 0]
    return rows


def test_reference_values():
    assert Exponential().phi(ROW) == pytest.approx(np.array([[0.3671, 0.2824, 0.1836, 0.1669]]), abs=5e-5)
    le, sg = LocationExponential(), ShiftedGamma()
    own = [0.7035203282, 0.2911522665, 0.0025047250, 0.0028226803]
    assert le.phi(ROW, THETA)[0] == pytest.approx(own, abs=1e-10)
    assert le.gradient(ROW, THETA)[0] == pytest.approx(
        np.array(
            [
                [0.1589181788, -0.0432243884, -0.0008359323, -0.0002130044],
                [-0.1521822625, 0.0471764612, -0.0009645372, -0.0002457743],
                [-0.0029226911, -0.0016702105, 0.0022957419, -0.0000532511],
                [-0.0038132251, -0.0022818623, -0.0004952724, 0.0005120297],
            ]
        ),
        abs=1e-10,
    )
    assert le.phi(ROW, 2.0)[0] == pytest.approx([0.7542770415, 0.2331451366, 0.0094739098, 0.0031039121], abs=1e-10)
    slope = [0.0831421454, -0.0626933427, -0.0142648547, -0.0061839480]
    assert le.slope(ROW, 2.0)[0] == pytest.approx(slope, abs=1e-10)
    assert sg.phi(ROW, THETA)[0] == pytest.approx([0.5930353934, 0.3883203860, 0.0034814496, 0.0151627709], abs=1e-10)
    first = [0.2253797921, -0.0890026986, -0.0023826780, -0.0022304211]
    assert sg.gradient(ROW, THETA)[0, 0] == pytest.approx(first, abs=1e-10)
    assert sg.phi(ROW, 2.0)[0] == pytest.approx([0.6968404595, 0.2696053357, 0.0230201503, 0.0105340546], abs=1e-10)
    slope = [0.0774957067, -0.0377476446, -0.0247125632, -0.0150354989]
    assert sg.slope(ROW, 2.0)[0] == pytest.approx(slope, abs=1e-10)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=name_of)
def test_phi_agrees_with_quadrature(distribution):
    rng = np.random.default_rng(0)
    for k in (2, 3, 6):
        rows, theta = random_rows(rng, 12, k), np.exp(rng.normal(size=k))
        expected = np.array([by_quadrature(name_of(distribution), row, theta) for row in rows])
        assert distribution.phi(rows, theta) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("k", [2, 31, 32, 33, 64, 65, 200])
def test_sorting_in_runs_sorts(k):
    rng = np.random.default_rng(k)
    keys, names = rng.integers(40, size=k).astype(float), np.arange(k)
    before = keys.copy()
    sort_pairs(keys.size, keys, names, np.empty(k), np.empty(k, np.int64))
    assert (keys == np.sort(before)).all()
    assert (before[names] == keys).all()


def test_phi_agrees_with_the_recursion_as_derived_for_many_clusters():
    rng = np.random.default_rng(8)
    for k in (20, 40, 150):
        d, theta = rng.gamma(20, size=k), rng.gamma(2, size=k)
        order = np.argsort(d)
        r, x = (theta / d)[order], d[order]
        B = np.cumsum(r)
        C = np.exp(np.concatenate([[0.0], -np.cumsum(np.diff(x) * B[:-1])]))
        later = np.concatenate([C[1:] / (B[:-1] * (B[:-1] / r[1:] + 1)), [0.0]])
        expected = np.empty(k)
        expected[order] = r * (C / B - np.cumsum(later[::-1])[::-1])
        assert LocationExponential().phi(d[None], theta)[0] == pytest.approx(expected, abs=1e-13)


def test_quadrature_would_notice_the_algorithm_as_printed():
    """Algorithm 3 as printed still sums to one, which is why sums are not the test."""
    d, theta = ROW[0], 2.0
    B, j = np.cumsum(1 / d), np.arange(1, 5)
    C = j - d * np.concatenate([[0], B[:-1]])
    C[0] = 0
    D = np.exp(theta * C)
    F = np.concatenate([[0], D[1:] / (B[:-1] * (d[1:] * B[:-1] + 1))])
    printed = (D / B - np.array([F[k + 1 :].sum() for k in range(4)])) / d
    assert printed.sum() == pytest.approx(1)
    assert np.abs(printed - by_quadrature("LocationExponential", d, np.full(4, theta))).max() > 1


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=name_of)
def test_phi_agrees_with_monte_carlo_on_thousands_of_rows(distribution):
    rng = np.random.default_rng(1)
    rows = random_rows(rng, 2000, 5)
    theta = np.array([0.5, 2, 1, 5, 3])
    sampled = SampledScales(SAMPLE[name_of(distribution)], n_draws=20_000, random_state=1)
    found, error = sampled.phi(rows, theta), 0.5 / np.sqrt(20_000)  # no standard error is greater
    assert np.abs(found - distribution.phi(rows, theta)).max() < 5 * error
    assert np.abs(found - distribution.phi(rows, theta[::-1])).max() > 5 * error


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=name_of)
def test_rows_are_probabilities_for_any_distances(distribution):
    rng = np.random.default_rng(2)
    for k in (2, 10, 40):
        rows = random_rows(rng, 500, k) * 10.0 ** rng.uniform(-200, 200, size=(500, 1))
        rows[0, :2] = 5e-324, 1e308
        for theta in (1e-3, 1.0, 30.0, 1e5):
            phi = distribution.phi(rows, theta)
            assert phi.min() >= 0
            assert phi.sum(axis=1) == pytest.approx(1, abs=1e-12)
            nearest = rows.argmin(axis=1)
            assert (phi[np.arange(500), nearest] >= phi.max(axis=1) - 1e-14).all()


@pytest.mark.parametrize("distribution", DISTRIBUTIONS[1:], ids=name_of)
def test_limits_are_the_exponential_prior_and_the_hard_assignment(distribution):
    rows = np.random.default_rng(3).gamma(3, size=(200, 5))
    hard = np.eye(5)[rows.argmin(axis=1)]
    assert distribution.phi(rows, 1e7) == pytest.approx(hard, abs=1e-2)
    if isinstance(distribution, LocationExponential):
        assert distribution.phi(rows, 1e-9) == pytest.approx(Exponential().phi(rows), abs=1e-7)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=name_of)
def test_gradients_agree_with_finite_differences(distribution):
    rng = np.random.default_rng(4)
    for k in (2, 5, 8):
        rows, theta = random_rows(rng, 100, k), np.exp(rng.normal(size=k))
        gradient = distribution.gradient(rows, theta)
        for l in range(k):  # noqa: E741
            step = 1e-5 * theta[l] * np.eye(k)[l]
            slope = (distribution.phi(rows, theta + step) - distribution.phi(rows, theta - step)) / (2 * step[l])
            assert gradient[:, :, l] == pytest.approx(slope, abs=2e-8)
        assert gradient.sum(axis=1) == pytest.approx(0, abs=1e-12)
        for t in (0.2, 1.0, 8.0):
            slope = (distribution.phi(rows, t + 1e-5) - distribution.phi(rows, t - 1e-5)) / 2e-5
            assert distribution.slope(rows, t) == pytest.approx(slope, abs=2e-8)
            assert distribution.slope(rows, t) == pytest.approx(distribution.gradient(rows, t).sum(axis=2), abs=1e-10)


def test_finite_differences_would_notice_a_wrong_term():
    """Without the shift by one the score is that of another distribution."""
    slope = (LocationExponential().phi(ROW, 2 + 1e-5) - LocationExponential().phi(ROW, 2 - 1e-5)) / 2e-5
    assert ShiftedGamma().slope(ROW, 2.0) != pytest.approx(slope, abs=1e-3)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS[1:], ids=name_of)
def test_scores_give_gradients_by_monte_carlo(distribution):
    name = name_of(distribution)
    sampled = SampledScales(SAMPLE[name], SCORE[name], n_draws=400_000, random_state=5)
    assert sampled.gradient(ROW, THETA) == pytest.approx(distribution.gradient(ROW, THETA), abs=6e-3)
    assert sampled.slope(ROW, 2.0) == pytest.approx(distribution.slope(ROW, 2.0), abs=6e-3)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS[1:], ids=name_of)
def test_far_clusters_left_out_never_hold_more_than_the_error(distribution):
    rng = np.random.default_rng(6)
    n_left_out = 0
    for error in (0.05, 1e-3, 1e-6):
        for center in (1.0, 3.0, 30.0):
            rows = center * np.exp(rng.normal(size=(200, 12)))
            theta = np.exp(rng.normal(size=12)) * rng.choice([1, 5, 20])
            exact, short = distribution.phi(rows, theta), distribution.phi(rows, theta, error=error)
            dropped = short == 0
            n_left_out += (dropped & (exact > 0)).sum()
            assert np.where(dropped, exact, 0).sum(axis=1).max() <= error
            assert (short - exact)[~dropped].min() >= -1e-14
            assert np.where(dropped, 0, short - exact).sum(axis=1).max() <= error + 1e-14
            assert short.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert n_left_out > 1000


def test_the_printed_gamma_threshold_would_break_its_bound():
    d, rate, error = np.array([10.0, 11, 13]), 20.0, 0.05
    phi = ShiftedGamma().phi(d[None], rate)[0]
    printed = d[0] * 0.2372 + 1  # d F^-1(1 - error) + 1 in place of d (F^-1(1 - error) + 1)
    assert phi[1:][d[1:] >= printed].sum() > error
    assert ShiftedGamma().phi(d[None], rate, error=error)[0, 2] == 0


@pytest.mark.parametrize("distribution", DISTRIBUTIONS, ids=name_of)
def test_zeros_are_shared_evenly_and_do_not_move(distribution):
    rows = [[0.0, 1, 2], [0, 0, 3], [0, 0, 0], [5, 0, 1]]
    expected = [[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3], [0, 1, 0]]
    assert distribution.phi(rows, 2.0) == pytest.approx(np.array(expected))
    assert not distribution.slope(rows, 2.0).any()
    assert not distribution.gradient(rows, 2.0).any()


@pytest.mark.parametrize("distribution", [*DISTRIBUTIONS, SampledScales(SAMPLE["Exponential"], n_draws=9)], ids=name_of)
def test_one_cluster_takes_all(distribution):
    assert distribution.phi([[1.0], [0.0], [7.0]], 2.0) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("distances", "theta", "message"),
    [
        ([[1.0, -2.0]], 1.0, "distances must be finite and not negative: got -2 in row 0, column 1."),
        ([[1.0, 1.0], [np.nan, 1.0]], 1.0, "distances must be finite and not negative: got nan in row 1, column 0."),
        ([[1.0, np.inf]], 1.0, "distances must be finite and not negative: got inf in row 0, column 1."),
        ([1.0, 2.0], 1.0, "distances must be a matrix (n_items, n_clusters) with something in it: got shape (2,)."),
        ([["a", "b"]], 1.0, "distances must be numbers: got [['a', 'b']]."),
        ([[1.0, 2.0]], 0.0, "theta must lie between 1e-100 and 1e+100: got 0.0."),
        ([[1.0, 2.0]], [1.0, 2, 3], "theta must be one number, or one per cluster, 2 in all: got shape (3,)."),
    ],
)
def test_bad_input_is_named(distances, theta, message):
    for distribution in DISTRIBUTIONS:
        with pytest.raises(ValueError) as error:
            distribution.phi(distances, theta)
        assert str(error.value) == message


def test_samplers_are_checked():
    with pytest.raises(ValueError, match="sample must return 1000 × 2 positive scales: got shape"):
        SampledScales(lambda _rng, _theta, n: np.zeros((n, 2))).phi([[1.0, 2.0]], 1.0)
    with pytest.raises(ValueError, match="score must be given for derivatives: got None"):
        SampledScales(SAMPLE["Exponential"]).slope([[1.0, 2.0]], 1.0)
    with pytest.raises(ValueError, match="error must lie between 0 and 1: got 2"):
        LocationExponential().phi([[1.0, 2.0]], 1.0, error=2)


def test_few_nodes_give_probabilities_too():
    distances = np.random.default_rng(0).random((200, 4)) * 5
    for n_nodes in (1, 2, 5):
        phi = ShiftedGamma(n_nodes).phi(distances, 50.0)
        assert phi.min() >= 0
        assert phi.max() <= 1


def test_a_share_left_out_is_a_share():
    assert ShiftedGamma().phi([[1.0, 2.0]], 1.0, error=1.0).sum() == 1
    with pytest.raises(ValueError, match=r"error must lie between 0 and 1: got 1\.5"):
        ShiftedGamma().phi([[1.0, 2.0]], 1.0, error=1.5)
