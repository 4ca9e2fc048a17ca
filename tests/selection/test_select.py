from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import silhouette_score

import partita as pt
from partita.selection.clustering import check_clusterer, cluster
from partita.selection.fits import Setting, SharedFits
from partita.selection.methods import METHODS
from partita.selection.recommend import recommend
from partita.selection.rules import best, gap, std_before_best
from partita.selection.subsample import SCHEMES, _n_kept
from partita.stability import baselines

FAST = KMeans(n_init=3)


def blobs(n=25, seed=0, gap=8.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(4 * n, 2)) + np.repeat([[0, 0], [gap, 0], [0, gap], [gap, gap]], n, axis=0)


X = blobs()


@pytest.fixture(scope="module")
def selection():
    return pt.select_n_clusters(X, range(1, 8), "all", clusterer=FAST, n_baselines=6)


def test_every_method_finds_clear_clusters(selection):
    assert set(selection.choices) == set(METHODS)
    for method, choice in selection.choices.items():
        assert choice == 4, method
    assert selection.n_clusters == 4
    assert pt.AdjustedRand().between(np.repeat(range(4), 25), selection.labels) == pytest.approx(0, abs=1e-12)


def test_one_cluster_is_offered_where_it_has_a_meaning(selection):
    with_one = set(selection.table.query("n_clusters == 1")["method"])
    assert with_one == {"stability-permutation", "stability-uniform", "stability-recluster", "gap"}
    ones = selection.table.query("n_clusters == 1").set_index("method")
    assert ones.loc["stability-permutation", "value"] == 0
    noise = np.random.default_rng(0).normal(size=(200, 3))
    assert pt.select_n_clusters(noise, range(1, 6), "gap", clusterer=FAST, n_baselines=10).n_clusters == 1


def test_same_seed_same_answer_on_any_number_of_threads_and_beside_any_method(selection):
    two = pt.select_n_clusters(X, range(1, 8), "all", clusterer=FAST, n_baselines=6, n_jobs=2)
    assert two.table.equals(selection.table)
    methods = ["silhouette", "subsample-draws-ar"]
    alone = pt.select_n_clusters(X, [3, 4], methods, clusterer=FAST, n_baselines=6).table
    alone = alone[alone["method"] == "subsample-draws-ar"]
    both = selection.table.query("method == 'subsample-draws-ar' and n_clusters in (3, 4)")
    assert (alone["value"].to_numpy() == both["value"].to_numpy()).all()
    other = pt.select_n_clusters(X, [3, 4], "gap", clusterer=FAST, n_baselines=6, random_state=1).table
    assert (
        other["value"].to_numpy() != selection.table.query("method == 'gap' and n_clusters in (3, 4)")["value"]
    ).all()


def test_many_items_are_summed_in_one_order_whatever_the_threads():
    many = blobs(400, seed=3, gap=4.0)
    one, two = (
        pt.select_n_clusters(many, [3, 4], "gap", clusterer=FAST, n_baselines=3, n_jobs=n).table["value"]
        for n in (1, 2)
    )
    assert (one == two).all()


def test_stability_is_the_tuned_difference_that_stability_reports():
    chosen = pt.select_n_clusters(X, [3], "stability", clusterer=FAST, n_baselines=40)
    labels = chosen.clusterings[3]
    centers = np.array([X[labels == k].mean(axis=0) for k in range(3)])
    report = pt.assess_stability(cdist(X, centers), n_baselines=40)
    row = chosen.table.iloc[0]
    assert row["value"] == pytest.approx(report.difference, abs=4 * row["sd"] / np.sqrt(40) + 1e-3)
    assert row["sd"] == pytest.approx(report.difference_sd, rel=0.6)


def test_one_baseline_has_no_deviation():
    alone = pt.select_n_clusters(X, [3], ["stability", "gap"], clusterer=FAST, n_baselines=1).table
    assert np.isfinite(alone["value"]).all()
    assert alone["sd"].tolist() == [0, 0]


@pytest.mark.parametrize("n_baselines", [2, 5])
def test_gap_follows_its_definition(n_baselines):
    chosen = pt.select_n_clusters(X, [4], "gap", clusterer=FAST, n_baselines=n_baselines)
    labels = chosen.labels
    pairs = [cdist(X[labels == k], X[labels == k], "sqeuclidean").sum() / (2 * (labels == k).sum()) for k in range(4)]
    fits = SharedFits(Setting(X, FAST, int(np.random.default_rng(0).integers(2**63))), (4,), n_baselines, 1)
    null = [fits.nulls[4, b][0] for b in range(n_baselines)]
    row = chosen.table.iloc[0]
    assert row["value"] == pytest.approx(np.mean(null) - np.log(sum(pairs)))
    assert row["sd"] == pytest.approx(np.std(null, ddof=1))


