"""Files as people have them: American and European, from spreadsheets, with and without names."""

import numpy as np
import pandas as pd
import pytest

from partita.tables import read_data
from partita.tables.text import split_text

EUROPEAN = "art;länge;masse\nspatz;14,5;1.234,5\nmeise;11,0;999,25\nspecht;23;-\n"
AMERICAN = 'bird,length,mass\nwren,9.5,"1,234"\nswan,150,"12,000.5"\ncrow,47,?\n'


def read(tmp_path, text, encoding="utf-8", **options):
    path = tmp_path / "data.csv"
    path.write_bytes(text.encode(encoding))
    return read_data(path, **options)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_european_files_are_read_whatever_their_encoding(tmp_path, encoding, end):
    table, notes = read(tmp_path, EUROPEAN.replace("\n", end), encoding)
    expected = pd.DataFrame({"länge": [14.5, 11.0, 23.0], "masse": [1234.5, 999.25, np.nan]})
    pd.testing.assert_frame_equal(table.reset_index(drop=True), expected)
    assert list(table.index) == ["spatz", "meise", "specht"]
    assert notes == [
        "Numbers have decimal commas, as '14,5' in column 'länge'.",
        "Column 'masse': one entry '-' read as missing.",
        "Column 'art' names the items.",
    ]


def test_american_files_are_read(tmp_path):
    table, notes = read(tmp_path, AMERICAN)
    assert table["mass"].to_list()[:2] == [1234.0, 12000.5]
    assert np.isnan(table["mass"].iloc[2])
    assert "In numbers commas group digits, as '1,234' in column 'mass'." in notes


@pytest.mark.parametrize(
    ("entries", "values"),
    [
        (["1 234,5", "12", "3"], [1234.5, 12, 3]),
        (["1\u00a0234,5", "12", "3"], [1234.5, 12, 3]),
        (["1'234.5", "12", "3"], [1234.5, 12, 3]),
        (["1.234.567", "2", "3"], [1234567, 2, 3]),
        (["1,234,567", "2", "3"], [1234567, 2, 3]),
        (["1e-3", "-.5", "+2."], [0.001, -0.5, 2]),
        (["1,5e3", "2,25", "-0,125"], [1500, 2.25, -0.125]),
        (["0.123", "0.456", "0.5"], [0.123, 0.456, 0.5]),
        (["0,123", "0,456", "0,5"], [0.123, 0.456, 0.5]),
    ],
)
def test_numbers_are_read_as_they_were_meant(tmp_path, entries, values):
    text = "x;y\n" + "".join(f"{entry};{y}\n" for entry, y in zip(entries, (4, 4, 9), strict=True))
    assert read(tmp_path, text)[0]["x"].to_list() == values


@pytest.mark.parametrize("entries", [["1,234", "2,345", "3,456"], ["1.234", "2.345", "3.456"]])
def test_numbers_that_may_be_either_are_refused_until_told(tmp_path, entries):
    text = "x;y\n" + "".join(f"{entry};{y}\n" for entry, y in zip(entries, (4, 4, 9), strict=True))
    with pytest.raises(ValueError, match=r"which may be 1234 or 1.234. Say which with decimal="):
        read(tmp_path, text)
    read_as = {decimal: read(tmp_path, text, decimal=decimal)[0]["x"].iloc[0] for decimal in (".", ",")}
    assert sorted(read_as.values()) == [1.234, 1234]
    assert read_as[entries[0][1]] == 1.234


def test_numbers_written_in_two_ways_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must write all numbers in one way: got '2.5' in column 'y' and '3,5' in"):
        read(tmp_path, "x;y\n3,5;2.5\n4,5;1.5\n1,5;9.5\n")


def test_decimal_commas_between_commas_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"2 names and 4 entries in row 1. Decimal commas need another separator"):
        read(tmp_path, "x,y\n3,5,2,5\n4,5,1,5\n")
    assert read(tmp_path, 'x,y\n"3,5","2,5"\n"4,5","1,5"\n')[0].to_numpy().tolist() == [[3.5, 2.5], [4.5, 1.5]]


@pytest.mark.parametrize(
    "text", ["a,b\n1,2.5,3\n2,3.5,4\n", '"a" "b"\n"1" 5.1 3.5\n"2" 4.9 3.1\n', "a;b\nu;1,5;2\nv;2,5;3\n"]
)
def test_one_name_too_few_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match=r"got 2 names and 3 entries in row 1. If the first column names the items"):
        read(tmp_path, text)


def test_separators_at_the_ends_of_lines_are_no_column(tmp_path):
    table, notes = read(tmp_path, "a,b,\n1,2.5,\n4,3.5,\n,,\n")
    assert (list(table.columns), len(table), notes) == (["a", "b"], 2, [])
    assert list(read(tmp_path, "a,b\n1,2.5,\n4,3.5,\n")[0].columns) == ["a", "b"]


