import warnings

import naive
import numpy as np
import pandas as pd
import pytest
from arviz_stats.base import array_stats

import partita as pt
from partita.decide import chain_similarity
from partita.decide.chain_similarity import Apart, _explained, _rhat
from partita.decide.diagnostics import _mean_clause, _problems, _similar, _steadied

TRUTH = np.arange(20) % 3


def chains_around(*centers, n_draws=300, noise=0.2, sticky=0.0, seed=0):
    """A chain around each center; with probability ``sticky`` an item stays where the last draw had it."""
    rng = np.random.default_rng(seed)
    draws = []
    for center in centers:
        last = center
        for _ in range(n_draws):
            moved = rng.random(center.size) < noise
            fresh = np.where(moved, rng.integers(3, size=center.size), center)
            last = np.where(rng.random(center.size) < sticky, last, fresh)
            draws.append(last)
    return pt.PartitionPosterior(draws, chains=np.repeat(np.arange(len(centers)), n_draws))


def by_chain(values, n_chains):
    return values.reshape(n_chains, -1)


def test_numbers_are_those_of_arviz():
    post = chains_around(TRUTH, TRUTH, TRUTH, sticky=0.5)
    log_posterior = np.random.default_rng(1).normal(size=post.n_draws)
    table = pt.diagnose(post, TRUTH, log_posterior).table
    distances = [naive.variation_of_information(draw, TRUTH) for draw in post.draws]
    entropies = [naive.variation_of_information(draw, np.zeros(20, int)) for draw in post.draws]
    expected = {
        "n_clusters": [len(set(draw)) for draw in post.draws.tolist()],
        "entropy": np.round(entropies, 10),
        "largest_cluster": [np.bincount(draw).max() for draw in post.draws],
        "log_posterior": log_posterior,
        "vi_to_estimate": np.round(distances, 10),
    }
    assert list(table.index) == list(expected)
    for name, series in expected.items():
        values = by_chain(np.asarray(series, float), 3)
        row = table.loc[name]
        assert row["ess_bulk"] == pytest.approx(array_stats.ess(values, method="bulk"))
        assert row["mcse"] == pytest.approx(array_stats.mcse(values))
        assert row["mean"] == pytest.approx(values.mean())
        assert row["sd"] == pytest.approx(values.std(ddof=1))
        if np.ptp(values):
            assert row["r_hat"] == pytest.approx(array_stats.rhat(values, method="rank"))


@pytest.mark.parametrize("block_cells", [1, 200, 16_000_000])
def test_differences_are_those_of_dense_similarities(monkeypatch, block_cells):
    monkeypatch.setattr("partita.decide.chain_similarity.BLOCK_CELLS", block_cells)
    post = chains_around(TRUTH, TRUTH, np.roll(TRUTH, 3), n_draws=60, sticky=0.3)
    result = pt.diagnose(post)
    dense = [naive.similarity(post.chain(c).draws, None) for c in range(3)]
    differences = {(a, b): np.abs(dense[a] - dense[b]) for a in range(3) for b in range(a)}
    off_diagonal = ~np.eye(20, dtype=bool)
    assert result.largest_difference == pytest.approx(max(d.max() for d in differences.values()))
    assert result.mean_difference == pytest.approx(max(d[off_diagonal].mean() for d in differences.values()))
    (a, b), (i, j) = result.chains_apart, result.items_apart
    assert abs(dense[a] - dense[b])[i, j] == pytest.approx(result.largest_difference)


@pytest.mark.parametrize("sticky", [0.0, 0.5])
def test_well_mixed_chains_pass(sticky):
    results = [pt.diagnose(chains_around(TRUTH, TRUTH, TRUTH, sticky=sticky, seed=s), TRUTH) for s in range(10)]
    assert all(result.mixed for result in results)
    verdict = results[0].verdict
    assert verdict.startswith("Chains agree: R-hat at most 1.0")
    assert f"differ by at most {results[0].largest_difference:.3f}" in verdict
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results[0].warn_if_not_mixed()


