"""Entries that are missing, wrong, or not numbers although they look like some."""

import numpy as np
import pytest

from partita.tables import read_data

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
