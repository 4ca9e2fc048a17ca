"""Clusterings as people have them, and similarity matrices alone."""

import naive
import numpy as np
import pandas as pd
import pytest

import partita as pt
from partita.decide.similarity_estimate import expected_loss

RUNS = pd.DataFrame(
    {"res_1": ["T", "T", "B", "B"], "res_2": ["x", "y", "y", "y"], "other": [0.5, 0.1, 0.2, 0.3]}, index=list("abcd")
)
DRAWS = np.array([[0, 0, 1, 1], [0, 1, 1, 1]])


def test_one_clustering_per_column_with_items_by_row():
    post = pt.PartitionPosterior.from_any(RUNS[["res_1", "res_2"]], axis="columns")
    assert post.items == tuple("abcd")
    assert (post.draws == DRAWS).all()
    assert (pt.PartitionPosterior.from_any(RUNS, keys="res_*").draws == DRAWS).all()


def test_text_by_row_and_categories_in_a_list():
    text = pt.PartitionPosterior.from_any(RUNS[["res_1", "res_2"]].to_numpy().T.tolist())
    assert (text.draws == DRAWS).all()
    categories = pt.PartitionPosterior.from_any([pd.Categorical(RUNS.res_1), pd.Categorical(RUNS.res_2)])
    assert (categories.draws == DRAWS).all()
    series = pt.PartitionPosterior.from_any([RUNS.res_1, RUNS.res_2])
    assert series.items == tuple("abcd")


@pytest.mark.parametrize("noise", [-1, "-1", None, np.nan])
def test_noise_and_empty_cells_are_left_out(noise):
    column = pd.Series([0, 1, noise, 1]) if not isinstance(noise, str) else pd.Series(["0", "1", noise, "1"])
    post = pt.PartitionPosterior.from_any(pd.DataFrame({"a": column, "b": [0, 0, 1, 1]}), axis="columns")
    assert post.draws[0].tolist() == [0, 1, -1, 1]


def test_labels_of_scikit_learn_with_noise_are_left_out():
    assert pt.PartitionPosterior.from_any([[0, 1, -1], [0, 0, 1]]).draws.tolist() == [[0, 1, -1], [0, 0, 1]]
    with pytest.raises(ValueError, match="must not be negative"):
        pt.PartitionPosterior.from_any([[0, 1, -1], [0, 0, 1]], missing=None)


def test_polars_keeps_names():
    polars = pytest.importorskip("polars")
    post = pt.PartitionPosterior.from_any(polars.DataFrame({"ant": [1, 1], "bee": [1, 2]}))
    assert post.items == ("ant", "bee")


def test_files_with_one_clustering_per_column(tmp_path):
    RUNS[["res_1", "res_2"]].to_csv(tmp_path / "runs.csv")
    post = pt.PartitionPosterior.from_any(tmp_path / "runs.csv", axis="columns")
    assert post.items == tuple("abcd")
    assert (post.draws == DRAWS).all()


def test_var_picks_columns_of_a_table_and_others_are_named(tmp_path):
    table = pd.DataFrame({"lp__": [-1.5, -2.5], "alpha": [0.1, 0.2], "z[1]": [1, 1], "z[2]": [1, 2]})
    assert pt.PartitionPosterior.from_any(table).draws.tolist() == [[0, 0], [0, 1]]
    table.to_csv(tmp_path / "draws.csv", index=False)
    assert pt.PartitionPosterior.from_any(tmp_path / "draws.csv").items == ("z[1]", "z[2]")
    with pytest.raises(ValueError, match=r"column 'lp__' must hold labels, whole numbers: got -1.5"):
        pt.PartitionPosterior.from_any(table, var="c")


def test_responsibilities_become_labels_with_their_probabilities():
    rng = np.random.default_rng(0)
    shares = np.broadcast_to(rng.dirichlet(np.ones(3), size=4), (20_000, 4, 3))
    post = pt.PartitionPosterior.from_any(np.array(shares))
    expected = shares[0] @ shares[0].T
    np.fill_diagonal(expected, 1)
    assert post.similarity() == pytest.approx(expected, abs=0.02)
    chains = pt.PartitionPosterior.from_responsibilities(np.array(shares[:6]).reshape(2, 3, 4, 3))
    assert chains.n_chains == 2
    with pytest.raises(ValueError, match="must be probabilities that sum to 1"):
        pt.PartitionPosterior.from_responsibilities(np.ones((2, 3, 4)))


