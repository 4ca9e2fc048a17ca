import numpy as np
import pytest

from partita import datasets


def test_noisy_draws_repeat_the_truth_but_for_the_noise():
    post, truth = datasets.make_noisy_draws(n_items=300, n_draws=200, n_clusters=5, noise=0.2, random_state=1)
    assert (post.n_draws, post.n_items) == (200, 300)
    together = truth[:, None] == truth
    similarity = post.similarity()
    stay = 0.8 + 0.2 / 5  # an item keeps its cluster, or is moved to the same one
    same = stay**2 + 4 * (0.2 / 5) ** 2
    assert similarity[together & ~np.eye(300, dtype=bool)].mean() == pytest.approx(same, abs=0.01)


def test_the_same_seed_gives_the_same_draws():
    first, second = (datasets.make_noisy_draws(random_state=7)[0].draws for _ in range(2))
    other = datasets.make_noisy_draws(random_state=8)[0].draws
    assert (first == second).all()
    assert (first != other).any()


def test_no_noise_gives_the_truth_alone():
    for seed in range(5):
        post, truth = datasets.make_noisy_draws(noise=0, random_state=seed)
        assert (post.draws == truth).all()
        assert truth.dtype == np.int64


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="noise must lie between 0 and 1: got 2"):
        datasets.make_noisy_draws(noise=2)
    with pytest.raises(ValueError, match="noise must lie between 0 and 1: got 'x'"):
        datasets.make_noisy_draws(noise="x")
    with pytest.raises(ValueError, match="n_clusters must be a whole number of at least 1: got 0"):
        datasets.make_noisy_draws(n_clusters=0)
