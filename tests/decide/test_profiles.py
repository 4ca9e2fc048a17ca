"""What distinguishes clusters, against naive twins and simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import beta as beta_function

import partita as pt
from partita.decide.features import (
    Feature,
    column_evidence,
    log_marginal_category,
    log_marginal_number,
    read_features,
)


def table(rng, n=60):
    labels = np.repeat([0, 1, 2], n // 3)
    frame = pd.DataFrame(
        {
            "mass": rng.normal(size=n) + 4 * labels,
            "noise": rng.normal(size=n),
            "island": np.where(labels == 1, "Dream", rng.choice(["Biscoe", "Torgersen"], size=n)),
        },
        index=[f"bird{i}" for i in range(n)],
    )
    return frame, labels


def test_a_normal_column_has_the_marginal_likelihood_of_its_predictive_densities():
    values, total = np.random.default_rng(0).normal(size=7), 0.0
    for i, x in enumerate(values):
        seen = values[:i]
        mean = seen.sum() / (i + 1)
        scale = 0.5 + 0.5 * ((seen - seen.mean()) ** 2).sum() + 0.5 * i * seen.mean() ** 2 / (i + 1) if i else 0.5
        shape = 1 + i / 2
        total += stats.t(2 * shape, mean, np.sqrt(scale / shape * (i + 2) / (i + 1))).logpdf(x)
    assert log_marginal_number(values[:, None]) == pytest.approx(total, abs=1e-10)
    assert log_marginal_number(values[:, None] + 0.1) != pytest.approx(total, abs=1e-3)


def test_a_column_of_two_categories_has_a_beta_marginal_likelihood():
    values = np.array([[1.0], [0.0], [1.0], [1.0], [0.0]])
    assert log_marginal_category(values) == pytest.approx(np.log(beta_function(4, 3)))


def test_locations_of_labels_alone_are_means_and_shares():
    frame, labels = table(np.random.default_rng(1))
    found = pt.describe_clusters(labels, frame).to_pandas()
    for (k, column), rows in found[found["category"].isna()].groupby(["cluster", "column"]):
        members = frame[labels == k][column]
        assert rows["location"].item() == pytest.approx(members.mean())
        assert rows["spread"].item() == pytest.approx(members.std(ddof=0))
        assert rows["low"].item() < members.mean() < rows["high"].item()
    dream = found[(found["category"] == "Dream") & (found["cluster"] == 1)]
    assert dream["location"].item() == pytest.approx(1.0)
    assert 0.8 < dream["low"].item() < 1.0


def test_the_column_that_makes_clusters_is_found_and_noise_is_not():
    frame, labels = table(np.random.default_rng(2))
    profiles = pt.describe_clusters(labels, frame)
    assert profiles.evidence["mass"] > 20
    assert profiles.evidence["island"] > 20
    assert profiles.evidence["noise"] < 0
    apart = profiles.between(0, 2)
    assert apart["mass"] > 10 > 0 > apart["noise"]


def test_doubt_about_the_clustering_widens_intervals():
    frame, labels = table(np.random.default_rng(3))
    rng = np.random.default_rng(4)
    draws = np.array([np.where(rng.random(60) < 0.3, rng.integers(3, size=60), labels) for _ in range(100)])
    sure = pt.describe_clusters(np.array([labels] * 100), frame, labels)
    unsure = pt.describe_clusters(draws, frame, labels)
    at = [f.column for f in sure.features].index("mass")
    assert unsure.low[2, at] < sure.low[2, at]
    assert all(len(names) == 3 and names[0].startswith("bird") for names in unsure.borderline)
    assert sure.borderline == ((), (), ())


def test_intervals_of_means_hold_the_truth_as_often_as_they_say():
    inside, n_sets = 0, 120
    for seed in range(n_sets):
        rng = np.random.default_rng(seed)
        labels = np.repeat([0, 1], 40)
        X = rng.normal(size=(80, 2)) + 6 * labels[:, None]
        profiles = pt.describe_clusters(labels, X, random_state=seed)
        inside += ((profiles.low <= [[0, 0], [6, 6]]) & (profiles.high >= [[0, 0], [6, 6]])).sum()
    assert 0.92 < inside / (4 * n_sets) < 0.97


def test_sentences_name_what_is_high_low_and_nearly_all():
    frame, labels = table(np.random.default_rng(5))
    first, second, third = pt.describe_clusters(labels, frame).words
    assert first.startswith("cluster 0, 20 items: low mass (")
    assert "100% island Dream (all items 33%)" in second
    assert "high mass" in third


def test_missing_entries_are_left_out():
    frame, labels = table(np.random.default_rng(6))
    frame.loc[frame.index[:5], "mass"] = np.nan
    frame.loc[frame.index[3], "island"] = None
    profiles = pt.describe_clusters(labels, frame)
    assert np.isfinite(profiles.location).all()
    assert profiles.location[0, 0] == pytest.approx(frame["mass"][5:20].mean())


def test_the_most_typical_item_is_nearest_to_the_center():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.5]])
    assert [names[0] for names in pt.describe_clusters([0, 0, 0, 1, 1, 1], X).exemplars] == ["1", "4"]


@pytest.mark.parametrize(
    ("X", "message"),
    [(np.ones((5, 2)), "X must have a row for each of the 6 items: got 5"), (np.ones((6, 1)), "X must have a column")],
)
def test_tables_that_describe_nothing_are_refused(X, message):
    with pytest.raises(ValueError, match=message):
        pt.describe_clusters([0, 0, 0, 1, 1, 1], X)


def test_the_heat_map_shows_standardized_locations():
    frame, labels = table(np.random.default_rng(7))
    profiles = pt.describe_clusters(labels, frame)
    ax = pt.plot.plot_profiles(profiles)
    assert ax.get_title(loc="left").split() == ["Clusters", "differ", "most", "in", "mass,", "island"]
    assert ax.images[0].get_array().shape == (5, 3)
    with pytest.raises(TypeError, match="profiles must be"):
        pt.plot.plot_profiles(labels)


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="draws must"):
        pt.describe_clusters([[1, 2], [3]], [[0.0], [1.0], [2.0]])


def test_the_twenty_most_frequent_categories_are_features():
    values = [f"v{i:02}" for i in range(21) for _ in range(2 + (i > 0))] + [None]
    found = read_features(pd.DataFrame({"sort": values}), len(values))
    assert [feature.level for feature in found] == [f"v{i:02}" for i in range(1, 21)]
    assert np.isnan(found[0].values[-1])
    assert np.nansum(found[0].values) == 3


def test_a_column_that_separates_has_evidence_and_a_constant_has_none():
    labels = np.repeat([0, 1], 10)
    numbers = np.where(labels == 0, -1.0, 1.0) + np.linspace(-0.1, 0.1, 20)
    features = (
        Feature("x", None, numbers),
        Feature("same", None, np.ones(20)),
        Feature("y", None, numbers[::-1].copy()),
    )
    inside = np.ones(20, bool)
    inside[3] = False
    found = column_evidence(features, labels, inside)
    kept = numbers[inside]
    scaled = ((kept - kept.mean()) / kept.std())[:, np.newaxis]
    apart = sum(log_marginal_number(scaled[labels[inside] == k]) for k in (0, 1))
    assert found["x"] == pytest.approx(apart - log_marginal_number(scaled))
    assert found["x"] > 5 > 0 > found["same"]
