"""Draws that leave items out: losses over shared items, and everything decided from them."""

import naive
import numpy as np
import pytest

import partita as pt
from partita._parallel import Budget
from partita.decide.searches.reallocation import FORMULAS, Reallocation
from partita.losses import LOSSES, check_loss, declared_search
from partita.partitions import complete_labels

NAIVE = {
    "vi": naive.variation_of_information,
    "binder": naive.binder,
    "adjusted-rand": naive.adjusted_rand,
    "misclassification": naive.misclassification,
    "zero-one": lambda a, b: float(naive.clusters(a) != naive.clusters(b)),
    "nvi": lambda a, b: 1 - share(naive.mutual_information(a, b), naive.entropy(naive.meet(a, b)), 1.0),
    "id": lambda a, b: max(naive.entropy(a), naive.entropy(b)) - naive.mutual_information(a, b),
    "nid": lambda a, b: 1 - share(naive.mutual_information(a, b), max(naive.entropy(a), naive.entropy(b)), 1.0),
    "vi-bound": naive.variation_of_information,
}
SWEPT = [name for name in LOSSES if declared_search(check_loss(name)) in FORMULAS]
IMPURITY = pt.TableLoss(lambda table: 1 - table.max(axis=0).sum() / table.sum() + 0.01 * table.shape[1])


class PairShare(pt.TableSumLoss):
    """A user's loss whose phi depends on the number of items."""

    def phi(self, n_items):
        return np.arange(n_items + 1.0) ** 2 / n_items**2

    def combine(self, in_truth, in_estimate, in_both, n_items):  # noqa: ARG002
        return in_truth + in_estimate - 2 * in_both


def share(part, whole, otherwise):
    return part / whole if whole > 1e-12 else otherwise


def partial_draws(rng, n_draws, n_items, n_labels=3, kept=0.7):
    """Random draws in which each item is left out with probability 0.3, but nothing is left out by all."""
    draws = rng.integers(n_labels, size=(n_draws, n_items))
    draws[rng.random(draws.shape) > kept] = -1
    draws[0] = rng.integers(n_labels, size=n_items)
    draws[:, 0] = np.maximum(draws[:, 0], 0)
    return draws


def partial_posterior(seed, n_draws=9, n_items=7, **options):
    rng = np.random.default_rng(seed)
    return pt.PartitionPosterior(
        partial_draws(rng, n_draws, n_items, **options), weights=rng.dirichlet(np.ones(n_draws)), missing=-1
    )


@pytest.mark.parametrize("name", LOSSES)
def test_loss_of_a_partial_draw_is_over_the_items_it_holds(name):
    loss = check_loss(name)
    for seed in range(6):
        post, labels = partial_posterior(seed), np.random.default_rng(100 + seed).integers(4, size=7)
        values = [NAIVE[name](*naive.shared(draw, labels)) for draw in post.draws]
        assert loss.per_draw(labels, post) == pytest.approx(values, abs=1e-12)
        if name != "vi-bound":
            assert loss.expected(labels, post) == pytest.approx(post.weights @ values)


def test_a_loss_that_took_missing_for_a_cluster_would_be_told():
    post, labels = partial_posterior(0), np.array([0, 0, 1, 1, 2, 2, 0])
    wrong = [naive.variation_of_information(draw, labels) for draw in post.draws]
    assert np.abs(pt.VariationOfInformation().per_draw(labels, post) - wrong).max() > 0.1


@pytest.mark.parametrize("a", [0.4, 1.7])
@pytest.mark.parametrize("kind", [pt.VariationOfInformation, pt.Binder])
def test_weights_of_errors_apply_to_partial_draws(kind, a):
    loss, twin = kind(a=a), NAIVE[kind.name]
    post, labels = partial_posterior(3), np.array([0, 0, 1, 1, 2, 2, 0])
    assert loss.per_draw(labels, post) == pytest.approx([twin(*naive.shared(d, labels), a=a) for d in post.draws])


def test_bound_is_below_the_expected_variation_of_information_of_partial_draws():
    for seed in range(5):
        post, labels = partial_posterior(seed), np.random.default_rng(seed).integers(3, size=7)
        bound = pt.VariationOfInformationBound().expected(labels, post)
        assert bound == pytest.approx(naive.partial_vi_bound(labels, post.draws, post.weights))
        assert bound <= pt.VariationOfInformation().expected(labels, post) + 1e-12


