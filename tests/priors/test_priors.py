import math

import naive
import numpy as np
import pytest
from scipy import stats
from scipy.special import logsumexp

import partita as pt
from partita._kernels.priors.eppf import (
    log_component_sum,
    log_rising,
    log_size_probability,
    log_weight_existing,
    log_weight_new,
    steepest_ahead,
)
from partita._kernels.samplers.concentration import sample_concentration

POISSON = stats.poisson(1.0).pmf(np.arange(30))
GEOMETRIC = stats.geom(0.3).pmf(np.arange(1, 200))
GAPS = [0.25, 0.0, 0.5, 0.0, 0.0, 0.25]

# Each prior with a concentration to fill in, and the probability of cluster sizes straight from its definition.
FAMILIES = {
    "dp": (pt.DirichletProcess, lambda sizes, x: naive.pitman_yor(sizes, x, 0.0)),
    "py": (lambda x: pt.PitmanYor(x, discount=0.4), lambda sizes, x: naive.pitman_yor(sizes, x, 0.4)),
    "py-steep": (lambda x: pt.PitmanYor(x, discount=0.9), lambda sizes, x: naive.pitman_yor(sizes, x, 0.9)),
    "finite": (lambda x: pt.FiniteDirichlet(3, x), lambda sizes, x: naive.finite_dirichlet(sizes, 3, x)),
    "finite-one": (lambda x: pt.FiniteDirichlet(1, x), lambda sizes, x: naive.finite_dirichlet(sizes, 1, x)),
    "finite-many": (lambda x: pt.FiniteDirichlet(12, x), lambda sizes, x: naive.finite_dirichlet(sizes, 12, x)),
    "mfm": (
        pt.MixtureOfFiniteMixtures,
        lambda sizes, x: naive.mixture_of_finite_mixtures(sizes, x, POISSON),
    ),
    "mfm-geometric": (
        lambda x: pt.MixtureOfFiniteMixtures(x, pt.Geometric(0.3)),
        lambda sizes, x: naive.mixture_of_finite_mixtures(sizes, x, GEOMETRIC),
    ),
    "mfm-gaps": (
        lambda x: pt.MixtureOfFiniteMixtures(x, GAPS),
        lambda sizes, x: naive.mixture_of_finite_mixtures(sizes, x, GAPS),
    ),
}
CONCENTRATIONS = [0.05, 1.0, 7.5]
ONE_OF_EACH = ["dp", "py", "finite", "mfm"]

each_family = pytest.mark.parametrize("family", FAMILIES)
each_kind = pytest.mark.parametrize("family", ONE_OF_EACH)
each_concentration = pytest.mark.parametrize("concentration", CONCENTRATIONS)


def made(family, concentration):
    return FAMILIES[family][0](concentration)


def defined(family, labels, concentration):
    return FAMILIES[family][1](np.bincount(labels).tolist(), concentration)


def averaged(prior, function):
    """Mean of a function over a gamma prior, by the trapezoid rule on the log scale."""
    u = np.linspace(-60, 8, 601)
    density = stats.gamma(prior.shape, scale=1 / prior.rate).pdf(np.exp(u)) * np.exp(u)
    return np.trapezoid([d * function(math.exp(v)) for v, d in zip(u, density, strict=True)], u)


@each_family
@each_concentration
def test_probability_follows_its_definition(family, concentration):
    prior = made(family, concentration)
    for labels in naive.all_partitions(5):
        expected = defined(family, labels, concentration)
        assert math.exp(prior.log_probability(labels)) == pytest.approx(expected, rel=1e-11, abs=1e-300)


@each_family
@each_concentration
def test_probabilities_of_all_partitions_sum_to_one(family, concentration):
    prior = made(family, concentration)
    for n in range(1, 7):
        total = math.fsum(math.exp(prior.log_probability(labels)) for labels in naive.all_partitions(n))
        assert total == pytest.approx(1, abs=1e-12)


@each_kind
def test_probabilities_under_a_gamma_concentration_are_averages_and_sum_to_one(family):
    gamma = pt.Gamma(0.7, 2.0)
    prior = made(family, gamma)
    found = [math.exp(prior.log_probability(labels)) for labels in naive.all_partitions(4)]
    assert math.fsum(found) == pytest.approx(1, abs=1e-9)
    for labels in ([0, 0, 0, 0], [0, 0, 1, 2]):
        expected = averaged(gamma, lambda x, labels=labels: defined(family, np.array(labels), x))
        assert math.exp(prior.log_probability(labels)) == pytest.approx(expected, rel=1e-8)


