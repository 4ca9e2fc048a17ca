import gzip
import io

import numpy as np
import pandas as pd
import pytest

from partita.tables import read as tables, read_data

BIRDS = "id,name,length,eggs\n1,wren,10.5,5\n2,swan,150,\n3,crow,47,4\n"


@pytest.fixture
def birds(tmp_path):
    path = tmp_path / "birds of prey.csv"
    path.write_text(BIRDS)
    return path


def test_names_are_found_and_row_numbers_left_out(birds):
    table, notes = read_data(birds)
    assert list(table.index) == ["wren", "swan", "crow"]
    assert list(table.columns) == ["length", "eggs"]
    assert notes == ["Column 'name' names the items.", "Column 'id' counts the rows and is left out."]
    assert np.isnan(table.loc["swan", "eggs"])


def test_columns_and_index_can_be_chosen(birds):
    table, notes = read_data(birds, index="id", columns=["eggs"])
    assert (list(table.index), list(table.columns), notes) == ([1, 2, 3], ["eggs"], [])
    assert list(read_data(birds, keep=["id"], drop=["eggs"])[0].columns) == ["id", "length"]
    assert read_data(birds, columns=["length"], standardize=True)[0]["length"].mean() == pytest.approx(0)


@pytest.mark.parametrize("separator", [";", "\t", "|", " "])
def test_any_separator_is_read(tmp_path, separator):
    path = tmp_path / "data.txt"
    path.write_text("a b\n1 2.5\n3 4\n2 7\n".replace(" ", separator))
    assert read_data(path)[0].to_numpy().tolist() == [[1, 2.5], [3, 4], [2, 7]]


def test_other_files_and_standard_input_are_read(tmp_path, monkeypatch):
    expected = pd.DataFrame({"x": [1.5, 2.0, 8.0], "y": [0.0, 4.0, 1.0]})
    expected.to_parquet(tmp_path / "data.parquet")
    np.savez(tmp_path / "data.npz", X=expected.to_numpy())
    np.save(tmp_path / "data.npy", expected.to_numpy())
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress(expected.to_csv(index=False).encode()))
    (tmp_path / "wide.csv").write_text(expected.to_csv(index=False), encoding="utf-16")
    monkeypatch.setattr("sys.stdin", io.StringIO(expected.to_csv(index=False)))
    sources = [*(tmp_path / name for name in ("data.parquet", "data.npz", "data.npy", "data.csv.gz", "wide.csv")), "-"]
    for source in sources:
        assert read_data(source)[0].to_numpy().tolist() == expected.to_numpy().tolist(), source


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("", {}, "data must not be empty"),
        ("a,b\n", {}, "data must have at least one row and one column: got 0 x 2."),
        (BIRDS, {"index": "nome"}, "index must be among the columns id, name, length, eggs: got 'nome'."),
        (BIRDS, {"columns": ["weight"]}, "columns must be among the columns id, length, eggs: got 'weight'."),
        ("n,x\na,1\na,2\nb,3\n", {"index": "n"}, "index must name each item once: got 'a' twice in column 'n'."),
        ("n\na\nb\nc\n", {}, "data must have a column besides the names in 'n': got none."),
        ("a,b\n1,2\n1,2,3\n", {}, "data must have a name for each column: got 2 names and 3 entries in row 2."),
        ('a,b\n1,"2\n1,2\n', {}, "data must be a table: "),
    ],
)
def test_what_is_wrong_with_a_table_is_named(tmp_path, text, arguments, message):
    path = tmp_path / "data.csv"
    path.write_text(text)
    with pytest.raises(ValueError) as error:
        read_data(path, **arguments)
    assert str(error.value).startswith(message)


def test_too_much_text_is_refused_with_advice(birds, monkeypatch):
    monkeypatch.setattr(tables, "LARGEST", 20)
    with pytest.raises(ValueError, match="Take a sample of the rows"):
        read_data(birds)


def test_unknown_and_absent_files_are_named(tmp_path):
    (tmp_path / "data.xlsx").write_text("")
    with pytest.raises(ValueError, match=r"data must be a file ending in .*: got 'data.xlsx'"):
        read_data(tmp_path / "data.xlsx")
    with pytest.raises(FileNotFoundError, match="data must name a file: got "):
        read_data(tmp_path / "absent.csv")