def test_many_clusters_take_another_kernel_to_the_same_loss():
    post, labels = partial_posterior(1, n_items=30, n_labels=25), np.arange(30) % 28
    values = [naive.variation_of_information(*naive.shared(draw, labels)) for draw in post.draws]
    assert pt.VariationOfInformation().per_draw(labels, post) == pytest.approx(values)


def test_similarity_is_over_draws_that_hold_both():
    draws = [[0, 0, -1, 1], [1, -1, 0, 1], [0, -1, 2, -1], [0, 1, -1, 1]]
    post = pt.PartitionPosterior(draws, weights=[0.1, 0.2, 0.3, 0.4], missing=-1)
    expected = naive.partial_similarity(post.draws, post.weights)
    assert np.isnan(expected).any()
    assert post.similarity() == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert np.vstack([block for _, block in post.similarity_blocks(2)]) == pytest.approx(
        expected, abs=1e-6, nan_ok=True
    )
    equal = pt.PartitionPosterior(post.draws, missing=-1)
    assert equal.similarity() == pytest.approx(
        naive.partial_similarity(post.draws, np.full(4, 0.25)), abs=1e-6, nan_ok=True
    )


def test_sizes_and_entropies_are_of_the_items_a_draw_holds():
    post = partial_posterior(4)
    held = [draw[draw >= 0] for draw in post.draws]
    assert post.n_held().tolist() == [len(draw) for draw in held]
    assert post.entropy() == pytest.approx([naive.entropy(draw) for draw in held])
    assert post.largest_cluster().tolist() == [max(map(len, naive.clusters(draw))) for draw in held]


@pytest.mark.parametrize("name", LOSSES)
def test_search_over_partial_draws_finds_the_best_of_all_partitions(name):
    if name in ("zero-one", "vi-bound"):
        pytest.skip("a few partitions are tried, not all")
    for seed in range(4):
        post = partial_posterior(seed, n_items=6)
        best = pt.estimate_partition(post, name, search="exhaustive")
        found = pt.estimate_partition(post, name, search="sweep")
        assert found.expected_loss == pytest.approx(best.expected_loss, abs=1e-9)


@pytest.mark.parametrize("loss", [IMPURITY, PairShare()], ids=["table", "sums"])
def test_own_losses_are_searched_over_partial_draws(loss):
    post = partial_posterior(5, n_items=6)
    best = pt.estimate_partition(post, loss, search="exhaustive")
    assert pt.estimate_partition(post, loss, search="sweep").expected_loss == pytest.approx(best.expected_loss)
    values = [loss.between(*naive.shared(draw, best.labels)) for draw in post.draws]
    assert loss.per_draw(best.labels, post) == pytest.approx(values)


@pytest.mark.parametrize("name", SWEPT)
def test_loss_kept_while_units_move_is_the_expected_loss(name):
    """Up to a constant, over moves of units of several items and merges."""
    rng, loss = np.random.default_rng(6), check_loss(name)
    sizes = np.array([3, 1, 2, 1, 4])
    unit_draws = partial_draws(rng, 8, 5)
    items = np.repeat(np.arange(5), sizes)
    whole = pt.PartitionPosterior(unit_draws[:, items], missing=-1)
    walk = Reallocation(pt.PartitionPosterior(unit_draws, missing=-1), loss, 5, Budget(), sizes)

    def apart(labels):
        walk.place(np.asarray(labels))
        return walk.loss() * (1 / whole.n_items ** (2 if name == "binder" else 1) if name in ("vi", "binder") else 1)

    partitions = [[0, 0, 1, 1, 0], [0, 1, 2, 1, 0], [0, 0, 0, 0, 0], [0, 1, 2, 3, 4]]
    kept = np.array([apart(labels) for labels in partitions])
    expected = np.array([loss.expected(np.asarray(labels)[items], whole) for labels in partitions])
    assert kept - kept[0] == pytest.approx(expected - expected[0], abs=1e-9)
    walk.place(np.array([0, 1, 2, 1, 0]))
    before, [change] = walk.loss(), walk.merge_changes(0, np.array([2]))
    walk.place(np.array([0, 1, 0, 1, 0]))
    assert walk.loss() == pytest.approx(before + change)


def test_nothing_missing_gives_what_it_gave():
    draws = np.random.default_rng(7).integers(3, size=(20, 9))
    post, same = pt.PartitionPosterior(draws), pt.PartitionPosterior(draws, missing=-1)
    assert not same.partial
    assert same.draws.dtype == np.uint8
    assert pt.estimate_partition(same).labels.tolist() == pt.estimate_partition(post).labels.tolist()


