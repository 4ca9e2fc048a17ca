import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import gammaln, i0e, i1e, logsumexp

import partita as pt
from partita._kernels.components.family import (
    copy_row,
    log_conditional,
    log_marginal,
    log_predictive,
    redraw_item,
    set_prior,
    update_stats,
)
from partita.components import COMPONENTS, check_component, make_model, observed_items, sample_entries, with_rows
from partita.components.columns import only_columns
from partita.components.von_mises import log_bessel

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal([3.0, -1.0], [1.0, 4.0], size=(9, 2))
HOLES = NUMBERS.copy()
HOLES[[1, 4], [0, 1]] = np.nan
MIXED = pd.DataFrame(
    {
        "length": HOLES[:, 0],
        "sort": [*"abcab", None, *"bcc"],
        "eggs": [3.0, 0, 5, 1, np.nan, 2, 7, 0, 1],
        "wild": [True, False, True, True, False, False, True, False, True],
    }
)
CASES = {
    "gaussian-diagonal": NUMBERS,
    "gaussian-diagonal, missing": HOLES,
    "gaussian-full": NUMBERS,
    "gaussian-full, missing": HOLES,
    "student": NUMBERS,
    "student, missing": HOLES,
    "gaussian-spherical": NUMBERS,
    "bernoulli": RNG.integers(2, size=(9, 3)),
    "categorical": RNG.choice(list("xyz"), size=(9, 2)),
    "poisson": RNG.poisson(3, size=(9, 2)),
    "multinomial": RNG.poisson(2, size=(9, 4)),
    "exponential": np.where(RNG.random((9, 2)) < 0.1, np.nan, RNG.exponential([1.0, 9.0], size=(9, 2))),
    "von-mises": np.where(RNG.random((9, 2)) < 0.1, np.nan, RNG.vonmises(2.0, 1.5, size=(9, 2))),
    "product": MIXED,
}


def encoded(case, power=1.0):
    made = check_component(case.split(",")[0]).encode(CASES[case])
    for block in made.blocks:
        block.hyper[0] = power
    return made


def place(made, members, weights=None):
    """Statistics of a cluster in row 0; row 1 is empty."""
    model = make_model(made, made.hyper, made.latent, 2)
    set_prior(model)
    copy_row(model, 1, 0)
    for i in members:
        update_stats(model, 0, 0, i, 1.0 if weights is None else weights[i])
    return model


def density(made, i, members, function=log_predictive):
    out = np.zeros(1)
    function(place(made, members), i, np.zeros(1, np.int64), 1, out)
    return out[0]


def rows_of(model):
    return np.concatenate([part.rows[0] for part in ((model,) if hasattr(model, "_fields") else model)])


def log_factorials(made, members):
    """Factors of single items, which the marginal leaves out."""
    chosen = {block.kind: block.x[list(members)] for block in made.blocks}
    total = -np.nansum(gammaln(chosen["count"] + 1)) if "count" in chosen else 0.0
    if "counts" in chosen:
        total += (gammaln(chosen["counts"] + 1) * [-1, -1, -1, -1, 1]).sum()
    return total


