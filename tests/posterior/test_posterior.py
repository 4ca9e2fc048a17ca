import copy
import math
import pickle
import tracemalloc
import warnings

import naive
import numpy as np
import pandas as pd
import pytest

import partita as pt
from partita.posterior import held_weight


def posterior(n_draws=50, n_items=9, weighted=False, seed=0, n_labels=4):
    rng = np.random.default_rng(seed)
    draws = naive.random_draws(rng, n_draws, n_items, n_labels)
    return pt.PartitionPosterior(draws, rng.random(n_draws) if weighted else None)


def test_draws_are_canonical_in_the_smallest_type_and_cannot_be_written():
    post = pt.PartitionPosterior([[3, 3, 1], [2, 2**31 - 1, 2]])
    assert post.draws.tolist() == [[0, 0, 1], [0, 1, 0]]
    assert post.draws.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        post.draws[0, 0] = 1
    wide = pt.PartitionPosterior([range(300)])
    assert wide.draws.dtype == np.uint16


@pytest.mark.parametrize("dtype", [">i4", ">f8", ">u2", np.float16, np.float32, bool, object])
def test_labels_come_in_any_type_of_number(dtype):
    draws = np.array([[1, 1, 0], [0, 1, 0]], dtype)
    assert pt.PartitionPosterior(draws).draws.tolist() == [[0, 0, 1], [0, 1, 0]]
    with pytest.raises(ValueError, match="at most 2147483647: got inf for item 1"):
        pt.PartitionPosterior(np.array([[0, math.inf]], np.float16))


def test_an_item_is_held_as_often_as_the_draws_that_hold_it():
    draws = [[0, 0, 1], [0, -1, 1], [-1, -1, 0], [0, 1, -1]]
    assert held_weight(pt.PartitionPosterior(draws, [4, 3, 2, 1], missing=-1)) == pytest.approx([0.8, 0.5, 0.9])
    assert held_weight(pt.PartitionPosterior(draws[:1])).tolist() == [1, 1, 1]


def test_weights_as_large_as_numbers_go_are_scaled():
    assert pt.PartitionPosterior([[0, 0], [0, 1]], weights=[1e308, 1e308]).weights.tolist() == [0.5, 0.5]


def test_holding_draws_takes_little_more_memory_than_the_draws():
    draws = np.zeros((1000, 1000), np.uint8)
    pt.PartitionPosterior(draws[:2])  # compile
    tracemalloc.start()
    pt.PartitionPosterior(draws)
    assert tracemalloc.get_traced_memory()[1] < 1.1 * draws.nbytes
    tracemalloc.stop()


def test_arrays_passed_in_stay_the_users_own():
    weights, chains = np.array([0.5, 0.5]), np.array([0, 1])
    pt.PartitionPosterior([[0, 1], [0, 0]], weights, chains)
    weights[0], chains[0] = 1, 3


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (63, 4), (64, 4), (65, 4), (200, 40)])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_similarity_follows_its_definition(weighted, shape, n_jobs, monkeypatch):
    monkeypatch.setattr("partita.posterior.similarity.SMALL", 0)  # let two threads be two
    post = posterior(*shape, weighted, n_labels=7)
    expected = naive.similarity(post.draws, post.weights)
    assert post.similarity(n_jobs=n_jobs) == pytest.approx(expected, abs=1e-6)
    condensed = expected[np.triu_indices(shape[1], 1)]
    assert post.condensed_similarity(n_jobs=n_jobs) == pytest.approx(condensed, abs=1e-6)
    for size in (1, 3, 100):
        blocks = np.vstack([block for _, block in post.similarity_blocks(size)])
        assert blocks == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("weighted", "n_jobs"), [(False, 1), (True, 2)])
def test_weighted_draws_are_shared_among_threads_sooner(weighted, n_jobs, monkeypatch):
    asked = []
    monkeypatch.setattr("partita.posterior.similarity.SMALL", 3 * 9 * 9 * 50)
    monkeypatch.setattr("partita.posterior.similarity.run_threads", lambda *arguments: asked.append(arguments[-1]))
    posterior(50, 9, weighted).similarity(n_jobs=2)
    assert asked == [n_jobs]