def test_silhouette_is_that_of_scikit_learn(selection):
    value = selection.table.query("method == 'silhouette' and n_clusters == 3")["value"].item()
    assert value == pytest.approx(silhouette_score(X, selection.clusterings[3]))


def test_subsamples_agree_fully_where_clusters_are_clear_and_less_where_not(selection):
    table = selection.table.set_index(["method", "n_clusters"])["value"]
    for scheme in ("draws", "folds", "sizes"):
        assert table[f"subsample-{scheme}-ar", 4] == pytest.approx(1)
        assert table[f"subsample-{scheme}-vi", 4] == pytest.approx(0, abs=1e-12)
        assert table[f"subsample-{scheme}-ar", 6] < 0.98
        assert table[f"subsample-{scheme}-vi", 6] < -0.02


def test_subsamples_smaller_than_the_number_of_clusters_are_left_out():
    with pytest.warns(UserWarning, match="'subsample-sizes-vi' tends to find too few clusters: compare it with"):
        small = pt.select_n_clusters(blobs(5), [2, 12], "subsample-sizes", clusterer=FAST).table
    assert np.isfinite(small["value"]).all()


def test_uniform_items_leave_something_to_compare_in_many_dimensions(monkeypatch):
    wide = pt.datasets.make_anova_mixture(750, 50, 4, random_state=4000).X
    arguments = {"method": "stability-uniform", "clusterer": FAST, "n_baselines": 6}
    assert pt.select_n_clusters(wide, [2, 3, 4, 16, 18, 20], **arguments).n_clusters == 4
    monkeypatch.setattr(baselines, "MANY_COLUMNS", 51)  # the control: a box along principal axes
    assert pt.select_n_clusters(wide, [2, 3, 4, 16, 18, 20], **arguments).n_clusters > 4


def test_the_recommendation_is_in_words(selection):
    assert selection.words.startswith(f"4 clusters: {next(iter(METHODS))}, ")
    assert " agree." in selection.words
    table = selection.table
    assert recommend({"gap": 7, "silhouette": 4}, table, list(range(1, 8))).startswith(
        "7 clusters by gap; silhouette says 4. Look at both before choosing."
    )
    assert "largest number that was tried: try more." in recommend({"gap": 7}, table, list(range(1, 8)))
    alone = pt.select_n_clusters(X, [3, 4, 5], clusterer=FAST).words
    assert alone == (
        "4 clusters by silhouette. Whether there are clusters at all only gap and the stability methods can say, tried "
        "from 1."
    )


def test_rules_follow_their_definitions():
    value, sd = np.array([0.1, 0.5, 0.45, 0.6, 0.2]), np.full(5, 0.2)
    assert best(value, sd) == 3
    assert std_before_best(value, sd) == 1
    assert std_before_best(value, np.full(5, 0.01)) == 3
    assert gap(value, sd) == 1
    assert gap(value, np.full(5, 0.5)) == 0
    assert gap(np.arange(4.0), np.full(4, 0.1)) == 3
    assert [rule(np.array([1.0]), np.array([0.1])) for rule in (best, std_before_best, gap)] == [0, 0, 0]


def test_k_means_from_ten_starts_is_the_clusterer_where_none_is_given():
    assert isinstance(check_clusterer(None), KMeans)
    assert check_clusterer(None).n_init == 10


def test_any_clusterer_with_fit_predict_will_do():
    ward = pt.select_n_clusters(X, range(2, 6), clusterer=AgglomerativeClustering(), n_baselines=4)
    made = pt.select_n_clusters(X, range(2, 6), clusterer=lambda k: KMeans(k, n_init=2), n_baselines=4)
    assert ward.n_clusters == made.n_clusters == 4


def test_means_are_the_centers_whatever_the_clusterer_calls_its_clusters():
    found = cluster(X, 3, lambda k: KMeans(k, n_init=1), seed=0)
    for k in range(3):
        assert found.centers[k] == pytest.approx(X[found.labels == k].mean(axis=0))
    assert cluster(X, 1, None, 0).centers == pytest.approx(X.mean(axis=0, keepdims=True))


def test_as_many_clusters_as_items_are_allowed():
    few = X[::20]
    chosen = pt.select_n_clusters(few, [2, len(few)], ["stability", "gap", "silhouette"], clusterer=FAST, n_baselines=3)
    assert np.isfinite(chosen.table["value"]).all()


