"""Columns that are no measurements are left out with a sentence."""

import numpy as np
import pandas as pd
import pytest

from partita.tables.roles import LEAST_ROWS, LEAST_RUN, find_left_out, find_names, is_date, why_left_out

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
        (np.arange(17, 17 + LEAST_RUN), "counts the rows"),
        (np.arange(17, 16 + LEAST_RUN), ""),
        (np.arange(17.0, 17.0 + LEAST_RUN), "counts the rows"),
        (np.arange(1.0, LEAST_RUN), ""),
        (np.roll(np.arange(LEAST_RUN), 3), "counts the rows"),
        (np.roll(np.arange(LEAST_RUN - 1), 3), ""),
        (np.arange(LEAST_ROWS), "counts the rows"),
        (np.arange(LEAST_ROWS - 1), ""),
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
