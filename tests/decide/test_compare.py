"""Two clusterings beside each other, and the flow between several."""

import warnings

import naive
import numpy as np
import pandas as pd
import pytest

import partita as pt
from partita.losses import LOSSES
from partita.plot.flow import arrange_flow


def test_table_and_overlap_count_items():
    a, b = ["x", "x", "x", "y", "y"], [1, 1, 0, 0, 0]
    found = pt.compare_partitions(a, b)
    assert found.table.loc["x"].to_dict() == {0: 1, 1: 2}
    row = found.overlap.loc[("a", "x")]
    assert (row["size"], row["partner"], row["within"], row["jaccard"], row["n_parts"]) == (3, 1, 2 / 3, 2 / 3, 2)


@pytest.mark.parametrize("name", [name for name in LOSSES if name != "vi-bound"])
def test_no_two_partitions_are_further_apart_than_the_most(name):
    rows = naive.all_partitions(5)
    most = pt.compare_partitions(rows[0], rows[1]).losses.loc[name, "most"]
    values = [LOSSES[name]().between(a, b) for a in rows for b in rows]
    assert max(values) <= most + 1e-12
    if name != "adjusted-rand":
        assert max(values) == pytest.approx(most)


def test_items_left_out_are_not_compared():
    found = pt.compare_partitions(pd.Series([0, 0, 1, -1]), [0, 0, None, 1])
    assert (found.n_items, found.n_left_out) == (2, 2)


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ([0, 1], [0, 1, 1], "same items: got 2 and 3"),
        ([[0]], [0], "a must be a vector"),
        ([-1, 0], [0, -1], "in common"),
        ([0, 1], [[0, 1], [0]], "b must all label the same items: got 2 labels in draw 0 and 1 in draw 1"),
    ],
)
def test_bad_pairs_get_a_sentence(a, b, words):
    with pytest.raises(ValueError, match=words):
        pt.compare_partitions(a, b)


def test_flow_conserves_items_and_keeps_colors():
    parts = [np.array([0, 0, 0, 1, 1, 1]), np.array([2, 2, 2, 0, 0, 1]), np.array([0, 0, 1, 2, 2, 3])]
    flow = arrange_flow(parts)
    for step, table in enumerate(flow.tables):
        assert table.sum(axis=1) == pytest.approx(np.bincount(flow.labels[step]) / 6)
        assert table.sum() == pytest.approx(1)
    assert (flow.labels[1][:3] == 0).all()
    anchored = arrange_flow(parts, anchor=1)
    assert (anchored.labels[1] == parts[1]).all()
    ax = pt.plot.plot_flow(parts, names=["low", "middle", "high"])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["low", "middle", "high"]
    with pytest.raises(ValueError, match="at least two clusterings"):
        pt.plot.plot_flow(parts[:1])


def test_answers_go_back_into_cells():
    with warnings.catch_warnings():  # of an older anndata about a newer pandas
        warnings.simplefilter("ignore")
        anndata = pytest.importorskip("anndata")
    noisy, _ = pt.datasets.make_noisy_draws(n_items=30, n_draws=20, n_clusters=3, random_state=1)
    cells = [f"cell {i}" for i in range(30)]
    runs = {f"leiden_{m}": pd.Categorical(row.astype(str)) for m, row in enumerate(noisy)}
    warnings.simplefilter("ignore")
    adata = anndata.AnnData(np.zeros((30, 2)), obs=pd.DataFrame(runs, index=cells))
    post = pt.PartitionPosterior.from_any(adata, keys="leiden_*")
    assert post.items == tuple(cells)
    summary = pt.summarize(post)
    summary.to_anndata(adata, key="consensus")
    assert adata.obs["consensus"].dtype == "category"
    assert adata.obs["consensus_certainty"].between(0, 1).all()
    assert adata.uns["consensus"]["ball"]["level"] == 0.95
    with pytest.raises(ValueError, match="same 30 items"):
        summary.to_anndata(adata[:10].copy())


def test_the_comparison_is_told_in_numbers():
    found = pt.compare_partitions([0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2])
    assert repr(found) == (
        "PartitionComparison: 8 items in 3 and 3 clusters, 1 of them misplaced under the best matching; "
        "vi 0.75 of at most 3"
    )
    row = found.overlap.loc[("b", 1)]
    assert row.tolist() == [4, 1, 3 / 4, 3 / 4, 2]
    assert found.losses.loc["binder"].tolist() == pytest.approx([2 * 5 / 64, 7 / 8])
    assert found.losses.loc["adjusted-rand", "most"] == 1.5
    assert found.losses.loc["nvi", "most"] == 1.0
    assert (found.n_items, found.n_left_out) == (8, 0)


def test_whole_numbers_stay_whole_and_minus_one_is_left_out_however_it_is_written():
    found = pt.compare_partitions([0.0, 2.0, -1.0, np.nan, 2.0], ["x", "y", "y", "x", "-1"])
    assert list(found.table.index) == [0, 2]
    assert (found.n_items, found.n_left_out) == (2, 3)
    assert list(pt.compare_partitions([0.5, 1.0], [0, 1]).table.index) == [0.5, 1]
    with pytest.raises(ValueError, match="a must be finite labels: got infinity"):
        pt.compare_partitions([np.inf, 0.0], [0, 1])