def test_similarity_of_more_than_256_clusters():
    rng = np.random.default_rng(1)
    draws = np.array([rng.permutation(400) // (1 + m % 3) for m in range(70)])
    post = pt.PartitionPosterior(draws)
    assert post.similarity() == pytest.approx(naive.similarity(draws), abs=1e-6)


def test_similarity_of_a_subset_is_a_block_of_the_whole():
    post = posterior()
    assert (post.similarity(items=[5, 1]) == post.similarity()[np.ix_([5, 1], [5, 1])]).all()


def test_collapsing_keeps_the_distribution():
    post = posterior(400, 4, weighted=True, n_labels=2)
    few = post.collapse()
    assert few.n_draws < 16
    assert len(np.unique(few.draws, axis=0)) == few.n_draws
    assert (np.diff(few.weights) <= 0).all()
    assert few.similarity() == pytest.approx(post.similarity(), abs=1e-6)
    assert posterior(3, 50, n_labels=9).collapse().n_draws == 3


def test_functionals_of_each_draw():
    post = pt.PartitionPosterior([[0, 0, 1, 1], [0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 0, 1]])
    assert post.n_clusters().tolist() == [2, 4, 1, 2]
    assert post.largest_cluster().tolist() == [2, 1, 4, 3]
    many = pt.PartitionPosterior(np.random.default_rng(0).integers(9, size=(3000, 1000)))
    assert (many.largest_cluster() == [np.bincount(row).max() for row in many.draws]).all()
    assert post.entropy() == pytest.approx([1, 2, 0, naive.entropy(np.array([0, 0, 0, 1]))])


def test_chains_are_kept_together_and_in_order():
    draws = [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 2]]
    post = pt.PartitionPosterior(draws, weights=[1, 2, 3, 4], chains=[1, 0, 1, 0])
    assert post.chains.tolist() == [0, 0, 1, 1]
    assert post.draws.tolist() == [draws[1], draws[3], draws[0], draws[2]]
    assert post.weights == pytest.approx([0.2, 0.4, 0.1, 0.3])
    assert post.chain(1).draws.tolist() == [draws[0], draws[2]]
    assert post.chain(1).weights == pytest.approx([0.25, 0.75])


def test_thinning_keeps_every_step_of_each_chain():
    draws = [[0, k % 2, k % 3] for k in range(10)]
    post = pt.PartitionPosterior(draws, chains=[0] * 7 + [4] * 3)
    thin = post.thin(3)
    assert thin.chains.tolist() == [0, 0, 0, 4]
    assert (thin.draws == post.draws[[0, 3, 6, 7]]).all()


def test_subset_by_name_and_concatenation():
    post = pt.PartitionPosterior([[0, 0, 1], [0, 1, 2]], items=["a", "b", "c"])
    assert post.subset(["c", "a"]).items == ("c", "a")
    both = pt.PartitionPosterior.concatenate([post, post])
    assert both.chains.tolist() == [0, 0, 1, 1]
    assert both.items == post.items
    weighted = pt.PartitionPosterior([[0, 0, 0]], weights=[5], items=["a", "b", "c"])
    mixed = pt.PartitionPosterior.concatenate([post, weighted])
    assert mixed.weights == pytest.approx([1 / 4, 1 / 4, 1 / 2])


def test_collapsing_before_concatenating_changes_no_probability():
    posts = [posterior(60, 4, n_labels=2, seed=seed) for seed in (0, 1)]
    whole = pt.PartitionPosterior.concatenate(posts).similarity()
    for parts in ([posts[0].collapse(), posts[1]], [p.collapse() for p in posts]):
        assert pt.PartitionPosterior.concatenate(parts).similarity() == pytest.approx(whole, abs=1e-6)


def test_only_a_list_of_posteriors_can_be_concatenated():
    with pytest.raises(TypeError, match="posteriors must be a list of posteriors: got <generator"):
        pt.PartitionPosterior.concatenate(posterior() for _ in range(2))
    with pytest.raises(TypeError, match=r"posteriors must each be a PartitionPosterior: got \[\[0, 1\]\]"):
        pt.PartitionPosterior.concatenate([[[0, 1]]])


@pytest.mark.parametrize(
    "wanted",
    [["c", "a"], pd.Index(["c", "a"]), np.array(["c", "a"], object), [2, 0], np.array([2, 0], np.uint8), ("c", "a")],
    ids=repr,
)
def test_items_are_named_or_numbered_in_any_container(wanted):
    post = pt.PartitionPosterior([[0, 0, 1], [0, 1, 2]], items=["a", "b", "c"])
    assert post.subset(wanted).items == ("c", "a")


def test_items_may_be_masked():
    post = pt.PartitionPosterior([[0, 0, 1], [0, 1, 2]])
    assert post.subset([True, False, True]).draws.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("wanted", [[[0, 1]], [], [True, False], [0.5], [False] * 3, None])
def test_items_that_are_neither_are_named(wanted):
    with pytest.raises(ValueError, match=r"items must be numbers from 0 to 2, or names: got"):
        pt.PartitionPosterior([[0, 0, 1]]).subset(wanted)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda post: pickle.loads(pickle.dumps(post))])