def test_a_vague_gamma_concentration_loses_no_probability():
    prior = pt.DirichletProcess(pt.Gamma(0.001, 0.001))
    total = math.fsum(math.exp(prior.log_probability(labels)) for labels in naive.all_partitions(3))
    assert total == pytest.approx(1, abs=1e-9)


@each_family
@each_concentration
def test_last_item_can_be_forgotten(family, concentration):
    prior = made(family, concentration)
    for labels in naive.all_partitions(4):
        larger = [[*labels, label] for label in range(labels.max() + 2)]
        assert math.fsum(math.exp(prior.log_probability(row)) for row in larger) == pytest.approx(
            math.exp(prior.log_probability(labels)), rel=1e-11, abs=1e-300
        )


@each_family
@each_concentration
def test_weights_give_the_probability_in_any_order_of_items(family, concentration):
    prior, rng = made(family, concentration), np.random.default_rng(0)
    for n in range(1, 6):
        log_join, log_new = prior.log_weights(n)
        assert log_join.shape == log_new.shape == (n + 1,)
        assert not np.isnan(log_new).any()
        one_cluster = prior.log_probability(np.zeros(n, int)) - log_new[0] - log_join[1:n].sum()
        for labels in naive.all_partitions(n):
            sizes, total = np.zeros(n, int), one_cluster
            for label in rng.permutation(labels):
                total += log_join[sizes[label]] if sizes[label] else log_new[np.count_nonzero(sizes)]
                sizes[label] += 1
            assert total == pytest.approx(prior.log_probability(labels), abs=1e-10)


def test_weights_take_a_concentration_where_there_is_a_prior_on_it():
    given = pt.PitmanYor(pt.Gamma(1, 1), 0.2).log_weights(6, 2.5)
    for found, expected in zip(given, pt.PitmanYor(2.5, 0.2).log_weights(6), strict=True):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="concentration must be given when it has a prior"):
        pt.DirichletProcess(pt.Gamma(1, 1)).log_weights(6)


@pytest.mark.parametrize("n_new", [1, 4, 9])
def test_shorter_weights_are_the_beginning_of_longer_ones(n_new):
    prior = pt.MixtureOfFiniteMixtures(0.8)
    log_join, log_new = np.empty(5), np.empty(n_new)
    log_weight_existing(prior.kind, 0.8, 0.0, log_join)
    log_weight_new(prior.kind, 0.8, 0.0, prior.log_components(30), 30, log_new)
    full_join, full_new = prior.log_weights(30)
    np.testing.assert_array_equal(log_join, full_join[:5])
    np.testing.assert_array_equal(log_new, full_new[:n_new])


@pytest.mark.parametrize("components", [pt.ShiftedPoisson(0.1), pt.ShiftedPoisson(9.0), pt.Geometric(0.05), GAPS])
@pytest.mark.parametrize("concentration", [0.01, 1.0, 30.0])
def test_sum_over_components_is_exact_to_rounding(components, concentration):
    n = 60
    prior = pt.MixtureOfFiniteMixtures(concentration, components)
    few = prior.log_components(n)
    many = few if isinstance(components, list) else components.log_probabilities(700)
    assert few.size == many.size or few.size < many.size / 2
    steepest, rest, k = steepest_ahead(few), np.full(few.size, np.nan), np.arange(1, many.size + 1)
    log_rest = np.array([log_rising(concentration * each, n) for each in k])
    for n_clusters in [*range(4), 20, 59, 60, 61]:
        with np.errstate(divide="ignore"):
            log_falling = np.log(np.maximum(0.0, k[:, None] - np.arange(n_clusters))).sum(axis=1)
        with np.errstate(invalid="ignore"):
            expected = logsumexp(many + log_falling - log_rest)
        found = log_component_sum(n_clusters, n, concentration, few, steepest, rest)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("x", [1e-250, 1e-3, 0.5, 999.0, 1001.0, 1e9])
@pytest.mark.parametrize("n", [0, 1, 15, 16, 40, 3000])
def test_log_of_rising_factorial_is_a_sum_of_logs(x, n):
    assert log_rising(x, n) == pytest.approx(math.fsum(math.log(x + i) for i in range(n)), rel=1e-13, abs=1e-12)


def goodness(family, drawn, claimed):
    """P-value of the frequencies of 3000 draws of four items against the probabilities they claim to have."""
    prior, rng = made(family, drawn), np.random.default_rng(1)
    rows = [tuple(labels.tolist()) for labels in naive.all_partitions(4)]
    draws = [tuple(prior.sample(4, rng).tolist()) for _ in range(3000)]
    count = np.array([draws.count(row) for row in rows])
    expected = 3000 * np.exp([made(family, claimed).log_probability(row) for row in rows])
    possible = expected > 1e-9
    assert count[~possible].sum() == 0
    return stats.chisquare(count[possible], expected[possible] * 3000 / expected[possible].sum()).pvalue