def test_posterior_is_a_sequence_of_label_vectors():
    post = pt.PartitionPosterior(DRAWS, weights=[0.25, 0.75])
    assert len(post) == 2
    assert [row.tolist() for row in post] == DRAWS.tolist()
    assert post[-1].tolist() == DRAWS[1].tolist()
    assert post[:1].n_draws == 1
    assert post[[True, False]].weights.tolist() == [1.0]
    with pytest.raises(IndexError, match="at least one draw"):
        post[5:]
    assert post.to_pandas()[".weight"].tolist() == [0.25, 0.75]
    assert (post.psm() == post.similarity()).all()


@pytest.mark.parametrize("alias", ["ari", "omARI"])
def test_aliases_of_the_adjusted_rand_index(alias):
    assert pt.estimate_partition(DRAWS, loss=alias).loss == pt.AdjustedRand()


@pytest.mark.parametrize("loss", [pt.Binder(), pt.Binder(a=0.6), pt.VariationOfInformationBound()], ids=repr)
def test_similarity_matrix_alone_gives_what_all_partitions_give(loss):
    for seed in range(4):
        post = pt.PartitionPosterior(naive.random_draws(np.random.default_rng(seed), 12, 6, 3))
        psm = pt.SimilarityMatrix(post.similarity())
        found = pt.estimate_partition(psm, loss)
        best = min(expected_loss(labels.astype(np.int64), psm, loss) for labels in naive.all_partitions(6))
        assert found.expected_loss == pytest.approx(best, abs=1e-6)
        if isinstance(loss, pt.Binder):
            assert found.expected_loss == pytest.approx(loss.expected(found.labels, post), abs=1e-5)


def test_similarity_matrix_is_recognized_and_other_losses_say_what_they_need():
    post = pt.PartitionPosterior(naive.random_draws(np.random.default_rng(1), 12, 6, 3))
    assert pt.estimate_partition(post.similarity(), "binder").n_clusters >= 1
    with pytest.raises(ValueError, match="got 'vi', which needs draws"):
        pt.estimate_partition(post.similarity())
    with pytest.raises(ValueError, match="looks like a similarity matrix"):
        pt.credible_ball(post.similarity(), [0] * 6)


@pytest.mark.parametrize(
    ("similarity", "words"),
    [
        ([[1.0, 0.2, 0.3]], "a square matrix: got shape"),
        ([[1.0, 1.2], [1.2, 1.0]], "probabilities, from 0 to 1"),
        ([[1.0, 0.2], [0.3, 1.0]], "symmetric, with ones on the diagonal"),
        ([[1.0, 0.2], [0.2, 0.9]], "symmetric, with ones on the diagonal"),
    ],
)
def test_what_is_no_similarity_matrix_is_refused(similarity, words):
    with pytest.raises(ValueError, match=f"similarity must .*{words}"):
        pt.SimilarityMatrix(similarity)


def test_whole_numbers_are_labels_even_where_they_sum_to_one():
    chains = np.array([[[0.0, 1.0], [1.0, 0.0]]])
    assert pt.PartitionPosterior.from_any(chains).n_draws == 2
    assert pt.PartitionPosterior.from_any(np.clip(chains, 0.001, 0.999)).n_draws == 1


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        ([[0, 1, 1], [0, 1]], {}, "same"),
        ([0, 1, 1], {}, "One clustering alone"),
        ([RUNS.res_1, RUNS.res_2.iloc[:3]], {}, "clusterings of the same items: got 'd'"),
        ([[-1, -1], [-1, -1]], {}, "at least one item"),
        (RUNS, {"axis": "columns"}, "column 'other' must hold labels: got 0.5"),
        (RUNS, {"keys": "leiden_*"}, "keys must match columns with clusterings"),
        (RUNS, {"axis": "column"}, "Did you mean 'columns'"),
    ],
)
def test_bad_clusterings_get_a_sentence(source, options, words):
    with pytest.raises(ValueError, match=words):
        pt.PartitionPosterior.from_any(source, **options)