@pytest.mark.parametrize("power", [1.0, 0.4])
@pytest.mark.parametrize("case", CASES)
def test_predictive_densities_multiply_to_the_marginal_likelihood(case, power):
    made = encoded(case, power)
    total = sum(density(made, i, range(i), log_conditional) for i in range(9))
    whole = log_marginal(place(made, range(9)), 0) + power * log_factorials(made, range(9))
    assert whole == pytest.approx(total, rel=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_an_item_added_and_removed_leaves_no_trace(case):
    model = place(encoded(case), [0, 2, 3])
    before = rows_of(model).copy()
    for _ in range(100):
        for i in (5, 7, 8):
            update_stats(model, 0, 0, i, 1.0)
        for i in (7, 5, 8):
            update_stats(model, 0, 0, i, -1.0)
    assert rows_of(model) == pytest.approx(before, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_an_item_that_counts_twice_is_two_items(case):
    made = encoded(case)
    weights = np.array([2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 1.0, 1.0, 1.0])
    once = place(made, [0, 0, 1, 3, 4, 4, 4])
    assert rows_of(place(made, [0, 1, 2, 3, 4], weights)) == pytest.approx(rows_of(once))


@pytest.mark.parametrize("case", CASES)
def test_a_power_of_the_likelihood_is_a_weight_of_every_item(case):
    made, powered = encoded(case), encoded(case, 0.3)
    weighted = place(made, [0, 1, 5], np.full(9, 0.3))
    assert log_marginal(place(powered, [0, 1, 5]), 0) == pytest.approx(log_marginal(weighted, 0))


@pytest.mark.parametrize("case", CASES)
def test_constants_without_a_table_are_those_of_the_table(case):
    made = encoded(case)
    model = make_model(made, made.hyper, made.latent, 2, equal=False)
    set_prior(model)
    copy_row(model, 1, 0)
    for i in (1, 2, 6):
        update_stats(model, 0, 0, i, 1.0)
    out = np.zeros(1)
    log_predictive(model, 5, np.zeros(1, np.int64), 1, out)
    assert out[0] == pytest.approx(density(made, 5, [1, 2, 6]))


def fixed(covariance, **hyper):
    return pt.Gaussian(covariance, **hyper)


def test_diagonal_gaussian_density_is_students():
    made = fixed("diagonal", mean=0.5, strength=0.7, shape=3.0, scale=1.3).encode(NUMBERS)
    expected = 0.0
    for j in range(2):
        x = NUMBERS[:3, j]
        strength, shape = 3.7, 4.5
        center = (0.7 * 0.5 + x.sum()) / strength
        scale = 1.3 + 0.5 * ((x**2).sum() + 0.7 * 0.25 - strength * center**2)
        spread = math.sqrt(scale * (strength + 1) / (shape * strength))
        expected += stats.t.logpdf(NUMBERS[5, j], 2 * shape, center, spread)
    assert density(made, 5, [0, 1, 2]) == pytest.approx(expected)


def test_full_gaussian_density_is_multivariate_students():
    made = fixed("full", mean=[0.5, 0.0], strength=0.7, shape=2.5, scale=[[2.0, 0.3], [0.3, 1.0]]).encode(NUMBERS)
    x, m0 = NUMBERS[:3], np.array([0.5, 0.0])
    mean = x.mean(axis=0)
    around = (x - mean).T @ (x - mean) + 3 * 0.7 / 3.7 * np.outer(mean - m0, mean - m0)
    psi, dof, strength = np.array([[2.0, 0.3], [0.3, 1.0]]) + around, 5 + 3, 3.7
    center = (0.7 * m0 + x.sum(axis=0)) / strength
    shape = psi * (strength + 1) / (strength * (dof - 1))
    expected = stats.multivariate_t.logpdf(NUMBERS[5], center, shape, dof - 1)
    assert density(made, 5, [0, 1, 2]) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["gaussian-full", "student"])
def test_a_new_row_with_gaps_has_the_density_of_what_is_present(name):
    """The marginal of a multivariate t is the t of a block of its scale matrix; with nothing present it is 1."""
    X = np.random.default_rng(1).normal(size=(12, 3))
    made = check_component(name).encode(X)
    model, rows = place(made, range(8)), np.zeros(1, np.int64)
    gaps = np.array([[0.3, np.nan, -0.2], [np.nan, np.nan, np.nan], [0.3, 0.5, -0.2]])
    new, found = with_rows(made, model, gaps), []
    for i in range(3):
        out = np.zeros(1)
        log_predictive(new, i, rows, 1, out)
        found.append(out[0])
    part, d, n = model, 3, 8.0
    root = np.zeros((d, d))
    root[np.tril_indices(d)] = part.rows[0, 3 + d :]
    dof, count = part.hyper[2] + n - d + 1, part.hyper[1] + n
    shape = root @ root.T * (count + 1) / (count * dof)
    center, keep = part.rows[0, 3 : 3 + d] + made.blocks[0].center, [0, 2]
    block = stats.multivariate_t.logpdf(gaps[0, keep], center[keep], shape[np.ix_(keep, keep)], dof)
    whole = stats.multivariate_t.logpdf(gaps[2], center, shape, dof)
    assert found == pytest.approx([block, 0.0, whole])


def test_heavy_tails_mix_normal_clusters_over_the_precision_of_the_item():
    made = pt.Student().encode(NUMBERS)
    made.blocks[0].hyper[-1] = 2.0
    model, out = place(made, [0, 1, 2]), np.zeros(1)
    share = np.exp(model.log_share[model.tails == 2.0][0])
    assert share.sum() == pytest.approx(1)
    terms = []
    for g, precision in enumerate(model.grid):
        model.precision[5], out[0] = precision, 0.0
        log_conditional(model, 5, np.zeros(1, np.int64), 1, out)
        terms.append(np.log(share[g]) + out[0])
    assert density(made, 5, [0, 1, 2]) == pytest.approx(logsumexp(terms))
    drawn = []
    for seed in range(4000):
        redraw_item(model, 5, 0, np.random.default_rng(seed))
        drawn.append(model.precision[5])
    found = [(np.array(drawn) == precision).mean() for precision in model.grid]
    assert found == pytest.approx(np.exp(terms - logsumexp(terms)), abs=0.03)


def test_light_tails_are_normal():
    student, normal = pt.Student().encode(NUMBERS), pt.Gaussian("full").encode(NUMBERS)
    assert student.blocks[0].hyper[-1] == math.inf
    for members in ([], [1, 2, 3]):
        assert density(student, 5, members) == pytest.approx(density(normal, 5, members))


def test_one_column_is_the_same_under_every_covariance():
    column = NUMBERS[:, :1]
    for members in ([], [1, 2, 3]):
        densities = []
        for covariance in ("diagonal", "spherical", "full"):
            scale = 1.5 if covariance != "full" else [[3.0]]  # a Wishart's scale counts twice
            made = fixed(covariance, mean=0.0, strength=0.5, shape=2.0, scale=scale).encode(column)
            densities.append(density(made, 5, members))
        assert densities[1] == pytest.approx(densities[0])
        assert densities[2] == pytest.approx(densities[0])


def test_categories_and_counts_follow_their_predictive_laws():
    made = pt.Categorical(0.5).encode([["a"], ["b"], ["a"], ["c"]])
    assert density(made, 2, [0, 1]) == pytest.approx(math.log(1.5 / 3.5))
    made = pt.Poisson(2.0, 0.5).encode([[3], [1], [4]])
    assert density(made, 2, [0, 1]) == pytest.approx(stats.nbinom(2.0 + 4, 2.5 / 3.5).logpmf(4))
    made = pt.Bernoulli(2.0).encode([[1], [0], [1]])
    assert density(made, 2, [0, 1]) == pytest.approx(math.log(0.5))


def test_rows_of_counts_follow_the_dirichlet_multinomial():
    counts, weights = np.array([[3, 0, 2], [1, 4, 0], [2, 2, 1], [0, 0, 0]]), np.array([0.5, 1.0, 2.0])
    made = pt.Multinomial(weights).encode(counts)
    expected = stats.dirichlet_multinomial.logpmf(counts[2], weights + counts[0] + counts[1], 5)
    assert density(made, 2, [0, 1]) == pytest.approx(expected)
    assert density(made, 3, [0, 1]) == 0.0  # an empty row says nothing
    model, rng = place(made, [0, 1]), np.random.default_rng(0)
    drawn = np.array([sample_entries(made, model, 0, rng) for _ in range(8000)])
    shares = weights + counts[0] + counts[1]
    assert drawn.mean(axis=0) == pytest.approx(15 / 4 * shares / shares.sum(), abs=0.05)


def test_waiting_times_follow_lomax_distributions():
    times = np.array([[0.5], [2.0], [1.2], [0.1]])
    made = pt.Exponential(1.5, 0.7).encode(times)
    assert density(made, 3, [0, 1]) == pytest.approx(stats.lomax(1.5 + 2, scale=0.7 + 2.5).logpdf(0.1))
    longer = pt.Exponential().encode(60 * times)
    assert density(longer, 3, [0, 1]) == pytest.approx(
        density(pt.Exponential().encode(times), 3, [0, 1]) - math.log(60)
    )
    model, rng = place(made, [0, 1]), np.random.default_rng(0)
    drawn = [sample_entries(made, model, 0, rng)[0] for _ in range(4000)]
    assert stats.kstest(drawn, stats.lomax(3.5, scale=3.2).cdf).pvalue > 0.01


def test_angles_are_integrated_over_their_mean_direction():
    angles = np.array([[0.5], [6.0], [1.2], [2.5]])
    made = pt.VonMises(3.0, mean=0.4, strength=0.8).encode(angles)
    mean = np.linspace(-np.pi, np.pi, 400, endpoint=False)
    prior = stats.vonmises.logpdf(mean, 0.8, 0.4)
    three, two = (
        logsumexp(prior + stats.vonmises.logpdf(angles[items], 3.0, mean).sum(axis=0)) for items in ([0, 1, 3], [0, 1])
    )
    assert density(made, 3, [0, 1]) == pytest.approx(three - two)
    turned = pt.VonMises(3.0, mean=0.4 + 2.0, strength=0.8).encode(angles + 2.0)
    assert density(turned, 3, [0, 1]) == pytest.approx(density(made, 3, [0, 1]))
    assert log_marginal(place(made, [0, 1, 3]), 0) == pytest.approx(three + math.log(2 * np.pi / 400))
    model, rng = place(made, [0, 1]), np.random.default_rng(0)
    drawn = np.array([sample_entries(made, model, 0, rng)[0] for _ in range(4000)])
    posterior = np.exp(prior + stats.vonmises.logpdf(angles[[0, 1]], 3.0, mean).sum(axis=0))
    expected = (posterior * np.exp(1j * mean)).sum() / posterior.sum() * i1e(3.0) / i0e(3.0)
    assert np.exp(1j * drawn).mean() == pytest.approx(expected, abs=0.03)


def test_the_logarithm_of_the_bessel_function_is_scipys():
    x = np.array([0.0, 1e-8, 0.3, 2.0, 7.5, 19.99, 20.0, 20.01, 33.0, 150.0, 1e4, 1e8])
    assert [log_bessel(value) for value in x] == pytest.approx(np.log(i0e(x)) + x, rel=1e-14, abs=1e-15)


def test_a_missing_entry_says_nothing():
    whole, rest = pt.Product().encode(MIXED), pt.Product().encode(MIXED.drop(columns="length"))
    row = 1  # its length is missing
    for members in ([], [0, 2, 6]):
        assert density(whole, row, members) == pytest.approx(density(rest, row, members))


@pytest.mark.parametrize("name", ["gaussian-diagonal", "gaussian-full", "student", "product"])
def test_rescaling_a_column_changes_nothing_but_its_unit(name):
    component = check_component(name)
    one, other = component.encode(NUMBERS), component.encode(NUMBERS * [1.0, 1000.0] + [5.0, 0.0])
    for members in ([1, 2], [0, 4, 7, 8]):
        assert density(one, 5, members) - density(other, 5, members) == pytest.approx(math.log(1000))


def test_types_choose_components():
    kinds = {column: block.kind for block in pt.Product().encode(MIXED).blocks for column in block.columns}
    assert [kinds[j] for j in range(4)] == ["number", "category", "count", "category"]
    chosen = pt.Product({"eggs": pt.Categorical()}).encode(MIXED)
    kinds = {column: block.kind for block in chosen.blocks for column in block.columns}
    assert [kinds[j] for j in range(4)] == ["number", "category", "category", "category"]


def test_some_columns_of_a_product_may_be_jointly_normal():
    table = pd.DataFrame({"a": NUMBERS[:, 0], "kind": [*"xyxyxyxyx"], "b": NUMBERS[:, 1]})
    made = pt.Product({("a", "b"): pt.Gaussian("full")}).encode(table)
    assert [block.columns for block in made.blocks] == [(0, 2), (1,)]
    alone = pt.Gaussian("full").encode(NUMBERS), pt.Categorical().encode(table[["kind"]])
    for members in ([], [0, 3, 8]):
        parts = sum(density(part, 5, members) for part in alone)
        assert density(made, 5, members) == pytest.approx(parts)


@pytest.mark.parametrize("case", [case for case in CASES if case not in ("gaussian-full, missing", "student, missing")])
def test_rows_met_again_are_scored_as_before(case):
    made = encoded(case)
    model = with_rows(made, place(made, [0, 2, 5]), CASES[case])
    for i in (1, 4):
        out = np.zeros(1)
        log_predictive(model, i, np.zeros(1, np.int64), 1, out)
        assert out[0] == pytest.approx(density(made, i, [0, 2, 5]))


def test_a_category_never_met_says_nothing():
    made = pt.Categorical().encode([["a"], ["b"]])
    assert made.blocks[0].encode_rows(np.array([["z"]], object)).tolist() == [[-1]]


@pytest.mark.parametrize("case", ["gaussian-diagonal", "gaussian-full", "gaussian-spherical", "student", "poisson"])
def test_sampled_rows_have_the_predictive_mean(case):
    made, rng = encoded(case), np.random.default_rng(0)
    model = place(made, range(9))
    drawn = np.array([sample_entries(made, model, 0, rng) for _ in range(4000)], float)
    center = np.asarray(CASES[case], float).mean(axis=0)
    assert np.median(drawn, axis=0) == pytest.approx(center, abs=0.35 * np.std(drawn, axis=0).max())


@pytest.mark.parametrize(
    ("component", "X", "message"),
    [
        ("gaussian-spherical", HOLES, "X must not contain NaN: got NaN in row 1, column 0. Use component="),
        ("gaussian-diagonal", [["a", "b"]], "X must hold numbers: got 'a'. For mixed tables use component='product'."),
        ("gaussian-diagonal", [[math.inf]], "X must be finite: got infinity in row 0, column 0."),
        (
            "gaussian-diagonal",
            [[math.nan], [math.nan]],
            "X must have an entry in every column: got nothing in column 0.",
        ),
        ("gaussian-diagonal", [1.0, 2.0], "X must be a table with rows and columns: got 1 dimension(s)."),
        ("gaussian-diagonal", np.empty((0, 2)), "X must have at least one row and one column: got 0 sample(s) "),
        ("poisson", [[-1]], "X must hold whole numbers that are not negative for Poisson columns: got -1."),
        ("poisson", [[1.5]], "X must hold whole numbers that are not negative for Poisson columns: got 1.5."),
        (
            "multinomial",
            [[0.5, 1]],
            "X must hold whole numbers that are not negative for Multinomial columns: got 0.5.",
        ),
        ("multinomial", [[math.nan, 1]], "X must hold every count for Multinomial columns: got NaN in row 0, "),
        ("exponential", [[0.5, -1.0]], "X must not be negative for Exponential columns: got -1."),
        ("bernoulli", [[2]], "X must hold zeros and ones for Bernoulli columns: got 2."),
    ],
)
def test_bad_tables_are_named(component, X, message):
    with pytest.raises(ValueError) as error:
        check_component(component).encode(X)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pt.Gaussian(strength=0, scale=1.0), "strength must be a positive number: got 0."),
        (lambda: pt.Gaussian(shape=-1, scale=1.0), "shape must be a positive number: got -1."),
        (lambda: pt.Gaussian("round"), "covariance must be one of diagonal, full, spherical: got 'round'."),
        (lambda: pt.Gaussian("diagonal", scale=0).encode(NUMBERS), "scale must be a positive number: got"),
        (lambda: pt.Gaussian(mean=[1, 2, 3]).encode(NUMBERS), "mean must be one finite number, or one per column (2)"),
        (
            lambda: pt.Gaussian("full", shape=0.2, scale="variance").encode(NUMBERS),
            "shape must exceed (n_columns - 1) / 2 = 0.5: got 0.2.",
        ),
        (lambda: pt.Gaussian("full", scale=-np.eye(2)).encode(NUMBERS), "scale must be a positive definite matrix"),
        (
            lambda: pt.Gaussian(strength=1.0),
            "strength must be left out with scale='learn', which learns it too: got 1",
        ),
        (lambda: pt.Gaussian(scale="wide"), "scale must be one of learn, variance: got 'wide'."),
        (
            lambda: pt.Product({("length", "eggs"): pt.Gaussian(), "eggs": pt.Poisson()}).encode(MIXED),
            "columns must name each column once: got 'eggs' twice.",
        ),
        (lambda: pt.Multinomial(0.0).encode([[1, 2]]), "concentration must be a positive number: got 0"),
        (lambda: pt.Exponential(rate=0.0).encode([[1.0]]), "rate must be a positive number: got 0.0."),
        (lambda: pt.VonMises(strength=-1.0), "strength must be a finite number that is not negative: got -1.0."),
        (lambda: pt.Categorical(-1), "concentration must be a positive number: got -1."),
        (lambda: pt.Product({"colour": pt.Poisson()}).encode(MIXED), "columns must name columns of X: got 'colour'."),
        (lambda: check_component("gausian-full"), "component must be one of "),
    ],
)
def test_bad_components_are_named(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert str(error.value).startswith(message)


def test_every_name_gives_a_component():
    assert set(COMPONENTS) >= {case.split(",")[0] for case in CASES}
    with pytest.raises(TypeError, match="component must be a component or the name of one"):
        check_component(pt.Gaussian)


def test_a_gap_in_a_new_row_is_integrated_over_by_a_model_fitted_without_gaps():
    X = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0.0], [6.0]], 20, axis=0)
    settings = dict(n_chains=1, n_draws=40, n_warmup=40)
    mixture = pt.BayesianMixture("gaussian-diagonal", **settings).fit(X)
    chances = mixture.predict_proba([[np.nan, 0.0], [np.nan, 6.0], [1.0, 2.0], [np.nan, np.nan]])
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert chances[[0, 1], mixture.labels_[[0, 39]]].min() > 0.9
    assert chances[2] == pytest.approx(mixture.predict_proba([[1.0, 2.0]])[0])
    grid = np.linspace(-400, 400, 80_001)
    whole = np.exp(mixture.score_samples(np.column_stack([grid, np.full(grid.size, 3.0)]))).sum() * 0.01
    assert np.exp(mixture.score_samples([[np.nan, 3.0]]))[0] == pytest.approx(whole, rel=1e-3)