def test_columns_of_any_spread_are_standardized(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n0.1,1\n0.3,2\n0.2,7\n")
    table, _ = read_data(tmp_path / "data.csv", standardize=True)
    assert table.std(ddof=0).tolist() == pytest.approx([1.0, 1.0])


def test_an_identifier_may_begin_at_zero(tmp_path):
    (tmp_path / "data.csv").write_text("id,a\n0,1.5\n17,2.5\n4,9.5\n31,4\n12,5.5\n8,7\n")
    table, notes = read_data(tmp_path / "data.csv")
    assert list(table) == ["a"]
    assert notes == ["Column 'id' identifies the rows and is left out."]


def test_notes_say_where_commas_were_seen_and_how_many_rows_are_short(tmp_path):
    (tmp_path / "data.csv").write_text("a;b\n1,5;2\n2,5;3\n3,5;9\n")
    assert read_data(tmp_path / "data.csv")[1] == ["Numbers have decimal commas, as '1,5' in column 'a'."]
    (tmp_path / "data.csv").write_text("a,b,c\n1,2,3\n1\n2\n4,5,6\n3\n")
    said = "Row 2 has 1 entries of 3: there, and in 2 more, the rest is read as missing."
    assert read_data(tmp_path / "data.csv")[1] == [said]


@pytest.mark.parametrize("name", ["my.data.csv.gz", "data.TSV.GZ", "data.csv.gz"])
def test_packed_text_may_have_points_in_its_name(tmp_path, name):
    with gzip.open(tmp_path / name, "wt") as file:
        file.write("a,b\n1,2.5\n3,4.5\n")
    assert read_data(tmp_path / name)[0].shape == (2, 2)


def test_arrays_are_tables(tmp_path):
    np.save(tmp_path / "one.npy", np.array([1.5, 2.5, 7.5]))
    assert read_data(tmp_path / "one.npy")[0].to_numpy().tolist() == [[1.5], [2.5], [7.5]]
    np.savez(tmp_path / "two.npz", other=np.zeros((2, 2)), X=[[1.5, 2.5], [7.5, 1.5]])
    assert read_data(tmp_path / "two.npz")[0].to_numpy().tolist() == [[1.5, 2.5], [7.5, 1.5]]
    np.savez(tmp_path / "none.npz")
    with pytest.raises(ValueError, match="data must hold an array"):
        read_data(tmp_path / "none.npz")
    np.save(tmp_path / "three.npy", np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match="rows and columns: got 3 dimensions"):
        read_data(tmp_path / "three.npy")
    np.save(tmp_path / "objects.npy", np.array([[{}]]), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        read_data(tmp_path / "objects.npy")


def test_text_is_read_up_to_a_size(tmp_path, monkeypatch):
    text = "a,b\n1,2.5\n3,4.5\n"
    assert (tables.LARGEST, "at most 200 MB" in tables.TOO_LARGE) == (200_000_000, True)
    (tmp_path / "data.csv").write_text(text)
    with gzip.open(tmp_path / "data.csv.gz", "wt") as file:
        file.write(text)
    for largest, fine in ((len(text), True), (len(text) - 1, False)):
        monkeypatch.setattr(tables, "LARGEST", largest)
        for source in (tmp_path / "data.csv", tmp_path / "data.csv.gz", "-"):
            monkeypatch.setattr("sys.stdin", io.StringIO(text))
            if source != "-" and source.stat().st_size > largest and fine:
                continue  # so little is not packed well
            if fine:
                assert read_data(source)[0].shape == (2, 2)
            else:
                with pytest.raises(ValueError, match="data must be at most"):
                    read_data(source)


def test_numbers_are_brought_to_mean_zero_and_variance_one(tmp_path):
    (tmp_path / "data.csv").write_text("a,b,c\n1,2.5,u\n3,2.5,v\n5,9.5,u\n")
    table, _ = read_data(tmp_path / "data.csv", standardize=True)
    assert table["a"].to_numpy() == pytest.approx(np.array([-1, 0, 1]) * np.sqrt(1.5))
    assert table["b"].std(ddof=0) == pytest.approx(1)
    assert table["c"].tolist() == ["u", "v", "u"]


def test_names_need_a_column_besides(tmp_path):
    (tmp_path / "data.csv").write_text("name\nu\nv\nw\n")
    with pytest.raises(ValueError, match="data must have a column besides the names in 'name': got none"):
        read_data(tmp_path / "data.csv")
    (tmp_path / "data.csv").write_text("name,x\nu,1.5\nv,2.5\nu,3.5\n")
    with pytest.raises(ValueError, match="index must name each item once: got 'u' twice in column 'name'"):
        read_data(tmp_path / "data.csv", index="name")


def test_one_row_is_at_the_mean(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n1.5,2.5\n")
    assert read_data(tmp_path / "data.csv", standardize=True, header=True)[0].to_numpy().tolist() == [[0.0, 0.0]]
