"""`partita cluster` with a parquet file that is read by blocks."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from partita.cli import app, blocks

pytest.importorskip("pyarrow")
SHORT = ["--chains", "2", "--draws", "4", "--warmup", "2", "--jobs", "1", "--quiet"]


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "reads_by_blocks", lambda path, _: path.suffix == ".parquet")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) + 6 * rng.integers(0, 2, 300)[:, None]
    pd.DataFrame(X, columns=["a", "b", "c"]).assign(row=range(300)).to_parquet(tmp_path / "big.parquet")
    return tmp_path / "big.parquet"


def run(*arguments):
    return CliRunner().invoke(app, ["cluster", *map(str, arguments)])


def test_a_file_by_blocks_ends_in_a_report(path, tmp_path):
    found = run(path, "-o", tmp_path / "out", "--json", *SHORT)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["n_clusters"] == 2
    assert "Column 'row' counts the rows and is left out." in found.stderr
    assert "Read by blocks: 300 rows, which take up to 7.2e-06 GB among temporary files" in found.stderr
    assert "Draws take up to 7.2e-06 GB of disk, and chains 3.4e-05 GB of memory." in found.stderr
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "principal axis 1" in report
    assert re.search(r"Cluster 0, \d+ items: (high|low) [abc]", report)


@pytest.mark.parametrize("option", [["--index", "a"], ["--standardize"], ["--k", "2"]])
def test_what_needs_the_whole_table_is_refused(path, tmp_path, option):
    found = run(path, "-o", tmp_path / "out", *SHORT, *option)
    assert found.exit_code == 2
    assert f"Error: {option[0][2:]} must be left out for a table that is read by blocks" in found.stderr
    assert not (tmp_path / "out").exists()


def test_blocks_are_for_dask_and_for_what_is_too_large(tmp_path, monkeypatch):
    file = tmp_path / "small.parquet"
    pd.DataFrame({"a": range(9)}).to_parquet(file)
    assert blocks.reads_by_blocks(file, "dask")
    assert not blocks.reads_by_blocks(file, "threads")
    assert not blocks.reads_by_blocks(tmp_path / "small.csv", "dask")
    monkeypatch.setattr(blocks, "LEAST_COPIES", 10**12)
    assert blocks.reads_by_blocks(file, "threads")
