import numpy as np
import pytest
from scipy.stats import multivariate_normal, multivariate_t

import partita as pt
from partita.samplers.collapsed import make_problem
from partita.samplers.fusing import (
    SHARES,
    Mixture,
    confusion,
    draw_numbers,
    draw_opinion,
    group_components,
    judged,
    keep_fitting,
    log_barriers,
    ridge_minima,
)
from partita.samplers.predictive import fit_one_draw
from partita.samplers.warmup import largest_rhat

NOTHING = np.zeros((3, 3))


def mixture(means, covariances, weights=None, tails=np.inf):
    weights = np.full(len(means), 1 / len(means)) if weights is None else np.array(weights)
    return Mixture(np.log(weights), np.array(means, float), np.linalg.inv(np.array(covariances, float)), tails)


def test_densities_are_those_of_their_distributions_up_to_a_constant():
    means, covariances = [[0.0, 1.0], [2.0, -1.0]], [np.eye(2), [[2.0, 0.5], [0.5, 1.0]]]
    points = np.random.default_rng(0).normal(size=(6, 2))
    normal = [np.log(0.5) + multivariate_normal(m, c).logpdf(points) for m, c in zip(means, covariances, strict=True)]
    off = mixture(means, covariances).log_densities(points).T - normal
    assert off == pytest.approx(np.full((2, 6), off[0, 0]))
    heavy = [np.log(0.5) + multivariate_t(m, c, 3).logpdf(points) for m, c in zip(means, covariances, strict=True)]
    off = mixture(means, covariances, tails=3.0).log_densities(points).T - heavy
    assert off == pytest.approx(np.full((2, 6), off[0, 0]))


def test_the_ridge_line_finds_the_valley():
    """Two equal normals: the ridge line is the segment, and the valley lies half way."""
    for apart in (1.0, 3.0, 6.0):
        two = mixture([[0.0, 0.0], [apart, 0.0]], [np.eye(2)] * 2)
        found = ridge_minima(two, np.array([0]), np.array([1]))[0]
        line = np.column_stack([np.linspace(0, apart, 201), np.zeros(201)])
        assert found == pytest.approx(np.logaddexp.reduce(two.log_densities(line), axis=1).min(), abs=0.01)


def test_components_without_a_valley_between_them_are_one():
    """Equal normals have one mode up to two standard deviations apart, and a deep valley at four."""
    every = ~np.eye(2, dtype=bool)
    for apart, n_groups in [(1.5, 1), (4.0, 2)]:
        two = mixture([[0.0], [apart]], [[[1.0]]] * 2)
        assert group_components(two, every, NOTHING[:2, :2], 0.7).max() + 1 == n_groups


def test_a_bridge_of_small_components_does_not_join_two_peaks():
    three = mixture([[0.0], [2.5], [5.0]], [[[1.0]]] * 3, [0.49, 0.02, 0.49])
    assert len(set(group_components(three, ~np.eye(3, dtype=bool), NOTHING, 0.7)[[0, 2]])) == 2


def test_components_that_nobody_confuses_stay_apart():
    far = mixture([[0.0], [20.0]], [[[1.0]]] * 2)
    x, labels = np.array([[0.1], [19.9]]), np.array([0, 1])
    assert confusion(far, x, labels)[0, 1] < 1e-6
    near = mixture([[0.0], [0.5]], [[[1.0]]] * 2)
    assert confusion(near, np.array([[0.1], [0.4]]), labels)[0, 1] > 0.4


def test_differences_in_categories_deepen_a_valley():
    two, every = mixture([[0.0], [1.0]], [[[1.0]]] * 2), ~np.eye(2, dtype=bool)
    barrier = np.log(np.array([[1.0, 0.2], [0.2, 1.0]]))
    assert group_components(two, every, NOTHING[:2, :2], 0.7).max() == 0
    assert group_components(two, every, barrier, 0.7).max() == 1


