import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import gammaln

import partita as pt
from partita._kernels.components.clusters import change_cluster, empty_cluster, log_marginal, score_clusters
from partita.components import COMPONENTS, check_component, encode_new
from partita.samplers.collapsed import density_alone, make_clusters, single_items

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
    "gaussian-spherical": NUMBERS,
    "bernoulli": RNG.integers(2, size=(9, 3)),
    "categorical": RNG.choice(list("xyz"), size=(9, 2)),
    "poisson": RNG.poisson(3, size=(9, 2)),
    "product": MIXED,
}


def encoded(case):
    return check_component(case.split(",")[0]).encode(CASES[case])


def seat(members, table, hyper):
    clusters, work = make_clusters(1, hyper), np.empty(table.numbers.shape[1] + 1)
    empty_cluster(0, hyper, clusters)
    for i in members:
        change_cluster(0, 0, i, 1, table, hyper, clusters, work)
    return clusters, work


def score(i, table, hyper, clusters, work):
    out = np.empty(1)
    score_clusters(i, np.zeros(1, np.int64), 1, table, hyper, clusters, work, out)
    return out[0]


@pytest.mark.parametrize("case", CASES)
def test_predictive_densities_multiply_to_the_marginal_likelihood(case):
    table, hyper = encoded(case)[:2]
    total, members = 0.0, []
    for i in range(9):
        clusters, work = seat(members, table, hyper)
        total += score(i, table, hyper, clusters, work)
        members.append(i)
    clusters, _ = seat(members, table, hyper)
    items_alone = -np.nansum(gammaln(table.counts + 1))  # factors of single items, which the marginal leaves out
    assert log_marginal(0, hyper, clusters) + items_alone == pytest.approx(total, rel=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_an_item_added_and_removed_leaves_no_trace(case):
    table, hyper = encoded(case)[:2]
    clusters, work = seat([0, 2, 3], table, hyper)
    before = [array.copy() for array in clusters]
    for _ in range(100):
        for i in (5, 7, 8):
            change_cluster(0, 0, i, 1, table, hyper, clusters, work)
        for i in (7, 5, 8):
            change_cluster(0, 0, i, -1, table, hyper, clusters, work)
    for was, now in zip(before, clusters, strict=True):
        assert now == pytest.approx(was, rel=1e-8, abs=1e-10)


def test_diagonal_gaussian_density_is_students():
    component = pt.Gaussian(mean=0.5, strength=0.7, shape=3.0, scale=1.3)
    table, hyper = component.encode(NUMBERS)[:2]
    clusters, work = seat([0, 1, 2], table, hyper)
    expected = 0.0
    for j in range(2):
        x = NUMBERS[:3, j]
        strength, shape = 3.7, 4.5
        center = (0.7 * 0.5 + x.sum()) / strength
        scale = 1.3 + 0.5 * ((x**2).sum() + 0.7 * 0.25 - strength * center**2)
        spread = math.sqrt(scale * (strength + 1) / (shape * strength))
        expected += stats.t.logpdf(NUMBERS[5, j], 2 * shape, center, spread)
    assert score(5, table, hyper, clusters, work) == pytest.approx(expected)


def test_full_gaussian_density_is_multivariate_students():
    component = pt.Gaussian("full", mean=[0.5, 0.0], strength=0.7, shape=2.5, scale=[[2.0, 0.3], [0.3, 1.0]])
    table, hyper = component.encode(NUMBERS)[:2]
    clusters, work = seat([0, 1, 2], table, hyper)
    x, m0 = NUMBERS[:3], np.array([0.5, 0.0])
    mean = x.mean(axis=0)
    around = (x - mean).T @ (x - mean) + 3 * 0.7 / 3.7 * np.outer(mean - m0, mean - m0)
    psi, dof, strength = np.array([[2.0, 0.3], [0.3, 1.0]]) + around, 5 + 3, 3.7
    center = (0.7 * m0 + x.sum(axis=0)) / strength
    shape = psi * (strength + 1) / (strength * (dof - 1))
    expected = stats.multivariate_t.logpdf(NUMBERS[5], center, shape, dof - 1)
    assert score(5, table, hyper, clusters, work) == pytest.approx(expected)


def test_spherical_gaussian_with_one_column_is_the_diagonal_one():
    column = NUMBERS[:, :1]
    for members in ([], [1, 2, 3]):
        densities = []
        for covariance in ("diagonal", "spherical", "full"):
            shape = 2.0
            scale = 1.5 if covariance != "full" else [[3.0]]  # a Wishart's scale counts twice
            component = pt.Gaussian(covariance, mean=0.0, strength=0.5, shape=shape, scale=scale)
            table, hyper = component.encode(column)[:2]
            densities.append(score(5, table, hyper, *seat(members, table, hyper)))
        assert densities[1] == pytest.approx(densities[0])
        assert densities[2] == pytest.approx(densities[0])


def test_categories_and_counts_follow_their_predictive_laws():
    table, hyper = pt.Categorical(0.5).encode([["a"], ["b"], ["a"], ["c"]])[:2]
    assert score(2, table, hyper, *seat([0, 1], table, hyper)) == pytest.approx(math.log(1.5 / 3.5))
    table, hyper = pt.Poisson(2.0, 0.5).encode([[3], [1], [4]])[:2]
    law = stats.nbinom(2.0 + 4, 2.5 / 3.5)
    assert score(2, table, hyper, *seat([0, 1], table, hyper)) == pytest.approx(law.logpmf(4))
    table, hyper = pt.Bernoulli(2.0).encode([[1], [0], [1]])[:2]
    assert score(2, table, hyper, *seat([0, 1], table, hyper)) == pytest.approx(math.log(0.5))


def test_a_missing_entry_says_nothing():
    table, hyper = pt.Product().encode(MIXED)[:2]
    only = pt.Product().encode(MIXED.drop(columns="length"))
    row = 1  # its length is missing
    for members in ([], [0, 2, 6]):
        whole = score(row, table, hyper, *seat(members, table, hyper))
        part = score(row, only.table, only.hyper, *seat(members, only.table, only.hyper))
        assert whole == pytest.approx(part)


@pytest.mark.parametrize("name", ["gaussian-diagonal", "gaussian-full", "product"])
def test_rescaling_a_column_changes_nothing_but_its_unit(name):
    component = check_component(name)
    one, other = component.encode(NUMBERS), component.encode(NUMBERS * [1.0, 1000.0] + [5.0, 0.0])
    for members in ([1, 2], [0, 4, 7, 8]):
        a = score(5, one.table, one.hyper, *seat(members, one.table, one.hyper))
        b = score(5, other.table, other.hyper, *seat(members, other.table, other.hyper))
        assert a - b == pytest.approx(math.log(1000))


def test_dtypes_choose_components():
    kinds = [kind for kind, _ in pt.Product().encode(MIXED).columns]
    assert kinds == ["number", "category", "count", "category"]
    chosen = pt.Product({"eggs": pt.Categorical()}).encode(MIXED)
    assert [kind for kind, _ in chosen.columns] == ["number", "category", "category", "category"]


@pytest.mark.parametrize("case", CASES)
def test_rows_met_again_are_encoded_as_before(case):
    made = encoded(case)
    again = encode_new(made, CASES[case])
    for a, b in zip(made.table, again, strict=True):
        assert np.array_equal(a, b, equal_nan=True)
    units = single_items(len(made.table.numbers))
    alone = density_alone(units, made.table, made.hyper)
    assert density_alone(units, again, made.hyper) == pytest.approx(alone)


def test_a_category_never_met_says_nothing():
    made = pt.Categorical().encode([["a"], ["b"]])
    assert encode_new(made, [["z"]]).slots.tolist() == [[-1]]


@pytest.mark.parametrize(
    ("component", "X", "message"),
    [
        ("gaussian-full", HOLES, "X must not contain NaN: got NaN in row 1, column 0. Use component="),
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
        (lambda: pt.Gaussian(strength=0), "strength must be a positive number: got 0."),
        (lambda: pt.Gaussian(shape=-1), "shape must be a positive number: got -1."),
        (lambda: pt.Gaussian("round"), "covariance must be one of diagonal, full, spherical: got 'round'."),
        (lambda: pt.Gaussian(scale=0).encode(NUMBERS), "scale must be a positive number: got"),
        (lambda: pt.Gaussian(mean=[1, 2, 3]).encode(NUMBERS), "mean must be one finite number, or one per column (2)"),
        (
            lambda: pt.Gaussian("full", shape=0.2).encode(NUMBERS),
            "shape must exceed (n_columns - 1) / 2 = 0.5: got 0.2.",
        ),
        (lambda: pt.Gaussian("full", scale=-np.eye(2)).encode(NUMBERS), "scale must be a positive definite matrix"),
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