@pytest.mark.parametrize(
    ("change", "accepted"),
    [((0, 0, 0.0), True), ((0, 0, 9e-4), True), ((0, 0, 2e-3), False), ((1, 0, -1e-6), True), ((1, 0, -3e-6), False)],
)
def test_responsibilities_are_probabilities_but_for_rounding(change, accepted):
    shares = np.array([[[0.5, 0.5], [0.0, 1.0]]])
    item, component, amount = change
    shares[0, item, component] += amount
    if accepted:
        assert pt.PartitionPosterior.from_responsibilities(shares).n_draws == 1
    else:
        with pytest.raises(ValueError, match="must be probabilities that sum to 1"):
            pt.PartitionPosterior.from_responsibilities(shares)


def test_certain_responsibilities_are_their_labels_and_chains_come_first():
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=(2, 5, 6))
    post = pt.PartitionPosterior.from_responsibilities(np.eye(3)[labels])
    assert post.chains.tolist() == [0] * 5 + [1] * 5
    expected = pt.PartitionPosterior(labels.reshape(10, 6))
    assert (post.draws == expected.draws).all()
    assert pt.PartitionPosterior.from_responsibilities(np.eye(3)[labels[0]]).chains is None
    for wrong in (np.ones((3, 1)), np.ones((2, 0, 1)), np.ones((1, 1, 1, 1, 1))):
        with pytest.raises(ValueError, match="responsibilities must be a"):
            pt.PartitionPosterior.from_responsibilities(wrong)


def test_a_seed_keeps_its_labels():
    shares = np.full((3, 6, 2), 0.5)
    found = pt.PartitionPosterior.from_responsibilities(shares).draws
    uniform = np.random.default_rng(0).random((3, 6, 1))
    assert (found == pt.PartitionPosterior((uniform[:, :, 0] >= 0.5).astype(int)).draws).all()


@pytest.mark.parametrize(
    ("off", "diagonal", "accepted"),
    [
        (0.0, 1.0, True),
        (1.00005, 1.0, True),
        (1.0003, 1.0, False),
        (-0.1, 1.0, False),
        (0.5, 1 - 5e-6, True),
        (0.5, 0.99, False),
    ],
)
def test_similarities_are_probabilities_with_ones_on_the_diagonal_but_for_rounding(off, diagonal, accepted):
    matrix = [[diagonal, off], [off, diagonal]]
    if accepted:
        assert pt.SimilarityMatrix(matrix).n_items == 2
    else:
        with pytest.raises(ValueError, match="similarity must"):
            pt.SimilarityMatrix(matrix)


@pytest.mark.parametrize(
    ("change", "looks"),
    [
        (dict(), True),
        (dict(diagonal=1 + 5e-7), True),
        (dict(diagonal=0.999), False),
        (dict(low=-0.01), False),
        (dict(high=1.01), False),
        (dict(low=0.0, middle=1.0), False),  # labels may look so
        (dict(askew=0.01), False),
    ],
)
def test_a_similarity_matrix_is_known_by_its_looks(change, looks):
    from partita.posterior.clusterings import looks_like_similarity

    given = {"diagonal": 1.0, "low": 0.0, "middle": 0.5, "high": 1.0, "askew": 0.0, **change}
    low, middle, high = given["low"], given["middle"], given["high"]
    matrix = np.array([[1.0, low, middle], [low, 1.0, high], [middle, high, given["diagonal"]]])
    matrix[0, 2] += given["askew"]
    assert looks_like_similarity(matrix) == looks
    assert not looks_like_similarity(matrix[:2])
    assert not looks_like_similarity(matrix.tolist())


def test_arrays_on_disk_are_read_in_blocks(monkeypatch):
    from partita.posterior import clusterings

    class Stored:
        shape, ndim = (7, 3), 2
        asked: list = []  # noqa: RUF012

        def __getitem__(self, rows):
            self.asked.append((rows.start, rows.stop))
            return (np.arange(21).reshape(7, 3) % 5)[rows]

    monkeypatch.setattr(clusterings, "BLOCK_CELLS", 9)
    found = clusterings._read_blocks(Stored())
    assert found.tolist() == (np.arange(21).reshape(7, 3) % 5).tolist()
    assert Stored.asked == [(0, 3), (3, 6), (6, 9)]
    assert found.dtype == np.uint8