def test_opinions_about_clusters_are_spread_evenly_over_the_draws():
    share, needed = np.array([draw_opinion(m) for m in range(1000)]).T
    assert (share.min(), share.max()) == pytest.approx(SHARES, abs=0.01)
    for low in (0.0, 0.5):  # of any stretch, and of the one opinion given the other
        half = (needed >= low) & (needed < low + 0.5)
        assert half[:100].mean() == pytest.approx(0.5, abs=0.03)
        assert share[half].mean() == pytest.approx(np.mean(SHARES), abs=0.005)


def test_only_groups_that_do_not_fit_become_clusters():
    """Two groups of two components: the items of the second are far from normal."""
    groups, labels = np.array([0, 0, 1, 1]), np.repeat(np.arange(4), 100)
    misfit = np.array([np.where(labels >= 2, -0.5, 0.0), np.zeros(len(labels))])[:, np.newaxis]  # one draw
    assert keep_fitting(groups, labels, misfit, 0.5).tolist() == [0, 1, 2, 2]
    assert keep_fitting(groups, labels, misfit, 0.0).tolist() == [0, 0, 1, 1]
    assert keep_fitting(groups, labels, 0 * misfit, 0.5).tolist() == [0, 1, 2, 3]
    first = labels < 2  # of the second group nobody is judged
    assert keep_fitting(groups, labels[first], misfit[:, :, first], 0.0).tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize(("n_items", "n_judged"), [(1, 1), (20_000, 20_000), (20_001, 10_001), (10**6, 20_000)])
def test_at_most_so_many_items_say_whether_components_fit(n_items, n_judged):
    assert len(range(n_items)[judged(n_items)]) == n_judged


def test_pieces_of_a_box_are_fused_and_overlapping_normals_are_not():
    """Nowhere is there a deep valley; what decides is that pieces of a box are not normal."""
    rng = np.random.default_rng(1)
    box = rng.random((300, 5))
    normals = rng.normal(size=(400, 2)) * [1, 3] + np.repeat([[0.0, 0.0], [3.0, 0.0]], 200, axis=0)
    fitted, two = (pt.BayesianMixture(n_chains=2, n_draws=150, n_warmup=300).fit(X) for X in (box, normals))
    assert fitted.n_clusters_ == 1
    assert fitted.component_posterior_.n_clusters().min() > 1
    assert two.component_posterior_.n_clusters().min() > 1
    assert (fitted.posterior_.n_clusters() == 1).mean() > 0.7
    assert (two.posterior_.n_clusters() == 1).mean() < 0.3


def test_rhat_sees_chains_that_disagree():
    rng = np.random.default_rng(0)
    alike = rng.normal(size=(4, 2, 200))
    assert largest_rhat(alike) < 1.05
    alike[0, 1] += 5
    assert largest_rhat(alike) > 1.5
    assert largest_rhat(np.ones((4, 1, 50))) == 1.0


def test_a_skewed_cluster_is_one_cluster_and_its_components_remain():
    """Two blobs with exponential columns, which several normal components each describe."""
    rng = np.random.default_rng(0)
    X, truth = rng.exponential(size=(300, 2)) + np.repeat([[0.0], [9.0]], 150, axis=0), np.repeat([0, 1], 150)
    fitted = pt.BayesianMixture(n_draws=150, n_warmup=150).fit(X)
    assert pt.Misclassification().between(truth, fitted.labels_) < 0.02
    assert fitted.component_posterior_.n_clusters().mean() > fitted.posterior_.n_clusters().mean() + 0.5
    plain = pt.BayesianMixture(n_draws=150, n_warmup=150, fuse=False).fit(X)
    assert (plain.component_posterior_.draws == fitted.component_posterior_.draws).all()
    assert plain.posterior_ is plain.component_posterior_
    assert plain.n_clusters_ > 2