def test_copies_are_equal_and_cannot_be_written(copied):
    post = pt.PartitionPosterior([[0, 0], [0, 1]], [0.1, 0.9], [0, 1], "ab")
    again = copied(post)
    assert again.items == post.items
    for name in ("draws", "weights", "chains"):
        assert (getattr(again, name) == getattr(post, name)).all()
        assert not getattr(again, name).flags.writeable


def test_a_chain_without_weight_cannot_be_taken_alone():
    post = pt.PartitionPosterior([[0, 0], [0, 1]], [0, 1], [0, 1])
    with pytest.raises(ValueError, match="which must be a chain with a draw of positive weight: got 0"):
        post.chain(0)


@pytest.mark.parametrize("n_jobs", [0, "x", 1.5, -2])
def test_a_number_of_threads_is_checked(n_jobs):
    for ask in (posterior().similarity, posterior().condensed_similarity):
        with pytest.raises(ValueError, match="n_jobs must be a whole number of at least 1: got"):
            ask(n_jobs=n_jobs)
    assert posterior().similarity(n_jobs=-1).shape == (9, 9)


def test_repr_says_what_is_inside():
    post = pt.PartitionPosterior([[0, 0], [0, 1]], weights=[1, 1], chains=[0, 1])
    assert repr(post) == "PartitionPosterior: 2 draws of 2 items, 1 to 2 clusters, 2 chains, weighted"