def test_short_rows_are_filled_and_named_and_long_ones_refused(tmp_path):
    table, notes = read(tmp_path, "a,b,c\n1,2.5,3\n4,3.5\n7,1.5,1\n")
    assert np.isnan(table["c"].iloc[1])
    assert notes == ["Row 2 has 2 entries of 3: there the rest is read as missing."]
    long = "a,b\n" + "1,2.5\n" * 300 + "1,2.5,3\n"
    with pytest.raises(ValueError, match="equally many entries in each row: got 3 in line 302 after 2"):
        read(tmp_path, long)


@pytest.mark.parametrize(
    "text",
    [
        "5.1,3.5,setosa\n4.9,3.0,setosa\n6.1,2.8,virginica\n",
        "5.1;3,5\n4,9;3\n4,7;3\n".replace("5.1", "5,1"),
        "0.1 0.2\n0.3 0.4\n0.5 0.7\n",
        "red,small\nblue,large\nred,large\nblue,small\n",
        "?,3.5\n4.9,3.0\n4.7,3.1\n",
        "1,0,1\n0,0,1\n1,1,1\n0,1,0\n",
    ],
)
def test_a_first_row_of_data_is_data(tmp_path, text):
    table, notes = read(tmp_path, text)
    assert len(table) == len(text.splitlines())
    assert table.columns[0] == "column 1"
    assert notes[0].startswith("The first row, ")
    assert "is data" in notes[0]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("gene,2001,2002\na,1.5,2\nb,2,2.5\nc,4,1\n", ["2001", "2002"]),
        ("0,1,2\n0.5,1.5,2\n2.5,4,1\n", ["0", "1", "2"]),
        (",0,1\n0,0.5,1.5\n1,2,2.5\n2,1,4.5\n", ["0", "1"]),
        ("a,b\nx,y\nx,z\nu,y\n", ["a", "b"]),
        ("weight,2001\n1.5,7\n2,7\n2,8\n", ["weight", "2001"]),
        ("x,x\n1,2\n5,4\n", ["x", "x (2)"]),
    ],
)
def test_a_first_row_of_names_is_names(tmp_path, text, columns):
    assert list(read(tmp_path, text)[0].columns) == columns


def test_a_first_row_that_may_be_either_is_refused_until_told(tmp_path):
    text = "1,2,3\n5,4,6\n9,7,2\n"
    with pytest.raises(ValueError, match=r"data must begin with names or with data: got 1, 2, 3, which may be either"):
        read(tmp_path, text)
    assert read(tmp_path, text, header=True)[0].shape == (2, 3)
    assert read(tmp_path, text, header=False)[0].shape == (3, 3)


def test_quoted_entries_may_hold_separators_and_lines(tmp_path):
    table, _ = read(tmp_path, 'name,note,x\n"a, the first","two\nlines",1.5\nb,"say ""no""",2\nc,plain,4\n')
    assert list(table.index) == ["a, the first", "b", "c"]
    assert table["x"].to_list() == [1.5, 2, 4]


def test_spreadsheets_may_say_their_separator(tmp_path):
    assert read(tmp_path, "sep=;\r\na;b\r\n1,5;2\r\n2,5;3\r\n")[0]["a"].to_list() == [1.5, 2.5]


def test_files_of_other_kinds_are_refused(tmp_path):
    with pytest.raises(ValueError, match="data must be text: got a zero byte"):
        read(tmp_path, "a,b\n1,\x00\n")


def test_empty_entries_between_tabs_stay_where_they_are():
    table, separator, notes = split_text("a\tb\tc\n1\t\t\n4\t\t\n7\t\t9\n")
    assert separator == "\t"
    assert table.to_numpy().tolist() == [["1", "", ""], ["4", "", ""], ["7", "", "9"]]
    assert notes == []


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("x\n1\n2\n", ","),  # nothing to separate
        ("a,b;c\n1,5;2,5\n3,5;4,5\n", ";"),  # as many entries as names
        ("x\n1;2\n3;4\n", ","),  # names without it
        ("x;y\n1;2\n", ";"),
        ("x y\n1 2\n3 4\n", " "),
        ("x|y\n1|2\n3|4\n", "|"),
        ("x\ty\n1\t2\n3\t4\n", "\t"),
        ("word;other,n\n" + "a;b,1\n" * 97 + "a;b\n" * 3, ","),  # nearly always, and leaves numbers
        ("word;other,n\n" + "a;b,1\n" * 80 + "a;b\n" * 20, ";"),
    ],
)
def test_the_separator_leaves_equally_many_entries_and_numbers(text, separator):
    assert split_text(text)[1] == separator


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1.5,2.5,3.5,4.5\n5.5,6.5,7.5,8.5\n", "1.5, 2.5, 3.5, 4.5"),
        ("1.5,2.5,3.5,4.5,9.5\n5.5,6.5,7.5,8.5,9.5\n", "1.5, 2.5, 3.5, 4.5, ..."),
    ],
)
def test_up_to_four_entries_of_a_first_row_are_shown(text, shown):
    table, _, notes = split_text(text)
    assert notes == [f"The first row, {shown}, is data: columns have no names."]
    assert len(table) == 2
    assert list(table.columns) == [f"column {j + 1}" for j in range(table.shape[1])]


