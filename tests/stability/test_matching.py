from itertools import permutations

import numpy as np
import pytest

import partita as pt


def naive_phi(posterior, labels, n_clusters):
    """Best matching by trying them all."""
    phi = np.zeros((posterior.n_items, n_clusters + 1))
    for draw, weight in zip(posterior.draws.astype(int), posterior.probabilities(), strict=True):
        n_names = max(n_clusters, draw.max() + 1)
        name = max(permutations(range(n_names), int(draw.max()) + 1), key=lambda p: sum(np.array(p)[draw] == labels))
        for i, cluster in enumerate(draw):
            shared = any(labels[draw == cluster] == name[cluster])
            if (labels == labels[i]).sum() == 1 and name[cluster] == labels[i]:
                shared = (draw == cluster).sum() == 1  # alone as in the labels
            phi[i, name[cluster] if shared else n_clusters] += weight
    return phi


def agreement(phi, labels):
    return phi[np.arange(len(labels)), labels].sum()


@pytest.mark.parametrize("seed", range(5))
def test_matched_draws_agree_with_trying_every_matching(seed):
    rng = np.random.default_rng(seed)
    posterior, truth = pt.datasets.make_noisy_draws(9, 15, 3, noise=0.3, random_state=seed)
    posterior = pt.PartitionPosterior(posterior.draws, weights=rng.random(15))
    labels = pt.canonical(truth)
    n_clusters = labels.max() + 1
    phi = pt.matched_stability(posterior, truth).phi
    expected = naive_phi(posterior, labels, n_clusters)
    assert phi.sum(axis=1) == pytest.approx(1)
    assert agreement(phi, labels) == pytest.approx(agreement(expected, labels))  # ties leave room for more


def test_unmatched_clusters_have_a_column_of_their_own():
    report = pt.matched_stability(pt.PartitionPosterior([[0, 0, 1, 2], [0, 0, 1, 1]]), [0, 0, 1, 1])
    assert report.phi.shape == (4, 3)
    assert report.phi[:2] == pytest.approx(np.array([[1, 0, 0], [1, 0, 0]]))
    assert sorted(report.phi[2:, 2]) == [0, 0.5]
    assert report.average == pytest.approx((1 + 1 + 1 + 0) / 4)


def test_draws_that_repeat_the_labels_are_certain_and_noise_is_not():
    sure, truth = pt.datasets.make_noisy_draws(40, 100, 3, noise=0)
    unsure, _ = pt.datasets.make_noisy_draws(40, 100, 3, noise=0.5)
    assert pt.matched_stability(sure, truth).average == pytest.approx(1)
    assert 0.2 < pt.matched_stability(unsure, truth).average < 0.8


def test_certainties_are_shown_side_by_side():
    rng = np.random.default_rng(0)
    report = pt.assess_stability(rng.gamma(2, size=(30, 4)), theta=2.0)
    names = [f"item{i}" for i in range(30)]
    posterior = pt.PartitionPosterior(np.tile(report.labels, (5, 1)), items=names)
    table = pt.compare_certainty(report, posterior)
    assert list(table.index) == names
    assert (table["stability_posterior"] == 1).all()
    assert (table["stability_distances"] == report.pointwise).all()
    assert (table["cluster"] == report.labels).all()


def test_bad_input_is_named():
    posterior, _ = pt.datasets.make_noisy_draws(10, 5)
    report = pt.assess_stability(np.ones((9, 2)), theta=1.0)
    with pytest.raises(ValueError, match="posterior must be over the report's 9 items: got 10"):
        pt.compare_certainty(report, posterior)
    with pytest.raises(ValueError, match="labels must label the same 10 items: got 2 labels"):
        pt.matched_stability(posterior, [0, 1])


def test_an_item_alone_stays_where_it_is_alone():
    """Item 3 is alone in two draws of five; its cluster of two is matched to its own, and yet it has company there."""
    draws = [[0, 0, 0, 1]] * 2 + [[0, 0, 1, 1]] * 3
    report = pt.matched_stability(pt.PartitionPosterior(draws), [0, 0, 0, 1])
    assert report.phi[3] == pytest.approx([0.0, 0.4, 0.6])
    assert report.pointwise[3] == pytest.approx(-0.2)
    always = pt.matched_stability(pt.PartitionPosterior(draws[:2]), [0, 0, 0, 1])
    assert always.pointwise[3] == 1.0
