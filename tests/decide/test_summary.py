"""One summary of a posterior, from draws, from a fitted model and from a pipeline that ends in one."""

import json

import naive
import numpy as np
import pytest
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import partita as pt


@pytest.fixture(scope="module")
def posterior():
    noisy, _ = pt.datasets.make_noisy_draws(n_items=25, n_draws=300, n_clusters=3, random_state=4)
    return pt.PartitionPosterior(noisy.draws, chains=np.repeat([0, 1, 2], 100), items=[f"bird {i}" for i in range(25)])


@pytest.fixture(scope="module")
def data():
    return pt.datasets.make_quadrants(n_items=30, random_state=3)[0]


@pytest.fixture(scope="module")
def mixture(data):
    return pt.BayesianMixture(n_chains=2, n_draws=60, n_warmup=20, random_state=1).fit(data)


@pytest.fixture(scope="module")
def pipeline(data):
    model = pt.BayesianMixture(n_chains=2, n_draws=60, n_warmup=20, random_state=1)
    return make_pipeline(StandardScaler(), Pipeline([("inner", model)])).fit(data)


def equal(one, other):
    """Whether two results hold the same numbers."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    if hasattr(one, "equals"):
        return one.equals(other)
    if hasattr(one, "__dataclass_fields__"):
        return all(equal(getattr(one, name), getattr(other, name)) for name in one.__dataclass_fields__)
    return one == other or (one != one and other != other)


def test_a_summary_is_the_parts_put_together(posterior):
    summary = pt.summarize(posterior, loss="binder", level=0.9)
    estimate = pt.estimate_partition(posterior, "binder")
    assert equal(summary.estimate, estimate)
    assert equal(summary.ball, pt.credible_ball(posterior, estimate, 0.9))
    assert equal(summary.certainty, pt.assess_certainty(posterior, estimate, 0.9))
    assert equal(summary.diagnostics, pt.diagnose(posterior, estimate))
    assert summary.joint_core is summary.certainty.joint_core


def test_equal_would_notice_a_difference(posterior):
    assert not equal(pt.credible_ball(posterior, level=0.9), pt.credible_ball(posterior, level=0.5))


def test_the_dict_is_the_summary_and_json_can_hold_it(posterior):
    summary = pt.summarize(posterior)
    known = summary.to_dict()
    assert json.loads(json.dumps(known, allow_nan=False)) == known
    assert known["sizes"] == summary.estimate.sizes.tolist()
    drawn = (posterior.n_clusters() == summary.estimate.n_clusters).mean()
    assert known["n_clusters_probability"] == pytest.approx(drawn)
    assert known["joint_core"]["n_items"] == summary.joint_core.members.size
    assert known["n_doubtful"] == (summary.certainty.items["margin"] < 0.5).sum()
    assert known["diagnostics"]["verdict"] == summary.diagnostics.verdict


def test_the_words_say_what_the_numbers_are(posterior):
    summary = pt.summarize(posterior)
    lines = summary.words.splitlines()
    *first, last = summary.estimate.sizes
    assert lines[0] == f"25 items form {len(first) + 1} clusters of {', '.join(map(str, first))} and {last} items."
    assert f"within {summary.ball.radius:.2f} bits of this one" in summary.words
    assert lines[-1] == summary.diagnostics.verdict
    assert repr(summary) == f"PosteriorSummary: {summary.words}"
    least = pt.summarize([[0, 0, 0, 1, 1, 1]] * 11 + [[0, 0, 0, 0, 1, 1]] * 9).words
    assert "1 of 6 items are in doubt; the least certain: 3." in least


@pytest.mark.parametrize("draws", [[[0]], [[0, 1]], [[0, 0, 1]] * 3, [list(range(9))] * 2], ids=str)
def test_small_posteriors_are_summarized(draws):
    summary = pt.summarize(draws)
    assert json.dumps(summary.to_dict(), allow_nan=False)
    assert summary.words


def test_weighted_draws_have_no_diagnostics():
    summary = pt.summarize(pt.PartitionPosterior([[0, 0, 1], [0, 1, 1]], weights=[0.3, 0.7]))
    assert summary.diagnostics is None
    assert summary.to_dict()["diagnostics"] is None


def test_a_model_brings_its_own_estimate_and_diagnostics(mixture):
    summary = pt.summarize(mixture)
    assert summary.estimate is mixture.estimate_
    assert summary.diagnostics is mixture.diagnostics_
    assert summary.settings["estimator"] == "BayesianMixture"
    assert summary.settings["random_state"] == 1
    assert "n_jobs" not in summary.settings


def test_another_loss_is_another_estimate(mixture):
    binder = pt.summarize(mixture, loss="binder").estimate
    assert binder.loss == pt.Binder()
    assert binder.expected_loss == pt.estimate_partition(mixture, "binder").expected_loss
    labels = np.arange(30) % 2
    given = pt.summarize(mixture, labels, loss="binder").estimate
    assert given.expected_loss == pytest.approx(pt.Binder().expected(labels, mixture.posterior_))


def test_everything_takes_a_fitted_model(mixture):
    draws, own = mixture.posterior_, mixture.estimate_
    assert equal(pt.estimate_partition(mixture), pt.estimate_partition(draws))
    assert equal(pt.credible_ball(mixture), pt.credible_ball(draws, own))
    assert equal(pt.assess_certainty(mixture), pt.assess_certainty(draws, own))
    assert equal(pt.diagnose(mixture), pt.diagnose(draws))
    assert pt.suggest_pairs(mixture).equals(pt.suggest_pairs(draws, labels=own.labels))


def test_everything_takes_a_pipeline(pipeline):
    model = pipeline[-1][-1]
    assert pt.summarize(pipeline).estimate is model.estimate_
    assert equal(pt.estimate_partition(pipeline), pt.estimate_partition(model.posterior_))
    assert equal(pt.credible_ball(pipeline), pt.credible_ball(model))
    assert equal(pt.assess_certainty(pipeline), pt.assess_certainty(model))


def test_without_an_estimate_the_center_has_least_expected_distance(posterior):
    ball = pt.credible_ball(posterior, metric="binder")
    assert equal(ball, pt.credible_ball(posterior, pt.estimate_partition(posterior, "binder"), metric="binder"))
    certainty = pt.assess_certainty(posterior)
    assert equal(certainty, pt.assess_certainty(posterior, pt.estimate_partition(posterior)))


def test_certainty_by_item_is_in_the_order_of_the_items(posterior):
    certainty = pt.assess_certainty(posterior)
    assert equal(certainty.by_item("margin"), certainty.items.loc[list(posterior.items), "margin"].to_numpy())


@pytest.mark.parametrize(
    "call", [pt.summarize, pt.estimate_partition, pt.credible_ball, pt.assess_certainty, pt.diagnose, pt.suggest_pairs]
)
def test_a_model_must_be_fitted(call):
    for model in (pt.BayesianMixture(), make_pipeline(StandardScaler(), pt.BayesianMixture())):
        with pytest.raises(ValueError, match="posterior must be fitted and have draws, as posterior_: got"):
            call(model)


def test_a_table_with_columns_called_fit_and_steps_is_draws():
    import pandas as pd

    table = pd.DataFrame({"fit": [0, 0], "steps": [0, 1], "other": [1, 1]})
    assert pt.estimate_partition(table).items == ("fit", "steps", "other")


def test_words_tell_the_fewest_and_the_most_clusters_within_the_ball():
    draws = naive.random_draws(np.random.default_rng(0), 80, 7, 4)
    summary = pt.summarize(pt.PartitionPosterior(draws))
    within = summary.ball.radius + 1e-9
    counts = [
        np.unique(draw).size
        for draw in draws
        if naive.variation_of_information(summary.estimate.labels, draw) <= within
    ]
    assert min(counts) < max(counts)
    assert f"within that distance have {min(counts)} to {max(counts)} clusters." in summary.words