@pytest.mark.parametrize("family", ["dp", "py", "finite", "mfm", "mfm-gaps"])
@pytest.mark.parametrize("concentration", [1.0, pt.Gamma(2.0, 1.5)], ids=["fixed", "gamma"])
def test_draws_have_the_probabilities_of_the_prior(family, concentration):
    assert goodness(family, concentration, concentration) > 1e-3


@each_kind
def test_draws_with_another_concentration_are_told_apart(family):
    assert goodness(family, 1.0, 2.0) < 1e-6


def test_same_seed_same_draw():
    prior = pt.PitmanYor(pt.Gamma(1, 1), 0.3)
    np.testing.assert_array_equal(prior.sample(50, 4), prior.sample(50, 4))
    assert not np.array_equal(prior.sample(50, 4), prior.sample(50, 5))
    labels = prior.sample(50, 4)
    np.testing.assert_array_equal(labels, pt.canonical(labels))


@each_family
@each_concentration
def test_expected_clusters_is_the_enumerated_mean(family, concentration):
    prior = made(family, concentration)
    for n in (1, 2, 6):
        mean = math.fsum((row.max() + 1) * math.exp(prior.log_probability(row)) for row in naive.all_partitions(n))
        assert prior.expected_clusters(n) == pytest.approx(mean, rel=1e-11)


@each_kind
def test_expected_clusters_averages_over_a_gamma_concentration(family):
    gamma = pt.Gamma(1.5, 1.0)
    expected = averaged(gamma, lambda x: made(family, x).expected_clusters(20))
    assert made(family, gamma).expected_clusters(20) == pytest.approx(expected, rel=1e-8)


@each_kind
def test_expected_clusters_is_the_mean_of_draws(family):
    prior, rng = made(family, pt.Gamma(2.0, 1.0)), np.random.default_rng(2)
    drawn = np.array([prior.sample(60, rng).max() + 1 for _ in range(1000)])
    assert abs(drawn.mean() - prior.expected_clusters(60)) < 4 * drawn.std() / math.sqrt(1000)


def test_pitman_yor_without_discount_is_a_dirichlet_process():
    for labels in naive.all_partitions(5):
        same = pt.DirichletProcess(1.3).log_probability(labels)
        assert pt.PitmanYor(1.3, 0.0).log_probability(labels) == pytest.approx(same, abs=1e-12)
    assert pt.PitmanYor(1.3, 1e-9).expected_clusters(50) == pytest.approx(
        pt.DirichletProcess(1.3).expected_clusters(50)
    )


def test_many_components_approach_a_dirichlet_process():
    process, finite = pt.DirichletProcess(1.3), pt.FiniteDirichlet(10**9, 1.3e-9)
    for labels in naive.all_partitions(5):
        assert finite.log_probability(labels) == pytest.approx(process.log_probability(labels), abs=1e-6)
    assert finite.expected_clusters(500) == pytest.approx(process.expected_clusters(500), rel=1e-6)


def test_known_number_of_components_makes_a_finite_mixture():
    mixture, finite = pt.MixtureOfFiniteMixtures(0.6, [0, 0, 0, 1]), pt.FiniteDirichlet(4, 0.6)
    for labels in naive.all_partitions(5):
        assert mixture.log_probability(labels) == pytest.approx(finite.log_probability(labels), abs=1e-12)
    np.testing.assert_allclose(mixture.log_weights(7)[1], finite.log_weights(7)[1], atol=1e-12)
    np.testing.assert_array_equal(mixture.sample(9, 3).max() < 4, True)


@pytest.mark.parametrize("family", ["dp", "py", "finite-many", "mfm", "mfm-geometric"])
def test_probabilities_and_weights_stay_finite_for_many_items(family):
    prior = made(family, 0.5)
    assert math.isfinite(prior.log_probability(np.arange(20_000) % 6))
    log_join, log_new = prior.log_weights(2000)
    assert np.isfinite(log_join).all()
    assert np.isfinite(log_new[:12]).all()
    assert np.isfinite(log_new).all() != (family == "finite-many")


SIZES, N_ITEMS = np.array([6, 3, 2, 0, 0]), 11  # three clusters, and room for more


def kernel_arguments(family):
    prior = made(family, 1.0)
    return prior.kind, prior.parameter, prior.log_components(N_ITEMS)


