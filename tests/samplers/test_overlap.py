"""Overlap of components: against integration, and what is fused by it."""

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.metrics import adjusted_rand_score

import partita as pt
from partita.samplers.overlap import FARTHEST, log_bhattacharyya


def fitted(X, **more):
    return pt.BayesianMixture(n_chains=2, n_draws=120, n_warmup=200, random_state=0, **more).fit(X)


@pytest.fixture(scope="module")
def box():
    """A uniform rectangle, which takes several normal components, and a normal cluster far away."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.uniform(size=(250, 2)) * [6.0, 2.0], rng.normal(size=(60, 2)) * 0.3 + 12])
    return fitted(X, fuse=False), np.repeat([0, 1], [250, 60])


def test_coefficients_are_integrals_of_roots_of_products():
    means, covariances = np.array([[0.0], [1.5], [4.0]]), np.array([[[1.0]], [[0.3]], [[2.0]]])
    found = np.exp(log_bhattacharyya(means, covariances))
    normal = [stats.norm(m[0], np.sqrt(c[0, 0])) for m, c in zip(means, covariances, strict=True)]
    for a in range(3):
        for b in range(3):
            root = integrate.quad(lambda x, a=a, b=b: np.sqrt(normal[a].pdf(x) * normal[b].pdf(x)), -15, 20)[0]
            assert found[a, b] == pytest.approx(root, abs=1e-6)
    assert np.exp(log_bhattacharyya(means, 2 * covariances))[0, 1] != pytest.approx(found[0, 1], abs=1e-3)


def test_coefficients_do_not_change_with_the_axes():
    rng = np.random.default_rng(1)
    means, roots = rng.normal(size=(4, 3)), rng.normal(size=(4, 3, 3))
    covariances, turn = roots @ roots.transpose(0, 2, 1) + np.eye(3), rng.normal(size=(3, 3))
    turned = log_bhattacharyya(means @ turn.T, turn @ covariances @ turn.T)
    assert turned == pytest.approx(log_bhattacharyya(means, covariances))


def test_the_farthest_pair_that_attracts_has_the_deepest_valley_that_fusing_overlooks():
    apart = np.sqrt(-8 * np.log(1 - FARTHEST**2))  # two normal densities so far apart have this distance
    half = 2 * stats.norm.pdf(apart / 2) / stats.norm.pdf(0)
    assert half == pytest.approx(0.4)


def test_pieces_of_a_box_are_fused_and_other_clusters_are_not(box):
    model, truth = box
    before = pt.estimate_partition(model.component_posterior_)
    found = pt.estimate_partition(model, loss="fold")
    assert before.n_clusters > 2
    assert adjusted_rand_score(truth, found.labels) == pytest.approx(1)
    assert found.expected_loss < 0.5


def test_a_figure_says_what_is_fused(box):
    model, _ = box
    ax = pt.plot.plot_fusion(model)
    assert ax.get_title(loc="left").endswith("form 2 clusters")
    leaves = [int(tick.get_text()) for tick in ax.get_xticklabels()]
    assert sum(leaves) == 310


def test_normal_clusters_that_overlap_are_left_alone():
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(size=(120, 2)), rng.normal((4.2, 0.0), size=(120, 2))])
    model = fitted(X)
    fold, own = pt.estimate_partition(model, loss="fold"), pt.estimate_partition(model.component_posterior_)
    truth = np.repeat([0, 1], 120)
    assert adjusted_rand_score(truth, fold.labels) >= adjusted_rand_score(truth, own.labels) - 0.02


def test_overlaps_are_probabilities_and_one_for_an_item_and_itself(box):
    overlap = box[0].overlap().matrix
    assert np.diag(overlap) == pytest.approx(1)
    assert 0 <= overlap.min() <= overlap.max() <= 1
    assert overlap[:250, 250:].max() < 0.01


@pytest.mark.parametrize("wrong", [[[0, 0, 1], [0, 1, 1]], "no model"])
def test_draws_alone_have_no_densities(wrong):
    with pytest.raises(TypeError, match=r"posterior must be a fitted BayesianMixture for the loss 'fold'"):
        pt.estimate_partition(wrong, loss="fold")
    with pytest.raises(TypeError, match="model must be a fitted BayesianMixture"):
        pt.plot.plot_fusion(wrong)


def test_cannot_links_are_not_fused_over():
    X = np.random.default_rng(0).normal(size=(20, 2))
    model = pt.BayesianMixture(n_chains=1, n_draws=20, n_warmup=20)
    model.fit(X, constraints=pt.Constraints(cannot_link=[(0, 1)], n_items=20))
    with pytest.raises(ValueError, match="without cannot-links"):
        model.overlap()