def test_one_row_alone_is_names():
    table, _, notes = split_text("1.5,2.5\n")
    assert (list(table.columns), len(table), notes) == (["1.5", "2.5"], 0, [])


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("a,b,c\n1,2.5\n4,3.5,1\n7,8.5,2\n", ["Row 1 has 2 entries of 3: there the rest is read as missing."]),
        (
            "a,b,c\n1,2.5,3\n4,3.5\n7\n8\n",
            ["Row 2 has 2 entries of 3: there, and in 2 more, the rest is read as missing."],
        ),
        ("a,b,c\n1,2.5,\n4,3.5,1\n", []),
    ],
)
def test_short_rows_are_counted(text, notes):
    assert split_text(text)[2] == notes


def test_short_rows_are_counted_where_there_are_no_names():
    assert split_text("1.5,2.5,3.5\n4.5,5.5\n7.5,8.5,9.5\n", has_header=False)[2][1:] == [
        "Row 2 has 2 entries of 3: there the rest is read as missing."
    ]


@pytest.mark.parametrize(
    ("names", "called"),
    [
        ("x,x,x", ["x", "x (2)", "x (3)"]),
        ("x,,y", ["x", "column 2", "y"]),
        ("column 2,,x", ["column 2", "column 2 (2)", "x"]),
        ("x,x (2),x", ["x", "x (2)", "x (3)"]),
    ],
)
def test_every_column_has_a_name_of_its_own(names, called):
    assert list(split_text(f"{names}\n1.5,2.5,3.5\n4.5,5.5,6.5\n")[0].columns) == called


@pytest.mark.parametrize(
    ("text", "n_rows"),
    [
        ("a\n1\n2\nb\n", 3),  # most of what stands below is numbers
        ("b\n1\nb\n", 3),  # half of it is not, and the first row comes again
        ("7,8\n1.5,2\n2.5,3\n", 2),  # numbers in a row over fractions
        ("7,9\n1.5,2\n2.5,3\n", 3),  # others
        ("7\n1.5\n2.5\n", 3),  # one alone is not in a row
        ("a,7,8\na,1.5,2\nb,2.5,3\n", 3),  # but for a word that comes again
        ("c,7,8\na,1.5,2\nb,2.5,3\n", 2),
        ("c,7\na,1\nb,2\n", 3),
    ],
)
def test_what_stands_below_says_whether_the_first_row_names_columns(text, n_rows):
    assert len(split_text(text)[0]) == n_rows


def test_a_file_with_too_many_names_or_entries_says_where():
    with pytest.raises(ValueError, match=r"got 1 names and 2 entries in row 1\. If the first column names"):
        split_text("x\n1;2\n")
    with pytest.raises(ValueError, match=r"got 2 names and 5 entries in row 2\.$"):
        split_text("x,y\n1,2\n1,2,3,4,5\n")


def test_empty_rows_and_columns_at_the_end_are_dropped():
    assert split_text("a,b,,\n1,2.5,,\n3,4.5,,\n,,,\n,,,\n")[0].shape == (2, 2)
    assert split_text("a,b\n1,2.5\n,\n3,4.5\n")[0].shape == (3, 2)
    assert split_text("a,,b\n1,,2.5\n3,,4.5\n")[0].shape == (2, 3)


def test_spaces_before_quotes_are_no_part_of_an_entry():
    table, _, _ = split_text('a, b\n"x", "y, z"\nu, v\n')
    assert table["b"].tolist() == ["y, z", "v"]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("a,\n1,\n2,\n", (2, 1)),
        ("a,b\n,\n", (0, 2)),
        ('x\n1\n2\n""\n', (3, 1)),  # of one column, an empty entry is one
    ],
)
def test_only_what_is_empty_at_the_end_is_dropped(text, shape):
    assert split_text(text)[0].shape == shape


def test_up_to_six_entries_of_a_row_that_may_be_either_are_shown():
    with pytest.raises(ValueError, match="got 1, 2, 3, 4, 5, 6, which may be either"):
        split_text("1,2,3,4,5,6,7\n9,8,7,6,5,4,3\n")
