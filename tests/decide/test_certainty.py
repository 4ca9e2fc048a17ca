from itertools import combinations

import naive
import numpy as np
import pytest

import partita as pt


def example(weighted=True, n_items=7, n_draws=40, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n_items) % 3
    moved = rng.random((n_draws, n_items)) < 0.25
    draws = np.where(moved, rng.integers(4, size=(n_draws, n_items)), truth)
    return pt.PartitionPosterior(draws, rng.random(n_draws) if weighted else None), truth


@pytest.mark.parametrize("weighted", [False, True])
def test_items_are_judged_by_their_mean_similarity_to_each_cluster(weighted):
    post, labels = example(weighted)
    together = naive.similarity(post.draws, post.weights)
    table = pt.assess_certainty(post, labels).items
    for item in range(post.n_items):
        means = [together[item, [j for j in np.flatnonzero(labels == k) if j != item]].mean() for k in range(3)]
        own, others = means[labels[item]], np.delete(means, labels[item])
        row = table.loc[item]
        assert row["certainty"] == pytest.approx(own)
        assert row["runner_up_probability"] == pytest.approx(others.max())
        assert means[int(row["runner_up"])] == pytest.approx(others.max())
        assert row["margin"] == pytest.approx(own - others.max())
    assert table["margin"].is_monotonic_increasing


def test_clusters_are_judged_by_pairs_within_and_between():
    post, labels = example()
    together = naive.similarity(post.draws, post.weights)
    result = pt.assess_certainty(post, labels)
    for a in range(3):
        members = np.flatnonzero(labels == a)
        within = np.mean([together[i, j] for i, j in combinations(members, 2)])
        assert result.clusters.loc[a, "within"] == pytest.approx(within)
        for b in set(range(3)) - {a}:
            between = together[np.ix_(members, np.flatnonzero(labels == b))].mean()
            assert result.between.loc[a, b] == pytest.approx(between)
        others = result.between.loc[a].drop(a)
        assert result.clusters.loc[a, "nearest"] == others.idxmax()
        assert result.clusters.loc[a, "nearest_probability"] == pytest.approx(others.max())


def test_a_singleton_is_certain_when_it_is_alone():
    post = pt.PartitionPosterior([[0, 1, 1], [0, 1, 1], [0, 0, 1], [0, 1, 2]])
    assert pt.assess_certainty(post, [0, 1, 1]).items.loc[0, "certainty"] == pytest.approx(0.75)


def test_one_cluster_has_no_runner_up():
    table = pt.assess_certainty([[0, 0, 0], [0, 0, 1]], [0, 0, 0]).items
    assert (table["runner_up"] == -1).all()
    assert (table["runner_up_probability"] == 0).all()


def pattern_probability(post, labels, members):
    agree = [(pt.canonical(d[members]) == pt.canonical(labels[members])).all() for d in post.draws]
    return post.probabilities()[agree].sum()


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("level", [0.3, 0.6, 0.9])
def test_core_has_the_probability_it_states_and_cannot_be_enlarged(seed, level):
    post, labels = example(seed=seed)
    core = pt.assess_certainty(post, labels, level).joint_core
    assert core.probability >= level - 1e-12
    assert core.probability == pytest.approx(pattern_probability(post, labels, core.members))
    for item in set(range(post.n_items)) - set(core.members.tolist()):
        assert pattern_probability(post, labels, np.append(core.members, item)) < level


def test_greedy_core_is_nearly_as_large_as_the_largest():
    found, largest = 0, 0
    for seed in range(20):
        post, labels = example(seed=seed)
        found += pt.assess_certainty(post, labels, 0.5).joint_core.members.size
        largest += max(
            len(s)
            for size in range(1, post.n_items + 1)
            for s in combinations(range(post.n_items), size)
            if pattern_probability(post, labels, np.array(s)) >= 0.5
        )
    assert largest >= found >= 0.85 * largest


def test_certain_posterior_has_everything_in_its_core():
    core = pt.assess_certainty([[0, 0, 1, 2]] * 5, [0, 0, 1, 2]).joint_core
    assert core.members.tolist() == [0, 1, 2, 3]
    assert repr(core) == "JointCore: 4 of 4 items are clustered like this with probability 1.000"


def test_labels_of_an_estimate_keep_their_numbers():
    post = pt.PartitionPosterior([[0, 1, 1, 1]] * 3, items=list("abcd"))
    table = pt.assess_certainty(post, pt.estimate_partition(post)).items
    assert table.loc["a", "cluster"] == 1
    assert table.loc["b", "cluster"] == 0


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="estimate must label the same 2 items: got 3 labels"):
        pt.assess_certainty([[0, 1]], [0, 1, 2])
    with pytest.raises(ValueError, match=r"level must lie strictly between 0 and 1: got 90. Did you mean 0.9\?"):
        pt.assess_certainty([[0, 1]], [0, 1], level=90)
