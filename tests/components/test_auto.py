import numpy as np
import pandas as pd
import pytest

import partita as pt
from partita.components import Auto
from partita.components.categorical import CategoryBlock
from partita.components.choose import dequantize
from partita.components.gaussian import DiagonalBlock, FullBlock
from partita.tables.roles import find_left_out

RNG = np.random.default_rng(0)
N = 60
TABLE = pd.DataFrame(
    {
        "mass": RNG.integers(2700, 6300, size=N),
        "length": RNG.normal(size=N).round(1),
        "eggs": RNG.integers(0, 9, size=N),
        "sex": RNG.choice(["female", "male"], size=N),
        "ringed": RNG.integers(2, size=N),
        "island": pd.Categorical(RNG.choice([3, 7, 9], size=N)),
        "year": np.full(N, 2020),
        "when": pd.date_range("2020-01-01", periods=N),
        "name": [f"bird {i}" for i in range(N)],
        "number": np.arange(1, N + 1),
        "nothing": np.full(N, np.nan),
    }
)


def kinds(table):
    return {column.name: column.kind for column in Auto().describe(table)}


def test_columns_are_taken_for_what_they_are():
    found = {column.name: column for column in Auto().describe(TABLE)}
    assert [found[name].kind for name in ("mass", "length", "eggs")] == ["number", "number", "count"]
    assert all(found[name].kind == "left out" for name in ("year", "when", "name", "number", "nothing"))
    assert str(found["year"]) == "year: left out (it holds nothing but 2020)"
    assert found["number"].reason == "it counts the rows"
    assert found["name"].reason == "it has a different entry in each row"


def test_categories_decide_where_there_are_few_numbers_and_describe_where_there_are_many():
    names = ["sex", "ringed", "island"]
    assert kinds(TABLE[["mass", *names]]) == {
        "mass": "number",
        "sex": "category",
        "ringed": "category",
        "island": "category",
    }
    among = kinds(TABLE[["mass", "length", *names]])
    assert all(among[name] == "left out" for name in names)


def test_whole_numbers_are_numbers_and_small_ones_from_zero_are_counts():
    assert kinds(TABLE[["mass"]]) == {"mass": "number"}
    assert kinds(TABLE[["eggs"]]) == {"eggs": "count"}
    assert kinds(pd.DataFrame({"x": TABLE["eggs"] + 1})) == {"x": "number"}


def test_declared_types_win():
    assert kinds(pd.DataFrame({"code": pd.Categorical([1, 2, 3, 4, 5, 6] * 5)})) == {"code": "category"}
    assert kinds(pd.DataFrame({"yes": pd.array([True, None, False] * 9, dtype="boolean")})) == {"yes": "category"}
    assert kinds(pd.DataFrame({"n": pd.array([100, None, 300] * 9, dtype="Int64")}))["n"] == "category"  # two values
    assert kinds(pd.DataFrame({"n": pd.array([100, None, 300, 400] * 9, dtype="Int64")}))["n"] == "number"


def test_a_declared_column_is_used_as_declared():
    given = Auto({"sex": pt.Categorical(), "mass": pt.Gaussian("diagonal")})
    table = TABLE[["mass", "length", "sex", "ringed"]]
    assert [column.kind for column in given.describe(table)] == ["declared", "number", "declared", "category"]
    assert sorted(block.columns for block in given.encode(table).blocks) == [(0,), (1,), (2,), (3,)]
    with pytest.raises(ValueError, match="columns must name columns of X: got 'sexx'"):
        Auto({"sexx": pt.Categorical()}).encode(table)


def test_numbers_form_one_block_where_the_data_can_carry_it():
    wide = RNG.normal(size=(40, 30))
    assert isinstance(Auto().encode(wide[:, :15]).blocks[0], FullBlock)
    assert isinstance(Auto().encode(wide).blocks[0], DiagonalBlock)
    mixed = Auto().encode(TABLE[["mass", "sex", "eggs"]])
    assert [type(block) for block in mixed.blocks[:2]] == [FullBlock, CategoryBlock]
    assert [block.columns for block in mixed.blocks] == [(0,), (1,), (2,)]


def test_a_constant_column_changes_nothing():
    X = RNG.normal(size=(50, 3))
    whole, wider = Auto().encode(X), Auto().encode(np.column_stack([X, np.full(50, 7.0)]))
    assert (whole.blocks[0].x == wider.blocks[0].x).all()
    assert wider.n_columns == 4


def test_numbers_move_within_their_last_digit_and_no_farther():
    values = np.array([[1.0, 0.25], [2.0, 0.5], [2.0, np.nan], [4.0, 0.75]])
    moved = dequantize(values) - values
    assert np.nanmax(np.abs(moved), axis=0) == pytest.approx([0.5, 0.125], rel=0.5)
    assert (np.abs(moved[:, 0]) <= 0.5).all()
    assert (dequantize(values)[:2] == dequantize(values)[:2]).all()
    fine = RNG.normal(size=(100, 1))
    assert np.abs(dequantize(fine) - fine).max() < 0.01


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            pd.DataFrame({"a": [1.0] * 5}),
            "X must have a column that differs between rows: got a: left out (it holds nothing but 1.0).",
        ),
        (
            pd.DataFrame({"age": [*map(str, range(20)), "?"], "b": range(21)}),
            "X must hold numbers or categories in each column: got numbers and '?' in column 'age'.",
        ),
    ],
)
def test_tables_without_an_answer_are_named(table, message):
    with pytest.raises(ValueError) as error:
        pt.BayesianMixture().fit(table)
    assert str(error.value).startswith(message)


def test_arrays_of_numbers_are_judged_like_entries_one_by_one():
    rng = np.random.default_rng(0)
    whole = np.column_stack(
        [
            rng.normal(size=30),
            rng.integers(0, 2, 30),
            rng.integers(0, 9, 30),
            np.arange(30),
            np.full(30, 4),
            [np.nan] * 30,
        ]
    )
    holes = np.where(rng.random(whole.shape) < 0.1, np.nan, whole)
    for table in (whole, holes):
        assert Auto().describe(table) == Auto().describe(table.astype(object))


@pytest.mark.parametrize("as_text", [False, True])
def test_a_column_is_left_out_for_the_same_reason_as_from_a_file(as_text):
    days = [f"2024-05-{1 + i % 28:02}" for i in range(30)]
    table = pd.DataFrame({"x": np.arange(30.0) ** 1.5, "y": np.arange(30.0) ** 0.5, "day": days, "case_id": 7})
    table["case_id"] = 7 * np.arange(30)[::-1] + 3
    expected = {"day": "holds dates", "case_id": "identifies the rows"}
    assert find_left_out(table) == expected
    given = table if as_text else table.astype({"day": "datetime64[ns]"})
    reasons = {column.name: column.reason for column in Auto().describe(given) if column.kind == "left out"}
    assert reasons == {name: f"it {reason}" for name, reason in expected.items()}