def test_confusion_is_the_larger_mean_share_of_either_way():
    three = mixture([[0.0], [1.5], [3.0]], [[[1.0]], [[0.5]], [[2.0]]], [0.5, 0.3, 0.2])
    x, labels = np.array([[-0.5], [0.2], [0.9], [1.4], [2.2]]), np.array([0, 0, 0, 1, 1])  # nobody in the third
    density = np.exp(three.log_densities(x))
    found = confusion(three, x, labels)
    for a in range(3):
        for b in range(3):
            shares = [
                np.mean(
                    [density[i, other] / (density[i, one] + density[i, other]) for i in np.flatnonzero(labels == one)]
                )
                for one, other in ((a, b), (b, a))
                if one < 2
            ]
            assert found[a, b] == pytest.approx(max(shares, default=0.0))


def fitted(component, table, labels):
    encoded = component.encode(table)
    problem = make_problem(encoded, pt.DirichletProcess(1.0))
    beside = dict(concentration=1.0, hyper=encoded.hyper, latent=encoded.latent)
    return problem, fit_one_draw(problem, labels, **beside, estimate=labels)


def test_barriers_are_overlaps_of_categories_but_for_the_column_that_differs_most():
    table = [["a", "x", "u"], ["a", "y", "u"], ["b", "x", "v"], ["b", "x", "v"], ["b", "y", "w"], ["a", "x", "v"]]
    labels = np.array([0, 0, 1, 1, 1, 2])
    problem, drawn = fitted(pt.Categorical(), np.array(table, object), labels)

    def shares(k, j):
        """A category seen n times weighs n + 1."""
        seen = [row[j] for row, label in zip(table, labels, strict=True) if label == k]
        weights = np.array([1.0 + seen.count(name) for name in sorted({row[j] for row in table})])
        return weights / weights.sum()

    found = log_barriers(problem, drawn)
    for a in range(3):
        for b in range(3):
            overlaps = [np.log(np.sqrt(shares(a, j) * shares(b, j)).sum()) for j in range(3)]
            assert found[a, b] == pytest.approx(sum(overlaps) - min(overlaps), abs=1e-12)


def test_numbers_of_a_draw_have_its_weights_and_items():
    X, labels = np.array([[0.0, 1.0], [0.5, 1.5], [np.nan, 1.2], [9.0, 8.0]]), np.array([0, 0, 0, 1])
    numbers = draw_numbers(*fitted(pt.Gaussian("diagonal", scale="variance"), X, labels))
    assert np.exp(numbers.mixture.log_weights) == pytest.approx(np.array([0.75, 0.25]))
    assert numbers.mixture.tails == np.inf
    assert numbers.x[2].tolist() == pytest.approx([0.0, numbers.x[2, 1]])
    assert numbers.precision.tolist() == [1.0] * 4
    assert draw_numbers(*fitted(pt.Poisson(), [[1], [2]], np.array([0, 1]))) is None


def test_ridge_lines_of_many_pairs_are_those_of_each():
    rng = np.random.default_rng(0)
    many = mixture(rng.normal(size=(13, 2)) * 3, [np.diag(rng.gamma(2, size=2)) for _ in range(13)])
    first, second = np.nonzero(np.triu(np.ones((13, 13)), 1))
    assert len(first) > 64
    alone = [ridge_minima(many, first[e : e + 1], second[e : e + 1])[0] for e in range(len(first))]
    assert ridge_minima(many, first, second) == pytest.approx(np.array(alone))


@pytest.mark.parametrize(("share", "n_groups"), [(0.799, 1), (0.801, 2)])
def test_a_valley_is_as_deep_as_its_share_of_the_lower_peak(share, n_groups):
    two = mixture([[0.0], [2.6]], [[[1.0]]] * 2, [0.55, 0.45])
    peaks = np.logaddexp.reduce(two.log_densities(two.means), axis=1)
    saddle = ridge_minima(two, np.array([0]), np.array([1]))[0]
    barrier = np.log(0.8) - (saddle - peaks.min())  # so that the valley is at a share of 0.8
    groups = group_components(two, ~np.eye(2, dtype=bool), np.full((2, 2), barrier), share)
    assert groups.max() + 1 == n_groups