def test_certainty_counts_each_pair_as_often_as_draws_hold_both():
    post, labels = partial_posterior(8), np.array([0, 0, 0, 1, 1, 1, 2])
    certainty = pt.assess_certainty(post, labels).by_item("certainty")
    for i in range(6):
        fellows = [j for j in range(7) if labels[j] == labels[i] and j != i]
        together = held = 0.0
        for weight, draw in zip(post.weights, post.draws, strict=True):
            both = [j for j in fellows if draw[i] >= 0 and draw[j] >= 0]
            held += weight * len(both)
            together += weight * sum(draw[i] == draw[j] for j in both)
        assert certainty[i] == pytest.approx(together / held)
    here = post.draws[:, 6] >= 0
    alone = np.array([draw[6] >= 0 and (draw == draw[6]).sum() == 1 for draw in post.draws])
    assert certainty[6] == pytest.approx(post.weights[alone].sum() / post.weights[here].sum())


def test_joint_core_asks_of_a_draw_only_what_it_holds():
    post = pt.PartitionPosterior([[0, 0, 1, 1], [0, -1, 1, 1], [0, 0, -1, 1], [0, 1, 1, 1]], missing=-1)
    core = pt.assess_certainty(post, [0, 0, 1, 1], level=0.7).joint_core
    assert core.members.tolist() == [0, 1, 2, 3]
    assert core.probability == pytest.approx(0.75)


def test_ball_of_partial_draws_is_over_shared_items_and_its_bounds_are_complete():
    post = partial_posterior(9)
    labels = pt.estimate_partition(post).labels
    ball = pt.credible_ball(post, labels, level=0.6)
    values = [naive.variation_of_information(*naive.shared(draw, labels)) for draw in post.draws]
    assert ball.distances == pytest.approx(values)
    assert min(ball.upper.min(), ball.lower.min(), ball.horizontal.min()) == 0


def test_item_left_out_joins_most_of_its_fellows():
    labels, reference = np.array([0, 0, 1, -1, 1, -1]), np.array([0, 0, 0, 0, 1, 2])
    assert complete_labels(labels, reference).tolist() == [0, 0, 1, 0, 1, 2]


@pytest.mark.parametrize("search", ["draws", "linkage", "hasse"])
def test_other_searches_give_whole_partitions(search):
    post = partial_posterior(10, n_items=9)
    estimate = pt.estimate_partition(post, search=search)
    assert estimate.labels.min() == 0
    assert estimate.expected_loss >= pt.estimate_partition(post, search="sweep").expected_loss - 1e-12


def test_partial_draws_go_through_files_copies_and_parts(tmp_path):
    import pickle

    post = partial_posterior(11)
    for suffix in (".npz", ".csv", ".parquet"):
        post.save(tmp_path / f"draws{suffix}")
        assert (pt.PartitionPosterior.load(tmp_path / f"draws{suffix}").draws == post.draws).all()
    assert (pickle.loads(pickle.dumps(post)).draws == post.draws).all()
    both = pt.PartitionPosterior.concatenate([post, pt.PartitionPosterior(np.zeros((2, 7), int))])
    assert both.partial
    assert both.n_draws == 11
    part = post.subset([1, 2])
    assert part.n_draws == (post.draws[:, [1, 2]] >= 0).any(axis=1).sum()


def test_summary_and_pairs_to_ask_about_take_partial_draws():
    post = partial_posterior(12, n_draws=30, n_items=12)
    assert pt.summarize(post).diagnostics is None
    assert len(pt.suggest_pairs(post, n_pairs=3)) == 3


@pytest.mark.parametrize(
    ("draws", "words"),
    [
        ([[0, 1], [-1, -1]], "draws must each hold at least one item: got draw 1"),
        ([[0, -1], [1, -1]], "draws must hold each item at least once: got none that holds item 1"),
        ([[0, -2]], "draws must not be negative: got -2"),
    ],
)
def test_what_is_missing_altogether_gets_a_sentence(draws, words):
    with pytest.raises(ValueError, match=words):
        pt.PartitionPosterior(draws, missing=-1)


def test_missing_may_be_nan():
    post = pt.PartitionPosterior([[0.0, np.nan, 1.0], [0.0, 0.0, 1.0]], missing=np.nan)
    assert post.draws.tolist() == [[0, -1, 1], [0, 0, 1]]


def test_partial_draws_have_no_chain_diagnostics_nor_hasse_diagram():
    post = pt.PartitionPosterior([[0, -1, 1]] * 9 + [[0, 0, 0]], missing=-1)
    for function in (pt.diagnose, pt.plot.plot_hasse):
        with pytest.raises(ValueError, match="must hold every item in every draw"):
            function(post)
