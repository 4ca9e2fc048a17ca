from functools import partial

import numpy as np
import pytest

import partita as pt
from partita.components import Gaussian
from partita.samplers import checkpoint as checkpoints, collapsed, run
from partita.samplers.thinning import choose_thinning, effective_share

AUTOMATIC = dict(n_chains=2, n_draws=60, random_state=3)
X = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0.0], [5.0]], 15, axis=0)


def autoregressive(memory, n_draws=4000, seed=0):
    """Values of four stationary chains, one quantity each."""
    noise = np.random.default_rng(seed).normal(size=(n_draws, 4))
    values = noise.copy()
    for before, after, new in zip(values, values[1:], noise[1:], strict=False):
        after[:] = memory * before + np.sqrt(1 - memory**2) * new
    return values.T[:, np.newaxis]


@pytest.mark.parametrize("memory", [0.5, 0.9, 0.98])
def test_effective_draws_are_those_of_an_autoregressive_chain(memory):
    assert effective_share(autoregressive(memory)) == pytest.approx((1 - memory) / (1 + memory), rel=0.3)


def test_draws_are_apart_as_far_as_they_must_and_may():
    assert choose_thinning(autoregressive(0.5), 100) == 1
    assert 3 <= choose_thinning(autoregressive(0.98), 100) <= 6  # a share of 1 in 99 where 1 in 25 is asked
    slow = autoregressive(0.999)
    assert [choose_thinning(slow, n) for n in (100, 30_000, 60_000, 120_001, 1e9)] == [8, 8, 4, 1, 1]


def test_chains_that_stand_still_apart_from_each_other_ask_for_all():
    constant = np.ones((4, 1, 1000))
    apart = constant * np.arange(4)[:, np.newaxis, np.newaxis]
    assert (choose_thinning(constant, 100), choose_thinning(apart, 100)) == (1, 8)
    assert choose_thinning(np.concatenate([apart, constant], axis=1), 100) == 8


def test_thinned_draws_are_every_so_many_of_all():
    encoded = Gaussian(covariance="diagonal", scale="learn").encode(X)
    problem = collapsed.make_problem(encoded, pt.MixtureOfFiniteMixtures())
    start = partial(collapsed.init, problem, np.zeros(len(X), np.int64))
    end, every = collapsed.sweep(problem, start(np.random.default_rng(1)), 24)
    state, thinned = collapsed.sweep(problem, start(np.random.default_rng(1))._replace(thin=4), 6)
    for all_values, some in zip(every, thinned, strict=True):
        np.testing.assert_array_equal(all_values[3::4], some)
    assert (state.labels == end.labels).all()
    assert state.thin == 4
    assert not (every.log_posterior[2::4] == thinned.log_posterior).all()


def stop_after(n_blocks, monkeypatch):
    add, seen = checkpoints.Checkpoint.add, []

    def stop(self, *rest):
        add(self, *rest)
        seen.append(rest)
        if len(seen) == n_blocks:
            raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints.Checkpoint, "add", stop)


@pytest.mark.parametrize("n_blocks", [3, 14, 17, 40])  # of twelve in which draws are too close, and forty-eight more
def test_a_run_that_goes_on_can_be_cut_short_at_any_moment(tmp_path, monkeypatch, n_blocks):
    monkeypatch.setattr("partita.clusterers._sampling.choose_thinning", lambda *_: 4)
    monkeypatch.setattr(checkpoints, "PAUSE", 0.0)
    monkeypatch.setattr(run, "block_size", lambda _: 10)
    plain = pt.BayesianMixture(**AUTOMATIC).fit(X)
    with monkeypatch.context() as patched:
        stop_after(n_blocks, patched)
        with pytest.raises(KeyboardInterrupt):
            pt.BayesianMixture(**AUTOMATIC, n_jobs=1, checkpoint=tmp_path / "run").fit(X)
    again = pt.BayesianMixture(**AUTOMATIC, checkpoint=tmp_path / "run", resume=True).fit(X)
    assert (again.posterior_.draws == plain.posterior_.draws).all()
    assert (again.log_posterior_ == plain.log_posterior_).all()
    assert (again.n_warmup_, again.thin_) == (plain.n_warmup_, 4)


def test_draws_too_close_count_as_warm_up(monkeypatch):
    close = pt.BayesianMixture(**AUTOMATIC).fit(X)
    monkeypatch.setattr("partita.clusterers._sampling.choose_thinning", lambda *_: 2)
    apart = pt.BayesianMixture(**AUTOMATIC).fit(X)
    assert (close.thin_, apart.thin_) == (1, 2)
    assert apart.n_warmup_ == close.n_warmup_ + AUTOMATIC["n_draws"]
    assert apart.posterior_.n_draws == close.posterior_.n_draws
    asked = pt.BayesianMixture(**AUTOMATIC, n_warmup=50).fit(X)
    assert (asked.n_warmup_, asked.thin_) == (50, 1)