@each_family
def test_size_probability_differs_from_the_prior_by_a_constant(family):
    kind, parameter, components = kernel_arguments(family)
    one = family == "finite-one"
    sizes, n_clusters = (np.array([11, 0]), 1) if one else (SIZES, 3)
    used = sizes[:n_clusters].tolist()
    constant = [
        log_size_probability(kind, x, parameter, components, sizes, n_clusters, N_ITEMS)
        - math.log(FAMILIES[family][1](used, x))
        for x in (0.01, 0.4, 1.0, 20.0)
    ]
    np.testing.assert_allclose(constant, constant[0], atol=1e-10)


@pytest.mark.parametrize("components", [pt.ShiftedPoisson(3.0), pt.Geometric(0.1)], ids=repr)
@pytest.mark.parametrize("concentration", [0.01, 1.0, 30.0])
def test_few_clusters_of_many_items_need_few_components(components, concentration):
    prior, sizes = pt.MixtureOfFiniteMixtures(1.0, components), np.array([1500, 400, 60, 40])
    few, many = (
        log_size_probability(prior.kind, concentration, 0.0, prior.log_components(n), sizes, 4, 2000) for n in (4, 2000)
    )
    assert few == pytest.approx(many, rel=1e-13)


def worst_quantile(family, gamma, believed):
    """Largest error of a long run's distribution function at quantiles of the posterior on a grid."""
    kind, parameter, components = kernel_arguments(family)
    u = np.linspace(-12, 6, 700)
    log_fit = np.log([FAMILIES[family][1](SIZES[:3].tolist(), math.exp(v)) for v in u])
    log_posterior = gamma.shape * u - gamma.rate * np.exp(u) + log_fit
    below = np.cumsum(np.exp(log_posterior - log_posterior.max()))
    rng, x, draws = np.random.default_rng(3), 1.0, np.empty(6000)
    for i in range(draws.size):
        x = sample_concentration(kind, x, believed.shape, believed.rate, parameter, components, SIZES, 3, N_ITEMS, rng)
        draws[i] = math.log(x)
    levels = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
    quantiles = np.interp(levels, below / below[-1], u)
    return max(abs((draws < q).mean() - level) for q, level in zip(quantiles, levels, strict=True))


@pytest.mark.parametrize("family", [*ONE_OF_EACH, "mfm-gaps"])
@pytest.mark.parametrize("gamma", [pt.Gamma(1.0, 1.0), pt.Gamma(0.3, 0.1)], ids=repr)
def test_concentration_updates_reach_the_posterior(family, gamma):
    assert worst_quantile(family, gamma, believed=gamma) < 0.03


@each_kind
def test_concentration_updates_under_another_prior_are_told_apart(family):
    assert worst_quantile(family, pt.Gamma(1.0, 1.0), believed=pt.Gamma(1.0, 2.0)) > 0.05


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pt.Gamma(-1, 1), "shape must be a finite number of at least 0, at most 1e.100: got -1."),
        (lambda: pt.Gamma(1, math.inf), "rate must be a finite number of at least 0, at most 1e.100: got inf."),
        (lambda: pt.DirichletProcess(0), "concentration must be a positive number or a Gamma .*: got 0."),
        (lambda: pt.DirichletProcess(math.nan), "concentration must be a positive .*: got nan."),
        (lambda: pt.DirichletProcess("1"), "concentration must be a positive .*: got '1'."),
        (lambda: pt.DirichletProcess(True), "concentration must be a positive .*: got True."),
        (lambda: pt.DirichletProcess(pt.Gamma(0, 0)), r"positive shape and rate: got Gamma\(shape=0, rate=0\)."),
        (lambda: pt.PitmanYor(1.0, 1.0), "discount must be at least 0 and below 1: got 1.0."),
        (lambda: pt.PitmanYor(1.0, -0.1), "discount must be at least 0 and below 1: got -0.1."),
        (lambda: pt.FiniteDirichlet(0), "n_components must be a whole number of at least 1: got 0."),
        (lambda: pt.FiniteDirichlet(2.5), "n_components must be a whole number of at least 1: got 2.5."),
        (lambda: pt.FiniteDirichlet(3, -1.0), "concentration must be a positive .*: got -1.0."),
        (lambda: pt.ShiftedPoisson(0), "mean must be a positive number: got 0."),
        (lambda: pt.Geometric(1.0), "probability must lie strictly between 0 and 1: got 1.0."),
        (lambda: pt.MixtureOfFiniteMixtures(1.0, 5), "n_components must be a ShiftedPoisson, .*: got 5."),
        (lambda: pt.MixtureOfFiniteMixtures(1.0, [0.5, 0.4]), r"that sum to 1: got \[0.5, 0.4\]."),
        (lambda: pt.MixtureOfFiniteMixtures(1.0, [1.5, -0.5]), r"that sum to 1: got \[1.5, -0.5\]."),
        (lambda: pt.MixtureOfFiniteMixtures(1.0, "ab"), "n_components must be .*: got 'ab'."),
        (lambda: pt.DirichletProcess().log_weights(0), "n_items must be a whole number of at least 1: got 0."),
        (lambda: pt.DirichletProcess().sample(-3), "n_items must be a whole number of at least 1: got -3."),
        (lambda: pt.DirichletProcess().expected_clusters(2.0), "n_items must be a whole number .*: got 2.0."),
        (lambda: pt.DirichletProcess().log_probability([]), "labels must label at least one item: got none."),
        (lambda: pt.DirichletProcess().log_probability([0], -2), "concentration must be a positive number: got -2."),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("prior", "parameter", "n_logs"),
    [
        (pt.DirichletProcess(2.0), 0.0, 0),
        (pt.PitmanYor(2.0, discount=0.25), 0.25, 0),
        (pt.FiniteDirichlet(3), 3.0, 0),
        (pt.MixtureOfFiniteMixtures(1.0, GAPS), 0.0, 6),
    ],
    ids=repr,
)
def test_kernels_get_what_the_prior_has(prior, parameter, n_logs):
    assert prior.parameter == parameter
    assert prior.log_components(4).size == n_logs
    assert (prior.sample(30) == prior.sample(30, random_state=0)).all()
    for wrong in (0, -1.0):
        with pytest.raises(ValueError, match="concentration must be a positive number: got"):
            prior.log_weights(3, wrong)
    assert np.isfinite(prior.log_weights(3, 0.5)[0][1:]).all()