def test_chains_in_different_modes_fail_by_name():
    merged = np.minimum(TRUTH, 1)
    result = pt.diagnose(chains_around(TRUTH, merged, noise=0.02))
    assert not result.mixed
    assert result.table.loc["n_clusters", "r_hat"] > 1.05
    assert "the number of clusters differs between chains (R-hat" in result.verdict
    assert "look at the two modes with posterior.chain(0) and posterior.chain(1)" in result.verdict
    with pytest.warns(UserWarning, match="the number of clusters differs between chains"):
        result.warn_if_not_mixed()


def test_modes_with_equal_cluster_sizes_are_told_apart_by_similarities():
    """Number, entropy and largest cluster of the mirror image are the same; only who is with whom differs."""
    other = np.random.default_rng(3).permutation(TRUTH)
    result = pt.diagnose(chains_around(TRUTH, other, TRUTH))
    assert (result.table["r_hat"].fillna(1.0) < 1.05).all()
    assert not result.mixed
    assert result.largest_difference > result.explained_difference
    i, j = result.items_apart
    assert f"items {i} and {j} share a cluster in" in result.verdict
    assert 1 in result.chains_apart


@pytest.mark.parametrize(("shares", "agree"), [((0.5, 0.57), True), ((0.35, 0.7), False)])
def test_a_difference_that_is_certain_and_small_is_no_failure(shares, agree):
    """Long chains: error explains neither difference, and R-hat of the pair tells the small from the large."""
    rng = np.random.default_rng(0)
    draws = [np.where(rng.random((20_000, 1)) < share, [[0, 0, 1, 1]], [[0, 1, 0, 1]]) for share in shares]
    result = pt.diagnose(pt.PartitionPosterior(np.concatenate(draws), chains=np.repeat([0, 1], 20_000)))
    assert result.largest_difference > result.explained_difference
    assert result.mixed == agree
    assert ("little, if more than" in result.verdict) == agree


def test_items_are_named_in_the_verdict():
    draws = [[0, 0, 1, 1]] * 60 + [[0, 1, 0, 1]] * 60
    post = pt.PartitionPosterior(draws, chains=np.repeat([4, 7], 60), items=["ant", "bee", "cat", "dog"])
    verdict = pt.diagnose(post).verdict
    assert "items ant and bee share a cluster in 1.00 of chain 4 and 0.00 of chain 7" in verdict


def test_slow_chains_are_flagged_by_effective_size():
    result = pt.diagnose(chains_around(TRUTH, noise=0.5, sticky=0.98, n_draws=600), TRUTH)
    assert not result.mixed
    assert result.table["ess_bulk"].min() < 100
    assert "effective draws" in result.verdict
    assert "times as long" in result.verdict


def test_slow_flips_between_mirror_images_are_flagged():
    """No quantity sees them, and Monte Carlo error explains any difference: there are too few flips to know."""
    mirror = np.array([[0, 0, 1, 1], [0, 1, 0, 1]])
    which = np.concatenate([np.arange(400) // 50 % 2, np.arange(400) // 80 % 2])
    result = pt.diagnose(pt.PartitionPosterior(mirror[which], chains=np.repeat([0, 1], 400)))
    assert result.largest_difference <= result.explained_difference
    assert not result.mixed
    assert "share a cluster is known from" in result.verdict


def test_a_quantity_that_never_changes_is_no_failure():
    rng = np.random.default_rng(0)
    draws = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]])[rng.integers(3, size=600)]
    result = pt.diagnose(pt.PartitionPosterior(draws, chains=np.repeat([0, 1], 300)))
    assert result.mixed
    assert result.table["r_hat"].isna().all()
    assert (result.table["sd"] == 0).all()
    assert "every quantity is the same in all draws" in result.verdict


def test_rounding_does_not_make_a_quantity_change():
    """Sizes 1, 2, 3, 4 added up in different orders give entropies that differ in the last digit."""
    rng = np.random.default_rng(0)
    draws = [rng.permutation(np.repeat(np.arange(5), [1, 2, 3, 7, 11])) for _ in range(400)]
    post = pt.PartitionPosterior(draws, chains=np.repeat([0, 1], 200))
    assert np.ptp(post.entropy()) > 0
    assert pt.diagnose(post).table.loc["entropy", "sd"] == 0