BAD = [
    (dict(draws=[]), "draws must be a (n_draws, n_items) array: got 1 dimension(s)."),
    (dict(draws=np.empty((0, 4))), "draws must hold at least one draw of at least one item: got shape (0, 4)."),
    (dict(draws=[[], []]), "draws must hold at least one draw of at least one item: got shape (2, 0)."),
    (
        dict(draws=[[0, 1], [0, 1, 2]]),
        "draws must all label the same items: got 2 labels in draw 0 and 3 in draw 1.",
    ),
    (dict(draws=[[0, math.nan]]), "draws must not have missing values: got nan for item 1."),
    (dict(draws=[[0, 1], [0, math.nan]]), "draws must not have missing values: got nan for draw 1, item 1."),
    (dict(draws=[[0, 1], [0, 1.5]]), "draws must be whole numbers: got 1.5 for draw 1, item 1."),
    (dict(draws=[[0, 1], [0, math.inf]]), "draws must be at most 2147483647: got inf for draw 1, item 1."),
    (dict(draws=[[0, 1], [-1, 1]]), "draws must not be negative: got -1 for draw 1, item 0."),
    (dict(draws=[[0, 10**12]]), "draws must be at most 2147483647: got 1000000000000 for item 1."),
    (dict(draws=[["x", "y"]]), "draws must be whole numbers: got values of type <U1, such as"),
    (dict(draws=np.array([[0, None]])), "draws must not have missing values: got nan for item 1."),
    (dict(draws=np.array([[0, "?"]], object)), "draws must be whole numbers: got ? for item 1."),
    (dict(draws=[[0, 1]], weights=[1, 2]), "weights must hold one number per draw, 1 in all: got shape (2,)."),
    (dict(draws=[[0], [0]], weights=[1, -2]), "weights must be finite and not negative: got -2 for draw 1."),
    (dict(draws=[[0], [0]], weights=[1, math.nan]), "weights must be finite and not negative: got nan for draw 1."),
    (dict(draws=[[0], [0]], weights=[0, 0]), "weights must not all be zero: got nothing but zeros."),
    (dict(draws=[[0], [0]], chains=[0]), "chains must hold one whole number per draw, 2 in all: got [0]."),
    (dict(draws=[[0], [0]], chains=[0, 0.5]), "chains must hold one whole number per draw, 2 in all: got [0, 0.5]."),
    (dict(draws=[[0, 1]], weights=["x"]), "weights must be numbers: got ['x']."),
    (dict(draws=[[0, 1]], weights=[1j]), "weights must be numbers: got [1j]."),
    (dict(draws=[[0], [0]], weights=[1, [2, 3]]), "weights must be numbers in rows of equal length: got [1, [2, 3]]."),
    (
        dict(draws=[[0], [0]], chains=[0, math.inf]),
        "chains must hold one whole number per draw, 2 in all: got [0, inf]",
    ),
    (
        dict(draws=[[0]], chains=np.array([2**64 - 1])),
        "chains must hold one whole number per draw, 1 in all: got array",
    ),
    (dict(draws=[[0, 10**400]]), "draws must be at most 2147483647: got a number too long to print."),
    (dict(draws=np.ma.masked_equal([[0, 9]], 9)), "draws must not have missing values: got masked ones."),
    (dict(draws=[np.ma.masked_equal([0, 9], 9)]), "draws must not have missing values: got masked ones."),
    (dict(draws=[[0, 1]], items=5), "items must hold one name per item, 2 in all: got 5."),
    (dict(draws=[[0, 1]], items=["a"]), "items must hold one name per item, 2 in all: got 1."),
    (dict(draws=[[0, 1]], items=["a", "a"]), "items must be distinct: got 'a' twice."),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        pt.PartitionPosterior(**arguments)
    assert str(error.value).startswith(message)


def test_unknown_items_and_chains_are_named():
    post = pt.PartitionPosterior([[0, 1]], items=["a", "b"])
    with pytest.raises(ValueError, match="items must be names of this posterior's items: got 'z'"):
        post.subset(["z"])
    with pytest.raises(ValueError, match="items must be numbers from 0 to 1, or names"):
        post.similarity(items=[2])
    with pytest.raises(ValueError, match=r"which must be one of the chains \[0\]: got 3"):
        post.chain(3)
    with pytest.raises(ValueError, match="step must be a whole number of at least 1: got 0"):
        post.thin(0)
    with pytest.raises(ValueError, match="posteriors must be over the same items"):
        pt.PartitionPosterior.concatenate([post, pt.PartitionPosterior([[0, 1]])])


def test_similarities_too_large_to_hold_are_refused_with_advice(monkeypatch):
    huge = pt.PartitionPosterior(np.zeros((1, 70_000), np.uint8))
    with pytest.raises(MemoryError, match=r"at most 2\*\*31 pairs: got 70000 items. Ask for a subset"):
        huge.similarity()
    import psutil

    class Poor:
        available = 1000

    monkeypatch.setattr(psutil, "virtual_memory", Poor)
    monkeypatch.setattr("partita._validation.LITTLE", 0)
    with pytest.raises(MemoryError, match=r"The similarity matrix of 100 items would take .* similarity_blocks"):
        posterior(3, 100).similarity()
    with pytest.raises(MemoryError, match="The similarities of 4950 pairs would take"):
        posterior(3, 100).condensed_similarity()


def test_a_transposed_matrix_is_noticed_and_a_right_one_is_not():
    noisy, _ = pt.datasets.make_noisy_draws(n_items=20, n_draws=200)
    with pytest.warns(UserWarning, match=r"more items \(200\) than draws \(20\).* is it transposed\?"):
        pt.PartitionPosterior.from_any(noisy.draws.T)
    with pytest.warns(UserWarning, match="is it transposed"):
        pt.PartitionPosterior.from_any(noisy.draws.T.tolist())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pt.PartitionPosterior.from_any(noisy.draws)
        short, _ = pt.datasets.make_noisy_draws(n_items=200, n_draws=20)
        pt.PartitionPosterior.from_any(short.draws)
        sorted_items = np.sort(np.random.default_rng(0).integers(4, size=200))
        renumbering = np.array([np.random.default_rng(m).permutation(4) for m in range(20)])
        pt.PartitionPosterior.from_any(renumbering[:, sorted_items])
        pt.PartitionPosterior.from_any([[1, 2, 3], [1, 1, 2]])
        for seed in range(20):
            pt.PartitionPosterior.from_any(naive.random_draws(np.random.default_rng(seed), 10, 30, 3))


def test_entropy_is_that_of_the_cluster_sizes():
    post = pt.PartitionPosterior([[0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 5], [0, 0, 0, 0, 0, 1]])
    expected = [0.0, 1.0, np.log2(6), -(5 / 6 * np.log2(5 / 6) + 1 / 6 * np.log2(1 / 6))]
    assert post.entropy() == pytest.approx(expected, abs=1e-12)


def test_a_subset_keeps_the_draws_that_hold_any_of_its_items():
    post = pt.PartitionPosterior([[0, 0, 1], [-1, -1, 0], [0, 1, 1], [-1, 0, 0]], missing=-1, weights=[1, 2, 3, 4])
    part = post.subset([0, 1])
    assert part.draws.tolist() == [[0, 0], [0, 1], [-1, 0]]
    assert part.weights == pytest.approx([1 / 8, 3 / 8, 4 / 8])


def test_functionals_of_draws_that_leave_items_out_are_those_of_the_items_they_hold():
    post = pt.PartitionPosterior([[0, 0, 1, 1], [0, 0, 0, -1], [-1, -1, 0, 1]], missing=-1)
    assert post.partial
    assert post.n_held().tolist() == [4, 3, 2]
    assert post.n_clusters().tolist() == [2, 1, 2]
    assert post.largest_cluster().tolist() == [2, 3, 1]
    assert post.entropy() == pytest.approx([1, 0, 1])
    whole = pt.PartitionPosterior([[0, 1, 1], [0, 0, 0]])
    assert (whole.partial, whole.n_held().tolist(), whole.n_labels) == (False, [3, 3], 2)


def test_similarity_among_the_draws_that_hold_both_is_that_of_its_definition():
    rng = np.random.default_rng(2)
    draws, weights = rng.integers(-1, 3, size=(12, 5)), rng.random(12)
    draws[:, 0] = np.maximum(draws[:, 0], 0)
    for given in (None, weights):
        post = pt.PartitionPosterior(draws, given, missing=-1)
        shares = post.probabilities()
        for i, j in [(0, 1), (1, 2), (3, 4)]:
            both = (draws[:, i] >= 0) & (draws[:, j] >= 0)
            together = both & (draws[:, i] == draws[:, j])
            assert post.similarity()[i, j] == pytest.approx(shares[together].sum() / shares[both].sum(), abs=1e-6)


@pytest.mark.parametrize(("n_draws", "warned"), [(29, True), (30, False), (31, False)])
def test_only_draws_fewer_than_items_look_transposed(n_draws, warned):
    """Columns that repeat one another, as draws do."""
    rows = np.tile(np.random.default_rng(0).integers(3, size=(n_draws, 1)), 30)
    rows[::7, ::5] = 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pt.PartitionPosterior.from_any(rows)
    assert bool(caught) == warned


def test_rows_agree_as_much_as_their_items_are_alike_in_all():
    from partita.posterior.draws import row_agreement

    assert row_agreement(np.array([[0, 0, 1], [2, 2, 1]])) == 1.0
    assert row_agreement(np.array([[0, 0, 1], [0, 1, 1]])) == 0.0
    assert row_agreement(np.array([[0, 0, 1, 1], [0, 0, 1, 2]])) == pytest.approx((1 / 6) / (0.5 * 0.5))
    assert row_agreement(np.array([[0], [1]])) == row_agreement(np.zeros((2, 3))) == 0.0


def test_items_are_numbered_from_zero_to_the_last():
    post = pt.PartitionPosterior([[0, 0, 1]])
    assert post.subset([0, 2]).draws.tolist() == [[0, 1]]
    for wrong in ([-1], [3]):
        with pytest.raises(ValueError, match="items must be numbers from 0 to 2"):
            post.subset(wrong)


def test_draws_that_leave_items_out_are_counted_where_all_are_needed():
    from partita.posterior.fitted import check_complete

    post = pt.PartitionPosterior([[0, 0], [0, -1], [-1, 0]], missing=-1)
    with pytest.raises(ValueError, match="for a test: got 2 that leave some out"):
        check_complete(post, "a test")
