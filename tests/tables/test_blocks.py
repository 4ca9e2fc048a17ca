"""Tables by blocks: the rows of the whole table, and columns judged by its rules."""

import numpy as np
import pandas as pd
import pytest

from partita.tables import blocks
from partita.tables.blocks import TableBlocks, as_blocks, parquet_blocks, read_data_blocks

TABLE = pd.DataFrame(
    {
        "ring": range(40),
        "mass": np.linspace(0, 1, 40) ** 2,
        "name": [f"bird {i}" for i in range(40)],
        "sort": ["a"] * 40,
    }
)


@pytest.fixture
def path(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(blocks, "ROWS", 7)
    TABLE.to_parquet(tmp_path / "birds.parquet")
    return tmp_path / "birds.parquet"


def test_rows_are_those_of_the_whole_table(path):
    table, rows = parquet_blocks(path), np.array([0, 6, 7, 39])
    assert [len(block) for block in table] == [7, 7, 7, 7, 7, 5]
    pd.testing.assert_frame_equal(table.take(rows), TABLE.iloc[rows].reset_index(drop=True))
    pd.testing.assert_frame_equal(table.sample(100), TABLE)


def test_columns_that_say_nothing_are_left_out(path):
    table, sample, notes = read_data_blocks(path)
    assert table.columns == ("mass",)
    assert list(sample) == ["mass"]
    assert notes == [
        "Column 'ring' counts the rows and is left out.",
        "Column 'name' has a different entry in each row and is left out.",
        "Column 'sort' holds nothing but 'a' and is left out.",
    ]


def test_a_counter_is_known_by_the_first_rows(path, monkeypatch):
    monkeypatch.setattr(blocks, "ROWS", 20)
    monkeypatch.setattr(TableBlocks, "sample", lambda self: self.take(np.arange(0, 40, 3)))
    assert read_data_blocks(path)[0].columns == ("mass",)


def test_a_column_that_is_asked_for_is_kept(path):
    assert read_data_blocks(path, columns=["ring", "mass"])[0].columns == ("ring", "mass")


@pytest.mark.parametrize("argument", ["columns", "drop"])
def test_a_column_that_is_not_there_is_named(path, argument):
    with pytest.raises(ValueError, match=f"^{argument} must be among the columns ring, mass, name, sort: got 'wing'"):
        read_data_blocks(path, **{argument: ["wing"]})


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"^data must be a parquet file to be read by blocks: got 'birds\.csv'"):
        read_data_blocks(tmp_path / "birds.csv")


def test_blocks_that_do_not_add_up_are_noticed():
    table = TableBlocks(9, lambda: iter([np.ones((2, 2))]))
    with pytest.raises(ValueError, match=r"^X must have blocks of 9 rows in all: got 2"):
        table.sample()


def test_what_is_in_memory_is_not_read_by_blocks():
    assert as_blocks(np.ones((3, 2))) is None
    assert as_blocks([[1, 2], [3, 4]]) is None
    assert as_blocks(TABLE) is None
    assert as_blocks([]) is None
    assert as_blocks(()) is None


class Stored:
    """A zarr array as far as blocks are concerned."""

    __module__ = "zarr.core"
    ndim = 2

    def __init__(self, values):
        self.values, self.shape, self.read = values, values.shape, []

    def __getitem__(self, rows):
        self.read.append((rows.start, rows.stop))
        return self.values[rows]


def test_a_stored_array_is_read_in_rows_of_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "ROWS", 3)
    stored = Stored(np.arange(14.0).reshape(7, 2))
    table = as_blocks(stored)
    assert table.n_rows == 7
    assert np.concatenate(list(table)).tolist() == stored.values.tolist()
    assert stored.read == [(0, 3), (3, 6), (6, 9)]
    assert table.take(np.array([2, 3, 6])).tolist() == stored.values[[2, 3, 6]].tolist()
    stored.ndim = 1
    assert as_blocks(stored) is None


def test_one_delayed_block_is_a_table():
    from dask.delayed import delayed

    table = as_blocks([delayed(np.ones)((4, 2))])
    assert (table.n_rows, [len(block) for block in table]) == (4, [4])


@pytest.mark.parametrize(
    ("n_rows", "most", "rows"),
    [(10, 4, [0, 3, 6, 9]), (10, 10, list(range(10))), (10, 11, list(range(10))), (1, 5, [0]), (7, 3, [0, 3, 6])],
)
def test_rows_are_judged_that_are_spread_evenly(n_rows, most, rows):
    whole = np.arange(2.0 * n_rows).reshape(-1, 2)
    table = TableBlocks(n_rows, lambda: iter([whole[:3], whole[3:]]))
    assert table.sample(most).tolist() == whole[rows].tolist()
    assert (blocks.ROWS, blocks.MOST_JUDGED) == (50_000, 100_000)


def test_dask_arrays_have_rows_and_columns():
    array = pytest.importorskip("dask.array")
    table = as_blocks(array.from_array(np.arange(12.0).reshape(6, 2), chunks=(4, 1)))
    assert [block.shape for block in table] == [(4, 2), (2, 2)]
    with pytest.raises(ValueError, match=r"X must be a table with rows and columns: got 1 dimension\(s\)"):
        as_blocks(array.zeros(4))


def test_files_without_rows_or_columns_are_refused(tmp_path):
    pytest.importorskip("pyarrow")
    TABLE.iloc[:0].to_parquet(tmp_path / "none.parquet")
    with pytest.raises(ValueError, match="at least one row and one column: got no row"):
        read_data_blocks(tmp_path / "none.parquet")
    TABLE[["ring", "sort"]].to_parquet(tmp_path / "few.parquet")
    with pytest.raises(ValueError, match=r"a column to cluster by: got none\. Column 'ring' counts"):
        read_data_blocks(tmp_path / "few.parquet")
    TABLE[["ring", "mass"]].iloc[:1].to_parquet(tmp_path / "one.parquet")
    assert read_data_blocks(tmp_path / "one.parquet")[0].n_rows == 1
