import numpy as np
import pytest

import partita as pt

CENTER = np.array([0, 0, 1, 1])
ALL = pt.all_partitions(4).astype(int)


def uniform():
    return pt.PartitionPosterior(ALL)


@pytest.mark.parametrize(
    ("metric", "levels"),
    [("vi", [0, 0.5, 1, 1.1887, 1.5, 2]), ("binder", [0, 0.125, 0.25, 0.375, 0.5])],
)
def test_balls_grow_through_the_distances_of_the_papers_example(metric, levels):
    radii = {pt.credible_ball(uniform(), CENTER, level, metric).radius for level in np.linspace(0.01, 0.99, 99)}
    assert sorted(radii) == pytest.approx(levels, abs=1e-4)


def clusters(rows):
    return sorted({int(row.max()) + 1 for row in rows})


def test_bounds_of_the_papers_vi_example():
    # Red, orange and yellow partitions of figure 4: distances up to 1.1887.
    ball = pt.credible_ball(uniform(), CENTER, 9 / 15 - 1e-9)
    assert ball.radius == pytest.approx(1.1887, abs=1e-4)
    assert ball.upper.tolist() == [[0, 0, 0, 0]]
    assert ball.lower.tolist() == [[0, 1, 2, 3]]
    assert sorted(np.bincount(row).tolist() for row in ball.horizontal) == sorted([[3, 1]] * 3 + [[1, 3]])


def test_bounds_of_the_papers_binder_example():
    ball = pt.credible_ball(uniform(), CENTER, 0.7, "binder")
    assert ball.radius == pytest.approx(0.375)
    assert clusters(ball.upper) == [2]
    assert sorted(sorted(np.bincount(row)) for row in ball.upper) == [[1, 3]] * 4
    assert ball.lower.tolist() == [[0, 1, 2, 3]]
    assert clusters(ball.horizontal) == [2, 3]
    assert len(ball.horizontal) == 8


def test_radius_is_the_smallest_that_holds_the_level():
    rng = np.random.default_rng(0)
    post = pt.PartitionPosterior(rng.integers(3, size=(200, 10)), rng.random(200))
    distances = pt.VariationOfInformation().per_draw(post.draws[0], post)
    for level in (0.2, 0.5, 0.9, 0.999):
        ball = pt.credible_ball(post, post.draws[0], level)
        assert ball.mass == pytest.approx(post.weights[distances <= ball.radius + 1e-9].sum())
        assert ball.mass >= level - 1e-12
        assert post.weights[distances < ball.radius - 1e-9].sum() < level


def test_ball_widens_with_level():
    post, truth = pt.datasets.make_noisy_draws(n_items=20, n_draws=400)
    radii = [pt.credible_ball(post, truth, level).radius for level in (0.1, 0.5, 0.9, 0.99)]
    assert radii == sorted(radii)
    assert radii[0] < radii[-1]


def test_weights_count_like_repeated_draws():
    rng = np.random.default_rng(1)
    draws, times = rng.integers(3, size=(30, 6)), rng.integers(1, 5, size=30)
    weighted = pt.credible_ball(pt.PartitionPosterior(draws, times), draws[0], 0.6)
    repeated = pt.credible_ball(pt.PartitionPosterior(np.repeat(draws, times, axis=0)), draws[0], 0.6)
    assert weighted.radius == pytest.approx(repeated.radius)
    assert weighted.horizontal.tolist() == repeated.horizontal.tolist()


def test_identical_draws_make_a_ball_of_radius_zero():
    ball = pt.credible_ball([[0, 0, 1]] * 4, [0, 0, 1])
    assert (ball.radius, ball.mass) == (0.0, 1.0)
    assert ball.upper.tolist() == ball.lower.tolist() == ball.horizontal.tolist() == [[0, 0, 1]]


def test_one_draw_and_one_item_have_a_ball():
    assert pt.credible_ball([[0]], [0]).radius == 0
    assert pt.credible_ball([[0, 1]], [0, 0]).radius == pytest.approx(1)


def test_table_names_items_and_bounds():
    post = pt.PartitionPosterior(ALL, items=list("abcd"))
    table = pt.credible_ball(post, CENTER, 9 / 15 - 1e-9).to_pandas()
    assert list(table.columns) == ["center", "upper", "lower", *(f"horizontal{i}" for i in range(4))]
    assert list(table.index) == list("abcd")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(level=95), "level must lie strictly between 0 and 1: got 95. Did you mean 0.95?"),
        (dict(level=1), "level must lie strictly between 0 and 1: got 1."),
        (dict(level=0.0), "level must lie strictly between 0 and 1: got 0.0."),
        (dict(level=float("nan")), "level must lie strictly between 0 and 1: got nan."),
        (dict(level="x"), "level must lie strictly between 0 and 1: got 'x'."),
        (dict(metric="vj"), "metric must be one of "),
        (dict(estimate=[0, 1]), "estimate must label the same 4 items: got 2 labels."),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        pt.credible_ball(uniform(), **{"estimate": CENTER, **arguments})
    assert str(error.value).startswith(message)


def test_the_center_is_numbered_from_zero():
    ball = pt.credible_ball([[1, 1, 2, 3], [1, 1, 2, 2]], [5, 5, 9, 9])
    assert ball.center.tolist() == [0, 0, 1, 1]
    assert "of 2 clusters" in repr(ball)
