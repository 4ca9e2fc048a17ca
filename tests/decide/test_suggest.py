"""Which pair to ask about next."""

import numpy as np
import pytest

import partita as pt
from partita.decide import suggest as suggestion
from partita.decide.suggest import _spread


def noisy_posterior(n_items=40, n_draws=300, unsure=8, seed=0):
    """Three clusters; the first ``unsure`` items wander."""
    rng = np.random.default_rng(seed)
    draws = np.tile(np.arange(n_items) % 3, (n_draws, 1))
    draws[:, :unsure] = rng.integers(3, size=(n_draws, unsure))
    return pt.PartitionPosterior(draws)


def test_the_best_pair_has_the_largest_variance_of_all():
    posterior = noisy_posterior()
    found = pt.suggest_pairs(posterior, 5)
    similarity = posterior.similarity().astype(float)
    assert found["variance"][0] == pytest.approx((similarity * (1 - similarity)).max())
    assert np.allclose(found["similarity"], similarity[found["first"], found["second"]])


def test_pairs_touch_what_is_uncertain_and_no_item_twice():
    found = pt.suggest_pairs(noisy_posterior(), 20)
    assert ((found["first"] < 8) | (found["second"] < 8)).all()
    items = np.concatenate([found["first"], found["second"]])
    assert len(set(items)) == len(items)


def expected_variance_after(posterior, i, j):
    """Expected posterior variance of being together, over all pairs, once the answer about one pair is known."""
    together = posterior.draws[:, i] == posterior.draws[:, j]
    parts = [(mask.mean(), posterior.draws[mask]) for mask in (together, ~together) if mask.any()]
    similarity = [(share, pt.PartitionPosterior(draws).similarity()) for share, draws in parts]
    return sum(share * (s * (1 - s)).sum() for share, s in similarity)


def test_suggested_pairs_tell_more_than_random_ones():
    posterior, rng = noisy_posterior(), np.random.default_rng(1)
    suggested = [
        expected_variance_after(posterior, *pair) for pair in pt.suggest_pairs(posterior, 4).iloc[:, :2].values
    ]
    drawn = [expected_variance_after(posterior, *rng.choice(40, 2, replace=False)) for _ in range(20)]
    assert np.mean(suggested) < np.mean(drawn)


def test_nothing_is_asked_where_all_is_known():
    assert len(pt.suggest_pairs(pt.PartitionPosterior([[0, 0, 1], [0, 0, 1]]))) == 0


def test_pairs_are_spread_over_clusters():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 20)
    draws = np.tile(labels, (400, 1))
    draws[:, :20] = np.where(rng.random((400, 20)) < 0.5, 0, 9)  # wanders most
    for k in (1, 2, 3):
        draws[:, 20 * k : 20 * k + 5] = np.where(rng.random((400, 5)) < 0.7, k, 9 + k)
    found = pt.suggest_pairs(pt.PartitionPosterior(draws), 8, labels=labels)
    cells = set(zip(found["first_cluster"], found["second_cluster"], strict=True))
    assert {(k, k) for k in range(4)} <= cells
    assert found["variance"][0] == found["variance"].max()


def test_clusters_are_numbered_as_in_the_labels_given():
    posterior = noisy_posterior()
    labels = np.array([7, 2, 5])[np.arange(40) % 3]
    found = pt.suggest_pairs(posterior, 5, labels=labels)
    assert found["first_cluster"].tolist() == labels[found["first"]].tolist()
    assert found["second_cluster"].tolist() == labels[found["second"]].tolist()


def test_answers_become_constraints():
    names = [f"item{i}" for i in range(40)]
    posterior = pt.PartitionPosterior(noisy_posterior().draws, items=names)
    asked = pt.suggest_pairs(posterior, 3)
    answered = pt.Constraints.from_table(asked.assign(link=["must", "cannot", "must"]), items=names)
    assert [names[i] for i in answered.must_link[0]] == asked.loc[0, ["first", "second"]].tolist()


def test_of_many_items_the_uncertain_ones_are_looked_at(monkeypatch):
    whole = pt.suggest_pairs(noisy_posterior(), 4)
    monkeypatch.setattr(suggestion, "MOST_ITEMS", 15)
    part = pt.suggest_pairs(noisy_posterior(), 4)
    assert part["variance"].min() > 0.9 * whole["variance"].min()
    assert part.equals(pt.suggest_pairs(noisy_posterior(), 4))


@pytest.mark.parametrize(("n_pairs", "message"), [(0, "n_pairs must be a whole number"), (2.5, "n_pairs must be")])
def test_bad_numbers_are_refused(n_pairs, message):
    with pytest.raises(ValueError, match=message):
        pt.suggest_pairs(noisy_posterior(), n_pairs)


def test_each_further_pair_of_two_clusters_counts_less():
    variance = np.array([0.25, 0.24, 0.20, 0.13])
    ends = np.array([[0, 2, 4, 6], [1, 3, 5, 7]])
    clusters = np.array([0, 1, 0, 1, 0, 2, 1, 2])  # the first two pairs lie between clusters 0 and 1
    assert _spread(variance, ends, clusters, 4) == [0, 2, 3, 1]  # 0.25, 0.20, 0.13, then half of 0.24
    assert _spread(variance, ends, np.zeros(8, np.int64), 3) == [0, 1, 2]
    crossed = np.array([0, 1, 0, 1, 2, 2, 0, 1])  # (1, 0) is the pair of clusters that (0, 1) is
    assert _spread(np.array([0.25, 0.24, 0.2, 0.1]), np.array([[0, 3, 4, 6], [1, 2, 5, 7]]), crossed, 2) == [0, 2]
    assert _spread(np.array([0.2, 0.0]), ends[:, :2], clusters, 2) == [0]  # what is certain is not asked


@pytest.mark.parametrize("kept", [1.0, 0.6])
def test_uncertain_are_items_whose_similarities_vary_most_among_draws_that_hold_both(monkeypatch, kept):
    monkeypatch.setattr(suggestion, "MOST_ITEMS", 5)
    monkeypatch.setattr(suggestion, "N_PROBES", 12)
    rng = np.random.default_rng(0)
    draws = np.where(rng.random((60, 12)) < rng.random(12), np.arange(12) % 3, rng.integers(3, size=(60, 12)))
    draws[rng.random(draws.shape) > kept] = -1
    posterior = pt.PartitionPosterior(draws, missing=-1)
    similarity = posterior.similarity().astype(float)
    variance = (similarity * (1 - similarity)).sum(axis=0)
    found = suggestion._uncertain_items(posterior, np.random.default_rng(1))
    assert found.tolist() == sorted(np.argsort(-variance)[:5].tolist())