@pytest.mark.parametrize(("n_items", "agree"), [(20_000, True), (200, False)])
def test_among_many_items_a_few_that_move_are_no_failure(n_items, agree):
    """One item that chains place differently: a ten-thousandth of a bit among many, much among few."""
    labels = np.repeat([0, 1, 2], [n_items // 2, n_items // 4, n_items // 4])
    draws = np.tile(labels, (200, 1))
    draws[:100, 0] = np.arange(100) % 10 == 0
    draws[100:, 0] = np.arange(100) % 10 != 0
    table = pt.diagnose(pt.PartitionPosterior(draws, chains=np.repeat([0, 1], 100))).table
    assert (table.loc["entropy", "r_hat"] > 1.05) != agree
    assert np.isnan(table.loc["entropy", "r_hat"]) == agree


def test_one_chain_cannot_be_compared():
    result = pt.diagnose(chains_around(TRUTH))
    assert result.mixed
    assert result.verdict.startswith("One chain: agreement between chains cannot be assessed")
    assert np.isnan([result.largest_difference, result.mean_difference, result.explained_difference]).all()
    assert result.items_apart is None
    slow = pt.diagnose(chains_around(TRUTH, noise=0.5, sticky=0.98, n_draws=600))
    assert "agreement between chains cannot be assessed" in slow.verdict


def test_uneven_chains_are_cut_to_the_shortest():
    post = chains_around(TRUTH, TRUTH, n_draws=200)
    keep = np.r_[0:200, 200:350]
    uneven = pt.PartitionPosterior(post.draws[keep], chains=post.chains[keep])
    cut = np.r_[0:150, 200:350]
    even = pt.PartitionPosterior(post.draws[cut], chains=post.chains[cut])
    assert pt.diagnose(uneven).table.equals(pt.diagnose(even).table)
    dense = [naive.similarity(uneven.chain(c).draws, None) for c in (0, 1)]
    assert pt.diagnose(uneven).largest_difference == pytest.approx(np.abs(dense[0] - dense[1]).max())


def test_few_draws_cannot_be_assessed():
    result = pt.diagnose(pt.PartitionPosterior([[0, 0, 1], [0, 1, 1], [0, 0, 1]], chains=[0, 0, 1]))
    assert not result.mixed
    assert "the shortest chain has 1 draw, too few to assess mixing" in result.verdict


def test_one_item_is_nothing_to_disagree_about():
    result = pt.diagnose(pt.PartitionPosterior(np.zeros((40, 1), int), chains=np.repeat([0, 1], 20)))
    assert result.mixed
    assert result.verdict.startswith("Chains agree")


def test_many_items_are_compared_in_part():
    post = chains_around(TRUTH, TRUTH)
    result = pt.diagnose(post, max_items=7)
    kept = np.linspace(0, 19, 7).astype(int)
    assert result.largest_difference == pytest.approx(pt.diagnose(post.subset(kept)).largest_difference)
    assert set(result.items_apart) <= set(kept.tolist())
    assert "similarities among 7 items differ" in result.verdict


def false_alarms(error_scale, monkeypatch):
    """In how many of 20 well-mixed runs error, taken to be this many times its size, does not explain a difference."""
    explained = chain_similarity._explained
    monkeypatch.setattr("partita.decide.chain_similarity._explained", lambda *args: error_scale * explained(*args))
    results = [pt.diagnose(chains_around(TRUTH, TRUTH, TRUTH, sticky=0.3, seed=s)) for s in range(20)]
    return sum(result.largest_difference > result.explained_difference for result in results)


def test_well_mixed_chains_rarely_alarm(monkeypatch):
    assert false_alarms(1.0, monkeypatch) <= 1


def test_half_the_error_would_alarm(monkeypatch):
    """The control: a check that forgot how many pairs it compares would reject good chains."""
    assert false_alarms(0.5, monkeypatch) >= 15


def test_bad_input_is_named():
    post = chains_around(TRUTH, TRUTH, n_draws=10)
    with pytest.raises(ValueError, match="posterior must hold draws in the order they were made: got weighted draws"):
        pt.diagnose(post.collapse())
    with pytest.raises(ValueError, match=r"log_posterior must hold one number per draw, 20 in all: got shape \(3,\)"):
        pt.diagnose(post, log_posterior=[1, 2, 3])
    with pytest.raises(ValueError, match="log_posterior must be finite: got -inf for draw 4"):
        pt.diagnose(post, log_posterior=np.where(np.arange(20) == 4, -np.inf, 0.0))
    with pytest.raises(ValueError, match="estimate must label the same 20 items: got 2 labels"):
        pt.diagnose(post, [0, 1])
    with pytest.raises(ValueError, match="max_items must be a whole number of at least 2: got 1"):
        pt.diagnose(post, max_items=1)


def test_draws_count_for_as_much_as_their_autocorrelation_leaves():
    stays = np.random.default_rng(0).random(20_000) < 0.9  # autocorrelation 0.8: (1 - 0.8) / (1 + 0.8) of a draw each
    assert chain_similarity._efficiency(np.cumsum(~stays) % 2 == 1) == pytest.approx(1 / 9, rel=0.1)
    assert chain_similarity._efficiency(np.random.default_rng(1).random(20_000) < 0.5) == pytest.approx(1, abs=0.1)
    assert chain_similarity._efficiency(np.arange(5) % 2 == 1) == 1.0  # too few to say


def test_chains_that_stand_still_agree_or_never_will():
    together, apart = np.ones(50, bool), np.zeros(50, bool)
    assert chain_similarity._rhat([together, together]) == chain_similarity._rhat([together[:4], apart[:4]]) == 1.0
    assert chain_similarity._rhat([together, apart]) == np.inf


def judged(r_hat=1.0, ess=400.0, sd=1.0, n_draws=50, n_chains=2, **apart):
    """Problems of two chains with these numbers, and the advice."""
    table = pd.DataFrame({"r_hat": [r_hat], "ess_bulk": [ess], "sd": [sd]}, index=["n_clusters"])
    values = {"n_clusters": np.arange(n_chains)[:, np.newaxis] + np.zeros((n_chains, n_draws))}
    usual = dict(largest=0.1, mean=0.0, explained=0.2, r_hat=1.0, ess=400.0, items=(1, 2), chains=(0, 1))
    pair = Apart(**{**usual, "shares": (0.1, 0.2), "n_compared": 4, **apart})
    post = pt.PartitionPosterior(np.zeros((n_chains, 4), int), chains=np.arange(n_chains))
    return _problems(table, values, pair, post)


@pytest.mark.parametrize(
    ("numbers", "problem"),
    [
        (dict(), ""),
        (dict(r_hat=1.05), ""),
        (dict(r_hat=1.051), "the number of clusters differs between chains (R-hat 1.05, means 0, 1)"),
        (dict(r_hat=10.0), "the number of clusters differs between chains (R-hat above 10, means 0, 1)"),
        (dict(r_hat=9.99), "the number of clusters differs between chains (R-hat 9.99, means 0, 1)"),
        (dict(ess=100.0), ""),
        (dict(ess=99.0), "the number of clusters is known from 99 effective draws"),
        (dict(ess=99.0, sd=0.0), ""),
        (dict(n_draws=8), ""),
        (dict(n_draws=7), "the shortest chain has 7 draws, too few to assess mixing"),
        (dict(n_draws=1), "the shortest chain has 1 draw, too few to assess mixing"),
        (dict(largest=0.2, r_hat=1.0), ""),
        (dict(largest=0.3, explained=0.3), ""),
        (dict(ess=400.0, largest=0.05, explained=0.15), ""),
    ],
)
def test_problems_begin_just_beyond_their_bounds(numbers, problem):
    assert judged(**numbers)[0] == ([problem] if problem else [])


def test_a_pair_is_a_problem_where_chance_does_not_explain_it_and_r_hat_is_large():
    def pair_problem(**numbers):
        table = pd.DataFrame({"r_hat": [1.0], "ess_bulk": [400.0], "sd": [1.0]}, index=["n_clusters"])
        values = {"n_clusters": np.zeros((2, 50))}
        usual = dict(largest=0.3, mean=0.0, explained=0.2, r_hat=1.06, ess=400.0, items=(1, 2), chains=(0, 1))
        pair = Apart(**{**usual, "shares": (0.1, 0.4), "n_compared": 4, **numbers})
        post = pt.PartitionPosterior(np.zeros((2, 4), int), chains=[0, 1])
        return _problems(table, values, pair, post)

    words = "items 1 and 2 share a cluster in 0.10 of chain 0 and 0.40 of chain 1"
    assert pair_problem()[0] == [f"{words}, where Monte Carlo error explains a difference of 0.20"]
    assert pair_problem()[1].endswith("with posterior.chain(0) and posterior.chain(1).")
    assert pair_problem(r_hat=1.05)[0] == []
    assert pair_problem(explained=0.3)[0] == []
    slow = "whether items 1 and 2 share a cluster is known from 49 effective draws"
    assert pair_problem(largest=0.0, explained=0.11, ess=49.0)[0] == [slow]
    assert pair_problem(largest=0.0, explained=0.10, ess=49.0)[0] == []
    assert pair_problem(largest=0.0, explained=0.11, ess=50.0)[0] == []
    assert pair_problem(largest=0.11, explained=0.11, ess=49.0)[0] == []


@pytest.mark.parametrize(("ess", "times"), [(99.0, 2), (50.0, 2), (49.0, 3), (10.0, 10), (0.5, 100)])
def test_the_advice_is_to_run_as_much_longer_as_draws_are_few(ess, times):
    assert f"run at least {times} times as long." in judged(ess=ess)[1]
    assert "Run several chains" in judged(ess=ess, n_chains=1)[1]
    assert "Run several chains" not in judged(ess=ess)[1]


@pytest.mark.parametrize(("n_chains", "means"), [(8, "0, 1, 2, 3, 4, 5, 6, 7"), (9, "0, 1, 2, 3, 4, 5, 6, 7, ...")])
def test_the_means_of_eight_chains_are_told(n_chains, means):
    values = {"entropy": np.arange(float(n_chains))[:, np.newaxis] + np.zeros((1, 3))}
    assert _mean_clause("entropy", 1.5, values) == f"the entropy differs between chains (R-hat 1.50, means {means})"


def test_bits_that_nobody_would_see_do_not_move():
    assert _steadied(np.array([1.0, 1.0005])) == pytest.approx([1.00025, 1.00025])
    assert _steadied(np.array([1.0, 1.001000001])).tolist() == [1.0, 1.001000001]
    assert _steadied(np.array([1.0, 2.00000000004])).tolist() == [1.0, 2.0]


def test_chance_explains_what_one_run_in_a_hundred_exceeds():
    """A normal quantile, shared out over all comparisons, times the standard error of a difference of two shares."""
    from scipy.stats import norm

    pooled = (0.2 * 100 + 0.5 * 50) / 150
    error = np.sqrt(pooled * (1 - pooled) * (1 / 100 + 1 / 50))
    assert _explained((0.2, 0.5), (100.0, 50.0), 7) == pytest.approx(norm.isf(0.005 / 7) * error)
    assert _explained((0.2, 0.5), (100.0, 50.0), 0) == pytest.approx(norm.isf(0.005) * error)


def test_r_hat_of_a_pair_needs_eight_draws_that_differ():
    moving = [np.arange(8) % 2 == 0, np.arange(8) % 3 == 0]
    assert _rhat([t[:7] for t in moving]) == 1.0
    assert _rhat(moving) == pytest.approx(array_stats.rhat(np.array(moving, float)))
    assert _rhat([np.ones(9, bool)] * 2) == 1.0
    assert _rhat([np.ones(9, bool), np.zeros(9, bool)]) == np.inf


@pytest.mark.parametrize(
    ("largest", "words"), [(0.2, ", as Monte Carlo error explains"), (0.21, ", little, if more than")]
)
def test_agreement_is_told_with_what_error_explains(largest, words):
    pair = Apart(largest, 0.01, 0.2, 1.0, 400.0, (1, 2), (0, 1), (0.1, 0.2), 3)
    said = _similar(pair, pt.PartitionPosterior([[0, 0, 0, 0]]))
    assert said.startswith(f"; similarities among 3 items differ by at most {largest:.3f} and 0.010 on average{words}")
    assert "among" not in _similar(pair, pt.PartitionPosterior([[0, 0, 0]]))
    assert _similar(None, pt.PartitionPosterior([[0]])) == ""
