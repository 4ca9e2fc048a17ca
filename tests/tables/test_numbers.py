"""Entries that are missing, wrong, or not numbers although they look like some."""

import numpy as np
import pandas as pd
import pytest

from partita.tables import read_data
from partita.tables.numbers import find_decimal, read_column

MARKS = ["?", "NA", "n/a", "-", "", "null", "NaN", ".", "N/A", "None"]


def read(tmp_path, header, rows, **options):
    path = tmp_path / "data.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return read_data(path, **options)


@pytest.mark.parametrize("mark", MARKS)
def test_usual_marks_among_numbers_are_missing(tmp_path, mark):
    table, notes = read(tmp_path, "age,mass", ["31,1.5", f"{mark},2.5", "44,3.5", f"{mark},1.0"])
    assert np.isnan(table["age"].iloc[[1, 3]]).all()
    assert table["age"].dtype == float
    assert notes == ([f"Column 'age': 2 entries {mark!r} read as missing."] if mark else [])


def test_usual_marks_among_words_are_missing_but_none_is_a_word(tmp_path):
    table, notes = read(tmp_path, "pain,mass", ["none,1.5", "mild,2.5", "?,3.5", "none,1.5"])
    assert table["pain"].isna().tolist() == [False, False, True, False]
    assert notes == ["Column 'pain': one entry '?' read as missing."]


def test_typos_among_numbers_are_named_and_refused(tmp_path):
    rows = [f"{20 + i},{i % 4}.5" for i in range(20)]
    rows[16] = "3O,1.5"
    with pytest.raises(ValueError, match=r"throughout column 'age'.* got one other entry '3O' \(row 17\). Correct"):
        read(tmp_path, "age,mass", rows)
    rows[18] = "forty,1.5"
    with pytest.raises(ValueError, match=r"got 2 other entries, such as '3O' \(row 17\)"):
        read(tmp_path, "age,mass", rows)
    table, _ = read(tmp_path, "age,mass", [*rows, "3O,2.5"], text=["age"])
    assert table["age"].iloc[16] == "3O"
    assert list(read(tmp_path, "age,mass", ["3x,1.5", "4x,2.5", "3x,1.5"])[0]["age"]) == ["3x", "4x", "3x"]


def test_codes_with_leading_zeros_are_text(tmp_path):
    table, notes = read(tmp_path, "zip,mass", ["01067,1.5", "10115,2.5", "01067,0.5"])
    assert list(table["zip"]) == ["01067", "10115", "01067"]
    assert notes == ["Column 'zip' holds codes, such as '01067', and is read as text."]


def test_numbers_are_written_in_one_way(tmp_path):
    with pytest.raises(ValueError, match=r"one way: got '1.25' in column 'x' and '0,5' in column 'y'"):
        read(tmp_path, "x;y", ["1.25;0,5", "2.5;1,5"])
    _, notes = read(tmp_path, "x;y", ["a;0,5", "b;1,5"])
    assert notes == ["Numbers have decimal commas, as '0,5' in column 'y'."]


def test_whole_numbers_stay_whole_and_truth_values_true(tmp_path):
    table, _ = read(tmp_path, "n;wild;x", ["1.000;True;0,5", "7;False;1,5", "9;True;2"])
    assert table["n"].tolist() == [1000, 7, 9]
    assert [kind.kind for kind in table.dtypes] == ["i", "b", "f"]


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        (["1", "2", "x", "y"], True),  # half of them
        (["1", "2", "3", "x"], False),
        (["1", "2", "x", "y", "?"], True),
        (["x", "y", "?"], True),
    ],
)
def test_a_column_is_one_of_numbers_where_more_than_half_are(entries, text):
    values = pd.Series(entries, name="a")
    if text:
        assert read_column(values, ".", False)[0].dropna().tolist() == [e for e in entries if e != "?"]
    else:
        with pytest.raises(ValueError, match=r"got one other entry 'x' \(row 4\)"):
            read_column(values, ".", False)


