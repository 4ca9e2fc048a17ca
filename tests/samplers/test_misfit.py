import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from partita.samplers.fusing import DOUBT, EFFECT, LEAST, item_misfit, mean_cubes, misfit_probability, sum_by_group


def naive_mardia(x, precision):
    """Kurtosis and skewness of one component, standardized, by their definitions."""
    n, d = x.shape
    mean = (precision[:, None] * x).sum(axis=0) / precision.sum()
    scaled = np.sqrt(precision)[:, None] * (x - mean)
    inverse = np.linalg.inv(scaled.T @ scaled / n)
    b1 = sum((scaled[i] @ inverse @ scaled[j]) ** 3 for i in range(n) for j in range(n)) / n**2
    b2 = sum((scaled[i] @ inverse @ scaled[i]) ** 2 for i in range(n)) / n
    variance = 8 * d * (d + 2) * (n - 3) * (n - d - 1) * (n - d + 1) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    dof = d * (d + 1) * (d + 2) / 6
    k = (d + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (d + 1) - 6))
    return (b2 - d * (d + 2) * (n - 1) / (n + 1)) / np.sqrt(variance), (n * k * b1 / 6 - dof) / np.sqrt(2 * dof)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_shares_of_items_add_up_to_mardias_statistics(d):
    rng = np.random.default_rng(d)
    x, precision = rng.exponential(size=(45, d)), rng.choice([0.3, 1.0, 3.0], size=45)
    labels = np.repeat([0, 1, 2], [20, 22, 3])  # the last is too small to say anything
    shares = item_misfit(x, precision, labels)
    for k in (0, 1):
        found = shares[labels == k].sum(axis=0) / np.sqrt((labels == k).sum())
        assert found == pytest.approx(naive_mardia(x[labels == k], precision[labels == k]))
    assert (shares[labels == 2] == 0).all()


def test_no_linear_map_of_the_columns_matters():
    rng = np.random.default_rng(0)
    x, labels = rng.normal(size=(60, 3)), np.repeat([0, 1], 30)
    assert item_misfit(x @ rng.normal(size=(3, 3)) + 7, np.ones(60), labels) == pytest.approx(
        item_misfit(x, np.ones(60), labels)
    )


def test_cubes_by_pairs_of_rows_and_by_third_moments_are_the_same():
    x = np.random.default_rng(0).normal(size=(20, 4))
    assert mean_cubes(x) == pytest.approx(((x @ x.T) ** 3).mean(axis=1))  # 16 moments, 20 rows
    assert mean_cubes(x[:9]) == pytest.approx(((x[:9] @ x[:9].T) ** 3).mean(axis=1))


def test_normal_items_have_standard_statistics_and_others_do_not():
    rng = np.random.default_rng(0)
    n, labels = 80, np.zeros(80, np.int64)

    def statistics(sample):
        return np.array([item_misfit(sample(), np.ones(n), labels).sum(axis=0) for _ in range(300)]) / np.sqrt(n)

    normal = statistics(lambda: rng.normal(size=(n, 3)))
    assert normal.mean(axis=0) == pytest.approx([0, 0], abs=0.2)
    assert normal.std(axis=0) == pytest.approx([1, 1], abs=0.2)
    assert statistics(lambda: rng.random((n, 3))).mean(axis=0)[0] < -1.5
    assert statistics(lambda: rng.exponential(size=(n, 3))).mean(axis=0)[1] > 3


@pytest.mark.parametrize(("kurtosis", "skewness", "n"), [(-2.3, 0.4, 300), (0.1, -0.5, 200), (1.0, 3.0, 50)])
def test_the_probability_is_that_of_its_definition(kurtosis, skewness, n):
    def factor(value, low):
        def under(effect):
            return stats.norm.pdf(value, np.sqrt(n) * effect) * stats.norm.pdf(effect, 0, EFFECT)

        mass = quad(under, low, 10 * EFFECT, points=[value / np.sqrt(n)])[0] / stats.norm.sf(low, 0, EFFECT)
        return mass / stats.norm.pdf(value)

    odds = DOUBT / (1 - DOUBT) * (factor(kurtosis, -10 * EFFECT) + factor(skewness, 0.0)) / 2
    found = misfit_probability(np.array([[kurtosis], [skewness]]) * np.sqrt(n), n)
    assert found == pytest.approx(odds / (1 + odds), rel=1e-4)


def test_more_items_say_more():
    """Without a sign of misfit, and with the same effect."""
    nothing, off = np.zeros((2, 1)), np.array([[-0.15], [0.0]])
    assert misfit_probability(nothing, 1000) < misfit_probability(nothing, 100) < DOUBT
    assert misfit_probability(1000 * off, 1000) > misfit_probability(300 * off, 300) > DOUBT
    assert misfit_probability(1e6 * off, 1e6) == 1.0


def test_sums_by_group_are_those_of_its_items_in_every_draw():
    misfit, groups = np.random.default_rng(0).normal(size=(2, 3, 7)), np.array([0, 2, 1, 0, 0, 2, 2])
    for g in range(3):
        assert sum_by_group(misfit, groups, 3)[:, :, g] == pytest.approx(misfit[:, :, groups == g].sum(axis=2))


@pytest.mark.parametrize("between", [0.0, 0.3, 0.5])
def test_a_mean_kurtosis_whose_draws_differ_is_judged_by_the_variance_that_is_left(between):
    """Tables of a model that fits: draws of a statistic that is standard normal over tables and draws."""
    rng = np.random.default_rng(0)
    steps = stats.norm.ppf((np.arange(100) + 0.5) / 100)
    steps *= np.sqrt(between) / steps.std()  # the draws of one table
    found = []
    for mean in np.sqrt(1 - between) * rng.normal(size=400):
        totals = np.array([mean + steps, np.zeros(100)]) * np.sqrt(300)
        alone = np.array([[mean / np.sqrt(1 - between)], [0.0]]) * np.sqrt(300)
        assert misfit_probability(totals, 300) == pytest.approx(misfit_probability(alone, 300))
        found.append(misfit_probability(totals, 300))
    assert np.mean(found) < DOUBT  # as rare as where draws do not differ
    assert np.mean(np.array(found) > 0.5) < 0.05


def test_what_is_left_of_the_variance_is_bounded_and_skewness_is_as_it_is():
    def probability(kurtosis, skewness):
        return misfit_probability(np.array([kurtosis, skewness]) * np.sqrt(300), 300)

    apart = np.array([-1.0, 1.0])
    least = -1 / np.sqrt(LEAST)
    assert probability(3 * apart - 1, 0 * apart) == pytest.approx(probability([least], [0.0]))
    assert probability(0 * apart, 3 * apart + 1) == pytest.approx(probability([0.0], [1.0]))
