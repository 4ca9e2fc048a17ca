import numpy as np
import pytest
from sklearn.cluster import KMeans

import partita as pt

X = np.random.default_rng(0).normal(size=(60, 3)) + np.repeat([[0, 0, 0], [5, 0, 1], [0, 6, 2]], 20, axis=0)


def test_the_solution_is_a_fixed_point_of_both_steps():
    found = pt.FuzzyCMeans(3, fuzziness=1.7, tol=1e-10).fit(X)
    distances = ((X[:, np.newaxis] - found.cluster_centers_) ** 2).sum(axis=2)
    ratio = (distances[:, :, np.newaxis] / distances[:, np.newaxis]) ** (1 / 0.7)
    assert np.allclose(found.memberships_, 1 / ratio.sum(axis=2), atol=1e-8)
    weights = found.memberships_**1.7
    assert np.allclose(found.cluster_centers_, weights.T @ X / weights.sum(axis=0)[:, np.newaxis], atol=1e-8)
    assert found.objective_ == pytest.approx((weights * distances).sum())


def test_more_starts_are_never_worse():
    one, many = (pt.FuzzyCMeans(4, n_init=n, random_state=3).fit(X) for n in (1, 8))
    assert many.objective_ <= one.objective_


def test_little_fuzziness_gives_k_means():
    fuzzy = pt.FuzzyCMeans(3, fuzziness=1.05, n_init=5).fit_predict(X)
    hard = KMeans(3, n_init=5, random_state=0).fit_predict(X)
    assert pt.Misclassification().between(hard, fuzzy) == 0


def test_a_point_on_a_center_belongs_to_it():
    found = pt.FuzzyCMeans(2, random_state=0).fit([[0.0], [0.0], [1.0], [1.0]])
    assert np.allclose(np.sort(found.memberships_, axis=1), [[0, 1]] * 4)


@pytest.mark.parametrize(
    ("clusterer", "points", "message"),
    [
        (pt.FuzzyCMeans(2, fuzziness=1.0), X, "fuzziness must be greater than 1: got 1.0"),
        (pt.FuzzyCMeans(5), X[:3], "X must hold at least n_clusters = 5 points"),
        (pt.FuzzyCMeans(2), [[np.nan], [1.0]], "X must be finite"),
    ],
)
def test_bad_input_is_named(clusterer, points, message):
    with pytest.raises(ValueError, match=message):
        clusterer.fit(points)


def test_numbers_whose_squares_are_infinite_are_refused():
    with pytest.raises(ValueError, match=r"X must hold numbers whose squares can be written.* got 1e\+300 in row 1"):
        pt.FuzzyCMeans(2).fit([[0.0], [1e300], [1.0]])
