"""Columns that are no measurements are left out with a sentence."""

import numpy as np
import pandas as pd
import pytest

from partita.tables import encode_numbers
from partita.tables.roles import find_left_out, find_names, is_date, reads_as_number, shorten_value, why_left_out

N = 12
X = np.random.default_rng(0).normal(size=N)


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("nr", np.arange(1, N + 1), "counts the rows"),
        ("a", np.arange(N), "counts the rows"),
        ("a", 1001 + np.arange(N), "counts the rows"),
        ("a", np.random.default_rng(1).permutation(N), "counts the rows"),
        ("patient_id", 17 * np.arange(N) % 101 + 300, "identifies the rows"),
        ("patientID", 17 * np.arange(N) % 101 + 300, "identifies the rows"),
        ("code", [f"s{i}" for i in range(N)], "has a different entry in each row"),
        ("born", [f"2020-01-{i + 1:02}" for i in range(N)], "holds dates"),
        ("born", [f"{i + 1}.3.1999" for i in range(N)], "holds dates"),
        ("born", [f"3/{i + 1}/99 10:30" for i in range(N)], "holds dates"),
        ("born", [f"{i + 1} March 1999" for i in range(N)], "holds dates"),
        ("born", 20200101 + np.arange(N)[::-1], "holds dates"),
        ("born", pd.date_range("2020-01-01", periods=N), "holds dates"),
        ("unit", ["cm"] * N, "holds nothing but 'cm'"),
        ("unit", [3] * N, "holds nothing but 3"),
        ("seen", ["yes"] * (N - 1) + [None], "holds nothing but 'yes'"),
        ("void", [np.nan] * N, "holds nothing"),
    ],
)
def test_columns_without_measurements_are_left_out(name, values, reason):
    assert find_left_out(pd.DataFrame({name: values, "x": X})) == {name: reason}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("x", X),
        ("acid", 17 * np.arange(N) % 101),
        ("valid", 17 * np.arange(N) % 101),
        ("mass", 17 * np.arange(N) % 101 + 300),
        ("id", [1, 1, *range(2, N)]),
        ("sort", ["a", "b"] * (N // 2)),
        ("ratio", [f"{i}/7" for i in range(6)] * 2),
        ("year", 1990 + np.arange(N) // 2),
    ],
)
def test_columns_of_measurements_stay(name, values):
    assert find_left_out(pd.DataFrame({name: values})) == {}


def test_chosen_columns_stay_unless_nothing_can_be_made_of_them():
    table = pd.DataFrame({"id": range(N), "day": [f"2020-01-{i + 1:02}" for i in range(N)]})
    assert find_left_out(table, chosen=["id", "day"]) == {"day": "holds dates"}


def test_dates_do_not_name_items():
    table = pd.DataFrame({"day": [f"2020-01-{i + 1:02}" for i in range(N)], "name": [f"s{i}" for i in range(N)]})
    assert is_date(table["day"])
    assert find_names(table) == "name"
    assert find_names(table, but=["name"]) is None


def test_numbers_in_another_byte_order_are_judged_alike():
    values = np.arange(12, dtype=">f8")
    assert why_left_out(pd.Series(values)) == "counts the rows"
    assert why_left_out(pd.Series(values**2)) == ""


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.arange(17, 27), "counts the rows"),
        (np.arange(17, 26), ""),
        (np.arange(17.0, 27.0), "counts the rows"),
        (np.arange(1.0, 10.0), ""),
        (np.roll(np.arange(10), 3), "counts the rows"),
        (np.roll(np.arange(9), 3), ""),
        (np.arange(3), "counts the rows"),
        (np.arange(2), ""),
        ([7, 7], "holds nothing but 7"),
        ([7], ""),
    ],
)
def test_few_rows_are_not_taken_for_a_counter(values, reason):
    assert why_left_out(pd.Series(values)) == reason


@pytest.mark.parametrize(("n_distinct", "n", "left_out"), [(21, 40, True), (20, 30, False), (25, 50, False)])
def test_text_of_which_most_rows_have_their_own_are_names(n_distinct, n, left_out):
    values = pd.Series([f"s{i % n_distinct}" for i in range(n)])
    assert why_left_out(values).endswith("(names rather than categories)") == left_out


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("a", np.roll(np.arange(1, 11), 3), "counts the rows"),  # from 0 or 1, in any order
        ("a", np.roll(np.arange(2, 12), 3), ""),
        ("a", [0, 2, 1, *range(3, 9), 10], ""),
        ("a", np.arange(12)[::-1], "counts the rows"),
        ("a", np.arange(0, 24, 2), ""),
        ("id", [5, 9, 7], "identifies the rows"),
        ("id", [0, 9, 7], "identifies the rows"),
        ("id", [-5, 9, 7], ""),
        ("id", [5.0, 9.0, 7.0], ""),
        ("a", [*range(9), np.inf], ""),
        ("a", [*range(9), 9.5], ""),
        ("day", [19000101, 20991231, 20000229], "holds dates"),
        ("day", [19000101, 20991232, 20000229], ""),
        ("day", [18991231, 20991231, 20000229], ""),
        ("day", [20000101, 20000101, 20000229], ""),
        ("day", ["2020-01-01", "2020-01-02"], ""),  # too few to tell
        ("day", ["2020-01-01", None, "2020-01-02"], "holds dates"),
        ("day", ["2020-01-01", 3, "2020-01-02"], ""),
        ("unit", [None, None, "cm"], "holds nothing but 'cm'"),
    ],
)
def test_numbers_and_days_are_told_by_their_order_and_size(name, values, reason):
    assert why_left_out(pd.Series(values, name=name)) == reason


def test_two_columns_of_numbers_are_enough():
    table = pd.DataFrame({"x": X, "y": X**2, "sort": ["a", "b"] * 6})
    assert list(encode_numbers(table)[0]) == ["x", "y"]
    assert list(encode_numbers(table[["x", "sort"]])[0]) == ["x", "sort=a", "sort=b"]


def test_text_names_items_from_three_rows_on():
    assert find_names(pd.DataFrame({"a": ["x", "y", "z"]})) == "a"
    assert find_names(pd.DataFrame({"a": ["x", "y"]})) is None
    assert find_names(pd.DataFrame({"a": ["x", "y", None]})) is None
    assert find_names(pd.DataFrame({"a": ["x", "y", "y"]})) is None
    assert find_names(pd.DataFrame({"a": ["x", "y", 3]})) is None


def test_values_are_shown_in_thirty_characters():
    assert shorten_value("a" * 28) == repr("a" * 28)
    assert shorten_value("a" * 29) == "'" + "a" * 26 + "..."
    assert shorten_value(np.float64(1.5)) == "1.5"
    assert reads_as_number("1e3")
    assert not any(map(reads_as_number, ("x", None, [1])))
