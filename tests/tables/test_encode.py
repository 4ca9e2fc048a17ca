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