@pytest.mark.parametrize(
    ("components", "n_items", "size"),
    [
        (pt.ShiftedPoisson(4.0), 7, 7 + 104),  # 4 + 20 * 2 + 60
        (pt.ShiftedPoisson(0.25), 1, 1 + 71),
        (pt.Geometric(0.5), 7, 210),  # (9 + 12 * 3 + 60) / 0.5
        (pt.Geometric(0.25), 14, 496),
    ],
    ids=repr,
)
def test_as_many_components_as_matter_are_thought_of(components, n_items, size, monkeypatch):
    asked = []
    monkeypatch.setattr("partita.priors.hyperpriors.check_memory", lambda n_bytes, *_: asked.append(n_bytes))
    assert components.log_probabilities(n_items).size == size
    assert asked == [(24 if isinstance(components, pt.ShiftedPoisson) else 8) * size]
    assert np.exp(components.log_probabilities(n_items)).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("gamma", [pt.Gamma(0.4, 3.0), pt.Gamma(2.0, 0.5), pt.Gamma(90.0, 30.0)], ids=repr)
def test_nodes_of_a_gamma_have_its_moments(gamma):
    nodes, weights = gamma.nodes()
    mean, variance = gamma.shape / gamma.rate, gamma.shape / gamma.rate**2
    assert weights.sum() == pytest.approx(1, abs=1e-12)
    assert weights @ nodes == pytest.approx(mean, rel=1e-7)
    assert weights @ (nodes - mean) ** 2 == pytest.approx(variance, rel=1e-6)
    assert (np.diff(nodes) > 0).all()


@pytest.mark.parametrize("power", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("gamma", [pt.Gamma(0.4, 3.0), pt.Gamma(2.0, 0.5), pt.Gamma(90.0, 30.0)], ids=repr)
def test_averages_over_a_gamma_are_its_moments(gamma, power):
    expected = math.lgamma(gamma.shape + power) - math.lgamma(gamma.shape) - power * math.log(gamma.rate)
    assert gamma.log_average(lambda x: power * math.log(x)) == pytest.approx(expected, abs=1e-8)
    assert gamma.log_average(lambda x: -math.inf) == -math.inf


@pytest.mark.parametrize(("total", "fine"), [(1.0, True), (1 + 5e-10, True), (1 + 2e-9, False), (1 - 2e-9, False)])
def test_probabilities_of_components_sum_to_one_but_for_rounding(total, fine):
    given = [0.0, 0.25, total - 0.25]
    if fine:
        assert pt.MixtureOfFiniteMixtures(1.0, given).n_components == tuple(given)
    else:
        with pytest.raises(ValueError, match="n_components must be"):
            pt.MixtureOfFiniteMixtures(1.0, given)
    assert pt.MixtureOfFiniteMixtures(1.0, [1.0]).n_components == (1.0,)
    assert pt.PitmanYor(1.0, discount=0).discount == 0