@pytest.mark.parametrize(
    ("entries", "decimal", "values", "kind"),
    [
        (["1", "2"], ".", [1, 2], "i"),
        (["1", ""], ".", [1, np.nan], "f"),
        (["1,000", "2"], ".", [1000, 2], "i"),
        (["1,000.5", "2"], ".", [1000.5, 2], "f"),
        (["1,000", "?"], ".", [1000, np.nan], "f"),
        (["9007199254740991", "1,000"], ".", [2**53 - 1, 1000], "i"),
        (["9007199254740992", "1,000"], ".", [2**53, 1000], "f"),
        (["-9007199254740992", "1,000"], ".", [-(2**53), 1000], "f"),
        (["1.000", "2"], ",", [1000, 2], "i"),
        (["1,5", "2"], ",", [1.5, 2], "f"),
        (["0,5", "00"], ",", [0.5, 0], "f"),
        (["0.0", "05.5"], ".", [0, 5.5], "f"),
    ],
)
def test_numbers_are_whole_where_all_are_and_can_be(entries, decimal, values, kind):
    found, _ = read_column(pd.Series(entries), decimal, False)
    assert found.dtype.kind == kind
    np.testing.assert_array_equal(found.to_numpy(float), np.array(values, float))


def test_truth_values_are_no_words_unless_some_are_missing():
    assert read_column(pd.Series(["True", "false", "TRUE"]), ".", False)[0].tolist() == [True, False, True]
    assert read_column(pd.Series(["True", "false", "?"]), ".", False)[0].tolist()[:2] == ["True", "false"]
    assert read_column(pd.Series(["True", "maybe"]), ".", False)[0].tolist() == ["True", "maybe"]


def test_up_to_three_marks_are_shown():
    entries = ["?", "NA", "-", "null", "?", "", *"1234567"]
    _, notes = read_column(pd.Series(entries, name="a"), ".", False)
    assert notes == ["Column 'a': 5 entries '?' or 'NA' or '-' read as missing."]
    assert read_column(pd.Series(["1", "x1", "x1"], name="a"), ".", True)[1] == []


@pytest.mark.parametrize(
    ("columns", "separator", "decimal"),
    [
        ({"a": ["1,5", "x"]}, ";", ","),  # half of it is numbers
        ({"a": ["1,5", "x", "y"]}, ";", "."),
        ({"a": ["1.5", "?"]}, ";", "."),
        ({"a": ["1,234", "2"]}, ",", "."),
        ({"a": ["1.234", "2"]}, ",", "."),
        ({"a": ["1,234", "2"], "b": ["3,5", "1"]}, ";", ","),
        ({"a": ["12", "2"]}, ";", "."),
    ],
)
def test_the_decimal_mark_is_found_in_columns_of_numbers(columns, separator, decimal):
    assert find_decimal(pd.DataFrame(columns), separator, None).decimal == decimal
    assert find_decimal(pd.DataFrame(columns), separator, ".") == (".", [])


@pytest.mark.parametrize(("entry", "separator"), [("1,234", ";"), ("1,234", "\t"), ("1.234", ";")])
def test_marks_that_may_group_or_not_are_refused(entry, separator):
    with pytest.raises(ValueError, match=r"which may be 1234 or 1\.234\."):
        find_decimal(pd.DataFrame({"a": [entry, "2"]}), separator, None)


def test_notes_say_how_numbers_are_written():
    table = pd.DataFrame({"a": ["1.234", "2"], "b": ["3,5", "1"]})
    assert find_decimal(table, ";", None).notes == [
        "Numbers have decimal commas, as '3,5' in column 'b'.",
        "In numbers points group digits, as '1.234' in column 'a'.",
    ]
    assert find_decimal(pd.DataFrame({"a": ["1,234", "2.5"]}), ";", None).notes == [
        "In numbers commas group digits, as '1,234' in column 'a'."
    ]
