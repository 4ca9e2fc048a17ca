import numpy as np
import pandas as pd
import pytest

from partita.tables import encode_numbers

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "mass": RNG.normal(50, 9, 40),
        "eggs": RNG.poisson(3, 40),
        "sort": RNG.choice(list("abc"), 40),
        "wild": [True, False] * 20,
    }
)


def test_every_column_weighs_the_same():
    numbers, notes = encode_numbers(TABLE.assign(share=TABLE["mass"] / 1000), categories=True)
    of = pd.Series([name.split("=")[0] for name in numbers], index=numbers.columns)
    assert numbers.var(ddof=0).groupby(of).sum().to_numpy() == pytest.approx(1)
    assert numbers.mean().to_numpy() == pytest.approx(0, abs=1e-12)
    assert notes == ["Numbers are scaled to variance 1.", "As zeros and ones for each value: 'sort', 'wild'."]


def test_numbers_stay_as_they_are_when_asked():
    numbers, notes = encode_numbers(TABLE[["mass", "eggs"]], scale=False)
    assert (numbers == TABLE[["mass", "eggs"]]).all(axis=None)
    assert notes == []


def test_gaps_are_filled_from_rows_alike_and_empty_rows_left_out():
    apart = pd.DataFrame(
        {"x": np.repeat([0.0, 9.0], 10), "y": np.repeat([5.0, 70.0], 10), "z": ["a"] * 10 + ["b"] * 10}
    )
    apart.loc[3, "y"], apart.loc[15, "z"] = np.nan, None
    apart.loc[20] = [np.nan, np.nan, None]
    numbers, notes = encode_numbers(apart, categories=True)
    assert len(numbers) == 20
    assert numbers.loc[3, "y"] == pytest.approx(numbers.loc[4, "y"])
    assert numbers.loc[15, "z=b"] == pytest.approx(numbers.loc[16, "z=b"])
    assert notes[0] == "One row holds nothing and cannot be placed."
    assert notes[-1] == "2 missing entries are filled from the 5 nearest rows."


def test_a_category_with_one_value_is_a_column_of_zeros():
    numbers, _ = encode_numbers(pd.DataFrame({"a": [1.0, 2, 3, 4], "s": ["x", "x", "x", None]}))
    assert numbers["s=x"].tolist() == [0, 0, 0, 0]


def test_beside_numbers_categories_are_left_out():
    table = TABLE.assign(eggs=TABLE["eggs"].astype(float))
    table.loc[3, ["mass", "eggs"]] = np.nan
    numbers, notes = encode_numbers(table)
    assert list(numbers) == ["mass", "eggs"]
    assert 3 not in numbers.index
    assert notes[0] == "Beside numbers, categories describe clusters and do not make them: 'sort', 'wild' left out."
    assert list(encode_numbers(TABLE[["mass", "wild"]])[0]) == ["mass", "wild=False", "wild=True"]


def test_categories_are_indicators_in_units_of_their_spread():
    table = pd.DataFrame({"s": ["a", "b", "b", "c", None], "x": [1.0, 2.0, 3.0, 4.0, 10.0]})
    numbers, notes = encode_numbers(table, categories=True)
    shares = np.array([0.25, 0.5, 0.25])
    spread = np.sqrt((shares * (1 - shares)).sum())
    for name, share in zip("abc", shares, strict=True):
        expected = [((value == name) - share) / spread for value in table["s"][:4]]
        assert numbers[f"s={name}"].to_numpy()[:4] == pytest.approx(np.array(expected))
    assert numbers["x"].to_numpy() == pytest.approx((table["x"].to_numpy() - 4) / np.std([1, 2, 3, 4, 10]))
    assert notes[-1] == "One missing entry is filled from the 5 nearest rows."


def test_gaps_are_means_of_the_five_nearest_rows():
    table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "y": [np.nan, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0]})
    assert encode_numbers(table, scale=False)[0].loc[0, "y"] == pytest.approx((1 + 2 + 4 + 8 + 16) / 5)


def test_rows_that_hold_nothing_are_counted():
    table = pd.DataFrame({"x": [1.0, np.nan, np.nan, 4.0], "y": [1.0, np.nan, np.nan, 3.0]})
    numbers, notes = encode_numbers(table)
    assert notes == ["2 rows hold nothing and cannot be placed.", "Numbers are scaled to variance 1."]
    assert numbers.index.tolist() == [0, 3]
    assert numbers["x"].tolist() == [-1.0, 1.0]


def test_a_constant_column_is_zero():
    assert encode_numbers(pd.DataFrame({"x": [2.0, 2.0], "y": [1.0, 3.0]}))[0]["x"].tolist() == [0.0, 0.0]


def test_columns_that_are_all_left_out_leave_rows():
    numbers, notes = encode_numbers(pd.DataFrame({"s": ["a", "b"]}), categories=False)
    assert numbers.shape == (0, 0)
    assert notes[0].endswith("'s' left out.")