class Loner:
    def __init__(self, n_clusters):
        self.n_clusters = n_clusters

    def fit_predict(self, X):
        return np.full(len(X), -1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pt.select_n_clusters(X, [3, 2]), "n_clusters must increase: got 2 after 3."),
        (lambda: pt.select_n_clusters(X, [2, 2]), "n_clusters must increase: got 2 after 2."),
        (lambda: pt.select_n_clusters(X, [2, 101]), "n_clusters must not exceed the number of items, 100: got 101."),
        (lambda: pt.select_n_clusters(X, []), "n_clusters must hold at least one number of clusters: got none."),
        (lambda: pt.select_n_clusters(X, [0, 1]), "n_clusters must be a whole number of at least 1: got 0."),
        (lambda: pt.select_n_clusters(X, 5), "n_clusters must be a list or range of numbers of clusters: got 5."),
        (lambda: pt.select_n_clusters(X, [2], "gapp"), "method must be one of"),
        (lambda: pt.select_n_clusters(X, [2], []), "method must name at least one method: got none."),
        (
            lambda: pt.select_n_clusters(X, [2], rule="worst"),
            "rule must be one of best, gap, std_before_best: got 'worst'.",
        ),
        (lambda: pt.select_n_clusters(X * np.nan, [2]), "X must be finite: got nan in row 0, column 0."),
        (
            lambda: pt.select_n_clusters(X, [2], n_baselines=0),
            "n_baselines must be a whole number of at least 1: got 0.",
        ),
        (
            lambda: pt.select_n_clusters(X, [2], clusterer=DBSCAN()),
            "clusterer must have fit_predict and a parameter n_clusters: got DBSCAN().",
        ),
        (
            lambda: pt.select_n_clusters(X, [2], clusterer=lambda k: Loner(n_clusters=k)),
            "clusterer must assign every item: got label -1 with 2 clusters.",
        ),
        (
            lambda: pt.select_n_clusters(X, [1], "silhouette"),
            "n_clusters must hold a number of clusters that silhouette allows: got none.",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert str(error.value).startswith(message)


def test_endless_requests_are_refused_at_once():
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ValueError, match="n_clusters must not exceed the number of items, 20: got 99999999999"):
        pt.select_n_clusters(X, range(2, 10**11))
    with pytest.raises(ValueError, match="n_baselines must be at most 100000: got 1000000000"):
        pt.select_n_clusters(X, range(2, 4), n_baselines=10**9)


def test_subsamples_hold_half_nine_tenths_or_growing_shares_of_the_items():
    assert {scheme: n_runs for scheme, (_, n_runs) in SCHEMES.items()} == {"draws": 10, "folds": 10, "sizes": 9}
    assert [_n_kept(25, "sizes", run) for run in range(9)] == [2, 5, 7, 10, 12, 15, 17, 20, 22]
    assert _n_kept(25, "draws", 3) == 12
    assert [_n_kept(25, "folds", run) for run in (0, 4, 5, 9)] == [22, 22, 23, 23]


@pytest.mark.parametrize(
    ("scheme", "kept"), [("draws", [4] * 10), ("folds", [7] * 8 + [8] * 2), ("sizes", [4, 4, 5, 6, 7])]
)
def test_each_subsample_larger_than_the_number_of_clusters_is_clustered(scheme, kept):
    seen = []

    class Halves:
        def __init__(self, n_clusters):
            self.n_clusters = n_clusters

        def fit_predict(self, data):
            seen.append((self.n_clusters, len(data)))
            return np.arange(len(data)) % self.n_clusters

    some = np.random.default_rng(0).normal(size=(8, 1))
    with pytest.warns(UserWarning, match="tends to find too few clusters"):
        found = pt.select_n_clusters(some, [1, 3], f"subsample-{scheme}", clusterer=partial(Halves))
    assert next(n for k, n in seen if k == 3) == 8
    assert [n for k, n in seen if k == 3][1:] == kept
    assert found.table["n_clusters"].tolist() == [3]


def test_numbers_within_a_deviation_of_the_best_are_told():
    def words(values, sds, chosen, others=None):
        table = pd.DataFrame({"method": "gap", "n_clusters": [1, 2, 3], "value": values, "sd": sds})
        return recommend({"gap": chosen, **(others or {})}, table, [1, 2, 3])

    assert words([0.1, 0.5, 1.0], [0.1, 0.1, 0.5], 3) == (
        "3 clusters by gap. By gap 2 is as good within a standard deviation. "
        "It is the largest number that was tried: try more."
    )
    assert words([0.1, 0.9, 0.5], [0.1, 0.3, 0.9], 2) == "2 clusters by gap."
    assert words([0.9, 0.5, 0.1], [0.8, 0.1, 0.1], 1).endswith(
        "By gap 2 and 3 are as good within a standard deviation."
    )
    assert words([0.9, 0.5, 0.1], [0.0] * 3, 1, {"silhouette": 2, "stability": 2}) == (
        "one cluster by gap; silhouette says 2 and stability says 2. Look at both before choosing."
    )
    assert "Look at each before" in words([0.9, 0.5, 0.1], [0.0] * 3, 1, {"silhouette": 2, "stability": 3})