def test_masked_entries_are_missing():
    X = np.random.default_rng(0).normal(size=(30, 2))
    masked, settings = np.ma.masked_greater(X, 1.0), dict(n_chains=1, n_draws=20, n_warmup=20)
    chains = [
        pt.BayesianMixture("gaussian-diagonal", **settings).fit(table) for table in (masked, masked.filled(np.nan))
    ]
    assert (chains[0].posterior_.draws == chains[1].posterior_.draws).all()
    for clusterer in (pt.BregmanKMeans(2), pt.FuzzyCMeans(2), pt.COPKMeans(2), pt.GeneralizedBayesClustering(2)):
        with pytest.raises(ValueError, match=r"NaN|missing|masked"):
            clusterer.fit(masked)


def test_gaps_in_nullable_columns_are_missing():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"])
    table.loc[3, "a"], settings = np.nan, dict(n_chains=1, n_draws=20, n_warmup=20)
    chains = [pt.BayesianMixture(**settings).fit(one) for one in (table, table.astype("Float64"))]
    assert (chains[0].posterior_.draws == chains[1].posterior_.draws).all()


@pytest.mark.parametrize("kept", [[0, 2], [1, 2], [0]])
def test_some_columns_of_categories_are_encoded_as_if_alone(kept):
    rows = [["a", "x", 1], ["b", "y", 2], ["a", None, 2], ["c", "x", 1]]
    some, _ = only_columns(pt.Categorical().encode(rows), np.isin(range(3), kept))
    alone = pt.Categorical().encode([[row[j] for j in kept] for row in rows])
    assert (some.blocks[0].x == alone.blocks[0].x).all()
    assert [list(names) for names in some.blocks[0].levels] == [list(names) for names in alone.blocks[0].levels]


@pytest.mark.parametrize("case", ["gaussian-full, missing", "product"])
def test_items_as_observed_take_the_place_of_those_filled_in(case):
    made = encoded(case)
    model = make_model(made, made.hyper, made.latent, 2)
    parts, found = (part if len(made.blocks) > 1 else (part,) for part in (model, observed_items(made, model)))
    assert len(found) == len(parts)
    for block, before, after in zip(made.blocks, parts, found, strict=True):
        np.testing.assert_array_equal(after.x, block.observed)
        assert after.rows is before.rows
