"""Readings of a posterior: against exhaustive search, against a plain alternation, and how many there are."""

import signal
from itertools import combinations

import numpy as np
import pytest

import partita as pt
from partita._parallel import Budget
from partita.decide.mode_search import Plan, _halves, all_apart, find_modes, seed_centers, separation
from partita.decide.modes import hidden_modes
from partita.decide.words import percentages

VI = pt.VariationOfInformation()


def two_readings(n=45, n_draws=300, noise=0.05, share=0.65, seed=0):
    """Three clusters, or the last two of them as one."""
    rng = np.random.default_rng(seed)
    one = np.arange(n) % 3
    draws = np.where(rng.random((n_draws, 1)) < share, one, np.minimum(one, 1))
    return np.where(rng.random((n_draws, n)) < noise, rng.integers(3, size=(n_draws, n)), draws)


def objective(posterior, centers, loss=VI):
    """Expected loss of the nearest center, from its definition."""
    weights = posterior.probabilities()
    return sum(w * min(loss.between(draw, c) for c in centers) for w, draw in zip(weights, posterior, strict=True))


def plain_alternation(posterior, centers):
    """Assign each draw to the nearest center, estimate each center, until nothing changes."""
    before = None
    while True:
        losses = np.array([VI.per_draw(center, posterior) for center in centers])
        nearest = losses.argmin(axis=0)
        if before is not None and (nearest == before).all():
            return float(posterior.probabilities() @ losses.min(axis=0))
        before = nearest
        kept = [k for k in range(len(centers)) if (nearest == k).any()]
        centers = [pt.estimate_partition(posterior.take(nearest == k)).labels for k in kept]


@pytest.mark.parametrize("loss", [VI, pt.Binder(), pt.Misclassification()], ids=repr)
@pytest.mark.parametrize("n_items", [4, 5])
def test_two_modes_are_the_best_two_partitions_of_all(loss, n_items):
    rng = np.random.default_rng(n_items)
    everything = pt.all_partitions(n_items)
    for _ in range(3):
        posterior = pt.PartitionPosterior(everything, weights=rng.dirichlet(np.full(len(everything), 0.3)))
        losses = np.array([loss.per_draw(center, posterior) for center in everything])
        pairs = combinations(range(len(everything)), 2)
        best = min(posterior.probabilities() @ np.minimum(losses[a], losses[b]) for a, b in pairs)
        found = pt.summarize_modes(posterior, n_modes=2, loss=loss, n_starts=16)
        assert found.expected_loss == pytest.approx(best, abs=1e-9)
        assert found.expected_loss == pytest.approx(objective(posterior, found.labels, loss), abs=1e-9)
        assert found.expected_loss < found.single_loss


def test_a_single_start_without_estimates_would_miss_the_best_two_partitions():
    rng, everything = np.random.default_rng(5), pt.all_partitions(5)
    posterior = pt.PartitionPosterior(everything, weights=rng.dirichlet(np.full(len(everything), 0.3)))
    found = pt.summarize_modes(posterior, n_modes=2, n_starts=16)
    seeds = seed_centers(posterior, VI, 2, np.random.default_rng(0))
    assert objective(posterior, seeds) > found.expected_loss + 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_modes_are_never_further_than_a_plain_alternation_from_the_same_starts(seed):
    posterior = pt.PartitionPosterior(two_readings(n=18, n_draws=80, noise=0.25, seed=seed))
    found = find_modes(posterior, 3, Plan(VI, 3, 400, Budget()), np.random.default_rng(seed))
    drawn = int(np.random.default_rng(seed).integers(2**62))
    few = posterior.collapse()
    for number in range(3):
        starts = seed_centers(few, VI, 3, np.random.default_rng([drawn, number]))
        assert found.expected_loss <= plain_alternation(few, starts) + 1e-9


@pytest.mark.parametrize("noise", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("seed", [0, 1])
def test_draws_around_one_partition_have_one_mode(noise, seed):
    posterior, _ = pt.datasets.make_noisy_draws(40, 200, 3, noise, random_state=seed)
    assert pt.summarize_modes(posterior).n_modes == 1
    assert hidden_modes(posterior, 0.95, VI) is None


@pytest.mark.parametrize(("n_draws", "n_modes"), [(30, 1), (32, 2)])
def test_two_modes_need_eight_draws_each_in_the_half_held_out(n_draws, n_modes):
    draws = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]])[np.arange(n_draws) // 2 % 2]
    assert pt.summarize_modes(draws).n_modes == n_modes


def test_doubt_about_single_items_is_no_mode():
    draws = np.tile(np.repeat([0, 1], 10), (200, 1))
    rng = np.random.default_rng(0)
    draws[:, 0] = rng.integers(2, size=200)
    assert pt.summarize_modes(draws).n_modes == 1
    draws[:, 10] = rng.integers(2, size=200)
    assert pt.summarize_modes(draws).n_modes == 1


@pytest.mark.parametrize("share", [0.65, 0.85])
@pytest.mark.parametrize("noise", [0.0, 0.03, 0.1])
def test_two_readings_are_found_with_their_weights(share, noise):
    draws = two_readings(share=share, noise=noise)
    modes = pt.summarize_modes(draws)
    assert modes.n_modes == 2
    assert modes.weights.sum() == pytest.approx(1)
    drawn = (np.random.default_rng(0).random(300) < share).mean()  # of the draws, as two_readings makes them
    assert modes.weights[0] == pytest.approx(drawn, abs=0.03)
    one = np.arange(45) % 3
    assert pt.Misclassification().between(modes.labels[0], one) == 0
    assert pt.Misclassification().between(modes.labels[1], np.minimum(one, 1)) == 0
    assert modes.differs.sum() == 15
    assert len({*one[modes.differs]}) == 1
    assert sum(mode.draws.size for mode in modes.modes) == 300
    assert (modes.assignment[modes.modes[1].draws] == 1).all()
    assert modes.modes[0].ball.radius < pt.credible_ball(draws).radius


def test_three_readings_are_found():
    rng = np.random.default_rng(0)
    readings = np.array([np.arange(48) % 4, np.arange(48) // 12, np.arange(48) % 2])
    draws = readings[rng.choice(3, size=300, p=[0.5, 0.3, 0.2])]
    draws = np.where(rng.random(draws.shape) < 0.05, rng.integers(4, size=draws.shape), draws)
    assert pt.summarize_modes(draws).weights == pytest.approx([0.5, 0.3, 0.2], abs=0.08)


def test_words_say_how_many_and_how_probable():
    modes = pt.summarize_modes([[0, 0, 0, 1, 1, 1]] * 40 + [[0, 0, 1, 1, 2, 2]] * 20)
    assert modes.title == "Two readings, 67 % and 33 %"
    facts = modes.to_dict()
    assert facts["n_modes"] == 2
    assert facts["n_differing"] == modes.to_pandas()["differs"].sum() == 2
    assert facts["words"] == repr(modes)


@pytest.mark.parametrize(
    ("shares", "percent"),
    [
        ([0.705, 0.295], [71, 29]),
        ([1 / 3] * 3, [34, 33, 33]),
        ([1.0], [100]),
        ([0.995, 0.005], [100, 0]),
        ([0.6, 0.4], [60, 40]),
    ],
)
def test_percentages_add_up(shares, percent):
    assert percentages(np.array(shares)) == percent


def test_weighted_draws_have_the_modes_of_the_draws_they_stand_for():
    posterior = pt.PartitionPosterior(two_readings(noise=0.0))
    found = pt.summarize_modes(posterior.collapse())
    assert found.weights == pytest.approx(pt.summarize_modes(posterior).weights)


def test_draws_without_weight_belong_to_a_mode_and_count_for_nothing():
    draws = two_readings(noise=0.0)
    weights = (draws[:, 2] == 1).astype(float)
    modes = pt.summarize_modes(pt.PartitionPosterior(draws, weights))
    assert modes.n_modes == 1
    assert modes.assignment.size == 300


def test_fewer_modes_come_back_than_asked_for_where_draws_are_alike():
    assert pt.summarize_modes([[0, 0, 1]] * 4, n_modes=3).n_modes == 1
    assert pt.summarize_modes([[0, 0, 1], [0, 1, 1]], n_modes=5).n_modes == 2


def test_modes_depend_on_the_seed_alone():
    draws = two_readings(noise=0.1)
    first = pt.summarize_modes(draws, n_modes=3, random_state=7)
    for n_jobs in (1, 2):
        again = pt.summarize_modes(draws, n_modes=3, random_state=7, n_jobs=n_jobs)
        assert (again.labels == first.labels).all()
        assert (again.assignment == first.assignment).all()


def test_a_time_limit_ends_the_search_with_what_there_is():
    modes = pt.summarize_modes(two_readings(), n_modes=2, time_limit=1e-6)
    assert modes.n_modes == 2
    assert "stopped early" in modes.search


def test_an_interrupt_ends_the_search_with_what_there_is(monkeypatch):
    from partita.decide import mode_search

    seed = mode_search.seed_centers

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        return seed(*arguments)

    monkeypatch.setattr(mode_search, "seed_centers", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores interrupts
    try:
        assert "stopped early" in pt.summarize_modes(two_readings(), n_modes=2).search
    finally:
        signal.signal(signal.SIGINT, before)


def test_separation_of_halves_is_known():
    for values, known in ((np.linspace(-1, 1, 20001), 12**0.5), (np.random.default_rng(0).normal(size=10**6), 2.65)):
        low, high = values[values < 0], values[values >= 0]
        assert separation(low, np.ones(low.size), high, np.ones(high.size)) == pytest.approx(known, abs=0.02)


def test_a_summary_says_when_one_partition_hides_two():
    summary = pt.summarize(two_readings(noise=0.05))
    assert "hides two readings" in summary.words.splitlines()[1]
    assert summary.to_dict()["modes"]["n_modes"] == 2
    posterior, _ = pt.datasets.make_noisy_draws(30, 200, 3, random_state=1)
    summary = pt.summarize(posterior)
    assert summary.modes is None
    assert "hides" not in summary.words


def test_strips_are_as_high_as_readings_are_probable():
    modes = pt.summarize_modes(two_readings(noise=0.0))
    ax = pt.plot.plot_modes(modes)
    heights = [top - bottom for *_, bottom, top in (image.get_extent() for image in ax.images)]
    assert np.diff(heights)[0] == pytest.approx(modes.weights[1] - modes.weights[0])
    assert len(ax.lines[0].get_xdata()) == 15


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "many", None])
def test_a_number_of_modes_that_is_none_is_refused(wrong):
    with pytest.raises((ValueError, TypeError), match=r"n_modes must .*: got"):
        pt.summarize_modes([[0, 0, 1]] * 4, n_modes=wrong)


def test_draws_that_leave_items_out_are_refused():
    with pytest.raises(ValueError, match="for modes"):
        pt.summarize_modes([[0, 0, -1], [0, 1, 1]])


def test_separation_is_the_distance_of_means_in_standard_deviations():
    first, second = np.array([0.0, 2.0]), np.array([10.0, 16.0])
    assert separation(first, np.ones(2), second, np.ones(2)) == pytest.approx(12 / np.sqrt((1 + 9) / 2))
    weighed = separation(first, np.array([1.0, 3.0]), second, np.ones(2))
    assert weighed == pytest.approx(11.5 / np.sqrt((0.75 + 9) / 2))
    assert separation(first[:1], np.ones(1), second[:1], np.ones(1)) == np.inf


@pytest.mark.parametrize(
    ("n_first", "n_second", "apart"), [(8, 151, True), (7, 132, False), (8, 153, False), (8, 8, True)]
)
def test_modes_have_eight_draws_and_a_twentieth_of_the_posterior(n_first, n_second, apart):
    one, other = np.repeat([0, 1], 10), np.arange(20) % 2
    draws = np.concatenate([np.tile(one, (n_first, 1)), np.tile(other, (n_second, 1))])
    assert all_apart(pt.PartitionPosterior(draws), pt.VariationOfInformation(), [one, other]) == apart


@pytest.mark.parametrize(
    ("n_items", "n_moved", "apart"), [(20, 1, False), (20, 2, True), (60, 2, False), (60, 3, True)]
)
def test_modes_differ_in_two_items_and_in_a_twentieth_of_them(n_items, n_moved, apart):
    one = np.repeat([0, 1], n_items // 2)
    other = one.copy()
    other[:n_moved] = 1
    posterior = pt.PartitionPosterior(np.repeat([one, other], 20, axis=0))
    assert all_apart(posterior, pt.VariationOfInformation(), [one, other]) == apart


def test_draws_are_halved_in_turn_where_there_are_sixteen():
    rows = np.array([[0, m % 2, m // 2 % 2] for m in range(16)])
    first, second = _halves(pt.PartitionPosterior(rows), 400, np.random.default_rng(0))
    assert (first.draws == pt.PartitionPosterior(rows[::2]).draws).all()
    assert (second.draws == pt.PartitionPosterior(rows[1::2]).draws).all()
    few = pt.PartitionPosterior(rows[:15])
    assert _halves(few, 400, np.random.default_rng(0)) == (few, few)
    weighted = pt.PartitionPosterior(rows, weights=np.arange(16.0))
    assert [half.n_draws for half in _halves(weighted, 30, np.random.default_rng(0))] == [30, 30]
